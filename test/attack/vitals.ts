import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { fillIn } from '../../src/boards/examples.ts';
import { boards } from '../../src/boards/index.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside, rowsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import type { Database } from '../../src/platform/database.ts';
import { withTimeout } from '../../src/platform/timeout.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { auditProjections } from '../../src/projections/rebuild.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { beginCycle } from '../../src/webhooks/delivery/cycle.ts';
import { createDeliverPage } from '../../src/webhooks/delivery/deliver.ts';
import { type FillDeps, fillLane } from '../../src/webhooks/delivery/fill-lane.ts';
import { startApi } from '../support/api.ts';
import { firstKey } from '../support/author.ts';
import type { TestDatabase } from '../support/database.ts';
import { exampleValues, urlOf } from '../support/examples.ts';
import { createFanout, type TestFanout } from '../support/fanout.ts';
import { pagePaths } from '../support/page-paths.ts';
import { postPick } from '../support/post-pick.ts';
import { quiet } from '../support/quiet.ts';
import type { Receiver } from '../support/receivers.ts';
import type { TestRedis } from '../support/redis.ts';
import { watching } from '../support/watching.ts';
import { ingest } from '../support/whole-way.ts';
import { postQuestion } from './author-forgeries.ts';

const hour = 3_600_000;
const patience = 60_000;

/** Failures of vital functions, by name. */
export type Failures = Map<string, string>;

/** A service over a database, before the attack. */
export interface Patient {
  stores: TestDatabase;
  redis: TestRedis;
  folder: { write(name: string, rows: readonly object[]): string; path(): string };
  publisher: Publisher;
  receiver: Receiver;
  fanout: TestFanout;
  /** Addresses that must always answer. */
  paths: readonly string[];
}

const subscriptions = 14;
const honestHook = `/hook/${subscriptions - 1}`;

const watchOf = ({ stores, redis }: Pick<Patient, 'stores' | 'redis'>) =>
  watching({
    clock: { now: () => Date.now() },
    database: stores.database,
    redis: redis.redis,
    databaseUrl: stores.url,
  });

/** Records what is compared after the attack: the addresses of honest picks, a subscription, and the published checkpoint. */
export async function prepare(
  given: Pick<Patient, 'stores' | 'redis' | 'folder' | 'receiver'>,
): Promise<Patient> {
  const { stores, folder, receiver } = given;
  const { database } = stores;
  const facts = await exampleValues(database);
  const game = await database('games').where({ name: facts.game }).first('id');
  const ofBoards = boards.flatMap((board) =>
    board.examples.flatMap((example) => {
      // Not every ledger has a pick on a player.
      const params = fillIn(example, facts);
      return params === undefined ? [] : [board, ...board.formats].map((each) => urlOf(each, params));
    }),
  );
  const paths = [
    // Not every ledger has a game with the example's id, a pick on a player, or games of two named teams.
    ...[...ofBoards, ...(await pagePaths(database))].filter(
      (path) => !/^\/(?:game|(?:api\/)?(?:player|team)s?)\//.test(path),
    ),
    `/game/${game.id}`,
    `/api/picks/${facts.uuid}/receipt`,
    ...['/api/status', '/api/version', '/record/export.json', '/record/export.csv', '/record/rss.xml'],
    ...[
      '/ledger/checkpoint',
      '/ledger/key',
      '/ledger/proof/3',
      '/ledger/tile/0/000.p/7',
      '/ledger/tile/entries/000.p/7',
    ],
    ...['/ledger', '/ops', '/api/search?q=away', '/search?q=home', '/sitemap.xml', '/'],
  ];
  const file = join(folder.path(), `checkpoint-${randomUUID()}`);
  const newest = await database('checkpoints').orderBy('size', 'desc').first('note');
  if (newest !== undefined) writeFileSync(file, newest.note);
  const key = Buffer.alloc(32, 9).toString('base64');
  const publisher = { baseUrl: 'https://picks.example', demo: false, key, store: fileStore(file) };
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  const fanout = await createFanout(database, { allow: [receiver.host], at: now });
  // The last subscription is honest: no row changes it.
  for (let n = 0; n < subscriptions; n += 1) await fanout.subscribe(receiver.url(`/hook/${n}`));
  const watch = watchOf(given);
  await watch.round();
  await watch.round();
  await watch.close();
  return { ...given, publisher, fanout, paths: [...new Set(paths)] };
}

/** Does everything that a service does with a new pick and a new result, and requests every answer. */
export async function failuresOf(patient: Patient): Promise<Failures> {
  const { stores, redis, folder, publisher, receiver, fanout, paths } = patient;
  const { database } = stores;
  const failures: Failures = new Map();
  const attempt = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await withTimeout(work(), patience);
    } catch (error) {
      failures.set(name, `${(error as Error).message}`.slice(-900));
      return undefined;
    }
  };
  const must = (found: unknown, sentence: string) => {
    if (!found) throw new Error(sentence);
  };
  const name = randomUUID()
    .replace(/[^a-z]/g, '')
    .slice(0, 12)
    .padEnd(8, 'q');

  const uuid = await attempt('posting', () => postNew(database, folder, name));
  const author = `by-${name}`;
  await attempt('posting of a signed pick', async () => {
    const [capper] = await database('cappers').where({ handle: author }).select('id', 'handle');
    const device = await firstKey(database, capper, Date.now());
    const [game] = await database('games')
      .where({ name: `Next ${name} @ Host ${name}` })
      .select('sport', 'name', 'starts_at');
    const startsAt = new Date(game.starts_at).toISOString();
    await postQuestion(database, author, device, { sport: game.sport, game: game.name, startsAt });
  });
  await attempt('grading', () => gradeDue(database, Date.now()));
  await attempt('sealing', async () => {
    await sealAll(database);
    const [entry] = await database('ledger_entries').where({ uuid, kind: 'posted' });
    must(entry, 'the new pick is not sealed');
    const [signed] = await database('ledger_entries').where({ capper: author, kind: 'posted' });
    must(signed, 'the new signed pick is not sealed');
    const [settled] = await database('ledger_entries as e')
      .join('picks as p', 'p.id', 'e.pick_id')
      .where({ 'e.kind': 'settled', 'e.capper': `old-${name}` });
    must(settled, 'the new result is not sealed');
    const [closed] = await database('ledger_entries').where({ kind: 'closed', capper: `old-${name}` });
    must(closed, 'the new closing is not sealed');
  });
  await attempt('publishing', async () => {
    const size = await publishCheckpoint(database, publisher, Date.now());
    const [counted] = await database('ledger_entries').count({ entries: '*' });
    const entries = Number(counted?.entries);
    must(size === entries, `the checkpoint has ${size} of ${entries} entries`);
  });
  await attempt('boards', async () => {
    await updateProjections(database);
    await choosePickOfTheDay(database, Date.now());
    const [row] = await database('board_picks').where({ uuid });
    must(row, 'the new pick is on no board');
    must(row.sealed_in_time === 'signed', `the new pick is ${row.sealed_in_time}`);
    const [old] = await database('board_picks')
      .where({ pick: `Home ${name}` })
      .whereNotNull('result');
    must(old, 'the new result is on no board');
  });
  await attempt('webhooks', async () => {
    const before = receiver.received.length;
    fanout.clock.set(fanout.clock.now() + 60_000);
    await deliverAll(database, fanout);
    const got = receiver.received
      .slice(before)
      .some(({ path, body }) => path === honestHook && body.includes(String(uuid)));
    must(got, 'the new pick was not announced');
  });
  const watch = watchOf(patient);
  await attempt('status', async () => {
    await watch.round();
    const [{ written_at: before }] = await database('status_watch').select('written_at');
    await watch.round();
    const [{ written_at: at }] = await database('status_watch').select('written_at');
    must(at > before && Math.abs(at - Date.now()) < hour, 'the state is not stored');
  });
  await redis.redis.flushdb();
  const faults: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void faults.push(line) });
  const site = await startApi(
    { database: stores, redis },
    { clock: { now: () => Date.now() }, memory: false, log },
  );
  try {
    const asked = [
      ...paths,
      ...[
        `/api/picks/${uuid}`,
        `/p/${uuid}`,
        `/api/picks/${uuid}/receipt`,
        `/api/search?q=${name}`,
        ...[`/c/${name}`, `/c/${author}`, `/api/cappers/${author}/keys`, `/api/cappers/${author}/profile`],
      ],
    ];
    for (const path of asked)
      await attempt(`GET ${path}`, async () => {
        const response = await fetch(site.address + path, { redirect: 'manual' });
        const text = await response.text();
        must(
          response.status < 400,
          `${response.status} ${text.slice(0, 100)} ${faults.at(-1)?.slice(0, 1500)}`,
        );
      });
    // Requests for impossible rows never cause an error of the service.
    for (const path of await pagePaths(database).catch(() => []))
      await attempt(`GET ${path}`, async () => {
        const response = await fetch(site.address + path, { redirect: 'manual' });
        await response.arrayBuffer();
        must(response.status < 500, `${response.status} ${faults.at(-1)?.slice(0, 1500)}`);
      });
    await attempt('status of what is set aside', async () => {
      const aside = [...(await eventsSetAside(database)), ...(await rowsSetAside(database))];
      const answer = (await (await fetch(`${site.address}/api/status`)).json()) as {
        checks: { name: string; status: string }[];
        incidents: { check: string }[];
      };
      const check = answer.checks.find((each) => each.name === 'events-set-aside');
      must(check !== undefined, 'the check is missing');
      must(
        (check!.status === 'ok') === (aside.length === 0),
        `${aside.length} are set aside: ${check!.status}`,
      );
    });
    await attempt('monitor', async () => {
      const published = openLog(site.address);
      must((await published.keys()).length > 0, 'the log has no key');
      const { origin } = await database('ledger_origin').first('origin');
      const [{ vkey }] = await database('signing_keys').where({ id: 1 }).select('vkey');
      // The monitor reads the log to its end, or says what is wrong with it.
      const { size, findings } = await poll(published, newState(origin, [vkey]), { now: Date.now() });
      must(size > 0 || findings.length > 0, 'the log is empty');
    });
  } finally {
    await site.close();
  }
  await attempt('audit', async () => {
    const whole = await audit(database, () => publisher.store!.read(), {
      onFinding() {},
      further: [auditProjections],
    });
    must(whole.entries > 0 || whole.difference !== null, 'nothing was audited');
  });
  await watch.close();
  return failures;
}

/** Runs one cycle of the fanout, as its worker does. */
async function deliverAll(database: Database, { clock, deps }: TestFanout): Promise<void> {
  const deliverPage = createDeliverPage({ ...deps, log: quiet });
  const { behind } = await beginCycle(database, clock.now());
  for (const lane of behind) {
    const pages: number[][] = [];
    const enqueue = {
      async addAll(_job: unknown, payloads: readonly { subscriptionIds: number[] }[]) {
        pages.push(...payloads.map(({ subscriptionIds }) => subscriptionIds));
        return true;
      },
      waiting: async () => 0,
    } as unknown as FillDeps['enqueue'];
    await fillLane({ database, enqueue, clock, closing: new AbortController().signal }, lane);
    for (const page of pages) await deliverPage(page, lane);
  }
}

/** Stores a past game with a pick that a price closes and a score settles, and posts a live pick on a future game. */
async function postNew(database: Database, folder: Patient['folder'], name: string): Promise<string> {
  const second = (at: number) => new Date(Math.floor(at / 1000) * 1000).toISOString();
  const now = Date.now();
  const past = { sport: 'nba', game: `Away ${name} @ Home ${name}`, startsAt: second(now - 30 * hour) };
  const next = { sport: 'nba', game: `Next ${name} @ Host ${name}`, startsAt: second(now + 26 * hour) };
  const line = {
    ...past,
    market: 'moneyline',
    line: null,
    capturedAt: second(now - 31 * hour),
    closing: true,
    book: 'north',
  };
  const pick = { market: 'moneyline', side: 'home', line: null, oddsAmerican: -110, stakeUnits: 1 };
  const files = {
    cappers: [
      { handle: name, tier: 'elite', verified: true },
      { handle: `old-${name}`, tier: 'elite', verified: true },
      { handle: `by-${name}`, tier: 'elite', verified: true },
    ],
    games: [
      { ...past, status: 'final', homeScore: 90, awayScore: 80 },
      { ...next, status: 'scheduled' },
    ],
    lines: [
      { ...line, side: 'home', oddsAmerican: -120 },
      { ...line, side: 'away', oddsAmerican: 110 },
    ],
    picks: [
      {
        ...past,
        ...pick,
        capperHandle: `old-${name}`,
        pick: `Home ${name}`,
        book: 'north',
        postedAt: second(now - 32 * hour),
      },
    ],
  };
  const paths = Object.entries(files).map(([kind, rows]) => folder.write(`${name}-${kind}.ndjson`, rows));
  const { refusals } = await ingest(database, paths, now);
  if (refusals.length > 0) throw new Error(refusals[0]!.reason);
  const posted = await postPick(
    database,
    { ...next, ...pick, capperHandle: name, pick: `Host ${name}` },
    name,
    Date.now(),
  );
  if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
  return posted.pickUuid;
}
