import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { oneOf, type Random, whole } from '../../../src/demo/random.ts';
import type { Receiver } from '../../support/receivers.ts';
import type { Product } from '../product.ts';
import type { Book, BookedGame } from './book.ts';

/** Posts games, prices, picks, and scores, subscribes, and reads. Each request is repeated until it is answered. */
export interface FaultLoad {
  handles: readonly string[];
  /** Stops posting picks, and waits until the score of every game is acknowledged. */
  finish(): Promise<void>;
  stop(): void;
  /** @throws the error that has ended a part of it */
  goesOn(): void;
}

/** Times in milliseconds. */
export interface LoadTimes {
  /** Interval between two picks of each of the two clients. */
  everyMs: number;
  /** How long before its start a game is announced, and the interval between announcements. */
  aheadMs: number;
  gameEveryMs: number;
  /** How long before a start posting ends, and how long after it the score is posted. */
  lastCallMs: number;
  finalMs: number;
}

/** The line of all picks, which a whole number of goals never pushes. */
const line = 2.5;

export interface LoadOptions {
  book: Book;
  receivers: readonly Receiver[];
  random: Random;
  times: LoadTimes;
}

/** @param product the target; without a site it only posts */
export async function startFaultLoad(
  { sites, operator, token }: Pick<Product, 'sites' | 'operator' | 'token'>,
  { book, receivers, random, times }: LoadOptions,
): Promise<FaultLoad> {
  const { everyMs, aheadMs, gameEveryMs, lastCallMs, finalMs } = times;
  const [site] = sites;
  const names = ['ada', 'bram', 'cleo', 'dina', 'egon', 'fee', 'gus', 'hedda', 'ivo', 'jana'];
  // Many cappers, since each posts a selection only once while it is pending.
  const handles = names.flatMap((name) => [name, `${name}-b`, `${name}-c`, `${name}-d`]);
  const stopped = new AbortController();
  let posting = true;
  let failure: Error | undefined;

  async function ask(what: string, url: string, init: RequestInit = {}): Promise<string | undefined> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) });
      const body = await response.text();
      book.answered(what, response.status, body);
      // 409 and 422: refused, with the reasons.
      return response.ok || response.status === 409 || response.status === 422 ? body : undefined;
    } catch {
      book.answered(what, 0, '');
      return undefined;
    }
  }
  const send = (what: string, url: string, body: object, headers: Record<string, string>) =>
    ask(what, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const post = (path: string, body: object, headers = {}) =>
    send(path, `${operator}${path}`, body, { authorization: `Bearer ${token}`, ...headers });
  /** Retries until there is an answer that counts. */
  async function untilAnswered<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      stopped.signal.throwIfAborted();
      const answer = await attempt();
      if (answer !== undefined) return answer;
      await pause(100);
    }
  }
  const outcomeOf = (answer: string | undefined): { outcome: string; pickUuid?: string } | undefined =>
    answer === undefined ? undefined : (JSON.parse(answer).rows?.[0] ?? { outcome: 'refused' });
  const named = ({ name, startsAt }: BookedGame) => ({
    sport: 'soccer',
    game: name,
    startsAt: new Date(startsAt).toISOString(),
  });

  const setUp = handles.map((handle) =>
    untilAnswered(() => post('/cappers', { handle, tier: 'elite', verified: true })),
  );
  await Promise.all(setUp);

  async function subscribe(handle: string): Promise<void> {
    await untilAnswered(async () => {
      // A new path for each attempt: one without an answer may have subscribed as well.
      const path = `/${randomUUID()}`;
      const target = oneOf(random, receivers).url(path);
      const from = `10.${whole(random, 0, 255)}.${whole(random, 0, 255)}.${whole(random, 0, 255)}`;
      const body = {
        owner_email: `${path.slice(1)}@example.org`,
        target_url: target,
        capper_handle: handle,
      };
      const answer = await send('/api/webhooks', `${site}/api/webhooks`, body, { 'x-forwarded-for': from });
      if (answer === undefined || !answer.includes('"secret"')) return undefined;
      book.subscriptions.push({ path, handle, acknowledged: performance.now() });
      return answer;
    });
  }

  async function announce(index: number): Promise<void> {
    const game: BookedGame = {
      name: `${nameOf(2 * index)} @ ${nameOf(2 * index + 1)}`,
      startsAt: Math.ceil(Date.now() / 1000) * 1000 + aheadMs,
      homeScore: whole(random, 0, 3),
      awayScore: whole(random, 0, 3),
      lastPriceAt: 0,
      final: false,
    };
    await untilAnswered(async () => outcomeOf(await post('/games', { ...named(game), status: 'scheduled' })));
    book.games.push(game);
  }

  async function price(game: BookedGame): Promise<void> {
    const capturedAt = Date.now();
    const odds = whole(random, -140, -101);
    const rows = ['over', 'under'].map((side) => ({
      ...named(game),
      market: 'total',
      side,
      line,
      oddsAmerican: odds,
      book: 'alpha',
      capturedAt: new Date(capturedAt).toISOString(),
    }));
    const answer = await post('/lines', rows);
    const outcomes = answer === undefined ? [] : (JSON.parse(answer).rows as { outcome: string }[]);
    if (
      outcomes.length === 2 &&
      outcomes.every(({ outcome }) => outcome === 'added' || outcome === 'unchanged')
    )
      if (Date.now() <= game.startsAt)
        // A price acknowledged after the start may have arrived after the closing.
        game.lastPriceAt = Math.max(game.lastPriceAt, capturedAt);
  }

  async function pick(game: BookedGame): Promise<void> {
    const [handle, key, sent] = [oneOf(random, handles), randomUUID(), performance.now()];
    const side = oneOf(random, ['over', 'under'] as const);
    const row = { market: 'total', side, line, pick: `${side} ${line}`, oddsAmerican: -110, stakeUnits: 1 };
    const answer = await untilAnswered(async () =>
      outcomeOf(
        await post('/picks', { capperHandle: handle, ...named(game), ...row }, { 'idempotency-key': key }),
      ),
    );
    // A refused pick has no UUID: its game began during an outage, or the capper has posted it.
    if (answer.pickUuid !== undefined)
      book.pickAcknowledged(answer.pickUuid, { handle, game: game.name, side, sent });
  }

  async function settle(game: BookedGame): Promise<void> {
    const { homeScore, awayScore } = game;
    const answer = outcomeOf(await post('/games', { ...named(game), status: 'final', homeScore, awayScore }));
    if (answer?.outcome === 'updated' || answer?.outcome === 'unchanged') game.final = true;
  }

  /** Reports whether there is a checkpoint: a new log has none before its first entry. Undefined until there is. */
  async function isPublished(site: string): Promise<true | undefined> {
    const response = await fetch(`${site}/ledger/checkpoint`, {
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true ? true : undefined;
  }

  async function read(site: string): Promise<void> {
    const capper = `/c/${oneOf(random, handles)}`;
    const paths = ['/', '/leaderboard', capper, '/api/leaderboard', '/ledger/checkpoint'];
    if ((await ask('page', `${site}${oneOf(random, paths)}`)) !== undefined) book.pageRead();
  }

  const loop = async (everyMs: number, turn: () => Promise<unknown>, goesOn = () => true) => {
    while (goesOn() && !stopped.signal.aborted) {
      await turn();
      await pause(everyMs * (0.5 + random()));
    }
  };
  const isPosting = () => posting;
  const open = (ms: number) => book.games.filter(({ startsAt }) => startsAt - Date.now() > ms);
  for (let index = 0; index < 2; index += 1) await announce(index);
  if (site !== undefined) for (const handle of handles.slice(0, 6)) await subscribe(handle);

  let announced = 2;
  const games = loop(gameEveryMs, () => announce(announced++), isPosting);
  const posters = [0, 1].map(() =>
    loop(
      everyMs,
      async () => {
        const game = open(lastCallMs).at(0);
        if (game !== undefined) await pick(game);
      },
      isPosting,
    ),
  );
  const tasks = [
    games,
    ...posters,
    loop(gameEveryMs / 4, () => Promise.all(open(-1_000).map(price))),
    loop(finalMs / 2, async () => {
      for (const game of book.games)
        if (!game.final && Date.now() > game.startsAt + finalMs) await settle(game);
    }),
  ];
  if (site !== undefined)
    tasks.push(
      loop(30_000, () => subscribe(oneOf(random, handles)), isPosting),
      untilAnswered(() => isPublished(site)).then(() => loop(300, () => read(site))),
    );
  for (const task of tasks)
    task.catch((error: Error) => {
      if (!stopped.signal.aborted) failure = error;
    });
  return {
    handles,
    stop: () => stopped.abort(),
    goesOn() {
      if (failure !== undefined) throw failure;
    },
    async finish() {
      posting = false;
      await Promise.all([games, ...posters]);
      await untilAnswered(async () => (book.games.every(({ final }) => final) ? true : undefined));
    },
  };
}

/** Returns unique made-up names: `Babola`, `Bacolu`, ... */
function nameOf(index: number): string {
  const syllables = [
    'ba',
    'co',
    'du',
    'fe',
    'gi',
    'ka',
    'lo',
    'mu',
    'ne',
    'pi',
    'ra',
    'so',
    'tu',
    've',
    'zi',
  ];
  const at = (place: number) => syllables[Math.floor(index / 15 ** place) % 15]!;
  const name = `${at(0)}${at(1)}${at(2)}${at(0)}${at(1)}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
