import { expect } from 'chai';
import { todayIcs } from '../../src/boards/feeds/today-ics.ts';
import { pickLines } from '../../src/boards/formats/pick-text.ts';
import { publicPick } from '../../src/boards/pick.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow, game as gameKind, schedule } from '../../src/intake/game.ts';
import { pick as pickKind } from '../../src/intake/pick.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { startText } from '../../src/pages/times.ts';
import { iso } from '../../src/platform/clock.ts';
import { slateGroups } from '../../src/projections/groups.ts';
import { slateGames, slatePicks } from '../../src/projections/slate.ts';
import { endOfDay } from '../../src/rules/et-day.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { runPipeline } from '../support/whole-way.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-27T15:00:00Z');
const tip = Date.parse('2026-11-28T00:30:00Z');
const day = '2026-11-27';

describe('a game of which only the day is known', () => {
  const stores = withDatabase();
  before(async () => {
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
  });
  // Each test has a pair of its own.
  let [away, home, title] = ['', '', ''];
  let pairs = 0;
  beforeEach(() => {
    pairs += 1;
    [away, home, title] = [`Gulls ${pairs}B`, `Foxes ${pairs}B`, `Gulls ${pairs}B @ Foxes ${pairs}B`];
  });

  const post = (row: Partial<GameRow>, at = now) =>
    stores.database.transaction((transaction) =>
      gameKind.apply(transaction, [{ sport: 'ncaab', game: title, status: 'scheduled', ...row }], {
        now: at,
        imported: false,
      }),
    );
  const pick = (startsAt: string | null, at = now) =>
    postPick(
      stores.database,
      {
        capperHandle: 'ada',
        sport: 'ncaab',
        game: title,
        startsAt,
        market: 'moneyline',
        side: 'home',
        line: null,
        pick: 'Foxes',
        oddsAmerican: -110,
        stakeUnits: 1,
      },
      undefined,
      at,
    );
  /** A row of a sheet, which names the game by its day. */
  const imported = (capperHandle: string, postedAt: number) =>
    ({
      capperHandle,
      sport: 'ncaab',
      game: title,
      day,
      market: 'moneyline',
      side: 'home',
      pick: 'Foxes',
      oddsAmerican: -110,
      stakeUnits: 1,
      postedAt: iso(postedAt),
    }) as never;
  const games = () =>
    stores
      .database('games')
      .where('name', title)
      .orderBy('id')
      .select('name', 'day', 'announced_start', 'starts_at');
  const event = (startsAt: number) => ({ eventId: title, away, home, startsAt });

  it('is named by its day, once, whatever is said later', async () => {
    expect((await post({ day }))[0]).to.include({ outcome: 'added' });
    expect((await post({ day }))[0]).to.include({ outcome: 'unchanged' });
    expect(await games()).to.have.length(1);
    expect((await post({ day, startsAt: iso(tip) }))[0]!.outcome).to.equal('refused');
  });

  it('takes no live picks until a source gives its time', async () => {
    await post({ day });
    const refused = await pick(null);
    expect('reason' in refused && refused.reason).to.match(/^no ncaab game|has no start yet/);
    await applyReports(stores.database, 'espn/ncaab', 'ncaab', [event(tip)], now);
    expect(await games()).to.deep.equal([{ name: title, day, announced_start: null, starts_at: tip }]);
    expect(await pick(iso(tip))).to.have.property('gameId');
    expect((await pick(iso(tip), tip + 1)) as object).to.have.property('reason');
  });

  const midnight = Date.parse('2026-11-27T05:00:00Z');
  const take = (source: string, more: object, startsAt = midnight, at = now) =>
    applyReports(stores.database, source, 'ncaab', [{ ...event(startsAt), ...more }], at);

  it('is what sources mean by midnight in New York, unless they say that it is the time', async () => {
    await take('schedule/ncaab/1', {});
    expect(await games()).to.deep.equal([{ name: title, day, announced_start: null, starts_at: null }]);
    expect(await pick(iso(midnight + 24 * hour))).to.have.property('reason');
    const later = midnight + 48 * hour;
    await take('espn/ncaab', { eventId: 'late', day: null }, later);
    expect((await games())[1]).to.include({ day: null, starts_at: later });
  });

  it('is the same game in either order of arrival, and keeps a known time', async () => {
    const answers = [
      () => take('schedule/ncaab/1', { eventId: title }),
      () => take('espn/ncaab', { eventId: title, day: null }, tip),
      () => take('odds_api/basketball_ncaab', { eventId: title }),
    ];
    for (const order of [answers, answers.toReversed(), [answers[1]!, ...answers]]) {
      pairs += 1;
      [away, home, title] = [`Gulls ${pairs}B`, `Foxes ${pairs}B`, `Gulls ${pairs}B @ Foxes ${pairs}B`];
      for (const answer of order) await answer();
      const found = await games();
      expect(found.map(({ starts_at }) => starts_at)).to.deep.equal([tip]);
    }
  });

  it('can be a local day: a game in the west begins after midnight in New York', async () => {
    const late = Date.parse('2026-11-28T06:30:00Z');
    await take('schedule/ncaab/1', { day });
    await take('espn/ncaab', { eventId: 'late', day: null }, late);
    expect(await games()).to.deep.equal([{ name: title, day, announced_start: null, starts_at: late }]);
  });

  it('takes prices of earlier days, and a postponement and a score of its day', async () => {
    const price = { market: 'moneyline', line: null, book: 'north', oddsAmerican: -110 };
    const priced = (capturedAt: number) => ({
      prices: (['away', 'home'] as const).map((side) => ({ ...price, side, capturedAt })),
    });
    const before = midnight - 2 * hour;
    expect((await take('odds_api/basketball_ncaab', priced(before), midnight, before)).prices).to.equal(2);
    expect((await take('odds_api/basketball_ncaab', priced(now))).prices).to.equal(0);
    await take('espn/ncaab', { state: 'postponed', day });
    expect(await stores.database('games').where('name', title).pluck('status')).to.deep.equal(['postponed']);
  });

  it('takes its time from the operator, who names the day or only the time', async () => {
    await post({ day });
    expect((await post({ startsAt: iso(tip) }))[0]).to.include({ outcome: 'updated' });
    expect(await games()).to.deep.equal([{ name: title, day, announced_start: null, starts_at: tip }]);
    expect((await post({ day, movedTo: iso(tip + hour) }))[0]).to.include({ outcome: 'updated' });
  });

  it('is the game that was announced for a time of that day', async () => {
    await post({ startsAt: iso(tip) });
    const [outcome] = await post({ day });
    expect(outcome!.outcome).to.equal('unchanged');
    expect(await games()).to.have.length(1);
    await post({ day: '2026-11-29' });
    expect(await games()).to.have.length(2);
  });

  it('has its consensus on its day, whenever its picks were posted', async () => {
    const before = now - 24 * hour;
    const intake = { now, imported: true };
    await applyCappers(stores.database, [{ handle: 'ben', tier: 'elite', verified: true }], intake);
    await stores.database.transaction(async (transaction) => {
      await schedule(transaction, [{ sport: 'ncaab', game: title, day, status: 'scheduled' }], intake);
      await pickKind.apply(transaction, [imported('ada', before), imported('ben', before)], intake);
    });
    await runPipeline(stores.database, now);
    const shown = async (at: number) =>
      (await slateGroups(stores.database, at)).filter(({ game }) => game === title).length;
    expect([await shown(before), await shown(now)]).to.deep.equal([0, 1]);
  });

  it('settles imported picks at the end of the day', async () => {
    const later = endOfDay(day) + hour;
    await stores.database.transaction(async (transaction) => {
      const intake = { now: later, imported: true };
      const row: GameRow = {
        sport: 'ncaab',
        game: title,
        day,
        status: 'final',
        homeScore: 3,
        awayScore: 1,
      };
      await schedule(transaction, [row], intake);
      const [stored] = await pickKind.apply(transaction, [imported('ada', now)], intake);
      expect(stored).to.include({ outcome: 'added' });
      await applyGames(transaction, [row], intake);
    });
    await gradeDue(stores.database, later);
    await sealAll(stores.database);
    expect(await stores.database('events_set_aside').pluck('reason')).to.deep.equal([]);
    expect(await stores.database('ledger_entries').pluck('kind')).to.include('settled');
    const [settled] = await stores.database('settlements').select('result', 'settled_at');
    expect(settled).to.deep.equal({ result: 'win', settled_at: endOfDay(day) });

    // Boards show it on its day, without a time.
    await runPipeline(stores.database, later);
    const slate = (await slatePicks(stores.database, now)).filter(({ game }) => game === title);
    const [shown] = slate.map((row) => publicPick(row, 'https://picks.example'));
    expect([slate.length, shown!.day, shown!.startsAt]).to.deep.equal([1, day, null]);
    expect((await slatePicks(stores.database, now + 24 * hour)).length).to.equal(0);
    const shownGames = (await slateGames(stores.database, now)).filter(({ game }) => game === title);
    expect(shownGames[0]).to.include({ day, startsAt: null, pickCount: 1 });
    expect(pickLines(shown!)[1]).to.match(/, Fri, 27 Nov 2026, time unknown$/);
    expect(String(startText(shown!, now))).to.equal('Nov\u00A027, time unknown');
    const context = { baseUrl: 'https://picks.example', helpLine: 'x', params: {}, sports: new Map() };
    const calendar = todayIcs.render({ day: '2026-11-30', picks: [shown!] }, context);
    expect(calendar).to.contain('DTSTART;VALUE=DATE:20261127');
  });
});

describe('a game that only an imported sheet names', () => {
  const stores = withDatabase();
  const began = now - 3 * hour;
  const sheet = { sport: 'nba', game: 'Gulls @ Foxes', startsAt: iso(began), status: 'scheduled' as const };
  const next = { ...sheet, startsAt: iso(tip) };
  const pick = () =>
    postPick(
      stores.database,
      {
        capperHandle: 'ada',
        ...next,
        market: 'moneyline',
        side: 'home',
        line: null,
        pick: 'Foxes',
        oddsAmerican: -110,
        stakeUnits: 1,
      },
      undefined,
      now,
    );

  it("never stands in the way of the pair's next game, until a source lists it too", async () => {
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
    await stores.database.transaction(async (transaction) => {
      const origin = () => ({ homeGuessed: false, sheet: true });
      await applyGames(transaction, [sheet], { now: began - hour, imported: true }, origin);
      await applyGames(transaction, [next], { now, imported: false });
    });
    expect(await pick()).to.have.property('gameId');
    expect(await stores.database('games').orderBy('id').pluck('vouched_at')).to.deep.equal([null, now]);
    await applyReports(
      stores.database,
      'espn/nba',
      'nba',
      [{ eventId: 'e', away: 'Gulls', home: 'Foxes', startsAt: began }],
      now,
    );
    expect((await stores.database('games').orderBy('id').pluck('vouched_at'))[0]).to.not.equal(null);
  });
});
