import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import { createAnswers } from '../../src/answers/answers.ts';
import { aheadOf } from '../../src/boards/board.ts';
import { boards } from '../../src/boards/index.ts';
import { joinGames } from '../../src/games/twins.ts';
import { runChecksJob } from '../../src/jobs/declared.ts';
import { ok } from '../../src/jobs/job.ts';
import { openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { handles } from '../../src/jobs/runtime/handlers.ts';
import { startWorker } from '../../src/jobs/runtime/worker.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { clearRefusals, recordRefusal } from '../../src/ledger/publishing/refusals.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { iso } from '../../src/platform/clock.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { forgetRuns, recordRun, updateRun } from '../../src/sources/runs.ts';
import { noteRequest } from '../../src/sources/source-requests.ts';
import { recordStatements } from '../../src/sources/source-scores.ts';
import type { CheckContext, Status } from '../../src/status/check.ts';
import { redisCheck } from '../../src/status/checks/stores.ts';
import { checks } from '../../src/status/index.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withFolder } from '../support/folders.ts';
import { withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { type Watching, watching } from '../support/watching.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const start = Date.parse('2026-01-15T12:00:00Z');
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

/** The statuses that the tests of this file saw, by name. */
const seen = new Map<string, Set<Status>>();

describe('the checks', () => {
  const clock = fixedClock(start);
  const folder = withFolder();
  const redis = withRedis();
  let watch: Watching;
  let machineNow = Date.now();
  afterEach(() => watch.close());

  /** A separate database per test, so that leftovers of one do not disturb the next. */
  function each(title: string, body: (database: ReturnType<typeof withDatabase>) => Promise<void>) {
    describe(`when ${title}`, () => {
      const database = withDatabase();
      it('report the trouble and its end', async () => {
        clock.set(start);
        machineNow = Date.now();
        await redis.redis.flushdb();
        await body(database);
      });
    });
  }

  function open(
    database: { database: Parameters<typeof watching>[0]['database']; url: string },
    name: RegExp,
    settings: Record<string, string> = {},
  ) {
    watch = noted(
      watching({
        clock,
        database: database.database,
        redis: redis.redis,
        databaseUrl: database.url,
        settings,
        only: (names) => names.some((each) => name.test(each)),
        machineNow: () => machineNow,
      }),
    );
    return watch;
  }

  /** Records statuses in {@link seen}. */
  function noted(watching: Watching): Watching {
    return {
      ...watching,
      async check(name) {
        const kept = await watching.check(name);
        seen.set(name, (seen.get(name) ?? new Set()).add(kept.status));
        return kept;
      },
    };
  }

  const now = () => clock.now();
  const pass = (ms: number) => clock.set(now() + ms);
  const status = async (name: string) => (await watch.check(name)).status;

  /** Imports rows of one kind. */
  async function take(database: ReturnType<typeof withDatabase>, kind: string, rows: readonly object[]) {
    const { refusals } = await ingest(database.database, folder.write(`${kind}.ndjson`, rows), now());
    expect(refusals).to.deep.equal([]);
  }

  const game = (startsAt: number, more: object = {}) => ({
    sport: 'nba',
    game: 'Hawks @ Otters',
    startsAt: iso(startsAt),
    status: 'scheduled',
    ...more,
  });
  const pick = (startsAt: number, more: object = {}) => ({
    capperHandle: 'ada',
    sport: 'nba',
    game: 'Hawks @ Otters',
    startsAt: iso(startsAt),
    market: 'moneyline',
    side: 'home',
    pick: 'Otters',
    oddsAmerican: -110,
    stakeUnits: 1,
    postedAt: iso(now()),
    ...more,
  });
  const ada = [{ handle: 'ada', tier: 'elite', verified: true }];

  /** Adds a capper, a game that starts in an hour, and a pick on it. */
  async function posted(database: ReturnType<typeof withDatabase>) {
    await take(database, 'cappers', ada);
    await take(database, 'games', [game(now() + hour)]);
    await take(database, 'picks', [pick(now() + hour)]);
  }

  each('PostgreSQL is slow, then down, then back', async (database) => {
    const outage = await withOutage(database.url);
    open({ database: database.database, url: outage.url }, /^database$/, { CHECKS: 'database:0.7,2.9' });
    // On a busy machine a single answer may take long.
    const isWell = () => until(async () => (await status('database')) === 'ok');
    await isWell();
    outage.freeze();
    const slow = watch.check('database');
    await sleep(800);
    await outage.restore();
    expect(await slow).to.include({ status: 'degraded' });
    await outage.cut();
    expect(await watch.check('database')).to.deep.include({
      status: 'down',
      message: 'PostgreSQL does not answer.',
    });
    await outage.restore();
    await isWell();
    await outage.close();
  });

  each('Redis is slow, then down, then back', async (database) => {
    const outage = await withOutage(redis.url);
    const { openRedis } = await import('../../src/platform/redis.ts');
    const own = openRedis(outage.url, quiet);
    await ready(own);
    watch = noted(
      watching({
        clock,
        database: database.database,
        redis: own,
        databaseUrl: database.url,
        settings: { CHECKS: 'redis:0.7,1.9' },
        only: (names) => names.includes('redis'),
      }),
    );
    expect(await status('redis')).to.equal('ok');
    outage.freeze();
    const slow = watch.check('redis');
    await sleep(800);
    await outage.restore();
    expect((await slow).status).to.equal('degraded');
    await outage.cut();
    expect(await watch.check('redis')).to.deep.include({ status: 'down', message: 'Redis does not answer.' });
    await outage.restore();
    await ready(own);
    expect(await status('redis')).to.equal('ok');
    await watch.close();
    own.disconnect();
    await outage.close();
  });

  each(
    'no picks come while games could be bet on; a season gap is no alarm, nor is an empty ledger',
    async (database) => {
      open(database, /^last-pick$/);
      expect(await watch.check('last-pick')).to.include({
        status: 'ok',
        message: 'No pick has been posted yet.',
      });
      await posted(database);
      expect(await status('last-pick')).to.equal('ok');
      // Months without a game.
      pass(90 * day);
      expect(await status('last-pick')).to.equal('ok');
      // A game's twelve hours, and more of them.
      await take(database, 'games', [game(now() + 12 * hour)]);
      pass(11 * hour);
      expect(await watch.check('last-pick')).to.include({ status: 'ok', ageSeconds: 11 * 3600 });
      pass(hour);
      expect(await status('last-pick')).to.equal('degraded');
      pass(10 * day);
      expect(await watch.check('last-pick')).to.include({ status: 'degraded', ageSeconds: 12 * 3600 });
      await take(
        database,
        'games',
        [1, 2, 3].map((n) => game(now() + n * 12 * hour, { game: `Hawks ${n} @ Otters` })),
      );
      pass(36 * hour);
      expect(await status('last-pick')).to.equal('down');
      await take(database, 'games', [game(now() + hour)]);
      await take(database, 'picks', [pick(now() + hour)]);
      expect(await status('last-pick')).to.equal('ok');
    },
  );

  each('nothing settles although games have ended', async (database) => {
    open(database, /^last-settlement$/);
    expect(await status('last-settlement')).to.equal('ok');
    await posted(database);
    const startsAt = now() + hour;
    // The sport's length plus an hour.
    clock.set(startsAt + 210 * minute);
    expect(await status('last-settlement')).to.equal('ok');
    clock.set(startsAt + 210 * minute + 6 * hour - second);
    expect(await status('last-settlement')).to.equal('ok');
    pass(second);
    expect(await status('last-settlement')).to.equal('degraded');
    pass(18 * hour);
    expect(await status('last-settlement')).to.equal('down');
    await take(database, 'games', [
      game(startsAt, { status: 'final', homeScore: 9, awayScore: 7, finalAt: iso(now()) }),
    ]);
    await gradeDue(database.database, now());
    expect(await watch.check('last-settlement')).to.include({
      status: 'ok',
      message: 'The last pick settled 0 s ago; no pending pick is on a finished game.',
    });
    pass(90 * day);
    expect(await status('last-settlement'), 'a season gap').to.equal('ok');
  });

  each('events are not sealed', async (database) => {
    open(database, /^sealing$/);
    expect(await status('sealing')).to.equal('ok');
    await posted(database);
    expect(await status('sealing')).to.equal('ok');
    pass(60 * second);
    expect(await watch.check('sealing')).to.include({
      status: 'degraded',
      value: 1,
      message: '1 event not sealed yet, the oldest for 1 min.',
    });
    pass(9 * minute);
    expect(await status('sealing')).to.equal('down');
    await sealAll(database.database);
    expect(await status('sealing')).to.equal('ok');
  });

  each('events cannot be sealed', async (database) => {
    open(database, /^events-set-aside$/);
    expect(await status('events-set-aside')).to.equal('ok');
    await database.owner('unsealed_events').insert({ kind: 'closed', subject_id: 999 });
    await sealAll(database.database);
    expect(await watch.check('events-set-aside')).to.include({
      status: 'degraded',
      value: 1,
      message: '1 event cannot be sealed, the oldest for 0 s. Run npm run cli -- events list to see why.',
    });
    pass(60 * minute);
    expect(await status('events-set-aside')).to.equal('down');
    await database.owner('events_set_aside').delete();
    expect(await status('events-set-aside')).to.equal('ok');
  });

  each('no checkpoint is signed', async (database) => {
    open(database, /^checkpoint$/);
    expect(await status('checkpoint')).to.equal('ok');
    await posted(database);
    await sealAll(database.database);
    expect(await status('checkpoint')).to.equal('ok');
    pass(2 * minute);
    expect(await status('checkpoint')).to.equal('degraded');
    pass(13 * minute);
    expect(await status('checkpoint')).to.equal('down');
    const { ledger, site } = testConfig();
    await publishCheckpoint(database.database, { ...site, ...ledger }, now());
    expect(await status('checkpoint')).to.equal('ok');
  });

  each('the publisher refuses to sign', async (database) => {
    open(database, /^checkpoint$/);
    await recordRefusal(database.database, 'refused', 'The log is shorter than what was published.', now());
    expect(await watch.check('checkpoint')).to.include({
      status: 'down',
      message: 'The publisher refuses to sign: The log is shorter than what was published.',
    });
    await clearRefusals(database.database, ['refused'], now());
    expect(await status('checkpoint')).to.equal('ok');
  });

  each('the boards worker does not read the log', async (database) => {
    open(database, /^boards-lag$/);
    await posted(database);
    await sealAll(database.database);
    expect(await status('boards-lag')).to.equal('ok');
    pass(2 * minute);
    expect(await status('boards-lag')).to.equal('degraded');
    pass(13 * minute);
    expect(await status('boards-lag')).to.equal('down');
    await updateProjections(database.database);
    expect(await status('boards-lag')).to.equal('ok');
  });

  each('picks are not closed at the start', async (database) => {
    open(database, /^closings$/);
    await posted(database);
    const startsAt = now() + hour;
    pass(hour + minute);
    expect(await status('closings'), 'without a price nothing can be closed').to.equal('ok');
    pass(minute);
    const price = {
      sport: 'nba',
      game: 'Hawks @ Otters',
      startsAt: iso(startsAt),
      market: 'moneyline',
      book: 'north',
    };
    await take(database, 'lines', [
      { ...price, side: 'home', oddsAmerican: -120, capturedAt: iso(startsAt - minute), closing: true },
      { ...price, side: 'away', oddsAmerican: 100, capturedAt: iso(startsAt - minute), closing: true },
    ]);
    expect(await status('closings'), 'the price has just arrived').to.equal('ok');
    pass(2 * minute);
    expect(await watch.check('closings')).to.include({
      status: 'degraded',
      message: '1 pick not closed although closing odds are known, the oldest for 2 min.',
    });
    pass(8 * minute);
    expect(await status('closings')).to.equal('down');
    pass(3 * day);
    expect(await watch.check('closings')).to.include({ status: 'down', value: 1 });
    await gradeDue(database.database, now());
    expect(await status('closings')).to.equal('ok');
  });

  each('a game is held ungraded', async (database) => {
    open(database, /^gradings$/);
    await posted(database);
    const startsAt = now() + hour;
    pass(4 * hour);
    expect(await status('gradings')).to.equal('ok');
    await take(database, 'games', [
      game(startsAt, { status: 'final', homeScore: 9, awayScore: 7, finalAt: iso(now()) }),
    ]);
    expect(await status('gradings')).to.equal('ok');
    pass(2 * minute);
    expect(await watch.check('gradings')).to.include({ status: 'degraded', value: 1 });
    pass(13 * minute);
    expect(await status('gradings')).to.equal('down');
    await gradeDue(database.database, now());
    expect(await status('gradings')).to.equal('ok');
  });

  each('no result arrives for a finished game', async (database) => {
    open(database, /^results$/);
    await posted(database);
    const startsAt = now() + hour;
    clock.set(startsAt + 150 * minute);
    expect(await status('results')).to.equal('ok');
    pass(12 * hour - second);
    expect(await status('results')).to.equal('ok');
    pass(second);
    const missing = await watch.check('results');
    expect(missing.status).to.equal('degraded');
    expect(missing.message).to.match(
      /: nba: Hawks @ Otters: over without a result, and no source lists it: post its result\.$/,
    );
    pass(7 * day);
    expect(await status('results')).to.equal('down');
    await take(database, 'games', [
      game(startsAt, { status: 'final', homeScore: 9, awayScore: 7, finalAt: iso(now()) }),
    ]);
    await gradeDue(database.database, now());
    expect(await status('results')).to.equal('ok');
  });

  each('history is imported late, and nothing settles after that', async (database) => {
    open(database, /^(last-pick|last-settlement|results)$/);
    await take(database, 'cappers', ada);
    for (let age = 40; age > 0; age -= 1) {
      const startsAt = start - age * day;
      const more = { game: `Hawks ${age} @ Otters` };
      await take(database, 'games', [game(startsAt, more)]);
      await take(database, 'picks', [pick(startsAt, { ...more, postedAt: iso(startsAt - hour) })]);
      pass(15 * second);
      if (age % 10 !== 0) continue;
      await watch.round();
      const final = {
        ...more,
        status: 'final',
        homeScore: 9,
        awayScore: 7,
        finalAt: iso(startsAt + 3 * hour),
      };
      await take(database, 'games', [game(startsAt, final)]);
      await gradeDue(database.database, now());
      for (const name of ['last-pick', 'last-settlement', 'results'])
        expect(await status(name), name).to.equal('ok');
    }
    pass(2 * day);
    expect(await status('last-pick')).to.equal('ok');
    expect(await status('last-settlement')).to.equal('down');
    expect(await status('results')).to.equal('degraded');
  });

  each("a provider's feed fails, and another is removed", async (database) => {
    open(database, /^feeds$/);
    const db = database.database;
    expect(await watch.check('feeds')).to.include({ status: 'ok', message: 'No provider is configured.' });
    await recordRun(db, 'odds-api/nba', now(), true, 'fine', { nextAt: now() + hour });
    await recordRun(db, 'odds-api/nhl', now(), true, 'fine', { nextAt: null });
    expect(await watch.check('feeds')).to.include({ status: 'ok', message: '2 feeds up to date.' });
    pass(30 * minute);
    await recordRun(db, 'odds-api/nba', now(), false, 'The Odds API: 500 out of order.');
    expect(await status('feeds')).to.equal('ok');
    pass(30 * minute);
    expect(await watch.check('feeds')).to.include({
      status: 'degraded',
      message:
        '1 of 2 feeds not up to date; the worst, odds-api/nba, for 1 h. The Odds API: 500 out of order.',
    });
    pass(5 * hour);
    expect(await status('feeds')).to.equal('down');
    await recordRun(db, 'odds-api/nba', now(), true, 'fine', { nextAt: now() + minute });
    expect(await status('feeds')).to.equal('ok');
    pass(hour + minute);
    expect(await watch.check('feeds'), 'late').to.include({
      status: 'degraded',
      message: '1 of 2 feeds not up to date; the worst, odds-api/nba, for 1 h. Its poll is overdue.',
    });
    await recordRun(db, 'odds-api/nba', now(), false, 'The Odds API: 500.', { nextAt: now() + minute });
    expect(await status('feeds')).to.equal('degraded');
    // The games that it was polled for are over, so there is nothing more to poll.
    await updateRun(db, 'odds-api/nba', { nextAt: null });
    expect(await status('feeds')).to.equal('ok');
    await forgetRuns(db, 'odds-api', []);
    expect(await status('feeds')).to.equal('ok');
  });

  each("a provider's answers change while picks depend on them", async (database) => {
    open(database, /^provider-answers$/);
    const db = database.database;
    const request = {
      source: 'espn/nba',
      request: 'day 20260115',
      etag: null,
      lastModified: null,
      refusal: null,
    };
    const note = (finding: string | null) => noteRequest(db, { ...request, finding }, now());
    await note(null);
    expect(await watch.check('provider-answers')).to.include({
      status: 'ok',
      message: 'Answers are as usual.',
    });
    await note('it lists exactly 25 events, like an answer that was cut off');
    expect(await watch.check('provider-answers')).to.include({
      status: 'ok',
      message: '1 finding, without pending picks on the games.',
    });
    await take(database, 'cappers', [{ handle: 'ada', tier: 'elite', verified: true }]);
    await take(database, 'games', [game(now() + hour)]);
    await take(database, 'picks', [pick(now() + hour)]);
    const listed = { source: 'espn/nba', event_id: '1', game_id: 1, starts_at: new Date(now() + hour) };
    await db('source_events').insert({ ...listed, seen_at: new Date(now()) });
    pass(minute);
    expect(await watch.check('provider-answers')).to.include({
      status: 'degraded',
      value: 1,
      message:
        'ESPN scoreboard, espn/nba, request day 20260115: it lists exactly 25 events, like an answer that was cut off. Since 1 min; 1 game with pending picks.',
    });
    await note(null);
    expect(await status('provider-answers')).to.equal('ok');
  });

  each('two sources disagree about how a game ended', async (database) => {
    open(database, /^disputed-scores$/);
    const db = database.database;
    await take(database, 'games', [game(now() - 3 * hour)]);
    const say = (source: string, score: number) =>
      db.transaction((transaction) => {
        const statement = { gameId: 1, source, state: 'final', note: null } as const;
        const scores = { homeScore: score, awayScore: 99, homeHalfScore: null, awayHalfScore: null };
        const extent = { sets: null, played: null, periodsE3: null };
        return recordStatements(transaction, [{ ...statement, ...scores, ...extent }], now());
      });
    await say('espn', 101);
    expect(await watch.check('disputed-scores')).to.include({
      status: 'ok',
      message: 'Sources agree about all results.',
    });
    await say('odds-api', 104);
    pass(minute);
    expect(await watch.check('disputed-scores')).to.include({
      status: 'degraded',
      value: 1,
      message:
        'Sources disagree about 1 game; set the score to decide. The oldest, for 1 min: ' +
        'nba: Hawks @ Otters: espn says 99-101, odds-api says 99-104.',
    });
    pass(day);
    expect(await status('disputed-scores')).to.equal('down');
    await take(database, 'games', [
      game(now() - 27 * hour - minute, { status: 'final', homeScore: 101, awayScore: 99 }),
    ]);
    expect(await status('disputed-scores')).to.equal('ok');
  });

  each('a game is stored twice', async (database) => {
    open(database, /^twin-games$/);
    const twin = game(now() + 2 * hour, { sport: 'soccer', game: 'Gulls @ Foxes' });
    await take(database, 'games', [twin]);
    expect(await status('twin-games')).to.equal('ok');
    await take(database, 'games', [{ ...twin, game: 'Gulls @ Copperfield' }]);
    pass(minute);
    await watch.check('twin-games');
    pass(minute);
    expect(await watch.check('twin-games')).to.include({
      status: 'degraded',
      value: 1,
      message:
        '1 pair of games may be one fixture, such as soccer: Gulls @ Foxes and Gulls @ Copperfield, ' +
        `${twin.startsAt}. Join them: npm run cli -- join 1 2`,
    });
    pass(31 * day);
    await take(
      database,
      'games',
      [twin, { ...twin, game: 'Gulls @ Copperfield' }].map((each) => ({ ...each, startsAt: iso(now()) })),
    );
    await database.database.transaction((transaction) => joinGames(transaction, 3, 4, now()));
    expect(await status('twin-games')).to.equal('ok');
  });

  each('boards are not rendered ahead', async (database) => {
    open(database, /^board:/);
    await runPipeline(database.database, now());
    const cache = createAnswers({
      redis: redis.redis,
      database: database.database,
      clock,
      baseUrl: 'https://picks.example',
      helpLine: '1-800-GAMBLER',
      log: quiet,
    });
    const name = 'board:/api/leaderboard?window=7d';
    expect((await watch.check(name)).message).to.contain('Missing');
    pass(2 * minute);
    expect(await status(name), 'never computed').to.equal('degraded');
    await cache.refreshAhead(aheadOf(boards));
    expect(await watch.check(name)).to.include({
      status: 'ok',
      ageSeconds: 0,
      message: 'Rendered 0 s ago; its lifetime is 5 min.',
    });
    pass(7 * minute - second);
    expect(await status(name)).to.equal('ok');
    pass(second);
    expect(await status(name)).to.equal('degraded');
    pass(13 * minute);
    expect(await status(name)).to.equal('down');
    await cache.refreshAhead(aheadOf(boards));
    await watch.round();
    const row = await database.database('status_watch').first('state');
    const states = Object.entries(row.state.checks as Record<string, { status: string }>);
    const ahead = boards.reduce((sum, board) => sum + (board.ahead?.length ?? 0), 0);
    expect(states).to.have.length(ahead);
    expect(states.filter(([, kept]) => kept.status !== 'ok')).to.deep.equal([]);
    await cache.close();
  });

  each('a worker stops', async (database) => {
    open(database, /^workers-status$/);
    const enqueue = openQueues(redis.redis, quiet);
    const work = () =>
      startWorker('status', [handles(runChecksJob, async () => ok())], {
        redis: redis.openWaiting(),
        enqueue,
        log: quiet,
      });
    const first = work();
    await until(async () => (await watch.check('workers-status')).value === 1);
    await first.close();
    await until(async () => (await watch.check('workers-status')).value === 0);
    expect(await status('workers-status'), 'a restart raises no alarm').to.equal('ok');
    pass(15 * second);
    expect(await status('workers-status')).to.equal('degraded');
    pass(45 * second);
    expect(await status('workers-status')).to.equal('down');
    const next = work();
    await until(async () => (await watch.check('workers-status')).value === 1);
    expect(await status('workers-status')).to.equal('ok');
    await next.close();
    await enqueue.close();
  });

  each('jobs fail', async (database) => {
    open(database, /^jobs-status$/, { CHECKS: 'jobs:1,3' });
    const enqueue = openQueues(redis.redis, quiet);
    const handler = handles(runChecksJob, () => Promise.reject(new Error('as the test wants it')));
    const worker = startWorker('status', [handler], { redis: redis.openWaiting(), enqueue, log: quiet });
    const fail = (times: number) =>
      enqueue.queues
        .get('status')!
        .addBulk(
          Array.from({ length: times }, () => ({ name: 'look-around', data: {}, opts: { attempts: 1 } })),
        );
    await fail(1);
    await until(async () => (await status('jobs-status')) === 'degraded');
    const { message } = await watch.check('jobs-status');
    expect(message).to.match(/^\d jobs? failed in the last 3 minutes \(look-around\)\.$/);
    await fail(2);
    await until(async () => (await status('jobs-status')) === 'down');
    await worker.close();
    await enqueue.queues.get('status')!.drain();
    machineNow += 4 * minute;
    expect(await watch.check('jobs-status')).to.include({ status: 'ok', value: 0 });
    await enqueue.close();
  });

  each('one job waits and another stalls', async (database) => {
    open(database, /^jobs-(waiting-)?status$/);
    const enqueue = openQueues(redis.redis, quiet);
    expect(await status('jobs-waiting-status')).to.equal('ok');
    await enqueue.add(runChecksJob, {});
    expect(await status('jobs-waiting-status')).to.equal('ok');
    machineNow += 2 * minute + second;
    expect(await status('jobs-waiting-status')).to.equal('degraded');
    machineNow += 8 * minute;
    expect(await status('jobs-waiting-status')).to.equal('down');
    expect(await status('jobs-status'), 'a job that waits has not failed').to.equal('ok');
    // Taken by a worker that then disappears.
    const taker = new Worker('status', null, {
      connection: redis.openWaiting(),
      lockDuration: 30,
      skipVersionCheck: true,
    });
    const token = randomUUID();
    const job = await taker.getNextJob(token);
    await until(async () => (await watch.check('jobs-status')).message === '1 job stalled.');
    expect(await watch.check('jobs-status')).to.include({ status: 'degraded', value: 1 });
    expect(await status('jobs-waiting-status')).to.equal('ok');
    await job?.extendLock(token, 30_000).catch(() => {});
    await enqueue.queues.get('status')!.obliterate({ force: true });
    expect(await status('jobs-status')).to.equal('ok');
    await taker.close();
    await enqueue.close();
  });

  /** Adds a subscription to everything that has received everything before `cursor`. */
  async function subscribe(database: ReturnType<typeof withDatabase>, head: number, cursor: number) {
    const db = database.database;
    const [filter] = await db('webhook_filters').insert({ head_seq: head }).returning('id');
    await db('webhook_subscriptions').insert({
      filter_id: filter.id,
      owner_email: 'ada@example.com',
      target_url_sealed: Buffer.alloc(1),
      target_host: 'hooks.example',
      target_url_masked: 'https://hooks.example/***',
      platform: null,
      secret_sealed: Buffer.alloc(1),
      cursor_seq: cursor,
      created_at: new Date(now()),
    });
  }

  each('the fanout stalls', async (database) => {
    open(database, /^fanout$/);
    expect(await watch.check('fanout')).to.include({
      status: 'ok',
      message: 'There are no webhook subscriptions.',
    });
    await subscribe(database, -1, 0);
    expect(await status('fanout')).to.equal('ok');
    pass(3 * minute);
    expect(await status('fanout'), 'never begun').to.equal('degraded');
    const cycle = () =>
      database
        .database('webhook_cycles')
        .insert({ id: 1, cycle: 1, started_at: new Date(now()) })
        .onConflict('id')
        .merge();
    await cycle();
    expect(await status('fanout')).to.equal('ok');
    pass(3 * minute);
    expect(await status('fanout')).to.equal('degraded');
    pass(12 * minute);
    expect(await status('fanout')).to.equal('down');
    await cycle();
    expect(await status('fanout')).to.equal('ok');
  });

  each('an event is not delivered', async (database) => {
    open(database, /^deliveries$/);
    await subscribe(database, 7, 5);
    const pick = { capper_id: 1, sport: 'nba', market: 'spread', tier: 'elite', about: [] };
    const event = { pick_id: 1, kind: 'posted', ...pick, at: new Date(now()) };
    await database.database('webhook_events').insert([4, 7].map((seq) => ({ ...event, seq })));
    expect(await status('deliveries')).to.equal('ok');
    pass(10 * minute);
    expect(await status('deliveries')).to.equal('degraded');
    pass(50 * minute);
    expect(await status('deliveries')).to.equal('down');
    await database.database('webhook_subscriptions').update({ consecutive_failures: 1 });
    expect(await status('deliveries'), 'its receiver is at fault').to.equal('ok');
    await database.database('webhook_subscriptions').update({ consecutive_failures: 0, cursor_seq: 8 });
    expect(await status('deliveries')).to.equal('ok');
  });
});

describe('every check', () => {
  for (const { about, subjects } of checks)
    it(`was seen above both ok and not ok: ${about}`, () => {
      const statuses = subjects.flatMap(({ name }) => [...(seen.get(name) ?? [])]);
      expect(statuses).to.include('ok');
      expect(statuses.filter((status) => status !== 'ok')).not.to.have.lengthOf(0);
    });
});

describe('the check of Redis', () => {
  it("is degraded while Redis' eviction policy may delete jobs", async () => {
    const finding = async (policy: string) => {
      const info = `# Memory\r\nused_memory:1\r\nmaxmemory_policy:${policy}\r\n`;
      const context = { redis: { info: async () => info } } as unknown as CheckContext;
      return (await redisCheck.measure(context, redisCheck.thresholds)).get('redis');
    };
    expect(await finding('noeviction')).to.include({ status: 'ok' });
    expect(await finding('allkeys-lru')).to.include({
      status: 'degraded',
      message:
        'Redis may delete jobs: its eviction policy is allkeys-lru. Set maxmemory-policy to noeviction.',
    });
  });
});
