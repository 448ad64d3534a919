import { expect } from 'chai';
import { playerAliases } from '../../src/games/names/aliases.ts';
import { playerAliasesOf, subjectForm } from '../../src/games/names/players.ts';
import { knownSubjects } from '../../src/games/subjects.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { applyResults } from '../../src/intake/result.ts';
import { applyStats, checkStats } from '../../src/intake/stats.ts';
import { withDatabase } from '../support/database.ts';

const start = Date.parse('2024-12-01T00:30:00Z');
const game = { sport: 'nba', game: 'Meadow Hawks @ River Otters', startsAt: '2024-12-01T00:30:00Z' };
const now = start + 4 * 3_600_000;
const live = { now, imported: false };

describe('the subjects and statistics of a game', () => {
  const stores = withDatabase();
  let gameId = 0;

  beforeEach(async () => {
    const { database } = stores;
    const name = `Meadow Hawks ${++gameId} @ River Otters`;
    Object.assign(game, { game: name });
    await database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled' }], { now: start - 1, imported: false }),
    );
  });

  const about = async (subject: string, market: string | null = 'player_points') => {
    const row = await stores.database('games').where({ name: game.game }).first('id');
    const given = { gameId: row.id, sport: 'nba', game: game.game, market, subject };
    return (await knownSubjects(stores.database, [given]))[0];
  };

  it('have the first spelling in normal writing as name, and that of a source for readers', async () => {
    expect(await about('aDA  lovÉLACE')).to.equal('Ada Lovélace');
    expect(await about('Ada Lovelace')).to.equal('Ada Lovélace');
    const price = {
      ...game,
      market: 'player_points',
      side: 'over',
      line: 20.5,
      subject: 'ADA LOVELACE',
      oddsAmerican: -110,
      capturedAt: game.startsAt,
      book: 'north',
    };
    await applyLines(stores.database, [price], live);
    const names = () => stores.database('subject_names').where({ subject: 'Ada Lovélace' }).pluck('name');
    expect(await names()).to.deep.equal([]);
    const changes = () => stores.owner('world_changes').where({ subject: 'game' }).pluck('subject_id');
    const before = (await changes()).length;
    for (const subject of ['Ada Lovelace', 'Ada LOVELACE'])
      await applyLines(stores.database, [{ ...price, subject, line: 21.5 }], live, 'provider');
    expect(await names()).to.deep.equal(['Ada Lovelace']);
    expect((await changes()).length).to.equal(before + 1);
    // A source's spelling is a name as it is, unless readers could not tell it.
    await applyLines(stores.database, [{ ...price, subject: 'DeAda MCCOLE', line: 22.5 }], live, 'provider');
    expect(await about('deada mccole')).to.equal('DeAda MCCOLE');
  });

  it('use the first spelling of a player for all later ones', async () => {
    expect(await about('Ada Lovélace')).to.equal('Ada Lovélace');
    expect(await about('ada lovelace')).to.equal('Ada Lovélace');
    expect(await about('Ada Lovelace Jr.')).to.equal('Ada Lovélace');
    expect(await about('Ada Lovelace Sr.')).to.equal('Ada Lovelace Sr.');
    expect(await about('A. Lovelace')).to.equal('A. Lovelace');
  });

  it('keep suffixes as part of the name in markets that are not about players', async () => {
    expect(await about('World Tour', 'which_tour')).to.equal('World Tour');
    expect(await about('World Tour II', 'which_tour')).to.equal('World Tour II');
    expect(await about('over 2.5', 'which_tour')).to.equal('over 2.5');
    expect(await about('Over 25', 'which_tour')).to.equal('Over 25');
  });

  it('resolve an alias to its player', async () => {
    await playerAliases.put(stores.database, {
      sport: 'nba',
      alias: subjectForm('Ace Cole'),
      player: subjectForm('Alma Cole'),
    });
    expect((await playerAliasesOf(stores.database, 'nba')).size).to.equal(1);
    expect(await about('Alma Cole')).to.equal('Alma Cole');
    expect(await about('Ace Cole')).to.equal('Alma Cole');
  });

  it('keep one spelling when two transactions name a player concurrently', async () => {
    const spellings = ['Éva Ray', 'Eva Ray', 'EVA RAY', 'eva ray'];
    const known = await Promise.all(spellings.map((each) => about(each)));
    expect(new Set(known).size).to.equal(1);
  });

  it('are stored with prices and results under the known spelling', async () => {
    const { database } = stores;
    await about('Ada Lovélace');
    const bet = { ...game, market: 'player_points', side: 'over', line: 20.5, subject: 'ADA LOVELACE' };
    const price = { ...bet, oddsAmerican: -110, capturedAt: game.startsAt, book: 'north' };
    expect(await applyLines(database, [price], live)).to.deep.equal([{ outcome: 'added' }]);
    await applyResults(database, [{ ...bet, result: 'win' }], live);
    expect(await database('lines').pluck('subject')).to.include('Ada Lovélace');
    expect(await database('results').pluck('subject')).to.include('Ada Lovélace');
  });

  it('keep the first value of a statistic, and report later contradictions', async () => {
    const { database } = stores;
    const row = { ...game, player: 'Ada Lovelace', points: 20, minutes: 31 };
    expect((await applyStats(database, [row], live)).outcomes).to.deep.equal([{ outcome: 'added' }]);
    const again = await applyStats(database, [{ ...row, points: 22, rebounds: 5 }, row], live);
    expect(again.outcomes.map(({ outcome }) => outcome)).to.deep.equal(['added', 'unchanged']);
    expect(again.corrections).to.deep.equal([
      `nba: ${game.game}, points of Ada Lovelace stands as 20; a later report says 22. Nothing was changed.`,
    ]);
    const stored = await database('stats')
      .where({ subject: 'Ada Lovelace' })
      .select('stat', 'value_e3', 'source');
    expect(stored).to.have.deep.members([
      { stat: 'points', value_e3: 20_000, source: 'operator' },
      { stat: 'minutes', value_e3: 31_000, source: 'operator' },
      { stat: 'rebounds', value_e3: 5_000, source: 'operator' },
    ]);
  });

  it('imply that a player with statistics played, unless one of them says otherwise', async () => {
    const { database } = stores;
    await applyStats(database, [{ ...game, player: 'Bea Ray', points: 0 }], live);
    await applyStats(database, [{ ...game, player: 'Cleo Ray', played: false }], live);
    const played = await database('stats')
      .where({ stat: 'played' })
      .orderBy('id')
      .select('subject', 'value_e3');
    expect(played).to.deep.equal([
      { subject: 'Bea Ray', value_e3: 1000 },
      { subject: 'Cleo Ray', value_e3: 0 },
    ]);
  });

  it('are refused if impossible', async () => {
    const reasons = async (row: object) => {
      const { outcomes } = await applyStats(
        stores.database,
        [{ ...game, player: 'Ada Lovelace', points: 20, ...row }],
        live,
      );
      return 'reason' in outcomes[0]! ? outcomes[0].reason : outcomes[0]!.outcome;
    };
    expect(await reasons({ game: 'No @ One' })).to.match(/^no nba game No @ One/);
    expect(await reasons({ points: null })).to.match(/needs a statistic/);
    expect(await reasons({ played: false })).to.match(/did not play has no statistics/);
    for (const minutes of [0, -3])
      expect(await reasons({ minutes })).to.match(/^a player without minutes has no statistics/);
    expect(await reasons({ points: 0, minutes: 0 })).to.equal('added');
    expect(await reasons({ goals: 1 })).to.equal('goals grades no market of nba');
    expect(await reasons({ finalAt: '2024-11-30T23:00:00Z' })).to.match(/^the statistics are dated before/);
    expect(await reasons({ finalAt: '2024-12-02T00:00:00Z' })).to.match(/^the statistics are dated/);
    expect(checkStats({ ...game, player: 'Ada', poinst: 3 })).to.deep.include({ ok: false });
    expect(checkStats({ ...game, player: 'Ada', points: 3.5 })).to.deep.include({ ok: false });
  });
});
