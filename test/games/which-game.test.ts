import { expect } from 'chai';
import { type Door, doors, whichGames } from '../../src/games/which-game.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { iso } from '../../src/platform/clock.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const now = Date.parse('2026-01-11T12:00:00Z');
const hour = 3_600_000;
const start = now + 6 * hour;
const startsAt = iso(start);

describe('the game that a row names', () => {
  const stores = withDatabase();
  before(async () => {
    await stores.database.transaction((transaction) =>
      applyGames(
        transaction,
        [
          { sport: 'nba', game: 'Los Angeles Clippers @ New York Knicks', startsAt, status: 'scheduled' },
          { sport: 'mlb', game: 'TB @ St. Louis Cardinals', startsAt, status: 'scheduled' },
          { sport: 'soccer', game: 'Atlético Madrid @ Torquay United', startsAt, status: 'scheduled' },
          { sport: 'nba', game: 'Otters @ Herons', startsAt, status: 'scheduled' },
          { sport: 'tennis', game: 'Ada Gull @ Bea Fox', startsAt, status: 'scheduled' },
        ],
        { now, imported: false },
      ),
    );
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
  });

  const resolve = async (sport: string, game: string, at: string | null, door: Door = doors.row) =>
    (await whichGames(stores.database, [{ sport, game, startsAt: at }], door))[0]!;

  for (const [sport, title, game] of [
    ['nba', 'LA Clippers @ NY Knicks', 'Los Angeles Clippers @ New York Knicks'],
    ['nba', 'NYK vs. LAC', 'Los Angeles Clippers @ New York Knicks'],
    ['mlb', 'Rays at St Louis', 'TB @ St. Louis Cardinals'],
    ['soccer', 'Atletico de Madrid @ Torquay United FC', 'Atlético Madrid @ Torquay United'],
  ] as const) {
    it(`is found by other names of its teams: ${title}`, async () => {
      expect(await resolve(sport, title, startsAt)).to.deep.include({ name: { sport, game, startsAt } });
    });
    it(`is not created a second time: ${title}`, async () => {
      expect(await resolve(sport, title, startsAt, doors.operator)).to.deep.equal({
        name: { sport, game, startsAt },
        note: `this is ${game} announced for ${startsAt}`,
      });
    });
  }

  it('may start at a similar time if the league knows both names, and at exactly the same time otherwise', async () => {
    const soon = iso(start + hour);
    expect(await resolve('nba', 'LAC @ NYK', soon)).to.deep.include({
      name: { sport: 'nba', game: 'Los Angeles Clippers @ New York Knicks', startsAt },
    });
    expect(await resolve('nba', 'LAC @ NYK', iso(start + 20 * hour))).to.deep.include({
      name: { sport: 'nba', game: 'LAC @ NYK', startsAt: iso(start + 20 * hour) },
    });
    expect(await resolve('nba', 'OTTERS @ Herons', startsAt)).to.deep.include({
      name: { sport: 'nba', game: 'Otters @ Herons', startsAt },
    });
    expect(await resolve('nba', 'OTTERS @ Herons', soon)).to.deep.equal({
      name: { sport: 'nba', game: 'OTTERS @ Herons', startsAt: soon },
    });
  });

  it('is refused with home and away swapped, since its sides would swap too', async () => {
    expect(await resolve('nba', 'NYK @ LAC', startsAt)).to.deep.equal({
      refused: `the game is Los Angeles Clippers @ New York Knicks announced for ${startsAt}: home and away are swapped`,
    });
  });

  it('is found in the calendar if the row does not say who is at home, except in soccer', async () => {
    const name = { sport: 'nba', game: 'Los Angeles Clippers @ New York Knicks', startsAt };
    for (const title of ['Clippers vs Knicks', 'Knicks vs Clippers'])
      expect(await resolve('nba', title, startsAt)).to.deep.include({ name });
    expect(await resolve('nba', 'Clippers vs Knicks', startsAt)).to.not.have.property('swapped');
    expect(await resolve('soccer', 'Atletico vs Torquay United', startsAt)).to.have.property('refused');
    // A row of a game may have scores by home and away.
    expect(await resolve('nba', 'Clippers vs Knicks', startsAt, doors.file)).to.have.property('refused');
  });

  it('is found by other spellings of the same people at the same start', async () => {
    const name = { sport: 'tennis', game: 'Ada Gull @ Bea Fox', startsAt };
    for (const title of [
      'Gull A. @ Fox B.',
      'A. Gull vs B. Fox',
      'Gull Ada vs Fox Bea',
      'Áda Gull @ Bea Fox',
    ])
      expect(await resolve('tennis', title, startsAt), title).to.deep.include({ name });
    for (const title of ['Gull C. @ Fox B.', 'Ada Gull @ Cleo Heron'])
      expect(await resolve('tennis', title, startsAt), title).to.deep.equal({
        name: { ...name, game: title },
      });
    const later = iso(start + hour);
    expect(await resolve('tennis', 'Gull A. @ Fox B.', later)).to.deep.equal({
      name: { ...name, game: 'Gull A. @ Fox B.', startsAt: later },
    });
  });

  it('is refused for a misspelled team of a closed league, and created with a note for teams from elsewhere', async () => {
    const creates = doors.operator;
    const refused = 'nba has no team Bostn Celtcs (similar: Boston Celtics)';
    expect(await resolve('nba', 'Bostn Celtcs @ Lakers', startsAt, creates)).to.deep.equal({ refused });
    expect(await resolve('nba', 'Bostn Celtcs @ Lakers', startsAt)).to.deep.equal({ refused });
    // Files may contain other years and leagues.
    expect(await resolve('nba', 'Bostn Celtcs @ Lakers', startsAt, doors.file)).to.deep.equal({
      name: { sport: 'nba', game: 'Bostn Celtcs @ Lakers', startsAt },
      note: refused,
    });
    expect(await resolve('nba', 'Real Madrid @ Lakers', startsAt, creates)).to.deep.equal({
      name: { sport: 'nba', game: 'Real Madrid @ Lakers', startsAt },
      note: 'nba has no team Real Madrid',
    });
    // Only a new game has guests.
    expect(await resolve('nba', 'Real Madrid @ Lakers', startsAt)).to.deep.equal({
      refused: 'nba has no team Real Madrid',
    });
    expect(await resolve('nba', 'Gulls @ Foxes', startsAt, creates)).to.deep.equal({
      name: { sport: 'nba', game: 'Gulls @ Foxes', startsAt },
      note: 'nba has no team Gulls (similar: Chicago Bulls)',
    });
  });

  it('is not created while an opponent is undecided', async () => {
    for (const game of ['Winner of Game 3 @ Gulls', 'TBD @ Gulls', 'Gulls @ Gulls FC', '1E vs 3A/B/C'])
      expect(await resolve('soccer', game, startsAt, doors.file)).to.deep.equal({
        refused: `an opponent of ${game} is undecided: post the game once both are known, or add an alias`,
      });
  });

  it('is the same for several rows of a request, and differs between games of a doubleheader', async () => {
    const later = iso(start + 4 * hour);
    const resolved = await whichGames(
      stores.database,
      [
        { sport: 'mlb', game: 'NYY @ BOS', startsAt },
        { sport: 'mlb', game: 'Yankees @ Red Sox', startsAt: iso(start + 300_000) },
        { sport: 'mlb', game: 'Yankees @ Red Sox', startsAt: later },
      ],
      doors.operator,
    );
    expect(resolved.map((one) => ('name' in one ? one.name : one))).to.deep.equal([
      { sport: 'mlb', game: 'NYY @ BOS', startsAt },
      { sport: 'mlb', game: 'NYY @ BOS', startsAt },
      { sport: 'mlb', game: 'Yankees @ Red Sox', startsAt: later },
    ]);
  });

  it('is the one announced for exactly its start, even if another game of a doubleheader moved there', async () => {
    const at = start + 30 * hour;
    const [one, two] = [iso(at), iso(at + 4 * hour)];
    const game = { sport: 'mlb', game: 'NYY @ BOS' };
    await stores.database.transaction((transaction) =>
      applyGames(
        transaction,
        [
          { ...game, startsAt: one, movedTo: two, status: 'scheduled' },
          { ...game, startsAt: two, status: 'scheduled' },
        ],
        { now, imported: false },
      ),
    );
    for (const door of [doors.row, doors.file, doors.operator, doors.event])
      for (const startsAt of [one, two])
        expect(await resolve('mlb', 'Yankees @ Red Sox', startsAt, door)).to.deep.include({
          name: { ...game, startsAt },
        });
  });

  describe('for a live pick', () => {
    let question = 0;
    const post = (game: string, at: string | null = startsAt) =>
      postPick(
        stores.database,
        {
          capperHandle: 'ada',
          sport: 'nba',
          game,
          startsAt: at,
          market: 'question',
          subject: `Question ${++question}`,
          side: 'home',
          pick: 'the home team',
          oddsAmerican: -110,
          stakeUnits: 1,
        },
        undefined,
        now,
      );
    const gameOf = async (posted: Awaited<ReturnType<typeof postPick>>) =>
      'gameId' in posted
        ? (await stores.database('games').where('id', posted.gameId).pluck('name'))[0]
        : posted.reason;

    it('is found by other names of its teams, also without a start', async () => {
      for (const at of [startsAt, iso(start + 600_000), null])
        expect(await gameOf(await post('Clippers at Knicks', at))).to.equal(
          'Los Angeles Clippers @ New York Knicks',
        );
    });

    it('is refused with a list of similar games', async () => {
      expect(await gameOf(await post('Clipers @ Knicks'))).to.match(/^nba has no team Clipers/);
      expect(await gameOf(await post('Knicks @ Clippers'))).to.match(/are swapped$/);
      expect(await gameOf(await post('Lakers @ Celtics'))).to.match(/^no nba game/);
    });
  });
});
