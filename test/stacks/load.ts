import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { maxEvents } from '../../src/webhooks/delivery/lease.ts';
import type { Receiver } from '../support/receivers.ts';
import type { Product } from './product.ts';

/** When each acknowledged pick was seen, and where, in milliseconds of `performance.now()`. */
interface Seen {
  acknowledged: number;
  sealed?: number;
  board?: number;
  delivered?: number;
}

export interface Outcome {
  picks: number;
  /** The longest time of any pick since its acknowledgement, in milliseconds. */
  toSealed: number;
  toBoard: number;
  toDelivered: number;
  /** The longest span without an acknowledgement, in milliseconds. */
  silence: number;
  /** Deliveries of an event under a repeated `webhook-id`. */
  repeated: number;
}

/** Posts picks one after the other, and watches where they arrive, until it is finished. */
export interface Load {
  /** Acknowledged picks so far. */
  count(): number;
  /** The sightings so far, each since its acknowledgement, for a stack that measures the delay by a fault. */
  seen: ReadonlyMap<string, Readonly<Seen>>;
  /**
   * Stops posting, and waits until everything acknowledged is sealed, on its board, and delivered.
   * @param withinMs default: the minutes that a subscription takes for that many events, plus three
   * @throws Error that says what is missing then
   */
  finish(withinMs?: number): Promise<Outcome>;
  stop(): void;
}

const game = { sport: 'soccer', game: 'Hawks @ Otters' };
const handle = 'ada';

/**
 * Starts a load: adds a capper, a game, and a subscription, then posts a pick every `everyMs`, each under its key until it is answered.
 * Reads the picks back from the sites in turn.
 */
export async function startLoad(
  { sites, operator, token }: Product,
  receiver: Receiver,
  everyMs = 200,
): Promise<Load> {
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 4 * 3_600_000).toISOString();
  const send = (url: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  const post = (path: string, body: object, headers = {}) =>
    send(`${operator}${path}`, body, { authorization: `Bearer ${token}`, ...headers });
  const added = async (response: Response) => {
    if (!response.ok) throw new Error(`${response.url} answers ${response.status}: ${await response.text()}`);
  };
  await added(await post('/cappers', { handle, tier: 'elite', verified: true }));
  await added(await post('/games', { ...game, startsAt, status: 'scheduled' }));
  const subscription = { owner_email: 'owner@example.org', target_url: receiver.url() };
  await added(await send(`${sites[0]}/api/webhooks`, subscription));

  const seen = new Map<string, Seen>();
  const stopped = new AbortController();
  let posting = true;
  let silence = 0;
  let lastAnswer = performance.now();

  const acknowledged = async (key: string): Promise<string> => {
    // A unique subject keeps it from repeating another pick.
    const pick = {
      market: 'question',
      subject: key,
      side: 'yes',
      pick: 'Yes',
      oddsAmerican: -110,
      stakeUnits: 1,
    };
    for (;;) {
      stopped.signal.throwIfAborted();
      const body = { capperHandle: handle, ...game, startsAt, ...pick };
      const response = await post('/picks', body, { 'idempotency-key': key }).catch(() => undefined);
      const answer = response?.ok
        ? ((await response.json()) as { rows: { pickUuid: string }[] }).rows[0]
        : undefined;
      if (answer !== undefined) return answer.pickUuid;
      await pause(50);
    }
  };
  const poster = (async () => {
    while (posting) {
      const uuid = await acknowledged(randomUUID());
      const now = performance.now();
      silence = Math.max(silence, now - lastAnswer);
      lastAnswer = now;
      seen.set(uuid, { acknowledged: now });
      await pause(everyMs);
    }
  })();

  let turn = 0;
  const read = async (path: string): Promise<string> => {
    turn += 1;
    const response = await fetch(`${sites[turn % sites.length]}${path}`, {
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    return response?.ok ? response.text() : '';
  };
  const missing = (where: 'sealed' | 'board' | 'delivered') =>
    [...seen].filter(([, times]) => times[where] === undefined);
  const watcher = (async () => {
    while (!stopped.signal.aborted) {
      const waiting = missing('board').length > 0;
      const board = waiting ? await read(`/api/cappers/${handle}/picks?limit=200`) : '';
      for (const [uuid, times] of missing('board')) if (board.includes(uuid)) times.board = performance.now();
      // Picks are sealed in the order of their posting times.
      for (const [uuid, times] of missing('sealed')) {
        const receipt = await read(`/api/picks/${uuid}/receipt`);
        if (!receipt.includes('"sealed"')) break;
        times.sealed = performance.now();
      }
      const bodies = receiver.received.map(({ body }) => body).join('\n');
      for (const [uuid, times] of missing('delivered'))
        if (bodies.includes(uuid)) times.delivered = performance.now();
      await pause(100);
    }
  })();
  for (const task of [poster, watcher]) task.catch(() => {});

  const longest = (where: 'sealed' | 'board' | 'delivered') =>
    Math.max(0, ...[...seen.values()].map((times) => (times[where] ?? Infinity) - times.acknowledged));
  return {
    seen,
    count: () => seen.size,
    stop() {
      posting = false;
      stopped.abort();
    },
    async finish(withinMs = 60_000 * (3 + Math.ceil(seen.size / maxEvents))) {
      posting = false;
      await poster;
      const deadline = Date.now() + withinMs;
      const left = () =>
        (['sealed', 'board', 'delivered'] as const).map((where) => `${missing(where).length} not ${where}`);
      while (missing('delivered').length + missing('board').length + missing('sealed').length > 0) {
        if (Date.now() > deadline) throw new Error(`of ${seen.size} picks: ${left().join(', ')}`);
        await pause(100);
      }
      stopped.abort();
      await watcher;
      const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
      return {
        picks: seen.size,
        silence,
        toSealed: longest('sealed'),
        toBoard: longest('board'),
        toDelivered: longest('delivered'),
        repeated: ids.length - new Set(ids).size,
      };
    },
  };
}

/** Formats an outcome as a line. */
export function outcomeLine(name: string, outcome: Outcome, faults = ''): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const { picks, toSealed, toBoard, toDelivered, silence, repeated } = outcome;
  return (
    `${name}: ${picks} picks acknowledged, all sealed (longest ${seconds(toSealed)}), on their board (${seconds(toBoard)}) ` +
    `and delivered (${seconds(toDelivered)}); ${repeated} deliveries repeated; longest silence in posting ${seconds(silence)}${faults}`
  );
}
