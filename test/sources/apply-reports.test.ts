import { expect } from 'chai';
import { teamAliases } from '../../src/games/names/aliases.ts';
import { iso } from '../../src/platform/clock.ts';
import type { EventReport } from '../../src/sources/answer.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { settleStatements, trimStatements, weighStatements } from '../../src/sources/source-scores.ts';
import { withDatabase } from '../support/database.ts';
import { addTeams } from '../support/teams.ts';

const now = Date.parse('2026-01-11T12:00:00Z');
const hour = 3_600_000;
const start = now + 6 * hour;

describe("applying a source's reports", () => {
  const stores = withDatabase();
  beforeEach(async () => {
    await stores.owner.raw(
      'delete from source_events; delete from team_aliases; delete from lines; delete from games',
    );
    await addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes');
  });

  const event = (event: Partial<EventReport> = {}): EventReport => ({
    eventId: 'e1',
    away: 'Harbor Gulls',
    home: 'Copper Foxes',
    startsAt: start,
    ...event,
  });
  const take = (events: EventReport[], at = now, source = 'test') =>
    applyReports(stores.database, source, 'nfl', events, at);
  const games = () =>
    stores
      .database('games')
      .orderBy('id')
      .select('name', 'announced_start', 'starts_at', 'status', 'home_score', 'away_score');
  const addGame = (name: string, startsAt: number, values = {}) =>
    stores
      .database('games')
      .insert({ sport: 'nfl', name, announced_start: iso(startsAt), starts_at: iso(startsAt), ...values });
  const price = (capturedAt: number, side: 'home' | 'away' = 'home') =>
    ({ market: 'moneyline', side, line: null, oddsAmerican: -150, capturedAt, book: 'north' }) as const;

  it('creates a game from an unknown event, once', async () => {
    expect(await take([event()])).to.include({ events: 1, added: 1 });
    expect(await take([event()])).to.include({ events: 1, added: 0, moved: 0 });
    expect(await take([event()], now, 'another')).to.include({ events: 1, added: 0 });
    expect(await games()).to.deep.equal([
      {
        name: 'Harbor Gulls @ Copper Foxes',
        announced_start: start,
        starts_at: start,
        status: 'scheduled',
        home_score: null,
        away_score: null,
      },
    ]);
  });

  it("matches a known game by its teams, including the operator's aliases, and keeps its start", async () => {
    await addGame('Gulls @ CF', start + 10 * 60_000);
    await teamAliases.put(stores.database, { sport: 'nfl', alias: 'CF', team: 'Copper Foxes' });
    await teamAliases.put(stores.database, { sport: 'nfl', alias: 'Gulls', team: 'Harbor Gulls' });
    expect(await take([event()])).to.include({ events: 1, added: 0, moved: 0 });
    expect((await games()).map(({ name, starts_at }) => [name, starts_at])).to.deep.equal([
      ['Gulls @ CF', start + 10 * 60_000],
    ]);
  });

  it('forgets a day later the ids that a feed gave a listed game before, and those of no other feed', async () => {
    const from = start - 100 * hour;
    const ids = async () =>
      (await stores.database('source_events').orderBy('event_id').pluck('event_id')) as string[];
    await take([event({ eventId: 'a' })], from);
    await take([event({ eventId: 'other' })], from, 'another');
    await take([event({ eventId: 'b' })], from + 24 * hour);
    expect(await ids()).to.deep.equal(['a', 'b', 'other']);
    await take([event({ eventId: 'c' })], from + 25 * hour);
    expect(await ids()).to.deep.equal(['b', 'c', 'other']);
    expect(await games()).to.have.length(1);
  });

  it('moves a game when the source changes the start, even to another day', async () => {
    await take([event()]);
    expect(await take([event({ startsAt: start + 30 * hour })])).to.include({ moved: 1, added: 0 });
    expect(await games()).to.have.length(1);
    expect((await games())[0]).to.include({ announced_start: start, starts_at: start + 30 * hour });
  });

  it('does not move a game back and forth between two disagreeing sources', async () => {
    await take([event()], now, 'one');
    await take([event({ startsAt: start + hour })], now, 'two');
    for (let round = 0; round < 2; round++) {
      expect(await take([event()], now, 'one')).to.include({ moved: 0 });
      expect(await take([event({ startsAt: start + hour })], now, 'two')).to.include({ moved: 0 });
    }
    expect(await games()).to.have.length(1);
    expect((await games())[0]).to.include({ starts_at: start });
  });

  it('moves a game in progress only to a start in the future, not to the exact start', async () => {
    await take([event()]);
    const underWay = start + 20 * 60_000;
    expect(await take([event({ startsAt: start + 7 * 60_000 })], underWay)).to.include({ moved: 0 });
    expect(await take([event({ startsAt: underWay + hour })], underWay)).to.include({ moved: 1 });
  });

  it('keeps only prices from before the start, since in-play prices can never close a pick', async () => {
    const prices = [price(now - hour), price(start - 1), price(start), price(start + 1)];
    await take([event({ prices })], start - 1);
    expect(await stores.database('lines').orderBy('captured_at').pluck('captured_at')).to.deep.equal([
      now - hour,
      start - 1,
    ]);
    await take([event({ eventId: 'e1', prices: [price(start - 60_000)] })], start);
    expect(await stores.database('lines').pluck('id')).to.have.length(2);
  });

  it('ignores prices from the earlier of two announced starts on', async () => {
    await addGame('Harbor Gulls @ Copper Foxes', start - hour);
    await take([event({ prices: [price(start - hour), price(start - hour - 1)] })], start - hour - 1);
    expect(await stores.database('lines').pluck('captured_at')).to.deep.equal([start - hour - 1]);
  });

  it('treats a price from a slightly fast clock as current, and drops prices from the future', async () => {
    const prices = [price(now + 60_000, 'home'), price(now + 10 * 60_000, 'away')];
    const { leftOut } = await take([event({ prices })]);
    expect(leftOut).to.deep.equal({ 'price from the future': 1 });
    expect(await stores.database('lines').select('side', 'captured_at')).to.deep.equal([
      { side: 'home', captured_at: now },
    ]);
  });

  it('swaps sides if the source has home and away reversed', async () => {
    await addGame('Copper Foxes @ Harbor Gulls', start);
    await take([event({ prices: [price(now)] })]);
    expect(await stores.database('lines').pluck('side')).to.deep.equal(['away']);
    await take([event({ score: { away: 3, home: 7 } })], start + 3 * hour);
    expect((await games())[0]).to.include({ status: 'final', home_score: 3, away_score: 7 });
  });

  it('ends a game with its final score once, and records another score as a notice', async () => {
    await take([event()]);
    const over = start + 3 * hour;
    expect(await take([event({ score: { away: 17, home: 24 } })], over)).to.include({ finals: 1 });
    expect((await games())[0]).to.include({ status: 'final', home_score: 24, away_score: 17 });
    expect(await take([event({ score: { away: 17, home: 24 } })], over)).to.include({
      finals: 0,
      corrections: 0,
    });
    expect(await take([event({ score: { away: 17, home: 25 } })], over)).to.include({
      finals: 0,
      corrections: 1,
    });
    expect((await games())[0]).to.include({ home_score: 24 });
    expect(await stores.database('notices').pluck('text')).to.match(
      /stands as 17-24; a later report says 17-25/,
    );
  });

  it('takes no final score that no finished game can have, and says that it waits for one', async () => {
    await addTeams(stores.database, 'nba', 'Harbor Gulls', 'Copper Foxes');
    const over = start + 3 * hour;
    for (const [sport, score] of [
      ['nba', { away: 100, home: 100 }],
      ['nfl', { away: 0, home: 0 }],
    ] as const) {
      const apply = (more: Partial<EventReport>, at: number) =>
        applyReports(stores.database, 'test', sport, [event({ eventId: sport, ...more })], at);
      await apply({}, now);
      const { finals, leftOut } = await apply({ state: 'final', score }, over);
      expect([finals, leftOut], sport).to.deep.equal([0, { 'final score: impossible score': 1 }]);
      const [unended] = await weighStatements(stores.database, over);
      expect(unended!.verdict, sport).to.deep.include({ verdict: 'unscored' });
      expect(await apply({ state: 'final', score: { away: 101, home: 100 } }, over), sport).to.include({
        finals: 1,
      });
    }
  });

  it('ignores a final score of a game that has not started', async () => {
    await take([event()]);
    expect(await take([event({ score: { away: 17, home: 24 } })])).to.include({ finals: 0 });
  });

  it('calls a game off when the source does', async () => {
    await take([event()]);
    expect(await take([event({ state: 'cancelled' })])).to.include({ cancelled: 1 });
    expect((await games())[0]).to.include({ status: 'cancelled' });
    expect(await take([event()])).to.include({ cancelled: 0, moved: 0 });
    expect((await games())[0]).to.include({ status: 'cancelled' });
  });

  it('creates no game that is already over, in progress, or called off', async () => {
    await take([event({ startsAt: now }), event({ eventId: 'e2', away: 'x', state: 'cancelled' })]);
    expect(await games()).to.deep.equal([]);
  });

  it('follows an event that returns under another id', async () => {
    await take([event()]);
    expect(await take([event({ eventId: 'e9', startsAt: start + hour })])).to.include({
      events: 1,
      added: 0,
    });
    expect(await games()).to.have.length(1);
  });

  it('creates one game when two sources announce it concurrently', async () => {
    await Promise.all([take([event()], now, 'one'), take([event({ startsAt: start + 60_000 })], now, 'two')]);
    expect(await games()).to.have.length(1);
  });

  it('takes a repeated event of one answer once', async () => {
    expect(await take([event(), event()])).to.include({ events: 1, added: 1 });
  });

  it('creates no game with a team that a closed league does not have, and counts it', async () => {
    const taken = await take([event({ away: 'TBD' }), event({ eventId: 'e2', home: 'Arena' })]);
    expect(taken).to.deep.include({
      events: 0,
      added: 0,
      leftOut: { 'opponent not known yet': 1, 'unknown team': 1 },
    });
    expect(await games()).to.deep.equal([]);
  });

  it('follows the opponents when two events exchange their ids', async () => {
    await addTeams(stores.database, 'nfl', 'Iron Otters', 'Silver Bears');
    const others = { away: 'Iron Otters', home: 'Silver Bears' };
    await take([event({ eventId: 'e1' }), event({ eventId: 'e2', ...others })]);
    const swapped = [event({ eventId: 'e2' }), event({ eventId: 'e1', ...others, prices: [price(now)] })];
    expect(await take(swapped)).to.include({ events: 2, added: 0, prices: 1 });
    const priced = await stores
      .database('lines as l')
      .join('games as g', 'g.id', 'l.game_id')
      .pluck('g.name');
    expect(priced).to.deep.equal(['Iron Otters @ Silver Bears']);
    expect(await stores.database('source_events').where('missed', '>', 0)).to.deep.equal([]);
  });

  it('treats an answer with other opponents for most ids as faulty, and grades nothing by it', async () => {
    const name = (at: number) => `Team ${'abcdefgh'[at]}`;
    const soccer = (pairs: readonly (readonly [number, number])[]) =>
      applyReports(
        stores.database,
        'test',
        'soccer',
        pairs.map(([away, home], at) => event({ eventId: `s${at}`, away: name(away), home: name(home) })),
        now,
      );
    const before = [
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
    ] as const;
    const after = [
      [0, 2],
      [1, 3],
      [4, 6],
      [5, 7],
    ] as const;
    expect(await soccer(before)).to.include({ added: 4 });
    expect(await soccer(after)).to.include({ added: 4, postponed: 0 });
    expect(await stores.database('source_events').where('missed', '>', 0)).to.deep.equal([]);
    await soccer([...after.slice(0, 1), ...before.slice(1)]);
    expect(await stores.database('source_events').where('missed', '>', 0).pluck('event_id')).to.have.members([
      's0',
      's1',
      's2',
      's3',
    ]);
  });

  it('creates one game from an event listed under two ids, and two from a doubleheader', async () => {
    const twice = [event(), event({ eventId: 'e2', startsAt: start + 10 * 60_000 })];
    for (let round = 0; round < 2; round++)
      expect(await take(twice)).to.deep.include({ events: 1, leftOut: { 'game listed twice': 1 } });
    expect(await games()).to.have.length(1);
    const baseball = { away: 'NY Yankees', home: 'Boston Red Sox' };
    const doubleheader = [
      event({ ...baseball, eventId: 'm1' }),
      event({ ...baseball, eventId: 'm2', startsAt: start + 3.5 * hour }),
    ];
    expect(await applyReports(stores.database, 'test', 'mlb', doubleheader, now)).to.include({ added: 2 });
    const other = doubleheader.map((each) => ({
      ...each,
      away: 'NYY',
      startsAt: each.startsAt + 5 * 60_000,
    }));
    expect(await applyReports(stores.database, 'other', 'mlb', other, now)).to.include({
      events: 2,
      added: 0,
    });
    expect((await games()).map(({ name }) => name).slice(1)).to.deep.equal([
      'New York Yankees @ Boston Red Sox',
      'New York Yankees @ Boston Red Sox',
    ]);
  });

  for (const state of ['cancelled', 'postponed'] as const)
    it(`follows an event that is ${state} under one id and listed under another`, async () => {
      await take([event()]);
      expect(await take([event({ state }), event({ eventId: 'e2', startsAt: start + hour })])).to.include({
        events: 1,
        added: 0,
        [state]: 0,
      });
      expect(await games()).to.have.length(1);
      expect((await games())[0]).to.include({ status: 'scheduled' });
    });

  it('believes the id under which a game got furthest, in any order of an answer', async () => {
    await take([event()]);
    await take([event({ eventId: 'e2' })]);
    const over = event({ eventId: 'e2', state: 'final', score: { away: 20, home: 23 } });
    await take([over, event({ state: 'scheduled' })], start + 3 * hour);
    expect(await games()).to.have.length(1);
    expect((await games())[0]).to.include({ status: 'final', home_score: 23 });
  });
});

describe('two sources that report one game', () => {
  const stores = withDatabase();
  before(() => addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes'));
  beforeEach(() => stores.owner.raw('delete from source_events; delete from source_runs; delete from games'));
  const over = start + 3 * hour;
  const event = (more: Partial<EventReport> = {}): EventReport => ({
    eventId: 'e1',
    away: 'Harbor Gulls',
    home: 'Copper Foxes',
    startsAt: start,
    ...more,
  });
  const take = (source: string, more: Partial<EventReport>, at: number) =>
    applyReports(stores.database, source, 'nfl', [event(more)], at);
  const announce = async () => {
    await take('odds-api/x', {}, now);
    await take('y', {}, now);
  };
  const game = () => stores.database('games').first('status', 'home_score', 'starts_at');
  const score = (home: number, away = 17) => ({ score: { home, away } }) as const;

  it('block grading until they agree', async () => {
    await announce();
    await take('y', { state: 'postponed' }, start - hour);
    expect(await game()).to.include({ status: 'postponed' });
    await take('odds-api/x', score(24), over);
    expect(await game()).to.include({ status: 'postponed', home_score: null });
    expect((await weighStatements(stores.database, over))[0]!.verdict).to.include({ verdict: 'disagree' });
    await take('y', { state: 'final', ...score(24) }, over + hour);
    expect(await game()).to.include({ status: 'final', home_score: 24 });
  });

  it('leave the decision to the operator, whose word is final and not contradicted by earlier reports', async () => {
    await announce();
    await take('y', { state: 'in_progress' }, start + hour);
    await take('y', { state: 'suspended' }, over);
    await take('odds-api/x', { state: 'cancelled' }, over + 1);
    expect(await game()).to.include({ status: 'scheduled' });
    await stores
      .database('games')
      .update({ status: 'final', home_score: 25, away_score: 17, final_at: iso(over) });
    expect(await settleStatements(stores.database, over + hour)).to.deep.equal({
      postponed: 0,
      finals: 0,
      cancelled: 0,
      corrections: 0,
    });
    const same = { state: 'cancelled' } as const;
    expect(await take('odds-api/x', same, over + hour)).to.include({ corrections: 0 });
    expect(await take('odds-api/x', score(26), over + hour)).to.include({ corrections: 1 });
    expect(await take('odds-api/x', score(26), over + hour)).to.include({ corrections: 0 });
  });

  it('restore a postponed game when one of them lists it again', async () => {
    await announce();
    expect(await take('y', { state: 'postponed' }, now)).to.include({ postponed: 1 });
    expect(await take('y', { state: 'postponed' }, now)).to.include({ postponed: 0 });
    await take('y', { state: 'scheduled' }, now);
    expect(await game()).to.include({ status: 'scheduled' });
  });

  it('do not postpone a game that has been moved to another start', async () => {
    await announce();
    await take('odds-api/x', { startsAt: start + 24 * hour }, now);
    await take('y', { state: 'postponed' }, now);
    expect(await game()).to.include({ status: 'scheduled', starts_at: start + 24 * hour });
  });

  it('do not let a calendar move a game whose start a more trusted source confirms', async () => {
    await take('odds-api/x', {}, now);
    await take('schedule/nfl/1', {}, now);
    const moved = { startsAt: start + hour };
    expect(await take('schedule/nfl/1', moved, now)).to.deep.include({
      moved: 0,
      leftOut: { 'start that a more trusted source contradicts': 1 },
    });
    expect(await take('odds-api/x', moved, now)).to.include({ moved: 1 });
  });

  const begun: Partial<EventReport>[] = [{ state: 'in_progress' }, { state: 'suspended' }, score(24)];
  for (const more of begun)
    it(`start a game when one says that it is ${more.state ?? 'over'} before the start of the other`, async () => {
      await take('odds-api/x', { startsAt: start + 5 * hour }, now);
      await take('y', {}, now);
      const running = start + 2 * hour;
      const price = {
        market: 'moneyline',
        side: 'home',
        line: null,
        oddsAmerican: 100,
        book: 'north',
      } as const;
      const live = { startsAt: start + 5 * hour, prices: [{ ...price, capturedAt: running }] };
      expect(await take('y', more, start - 1)).to.include({ moved: 0 });
      expect(await take('y', more, running)).to.include({ moved: 1 });
      expect(await game()).to.include({ starts_at: start });
      expect(await take('odds-api/x', live, running)).to.include({ moved: 0, prices: 0 });
    });

  it('do not start a game if a more trusted one still says that it begins later', async () => {
    const later = { startsAt: start + 5 * hour };
    await take('odds-api/x', later, now);
    await take('y', {}, now);
    await take('odds-api/x', later, start);
    await take('y', { state: 'in_progress' }, start);
    expect(await game()).to.include({ starts_at: later.startsAt });
  });

  it('are deleted a month after the end, and not while the game is open', async () => {
    await announce();
    await take('y', { state: 'cancelled' }, now);
    const month = 31 * 24 * hour;
    await trimStatements(stores.database, now + month - 48 * hour);
    expect(await stores.database('source_scores').pluck('source')).to.have.length(1);
    await trimStatements(stores.database, now + month);
    expect(await stores.database('source_scores').pluck('source')).to.have.length(0);
  });
});
