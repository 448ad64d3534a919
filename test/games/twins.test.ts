import { expect } from 'chai';
import { findTwins, JoinRefused, joinGames } from '../../src/games/twins.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { iso } from '../../src/platform/clock.ts';
import { gameGroups } from '../../src/projections/groups.ts';
import { auditProjections } from '../../src/projections/rebuild.ts';
import type { EventReport } from '../../src/sources/answer.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { settleStatements } from '../../src/sources/source-scores.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { postPick } from '../support/post-pick.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-11T12:00:00Z');
const start = now + 6 * hour;

describe('games stored twice', () => {
  const stores = withDatabase();
  const folder = withFolder();
  let round = 0;

  before(() =>
    applyCappers(
      stores.database,
      ['ada', 'bea'].map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
      { now, imported: false },
    ),
  );
  beforeEach(async () => {
    // Games with picks stay, so each test has its own teams.
    round += 1;
    await stores.owner.raw('delete from source_events; delete from source_scores');
  });

  const gulls = () => `Harbor Gulls ${'abcdefghijk'[round]}`;
  const foxes = () => `Copper Foxes ${'abcdefghijk'[round]}`;
  const other = () => `CFX ${'abcdefghijk'[round]}`;
  const event = (home: string, more: Partial<EventReport> = {}): EventReport => ({
    eventId: `e${round}`,
    away: gulls(),
    home,
    startsAt: start,
    ...more,
  });
  const take = (source: string, events: EventReport[], at = now) =>
    applyReports(stores.database, source, 'soccer', events, at);
  const pickOf = (capperHandle: string, home: string, startsAt: number, more = {}) => ({
    capperHandle,
    sport: 'soccer',
    game: `${gulls()} @ ${home}`,
    startsAt: iso(startsAt),
    market: 'moneyline',
    side: 'home',
    pick: home,
    oddsAmerican: 150,
    stakeUnits: 1,
    ...more,
  });
  const priced = (capturedAt: number, oddsAmerican = 150) =>
    (['away', 'home', 'draw'] as const).map((side) => ({
      ...({ market: 'moneyline', side, line: null, capturedAt, book: 'north' } as const),
      oddsAmerican: side === 'home' ? oddsAmerican : 220,
    }));
  const idOf = async (name: string): Promise<number> =>
    (await stores.database('games').where({ name }).orderBy('id').first('id')).id;
  const join = (one: number, two: number, at = now) =>
    stores.database.transaction((transaction) => joinGames(transaction, one, two, at));
  const found = async () =>
    (await findTwins(stores.database, now)).flatMap(({ to, from }) =>
      to.name.includes(gulls()) || to.sport === 'nba' ? [[to.id, from.id]] : [],
    );
  const pipeline = (at: number) => runPipeline(stores.database, at);
  const verdicts = () =>
    stores
      .database('board_picks as b')
      .join('games as g', 'g.id', 'b.game_id')
      .join('cappers as c', 'c.id', 'b.capper_id')
      .where('g.name', `${gulls()} @ ${foxes()}`)
      .orderBy('b.pick_id')
      .select('c.handle', 'b.price_verdict', 'b.result');

  async function expectSound(): Promise<void> {
    await expectSoundLedger(stores.database);
    const found: string[] = [];
    const whole = await audit(stores.database, async () => undefined, {
      // The tests' server has settings of its own, and the log kind of this database is not in its log.
      onFinding: ({ message }) => void (/^(?:catalog|log_kind), /.test(message) || found.push(message)),
      further: [auditProjections],
    });
    expect([found, whole.difference]).to.deep.equal([[], null]);
  }

  /** Posts a pick on each of two games: one has the prices, the other will have the score. */
  async function twins(): Promise<[to: number, from: number]> {
    await take('scores', [event(foxes())]);
    await take('prices', [event(other(), { startsAt: start + 20 * 60_000, prices: priced(now) })]);
    const one = await postPick(stores.database, pickOf('ada', foxes(), start), undefined, now + 1000);
    const two = await postPick(
      stores.database,
      pickOf('bea', other(), start + 20 * 60_000),
      undefined,
      now + 1000,
    );
    expect([one.outcome, two.outcome]).to.deep.equal(['added', 'added']);
    await pipeline(now + 1000);
    return [await idOf(`${gulls()} @ ${foxes()}`), await idOf(`${gulls()} @ ${other()}`)];
  }

  it('are found, and joined once: picks, prices, and scores belong to one game', async () => {
    const [to, from] = await twins();
    expect(await found()).to.deep.equal([[to, from]]);
    expect(await verdicts()).to.deep.equal([{ handle: 'ada', price_verdict: 'unseen', result: null }]);
    await expectSound();

    const joined = await join(to, from, now + hour);
    expect(joined.alias).to.deep.equal({ alias: other().toLowerCase(), team: foxes().toLowerCase() });
    expect(await found()).to.deep.equal([]);
    await pipeline(now + hour);
    expect(await verdicts()).to.deep.equal([
      { handle: 'ada', price_verdict: 'available', result: null },
      { handle: 'bea', price_verdict: 'available', result: null },
    ]);
    const [group] = await gameGroups(stores.database, to);
    expect([group!.game, group!.capperCount]).to.deep.equal([`${gulls()} @ ${foxes()}`, 2]);
    const [entry] = await stores
      .database('ledger_entries')
      .where({ kind: 'game_joined' })
      .orderBy('seq', 'desc');
    expect(JSON.parse(entry.body)).to.deep.include({
      sport: 'soccer',
      at: iso(now + hour),
      by: 'owner',
      from: { game: `${gulls()} @ ${other()}`, announced_start: iso(start + 20 * 60_000), day: null },
      to: { game: `${gulls()} @ ${foxes()}`, announced_start: iso(start), day: null },
    });
    await expectSound();

    // The next poll and the next price mean the earlier game.
    const again = await take(
      'prices',
      [event(other(), { startsAt: start + 20 * 60_000, prices: priced(now + 2 * hour, 140) })],
      now + 2 * hour,
    );
    expect([again.events, again.added, again.prices]).to.deep.equal([1, 0, 3]);
    const fresh = await take('another', [event(other(), { startsAt: start })], now + 2 * hour);
    expect([fresh.events, fresh.added]).to.deep.equal([1, 0]);
    const prices = await stores
      .database('lines')
      .where({ side: 'home' })
      .whereIn('game_id', [to, from])
      .orderBy(['game_id', 'captured_at'])
      .select('game_id', 'odds_american');
    expect(prices).to.deep.equal(
      [to, from].flatMap((game_id) => [150, 140].map((odds_american) => ({ game_id, odds_american }))),
    );

    // Each pick closes at the start of its own game, and the score of the one game settles both.
    await pipeline(start + hour);
    const closed = await stores
      .database('closings as k')
      .join('picks as p', 'p.id', 'k.pick_id')
      .whereIn('p.game_id', [to, from])
      .orderBy('p.id')
      .select('k.closed_at', 'k.odds_american');
    expect(closed).to.deep.equal([
      { closed_at: start, odds_american: 140 },
      { closed_at: start + 20 * 60_000, odds_american: 140 },
    ]);
    const score = { home: 2, away: 0, homeHalf: 1, awayHalf: 0 };
    await take('scores', [event(foxes(), { state: 'final', score })], start + 3 * hour);
    await settleStatements(stores.database, start + 4 * hour);
    await pipeline(start + 4 * hour);
    expect((await verdicts()).map(({ result }) => result)).to.deep.equal(['win', 'win']);
    await expectSound();
  });

  it('share a score, but no prices, once a start has passed', async () => {
    const [to, from] = await twins();
    await pipeline(start + hour);
    await join(from, to, start + hour);
    await pipeline(start + hour);
    const score = { home: 0, away: 1 };
    await take(
      'prices',
      [event(other(), { startsAt: start + 20 * 60_000, state: 'final', score })],
      start + 3 * hour,
    );
    await settleStatements(stores.database, start + 9 * hour);
    await pipeline(start + 9 * hour);
    expect(await verdicts()).to.deep.equal([
      { handle: 'ada', price_verdict: 'unseen', result: 'loss' },
      { handle: 'bea', price_verdict: 'available', result: 'loss' },
    ]);
    await expectSound();
  });

  it('share the score that the later one already has', async () => {
    const [to, from] = await twins();
    const score = { home: 0, away: 0 };
    await take(
      'prices',
      [event(other(), { startsAt: start + 20 * 60_000, state: 'final', score })],
      start + 3 * hour,
    );
    await settleStatements(stores.database, start + 9 * hour);
    await pipeline(start + 9 * hour);
    expect(await stores.database('games').where({ id: from }).pluck('status')).to.deep.equal(['final']);
    await join(to, from, start + 10 * hour);
    await pipeline(start + 10 * hour);
    expect((await verdicts()).map(({ result }) => result)).to.deep.equal(['loss', 'loss']);
    await expectSound();
  });

  it('take live picks under one name, and refuse repeats and picks after the earlier start', async () => {
    const [to, from] = await twins();
    await join(to, from, now + hour);
    const at = now + hour;
    const late = start + 20 * 60_000;
    const total = { market: 'total', side: 'over', line: 2.5, pick: 'over 2.5' };
    const posted = await postPick(stores.database, pickOf('ada', other(), late, total), undefined, at);
    expect(posted.outcome).to.equal('added');
    const [row] = await stores.database('picks').orderBy('id', 'desc').limit(1).select('game_id');
    expect(row.game_id).to.equal(to);
    const repeated = await postPick(stores.database, pickOf('bea', foxes(), start), undefined, at);
    expect(repeated).to.include({ outcome: 'refused' });
    const [afterStart] = [
      await postPick(
        stores.database,
        pickOf('ada', other(), late, { ...total, line: 3.5 }),
        undefined,
        start + 1000,
      ),
    ];
    expect(afterStart).to.include({ outcome: 'refused' });
    await pipeline(at);
    await expectSound();
  });

  it('are the same for a file that is imported again', async () => {
    const past = (home: string, startsAt: number) => ({
      ...pickOf('ada', home, startsAt),
      postedAt: iso(startsAt - hour),
    });
    const ended = now - 40 * hour;
    const games = [foxes(), other()].map((home) => ({
      sport: 'soccer',
      game: `${gulls()} @ ${home}`,
      startsAt: iso(ended),
    }));
    const paths = [
      folder.write('games.ndjson', games),
      folder.write('picks.ndjson', [past(other(), ended), past(foxes(), ended)]),
    ];
    await ingest(stores.database, paths, now);
    await pipeline(now);
    const [to, from] = [await idOf(`${gulls()} @ ${foxes()}`), await idOf(`${gulls()} @ ${other()}`)];
    await join(to, from);
    const count = async () => (await stores.database('picks').whereIn('game_id', [to, from])).length;
    expect(await count()).to.equal(2);
    const { refusals } = await ingest(stores.database, paths, now);
    expect([refusals, await count()]).to.deep.equal([[], 2]);
    await pipeline(now);
    await expectSound();
  });

  it('are joined the right way round if the home team of one was a guess', async () => {
    await take('scores', [event(foxes())]);
    const at = { announced_start: iso(start + 60_000), starts_at: iso(start + 60_000) };
    const turned = { sport: 'soccer', name: `${other()} @ ${gulls()}`, home_known: false, ...at };
    const [{ id }] = await stores.database('games').insert(turned).returning('id');
    const to = await idOf(`${gulls()} @ ${foxes()}`);
    const [twins] = (await findTwins(stores.database, now)).filter((each) => each.from.id === id);
    expect([twins!.to.id, twins!.swapped]).to.deep.equal([to, true]);
    const { from, alias } = await join(to, id);
    expect([from.name, alias!.team]).to.deep.equal([`${gulls()} @ ${other()}`, foxes().toLowerCase()]);
  });

  it('are not joined if they name two known teams, are swapped, ended differently, or joined already', async () => {
    const add = async (sport: string, game: string, startsAt: number, more = {}) => {
      const at = { announced_start: iso(startsAt), starts_at: iso(startsAt) };
      const [row] = await stores
        .database('games')
        .insert({ sport, name: game, ...at, ...more })
        .returning('id');
      return row.id as number;
    };
    const refusal = async (one: number, two: number) => {
      try {
        await join(one, two);
      } catch (error) {
        if (error instanceof JoinRefused) return error.message;
        throw error;
      }
      return 'joined';
    };
    const lakers = await add('nba', 'Los Angeles Lakers @ Boston Celtics', start);
    const bulls = await add('nba', 'Los Angeles Lakers @ Chicago Bulls', start);
    expect(await refusal(lakers, bulls)).to.include('Boston Celtics and Chicago Bulls are two teams');
    expect(await found()).to.deep.equal([]);
    const final = { status: 'final', final_at: iso(start + hour), home_score: 1 };
    const one = await add('soccer', `${gulls()} @ ${foxes()}`, start, { ...final, away_score: 0 });
    const two = await add('soccer', `${gulls()} @ ${other()}`, start, { ...final, away_score: 2 });
    expect(await refusal(one, two)).to.include('they ended differently');
    const turned = await add('soccer', `${other()} @ ${gulls()}`, start);
    expect(await refusal(one, turned)).to.include('home and away are swapped');
    const far = await add('soccer', `${gulls()} @ ${other()}`, start + 30 * hour);
    expect(await refusal(one, far)).to.include('more than a day');
    expect(await refusal(one, one)).to.include('two different games');
    expect(await refusal(one, lakers)).to.include('their sports differ');
    const near = await add('soccer', `${gulls()} @ ${other()}`, start + 60_000);
    expect(await refusal(near, one)).to.equal('joined');
    expect(await refusal(one, near)).to.include(`joined into game ${one} before`);
  });
});
