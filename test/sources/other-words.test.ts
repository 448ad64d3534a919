import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const final = { status: 'final', finalAt: '2024-10-06T20:00:00Z' };
const soccer = { sport: 'soccer', game: 'Harbor FC @ Copper FC', startsAt: '2024-10-06T17:00:00Z' };
const football = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
const hockey = { sport: 'nhl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };

describe('files that name markets in other words', () => {
  const stores = withDatabase();
  const folder = withFolder();

  before(async () => {
    const paths = [
      folder.write('cappers.ndjson', [{ handle: 'ada', tier: 'elite', verified: true }]),
      folder.write('games.ndjson', [
        { ...soccer, ...final, homeScore: 1, awayScore: 1 },
        { ...hockey, ...final, homeScore: 4, awayScore: 1 },
        { ...football, ...final, homeScore: 24, awayScore: 17 },
      ]),
    ];
    await ingest(stores.database, paths, now);
  });

  it('have their picks stored, closed, and graded under the declared market', async () => {
    const header = 'Capper,Sport,Game,Starts at,Market,Side,Line,Pick,Odds,Stake,Posted at';
    const pick = (of: typeof soccer, market: string, side: string, line: string) =>
      `ada,${of.sport},${of.game},${of.startsAt},${market},${side},${line},${market},-110,1,2024-10-06 12:00Z`;
    const prices = [
      { market: 'Puck Line', side: 'Home', line: -1.5, oddsAmerican: 150 },
      { market: 'Puck Line', side: 'Away', line: 1.5, oddsAmerican: -170 },
    ].map((price) => ({ ...hockey, ...price, capturedAt: '2024-10-06T16:00:00Z', book: 'north' }));
    const { counts, refusals } = await ingest(
      stores.database,
      [
        folder.write('lines.ndjson', prices),
        folder.write('picks.csv', [
          header,
          pick(hockey, 'puck line', 'Home', '-1.5'),
          pick(hockey, 'ML', 'home', ''),
          pick(hockey, 'Totals', 'u', '6.5'),
          pick(hockey, 'Over/Under', 'Over', '6.5'),
          pick(soccer, '1X2', 'X', ''),
          pick(soccer, 'Match Result', '1', ''),
          pick(soccer, 'Asian Handicap', 'away', '0.5'),
          pick(hockey, 'spraed', 'home', '-1.5'),
          pick(soccer, 'Puck Line', 'home', '-1.5'),
        ]),
      ],
      now,
    );
    expect(refusals.map(({ line, reason }) => [line, reason])).to.deep.equal([
      [9, 'Market "spraed" is not known: did you mean spread?'],
      [10, 'puck_line needs a subject: the player, team, or question that it is about'],
    ]);
    expect([counts.lines.added, counts.picks.added]).to.deep.equal([2, 7]);
    await runPipeline(stores.database, now);
    const rows = await stores
      .database('picks as p')
      .join('settlements as s', 's.pick_id', 'p.id')
      .leftJoin('closings as c', 'c.pick_id', 'p.id')
      .orderBy('p.id')
      .select('p.market', 'p.side', 's.result', 'c.odds_american as closing');
    expect(rows.map(({ market, side, result, closing }) => [market, side, result, closing])).to.deep.equal([
      ['spread', 'home', 'win', 150],
      ['moneyline', 'home', 'win', null],
      ['total', 'under', 'win', null],
      ['total', 'over', 'loss', null],
      ['moneyline', 'draw', 'win', null],
      ['moneyline', 'home', 'loss', null],
      ['spread', 'away', 'win', null],
    ]);
  });

  it('yield the same picks as declared names, and results of the same markets', async () => {
    const pick = {
      ...football,
      capperHandle: 'ada',
      pick: 'Foxes in the first half',
      oddsAmerican: -110,
      stakeUnits: 1,
      postedAt: '2024-10-06T12:00:00Z',
    };
    const picks = folder.write('picks.ndjson', [
      { ...pick, market: '1H ML', side: 'H' },
      { ...pick, market: 'first_half_moneyline', side: 'home' },
    ]);
    const results = folder.write('results.ndjson', [
      { ...football, market: 'h2h_h1', side: 'HOME', result: 'win' },
      { ...football, market: 'ML', side: 'home', result: 'loss' },
    ]);
    const { counts, refusals } = await ingest(stores.database, [picks, results], now);
    expect(counts.picks).to.include({ added: 1, unchanged: 1 });
    expect(refusals.map(({ reason }) => reason)).to.deep.equal([
      'the market moneyline is graded from the score, so give its game the final score instead',
    ]);
    await runPipeline(stores.database, now);
    expect(await stores.database('pending_picks')).to.deep.equal([]);
  });

  it('take the game for the subject of a market about the game where they have no column for it', async () => {
    const about = `${soccer.sport},${soccer.game},${soccer.startsAt}`;
    const other = `${soccer.sport},Copper vs Harbor,${soccer.startsAt}`;
    const { counts, refusals, notes } = await ingest(
      stores.database,
      [
        folder.write('dnb-picks.csv', [
          'Capper,Sport,Game,Starts at,Market,Side,Pick,Odds,Stake,Posted at',
          `ada,${other},DNB,home,Foxes DNB,-110,1,2024-10-06 12:00Z`,
        ]),
        folder.write('dnb-results.csv', [
          'Sport,Game,Starts at,Market,Side,Result',
          `${about},Draw No Bet,home,refunded`,
          `${about},draw_no_bet,home,W`,
          `${about},who_kicks_off,home,W`,
        ]),
        folder.write('results.ndjson', [{ ...soccer, market: 'btts', side: 'yes', result: 'win' }]),
      ],
      now,
    );
    expect(refusals.map(({ line, reason }) => [line, reason])).to.deep.equal([
      [4, 'who_kicks_off needs a subject: the player, team, or question that it is about'],
      [1, 'btts needs a subject: the title of its game, such as "Gulls @ Foxes"'],
    ]);
    expect([counts.picks.added, counts.results.added, counts.results.unchanged]).to.deep.equal([1, 1, 1]);
    const subject = 'Harbor FC @ Copper FC';
    const guess = `no column names the subject of draw_no_bet: it is the game, ${subject}`;
    expect([...notes.keys()]).to.include.members([
      guess,
      `${guess}; soccer: ${subject}, draw_no_bet ${subject} home stands as void; a later report says win. Nothing was changed.`,
    ]);
    await runPipeline(stores.database, now);
    expect(
      await stores
        .database('picks as p')
        .join('settlements as s', 's.pick_id', 'p.id')
        .where('p.market', 'draw_no_bet')
        .select('p.subject', 's.result'),
    ).to.deep.equal([{ subject, result: 'void' }]);
  });
});
