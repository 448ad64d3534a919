import pg from 'pg';
import type { Login } from '../../../migrations/rights.ts';
import type { BoardContext } from '../../../src/boards/endpoint.ts';
import { boards } from '../../../src/boards/index.ts';
import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import { publishCheckpoint } from '../../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../../src/ledger/publishing/published.ts';
import { sealAll } from '../../../src/ledger/sealing/seal.ts';
import { type Database, openDatabase } from '../../../src/platform/database.ts';
import { choosePickOfTheDay } from '../../../src/projections/pick-of-the-day.ts';
import { updateProjections } from '../../../src/projections/update.ts';
import { exportFilter } from '../../../src/record/export-filter.ts';
import { readRecord } from '../../../src/record/export-rows.ts';
import { recordJson } from '../../../src/record/record-json.ts';
import { readSitePaths, siteChunks } from '../../../src/record/sitemap.ts';
import { etDay } from '../../../src/rules/et-day.ts';
import type { CheckContext } from '../../../src/status/check.ts';
import { sealingCheck } from '../../../src/status/checks/log.ts';
import {
  closingsCheck,
  gradingsCheck,
  lastPickCheck,
  lastSettlementCheck,
  resultsCheck,
} from '../../../src/status/checks/picks.ts';
import { announceEvents } from '../../../src/webhooks/messages/events.ts';
import { filled, urlOf } from '../../support/examples.ts';
import { postPick } from '../../support/post-pick.ts';
import { asLogin } from './ledgers.ts';
import { publisher } from './projections.ts';
import { withoutPrefix, withoutProjections } from './without.ts';
import { growthWorld } from './world.ts';

/** An operation of the service whose cost must not grow with the ledger. */
interface Task {
  name: string;
  login: Login;
  run(database: Database): Promise<unknown>;
}

const { now } = growthWorld(1, 1);

/** Up to some twenty runs V8 still recompiles a board's hot loops. Later runs vary less. */
const mostRounds = 29;

/** How often tasks and steps run after their warm-up. */
export interface Rounds {
  /** Default: three to twenty-nine, within two seconds per ledger. */
  tasks?: number;
  /** Default: three. */
  steps?: number;
}

/** Milliseconds of each task, and its statements. */
export type Measured = Map<string, { ms: number; explain(): Promise<string[]> }>;

/**
 * Times every task on some ledgers: the best of several runs after a warm-up, alternating, so that other load on the machine affects all
 * ledgers alike. A task's changes are rolled back.
 * @returns the measurements of each ledger
 */
export async function measure(
  urls: readonly string[],
  only: (name: string) => boolean,
  { tasks: most = mostRounds, steps = 3 }: Rounds = {},
): Promise<Measured[]> {
  const ledgers = await Promise.all(urls.map(openLedger));
  try {
    for (const [index, { name, login }] of ledgers[0]!.tasks.entries()) {
      if (!only(name)) continue;
      const runs = ledgers.map(({ databaseOf, tasks, url, measured }) => {
        const database = databaseOf(login);
        return { database, url, measured, times: [] as number[], task: tasks[index]! };
      });
      const statements: Statement[][] = [];
      for (const { database, task } of runs)
        statements.push(await statementsOf(database, () => task.run(database)));
      const deadline = performance.now() + 2000 * runs.length;
      for (let round = 0; round < most && (round < 3 || performance.now() < deadline); round += 1)
        for (const { database, task, times } of runs) {
          const start = performance.now();
          await task.run(database);
          times.push(performance.now() - start);
        }
      for (const [at, { url, measured, times }] of runs.entries())
        measured.set(name, {
          ms: Math.min(...times),
          explain: () => explain(asLogin(url, login), statements[at]!),
        });
    }
    await measureSteps(ledgers, only, steps);
    return ledgers.map(({ measured }) => measured);
  } finally {
    for (const { close } of ledgers) await close();
  }
}

async function openLedger(url: string) {
  const owner = openDatabase(url, { name: 'growth', connections: 2 });
  const logins = new Map<Login, Database>();
  const databaseOf = (login: Login) => {
    const open = logins.get(login) ?? openDatabase(asLogin(url, login), { name: `growth ${login}` });
    logins.set(login, open);
    return open;
  };
  await choosePickOfTheDay(databaseOf('boards'), now);
  return {
    url,
    owner,
    databaseOf,
    tasks: await tasks(owner),
    measured: new Map() as Measured,
    async close() {
      await owner.destroy();
      for (const database of logins.values()) await database.destroy();
    },
  };
}

async function tasks(owner: Database): Promise<Task[]> {
  const sports = new Map(
    (
      await owner('sports').orderBy('position').select({
        key: 'key',
        label: 'label',
        moneylineWays: 'moneyline_ways',
        eventMinutes: 'event_minutes',
      })
    ).map((sport) => [sport.key, sport]),
  );
  const context = (database: Database): BoardContext => ({
    database,
    now,
    sports,
    baseUrl: 'https://picks.example',
    helpLine: '1-800-GAMBLER',
  });
  const facts = await busyFacts(owner);
  const boardTasks = boards.flatMap((board) => {
    const given = [...board.examples, ...board.ahead, ...(further[board.path] ?? [])]
      .filter((example) => !Object.values(example).includes('{player}'))
      .map((example) => ({
        ...filled(example, facts),
        // A month that all ledgers have.
        ...('month' in example && { month: '2025-12' }),
      }));
    return [...new Map(given.map((params) => [urlOf(board, params), params]))].map(
      ([name, params]): Task => ({
        name,
        login: 'web',
        run: (database) => board.renderable(params, sports).render(context(database)),
      }),
    );
  });
  const withoutTasks = withoutProjections(etDay(now)).map(
    ([name, run]): Task => ({ name: withoutPrefix + name, login: 'web', run }),
  );
  return [...boardTasks, ...recordTasks(facts), ...workTasks(), ...withoutTasks];
}

/** Parameters in addition to the examples: windows, and filters that very few picks match. */
const further: Record<string, Record<string, string>[]> = {
  '/api/leaderboard': [{ sport: 'nba' }, { provenance: 'live' }, { window: '90d', tier: 'elite' }],
  '/api/leaderboard/clv': [{ window: '30d' }],
  '/api/leaderboard/units': [{ window: '7d' }],
  '/api/feed/picks': [{ sport: 'tennis' }],
  '/api/feed/by-tier': [
    { tier: 'elite', sport: 'tennis' },
    { tier: 'listed', provenance: 'live' },
  ],
  '/api/feed/settled': [{ sport: 'tennis' }],
  '/api/cappers': [{ cursor: '900' }, { sport: 'tennis' }],
  '/api/search': [{ q: '{game}' }, { q: 'home' }, { q: 'hommee' }],
  '/api/sharp/recent': [{ hours: '168' }],
};

type Facts = Awaited<ReturnType<typeof busyFacts>>;

/** Returns the busiest capper and the next one, the newest settled pick of theirs, and the oldest pick of all. */
async function busyFacts(owner: Database) {
  const [handle, other]: string[] = await owner('cappers').orderBy('id').limit(2).pluck('handle');
  const newest = await owner('board_picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .where('c.handle', handle)
    .whereNotNull('p.result')
    .whereNotNull('p.clv_bps')
    .orderBy('p.settled_at', 'desc')
    .first({ uuid: 'p.uuid', game: 'g.name', sport: 'p.sport', market: 'p.market' });
  const oldest = await owner('picks').orderBy('id').first('uuid');
  const game = await owner('games').where('status', 'scheduled').orderBy('id').first();
  const last = await owner('picks').max({ id: 'id' }).first();
  return {
    handle: handle!,
    other: other!,
    uuid: newest.uuid as string,
    oldest: oldest.uuid as string,
    game: newest.game as string,
    sport: newest.sport as string,
    market: newest.market as string,
    team: (newest.game as string).split(' @ ')[1]!,
    // There are no picks on players.
    playerSport: '',
    player: '',
    next: game as { id: number; sport: string; name: string; announced_start: number },
    lastId: last!.id as number,
  };
}

function recordTasks({ uuid, oldest, lastId }: Facts): Task[] {
  const web = (name: string, run: Task['run']): Task => ({ name, login: 'web', run });
  const page = (name: string, query: string) =>
    web(`/record/export ${name}`, (database) => {
      const { filter } = exportFilter(new URLSearchParams(query));
      return readRecord(database, filter, recordJson(filter, '', now));
    });
  return [
    web('receipt of a new pick', (database) => receiptOf(database, uuid)),
    web('receipt of the first pick', (database) => receiptOf(database, oldest)),
    page('newest', 'limit=1000'),
    page('first page', 'limit=1000&after_id=0'),
    page('middle page', `limit=1000&after_id=${lastId >> 1}`),
    page('last page', `limit=1000&after_id=${lastId - 1000}`),
    page('since yesterday', `limit=1000&since=${new Date(now - 86_400_000).toISOString()}`),
    page('of a sport', 'limit=1000&sport=nfl'),
    page('of a sport without picks', 'limit=1000&sport=tennis'),
    page('of a sport without picks, by id', 'limit=1000&sport=tennis&after_id=0'),
    ...(['cappers', 'picks'] as const).flatMap((section) => [
      web(`sitemap index, ${section}`, (database) => siteChunks(database, section)),
      web(`sitemap, first of ${section}`, (database) => readSitePaths(database, section, 1, () => {})),
    ]),
  ];
}

function workTasks(): Task[] {
  const work = (name: string, login: Login, run: Task['run']): Task => ({ name, login, run });
  const checks = [
    closingsCheck,
    gradingsCheck,
    lastPickCheck,
    lastSettlementCheck,
    resultsCheck,
    sealingCheck,
  ];
  return [
    work('quiet: grading', 'grading', (database) => gradeDue(database, now)),
    work('quiet: sealing', 'sealing', (database) => sealAll(database)),
    work('quiet: publishing', 'sealing', (database) => publishCheckpoint(database, publisher, now)),
    work('quiet: projections', 'boards', (database) => updateProjections(database)),
    work('quiet: Pick of the Day', 'boards', (database) => choosePickOfTheDay(database, now)),
    work('quiet: fanout', 'webhooks', (database) => announceEvents(database, now)),
    ...checks.map((check) => {
      const quiet = { redis: undefined, queues: {}, now, machineNow: now, before: () => undefined };
      return work(`check: ${check.about}`, 'status', (database) =>
        check.measure({ ...quiet, database } as unknown as CheckContext, check.thresholds),
      );
    }),
  ];
}

/** Returns the steps from a pick to the boards, with twenty-five picks on one game. */
async function stepsOf(owner: Database): Promise<[name: string, run: Task['run']][]> {
  const { next } = await busyFacts(owner);
  // A capper bets on a contest at most three times.
  const handles: string[] = await owner('cappers').where('verified', true).orderBy('id').pluck('handle');
  let posted = 0;
  // Its picks settle when it has ended, three hours later.
  const later = next.announced_start + 3 * 3_600_000;
  const rest = { market: 'moneyline', side: 'home', pick: 'home', oddsAmerican: -110, stakeUnits: 1 };
  const pick = { sport: next.sport, game: next.name, startsAt: new Date(next.announced_start).toISOString() };
  const end = { status: 'final', home_score: 100, away_score: 90, final_at: new Date(later) };
  return [
    [
      'a pick: posting',
      (database) => {
        const capperHandle = handles[posted++ % handles.length]!;
        return postPick(database, { capperHandle, ...pick, ...rest }, undefined, now);
      },
    ],
    ['a pick: sealing', (database) => sealAll(database)],
    ['a pick: projections', (database) => updateProjections(database)],
    ['a game: its end', (database) => database('games').where('id', next.id).update(end)],
    ['a game, 26 picks: grading', (database) => gradeDue(database, later)],
    ['a game, 26 picks: sealing', (database) => sealAll(database)],
    ['a game, 26 picks: projections', (database) => updateProjections(database)],
  ];
}

/** Times the steps on each ledger, alternating, after a warm-up. */
async function measureSteps(
  ledgers: readonly { owner: Database; url: string; measured: Measured }[],
  only: (name: string) => boolean,
  rounds: number,
): Promise<void> {
  const times = ledgers.map(() => new Map<string, number[]>());
  const statements = ledgers.map(() => new Map<string, Statement[]>());
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, { owner }] of ledgers.entries()) {
      const transaction = await owner.transaction();
      try {
        await transaction.raw('set local jit = off');
        for (const [name, step] of await stepsOf(owner)) {
          const start = performance.now();
          statements[at]!.set(name, await statementsOf(transaction, () => step(transaction)));
          const ms = performance.now() - start;
          if (round > 0) times[at]!.set(name, [...(times[at]!.get(name) ?? []), ms]);
        }
      } finally {
        await transaction.rollback();
      }
    }
  // Restores the ledgers for the next run.
  for (const { owner } of ledgers)
    await owner.raw(
      'vacuum (index_cleanup on) board_picks, closings, settlements, picks, pending_picks, unsealed_events, ledger_entries',
    );
  for (const [at, { url, measured }] of ledgers.entries())
    for (const [name, each] of times[at]!)
      if (only(name))
        measured.set(name, {
          ms: Math.min(...each),
          explain: () => explain(url, statements[at]!.get(name)!),
        });
}

type Statement = { sql: string; bindings: unknown[] };

async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const note = ({ sql, bindings }: Statement) => statements.push({ sql, bindings });
  database.on('query', note);
  await work();
  database.off('query', note);
  return statements;
}

async function explain(url: string, statements: readonly Statement[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const plans: string[] = [];
    for (const { sql, bindings } of statements) {
      if (!/^(select|with)/.test(sql)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) ${sql}`,
        bindings,
      );
      plans.push([sql, ...rows.map((row) => row['QUERY PLAN'])].join('\n'));
    }
    return plans;
  } finally {
    await client.end();
  }
}
