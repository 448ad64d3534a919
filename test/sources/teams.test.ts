import { expect } from 'chai';
import { matchEvents } from '../../src/sources/match.ts';
import { plainTeam, readFixture, teamNames } from '../../src/sources/teams.ts';

const start = Date.parse('2026-01-11T18:00:00Z');
const hour = 3_600_000;

describe('names of teams', () => {
  it('reads who plays whom, and where, from the ways in which schedules say it', () => {
    const gullsAtFoxes = { away: 'Gulls', home: 'Foxes' };
    for (const text of [
      'Gulls @ Foxes',
      'Gulls at Foxes',
      'Foxes vs Gulls',
      'Foxes vs. Gulls',
      'Foxes v Gulls',
      ' Gulls  AT Foxes ',
    ])
      expect(readFixture(text), text).to.deep.equal(gullsAtFoxes);
    for (const text of ['', 'All-Star Break', 'Gulls@Foxes', 'Batters', ' @ '])
      expect(readFixture(text)).to.equal(undefined);
  });

  it('sees through case, accents, punctuation and the letters of football clubs', () => {
    expect(plainTeam('Atlético Madrid')).to.equal('atletico madrid');
    expect(plainTeam('FC Bayern München')).to.equal('bayern munchen');
    expect(plainTeam('Brighton & Hove Albion')).to.equal('brighton and hove albion');
    expect(plainTeam("Queen's Park-Rangers FC")).to.equal('queen s park rangers');
    expect(plainTeam('FC')).to.equal('fc');
  });

  it('knows what leagues call their teams, but not a city that has two', () => {
    const nfl = teamNames('nfl', []);
    for (const name of ['TB', 'Buccaneers', 'Tampa Bay', 'tampa bay buccaneers'])
      expect(nfl(name)).to.equal('tampa bay buccaneers');
    expect(nfl('New York')).to.equal('new york');
    expect(nfl('New York Giants')).to.equal('new york giants');
    expect(teamNames('mlb', [])('Giants')).to.equal('san francisco giants');
  });

  it("takes the operator's aliases, also towards a league's own", () => {
    const names = teamNames('nfl', [
      { alias: 'The Bucs', team: 'Buccaneers' },
      { alias: 'a', team: 'b' },
      { alias: 'b', team: 'a' },
    ]);
    expect(names('the bucs')).to.equal('tampa bay buccaneers');
    expect(names('a')).to.be.oneOf(['a', 'b']);
  });
});

describe('which game an event is', () => {
  const names = teamNames('nfl', []);
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

  it('is that of the same teams at a similar start, whatever they are called', () => {
    const matched = matchEvents([event('e', start)], [game(1, 'TB @ Dallas', start + hour)], names);
    expect(matched.get('e')?.id).to.equal(1);
  });

  it('is also that of the same teams in the other order', () => {
    expect(
      matchEvents([event('e', start)], [game(1, 'Cowboys @ Buccaneers', start)], names).get('e')?.id,
    ).to.equal(1);
  });

  it('is none of other teams, or of another day, or without a start', () => {
    const games = [
      game(1, 'Buccaneers @ Giants', start),
      game(2, 'Buccaneers @ Cowboys', start + 24 * hour),
      game(3, 'Buccaneers @ Cowboys', null),
      game(4, 'a game', start),
    ];
    expect(matchEvents([event('e', start)], games, names).size).to.equal(0);
  });

  it('pairs the two games of a doubleheader with the nearer event each, whatever the order', () => {
    const games = [game(1, 'TB @ DAL', start), game(2, 'TB @ DAL', start + 2.5 * hour)];
    const events = [event('late', start + 2 * hour), event('early', start + 1.2 * hour)];
    for (const order of [events, events.toReversed()]) {
      const matched = matchEvents(order, games, names);
      expect([matched.get('early')?.id, matched.get('late')?.id]).to.deep.equal([1, 2]);
    }
  });

  it('goes by the first announced start as well as by the one now known', () => {
    expect(
      matchEvents([event('e', start)], [game(1, 'TB @ DAL', start + 9 * hour, start)], names).size,
    ).to.equal(1);
  });
});
