import { expect } from 'chai';
import fc from 'fast-check';
import { areOneGame, teamsOf } from '../../src/games/names/teams.ts';
import { etDay } from '../../src/rules/et-day.ts';
import { inCompetition, matchEvents, withoutStandIns } from '../../src/sources/source-events.ts';

const start = Date.parse('2026-01-11T18:00:00Z');
const hour = 3_600_000;

describe('the game of an event', () => {
  const teams = teamsOf('nfl');
  const game = (id: number, name: string, at: number | null, announcedStart = at) => ({
    id,
    name,
    startsAt: at,
    announcedStart,
  });
  const event = (
    eventId: string,
    startsAt: number,
    away = 'Tampa Bay Buccaneers',
    home = 'Dallas Cowboys',
  ) => ({
    eventId,
    away,
    home,
    startsAt,
  });

  it('has the same teams and a similar start, whatever the names', () => {
    const matched = matchEvents([event('e', start)], [game(1, 'TB @ Dallas', start + hour)], teams);
    expect(matched.get('e')?.id).to.equal(1);
  });

  it('may have the same teams in the other order', () => {
    expect(
      matchEvents([event('e', start)], [game(1, 'Cowboys @ Buccaneers', start)], teams).get('e')?.id,
    ).to.equal(1);
  });

  it('may be spelled differently, also in sports without closed leagues', () => {
    const matched = matchEvents(
      [event('e', start, 'Atlético Madrid', 'Brighton & Hove Albion')],
      [game(1, 'Atletico Madrid @ Brighton and Hove Albion', start)],
      teamsOf('soccer'),
    );
    expect(matched.get('e')?.id).to.equal(1);
  });

  it("may be stored under a name with a feed's additions", () => {
    const [stored] = [game(1, '[NFL] Buccaneers at Cowboys [Check Listings]', start)];
    expect(matchEvents([event('e', start)], [stored], teams).get('e')?.id).to.equal(1);
  });

  it('is never one with other teams, on another day, or without a start', () => {
    const games = [
      game(1, 'Buccaneers @ Giants', start),
      game(2, 'Buccaneers @ Cowboys', start + 24 * hour),
      game(3, 'Buccaneers @ Cowboys', null),
      game(4, 'a game', start),
    ];
    expect(matchEvents([event('e', start)], games, teams).size).to.equal(0);
  });

  it('is the nearer one of a doubleheader, whatever the order', () => {
    const games = [game(1, 'TB @ DAL', start), game(2, 'TB @ DAL', start + 2.5 * hour)];
    const events = [event('late', start + 2 * hour), event('early', start + 1.2 * hour)];
    for (const order of [events, events.toReversed()]) {
      const matched = matchEvents(order, games, teams);
      expect([matched.get('early')?.id, matched.get('late')?.id]).to.deep.equal([1, 2]);
    }
  });

  it('may match by the first announced start or by the current one', () => {
    expect(
      matchEvents([event('e', start)], [game(1, 'TB @ DAL', start + 9 * hour, start)], teams).size,
    ).to.equal(1);
  });
});

describe('two starts reported for the same teams', () => {
  const day = 24 * hour;
  const starts = fc.record({
    one: fc.integer({ min: start, max: start + 400 * day }),
    gap: fc.integer({ min: -2 * day, max: 2 * day }),
  });

  it('belong to one game on one Eastern day, except three or more hours apart in baseball', () => {
    fc.assert(
      fc.property(starts, ({ one, gap }) => {
        const other = one + gap;
        const isOneDay = etDay(one) === etDay(other);
        expect(areOneGame('nba', one, other)).to.equal(isOneDay || Math.abs(gap) <= 12 * hour);
        expect(areOneGame('mlb', one, other)).to.equal(Math.abs(gap) < 3 * hour);
        for (const sport of ['nba', 'mlb'])
          expect(areOneGame(sport, one, other)).to.equal(areOneGame(sport, other, one));
      }),
    );
  });

  it('belong to one game on a 25-hour day too', () => {
    const first = Date.parse('2026-11-01T04:00:00Z');
    expect(areOneGame('nfl', first, first + 25 * hour - 1)).to.equal(true);
    expect(areOneGame('nfl', first, first + 25 * hour)).to.equal(false);
  });

  it('pair a whole-day start with an exact one on that day', () => {
    const midnight = Date.parse('2026-01-11T05:00:00Z');
    const event = (eventId: string, startsAt: number) => ({
      eventId,
      away: 'Gulls',
      home: 'Foxes',
      startsAt,
    });
    const kept = (...events: ReturnType<typeof event>[]) =>
      withoutStandIns(
        events.map((each) => inCompetition(each, 'nba', 'a feed')),
        teamsOf('nba'),
      ).map(({ eventId }) => eventId);
    expect(kept(event('day', midnight), event('time', start))).to.deep.equal(['time']);
    expect(kept(event('day', midnight), event('next', start + day))).to.deep.equal(['day', 'next']);
    expect(kept(event('day', midnight))).to.deep.equal(['day']);
  });
});
