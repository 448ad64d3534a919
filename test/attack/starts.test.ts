import { expect } from 'chai';
import { v4 } from 'uuid';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { auditStarts } from '../../src/ledger/audit/derived.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { startApi } from '../support/api.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** Attempts to post a pick after the start with the operator's token or a login. */
describe('posting after the start of a game in a live log', () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  /** The start of every game in progress when the attacks begin. */
  let start: number;
  let ingest: Database;
  let operator: Database;

  /** Stores games as the process of a login does. */
  const gamesBy = (database: Database, ...rows: GameRow[]) =>
    database.transaction((transaction) =>
      applyGames(transaction, rows, { now: Date.now(), imported: false }),
    );
  const games = (...rows: GameRow[]) => gamesBy(stores.database, ...rows);
  const game = (name: string, startsAt: number | null = start): GameRow => ({
    sport: 'nba',
    game: name,
    startsAt: startsAt === null ? null : iso(startsAt),
    status: 'scheduled',
  });
  const pickOn = (row: GameRow): PickRow => ({
    capperHandle: 'ada',
    sport: row.sport,
    game: row.game,
    startsAt: row.startsAt ?? null,
    market: 'question',
    subject: `Question ${v4()}`,
    side: 'yes',
    pick: 'Yes',
    oddsAmerican: 100,
    stakeUnits: 1,
  });
  async function post(row: GameRow, now = Date.now()): Promise<string> {
    const posted = await postPick(stores.database, pickOn(row), undefined, now);
    return posted.outcome === 'refused' ? posted.reason : posted.outcome;
  }
  /** Stores a pick past the service, as the login of a process could. */
  async function insert(row: GameRow): Promise<string> {
    const uuid = v4();
    await ingest.raw(
      `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, subject, side, pick, odds_american, stake_e4, source, provenance, posted_at)
       select ?, c.id, c.tier, g.id, g.starts_at, 'question', ?, 'yes', 'Yes', 100, 10000, 'operator', 'live', date_trunc('milliseconds', clock_timestamp())
       from cappers c, games g where c.handle = 'ada' and g.name = ? and g.announced_start is not distinct from ?`,
      [uuid, v4(), row.game, row.startsAt ?? null],
    );
    return uuid;
  }
  const refused = (row: GameRow) => insert(row).catch((error: { message: string }) => error.message);

  /** Games from before the start, by what happens to them. */
  const names = [
    'Moved ahead',
    'Moved twice',
    'Moved back',
    'Postponed',
    'Cancelled',
    'Delayed',
    'Doubled',
    'Corrected',
    'Ended',
    'Silent',
    'Stolen',
    'Returned',
    'Rainy',
    'Shuttled',
    'Timed',
    'Early',
  ];
  const named = (name: string, startsAt = start) => game(`${name} A @ ${name} B`, startsAt);

  before(async () => {
    start = Math.ceil(Date.now() / 1000) * 1000 + 6_000;
    ingest = openDatabase(asLogin(stores.ownerUrl, 'ingest'));
    operator = openDatabase(asLogin(stores.ownerUrl, 'operator'));
    const intake = { now: Date.now(), imported: false };
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], intake);
    await games(
      ...names.map((name) => game(`${name} A @ ${name} B`)),
      game('Doubled A @ Doubled B', start + 4 * hour),
      game('No start A @ No start B', null),
    );
    // Before the starts, a source corrects one and postpones another for rain.
    await gamesBy(
      ingest,
      { ...named('Corrected'), movedTo: iso(start + hour) },
      { ...named('Rainy'), movedTo: iso(start + hour / 2) },
      { ...named('Shuttled'), movedTo: iso(start + 24 * hour) },
    );
    await gamesBy(ingest, { ...named('Shuttled'), movedTo: iso(start) });
    // Somebody with the operator's token does the same, although the games will begin on time.
    await gamesBy(
      operator,
      { ...named('Stolen'), movedTo: iso(start + hour) },
      { ...named('Returned'), movedTo: iso(start + hour) },
      { ...named('Early'), movedTo: iso(start - hour) },
    );
    await gamesBy(operator, { ...named('Early'), movedTo: iso(start + hour) });
    expect(await post(named('Shuttled'))).to.equal('added');
    expect(await post(game('Moved ahead A @ Moved ahead B'))).to.equal('added');
    await until(async () => Date.now() > start + 100);
  });
  after(() => Promise.all([ingest.destroy(), operator.destroy()]));

  describe('is refused', () => {
    it('when the start is moved ahead after it has passed', async () => {
      const row = game('Moved ahead A @ Moved ahead B');
      await games({ ...row, movedTo: iso(start + hour) });
      expect(await post(row)).to.match(/^the game started at/);
      expect(await refused(row)).to.match(/had a start that has passed/);
    });

    it('when the start is moved ahead twice and then back to the first move', async () => {
      const row = game('Moved twice A @ Moved twice B');
      await games({ ...row, movedTo: iso(start + hour) });
      await games({ ...row, movedTo: iso(start + 2 * hour) });
      await games({ ...row, movedTo: iso(start + hour) });
      expect(await post(row)).to.match(/^the game started at/);
    });

    it('when the start is moved back and then ahead', async () => {
      const row = game('Moved back A @ Moved back B');
      await games({ ...row, movedTo: iso(start - hour) });
      await games({ ...row, movedTo: iso(start + hour) });
      expect(await post(row)).to.match(/^the game started at/);
      expect(await refused(row)).to.match(/had a start that has passed/);
    });

    it('when the game has no start', async () => {
      const row = game('No start A @ No start B', null);
      expect(await post(row)).to.match(/has no start/);
      expect(await refused(row)).to.match(/has no start/);
    });

    it('when the game is marked postponed and moved', async () => {
      const row = game('Postponed A @ Postponed B');
      await games({ ...row, status: 'postponed' });
      await games({ ...row, movedTo: iso(start + 24 * hour) });
      expect(await post(row)).to.match(/^the game started at/);
      expect(await refused(row)).to.match(/had a start that has passed/);
    });

    it('when rain delays the game', async () => {
      const row = game('Delayed A @ Delayed B');
      await games({ ...row, movedTo: iso(start + 0.5 * hour) });
      expect(await post(row)).to.match(/^the game started at/);
    });

    it('for a second game of the same teams, in either order, even if the first is called off', async () => {
      for (const [first, second] of [
        ['Silent', 'Silent B @ Silent A'],
        ['Silent', 'SILENT a @ Silent B.'],
        ['Postponed', 'Postponed A @ Postponed B'],
      ]) {
        const row = game(second!, start + 5 * hour + second!.length);
        await games(row);
        expect(await post(row), first).to.match(/^another game of the same opponents started/);
      }
      await games({ ...game('Cancelled A @ Cancelled B'), status: 'cancelled' });
      const again = game('Cancelled A @ Cancelled B', start + hour);
      await games(again);
      expect(await post(again)).to.match(/^another game of the same opponents started/);
    });

    it("when the posting machine's clock is slow", async () => {
      const row = named('Timed');
      for (const behind of [1_000, 30_000, 50_000])
        expect(await post(row, Date.now() - behind), `${behind} ms`).to.match(
          /its game has started|started at/,
        );
      await gamesBy(operator, { ...row, movedTo: iso(start + hour) });
      for (const behind of [0, 30_000, 50_000])
        expect(await post(row, Date.now() - behind), `${behind} ms`).to.match(
          /started at|had a start that has passed/,
        );
    });

    it('when the postponement was withdrawn before the start', async () => {
      expect(await post(named('Shuttled'))).to.match(/^the game started at/);
      await gamesBy(operator, { ...named('Shuttled'), movedTo: iso(start + 24 * hour) });
      expect(await post(named('Shuttled'))).to.match(/^the game started at/);
    });

    it('when the start was moved into the past and then ahead before it came', async () => {
      expect(await post(named('Early'))).to.match(/^the game started at/);
      expect(await refused(named('Early'))).to.match(/had a start that has passed/);
    });

    it('for a third game added to a doubleheader in progress', async () => {
      const third = named('Doubled', start + 8 * hour);
      await games(third);
      expect(await post(third)).to.match(/^another game of the same opponents started/);
    });

    it('for a game added with a past announced start and a future start', async () => {
      const row = { ...game('Late A @ Late B', start - hour), movedTo: iso(start + hour) };
      await games(row);
      expect(await post(row)).to.match(/^the game started at/);
      expect(await refused(row)).to.match(/had a start that has passed/);
    });
  });

  describe('is accepted', () => {
    it('when a wrong start was corrected before it came', async () => {
      expect(await post(game('Corrected A @ Corrected B'))).to.equal('added');
    });

    it('when rain postponed the game before its start', async () => {
      expect(await post(named('Rainy'))).to.equal('added');
    });

    it('for the second game of a doubleheader announced before the first began', async () => {
      expect(await post(game('Doubled A @ Doubled B', start + 4 * hour))).to.equal('added');
    });

    it('for the next game of the same teams after the first has a final score', async () => {
      await games({ ...game('Ended A @ Ended B'), status: 'final', homeScore: 1, awayScore: 0 });
      const next = game('Ended A @ Ended B', start + 24 * hour);
      await games(next);
      expect(await post(next)).to.equal('added');
    });

    it('and passes the audit', async () => {
      await sealAll(stores.database);
      expect(await eventsSetAside(stores.database)).to.deep.equal([]);
      const found = await Array.fromAsync(auditPicks(stores.owner, () => {}));
      expect([...found, ...(await Array.fromAsync(auditStarts(stores.owner)))]).to.deep.equal([]);
    });
  });

  describe('is detected', () => {
    it('when a login stores a pick on a second game of the same teams with a forged announcement time', async () => {
      await ingest.raw(
        `insert into games (sport, name, announced_start, starts_at, announced_at)
         values ('nba', 'Silent A @ Silent B', ?, ?, date_trunc('second', now()) - interval '1 day')`,
        [iso(start + 9 * hour), iso(start + 9 * hour)],
      );
      const row = game('Silent A @ Silent B', start + 9 * hour);
      expect(await post(row)).to.match(/^another game of the same opponents started/);
      const uuid = await insert(row);
      await sealAll(stores.database);
      const aside = await eventsSetAside(stores.database);
      expect(aside.map(({ reason }) => reason).join()).to.match(
        /its game was announced at .+, after game \d+ of the same opponents had started/,
      );
      const found = await Array.fromAsync(auditPicks(stores.owner, () => {}));
      expect(found.map(({ message }) => message).join()).to.contain(uuid);
      const rejected = await ingest
        .raw(`update games set announced_at = announced_at - interval '1 day' where name = ?`, [row.game])
        .catch((error: { message: string }) => error.message);
      expect(rejected).to.match(/permission denied/);
    });

    it('by a monitor, when the start is moved shortly before it comes', async () => {
      expect(await post(named('Stolen'))).to.equal('added');
      expect(await post(named('Returned'))).to.equal('added');
      // The move makes the game gradable.
      await gamesBy(operator, { ...named('Returned'), movedTo: iso(start) });
      await sealAll(stores.database);
      const key = Buffer.alloc(32, 5).toString('base64');
      const publisher = { baseUrl: 'https://picks.example', demo: false, key };
      await publishCheckpoint(stores.database, publisher, Date.now());
      const site = await startApi({ database: stores, redis }, { clock: { now: () => Date.now() } });
      try {
        const log = openLog(site.address);
        const state = newState('picks.example/ledger', (await log.keys()).map(formatVerifierKey));
        const { findings } = await poll(log, state, { now: Date.now(), history: true });
        const found = findings.map(({ kind, message }) => [kind, /nba: (\w+) A/.exec(message)?.[1]]);
        expect(found.sort()).to.deep.equal([
          ['late', 'Returned'],
          ...['Corrected', 'Rainy', 'Returned', 'Stolen'].map((name) => ['moved', name]),
        ]);
        expect(findings.map(({ message }) => message).join()).to.match(/ that operator had moved at /);
      } finally {
        await site.close();
      }
    });

    it('when the owner moves a start without an event in the log', async () => {
      const transaction = await stores.owner.transaction();
      try {
        await transaction.raw('alter table games disable trigger games_moved');
        await transaction('games')
          .where({ name: 'Silent A @ Silent B', announced_start: new Date(start) })
          .update({ starts_at: new Date(start + hour) });
        const found = await Array.fromAsync(auditStarts(transaction));
        expect(found.map(({ table, column }) => `${table}.${column}`)).to.deep.equal(['games.starts_at']);
      } finally {
        await transaction.rollback();
      }
    });
  });
});

describe('repeats of a live pick', () => {
  const stores = withDatabase({ kind: 'live' });
  const startsAt = iso(Date.now() + 24 * hour);
  const row: PickRow = {
    capperHandle: 'ada',
    sport: 'nba',
    game: 'Gulls @ Foxes',
    startsAt,
    market: 'spread',
    side: 'home',
    line: -3.5,
    pick: 'As announced',
    oddsAmerican: -110,
    stakeUnits: 1,
  };
  const post = (fields: Partial<PickRow> = {}) =>
    postPick(stores.database, { ...row, ...fields }, undefined, Date.now());

  before(async () => {
    const intake = { now: Date.now(), imported: false };
    const capper = (handle: string) => ({ handle, tier: 'elite' as const, verified: true });
    await applyCappers(stores.database, ['ada', 'bob', 'cyd'].map(capper), intake);
    const games = ['Gulls @ Foxes', 'Terns @ Owls'].map((game) => ({
      sport: 'nba',
      game,
      startsAt,
      status: 'scheduled' as const,
    }));
    await stores.database.transaction((transaction) => applyGames(transaction, games, intake));
  });

  it("are refused with the first pick's id, whatever their price, stake, and text", async () => {
    const first = await post();
    expect(first.outcome).to.equal('added');
    const uuid = 'pickUuid' in first ? first.pickUuid : '';
    expect(await post({ oddsAmerican: 2500, stakeUnits: 5, pick: 'Foxes', book: 'mine' })).to.deep.equal({
      outcome: 'refused',
      reason: `it repeats pick ${uuid} of this capper, which is pending`,
      repeats: uuid,
    });
    expect(await post({ capperHandle: 'bob' })).to.include({ outcome: 'added' });
  });

  it('include the fourth pick on a contest, on either side and at any line', async () => {
    expect(await post({ line: -4 })).to.include({ outcome: 'added' });
    expect(await post({ side: 'away', line: 4.5 })).to.include({ outcome: 'added' });
    expect(await post({ side: 'away', line: 5 })).to.deep.include({ outcome: 'refused' });
    expect(await post({ market: 'total', side: 'over', line: 200.5 })).to.include({ outcome: 'added' });
  });

  it('are refused even when they arrive concurrently', async () => {
    const same = await Promise.all(
      Array.from({ length: 8 }, () => post({ capperHandle: 'cyd', game: 'Terns @ Owls' })),
    );
    expect(same.filter(({ outcome }) => outcome === 'added')).to.have.length(1);
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, n) => post({ capperHandle: 'cyd', game: 'Terns @ Owls', line: n + 0.5 })),
    );
    expect(many.filter(({ outcome }) => outcome === 'added')).to.have.length(2);
  });
});
