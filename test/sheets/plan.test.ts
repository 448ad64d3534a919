import { expect } from 'chai';
import type { PastBetGame } from '../../src/games/bet-games.ts';
import { teamsOf } from '../../src/games/names/teams.ts';
import { gridsOf } from '../../src/sheets/grid.ts';
import { readMap } from '../../src/sheets/mapping.ts';
import { planSheet, type SheetPlan, type SheetWorld } from '../../src/sheets/plan.ts';
import type { SheetChoices } from '../../src/sheets/sheet.ts';

const nobody: SheetChoices = {
  map: new Map(),
  capper: undefined,
  sport: undefined,
  zone: undefined,
  odds: undefined,
  unit: undefined,
  answers: new Map(),
};

function known(
  sport: string,
  away: string,
  home: string,
  startsAt: string,
  score?: [number, number],
): PastBetGame {
  const teams = teamsOf(sport);
  const opponent = (name: string) => ({ name: teams.fullName(name), names: teams.namesOf(name) });
  const at = Date.parse(startsAt);
  return {
    sport,
    game: `${opponent(away).name} @ ${opponent(home).name}`,
    startsAt: at,
    begins: at,
    away: opponent(away),
    home: opponent(home),
    players: [],
    moneylineWays: sport === 'soccer' ? 3 : 2,
    status: score === undefined ? 'scheduled' : 'final',
    awayScore: score?.[0] ?? null,
    homeScore: score?.[1] ?? null,
    homeHalfScore: null,
    awayHalfScore: null,
    sets: null,
    played: null,
    periodsE3: null,
  };
}

/** Plans a sheet. @param content CSV */
async function plan(
  content: string,
  choices: Partial<SheetChoices> = {},
  games: readonly PastBetGame[] = [],
): Promise<SheetPlan | string> {
  const [grid] = await gridsOf('bets.csv', Buffer.from(content));
  const world: SheetWorld = {
    games: async (from, to) => games.filter(({ begins }) => begins >= from && begins < to),
    teams: async (sport) => teamsOf(sport),
    handles: async (among) => new Set(among.filter((handle) => handle === 'ada')),
    sports: ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'wnba', 'mma', 'soccer', 'tennis'],
  };
  return planSheet(grid!, { ...nobody, ...choices }, world);
}

async function planned(...args: Parameters<typeof plan>): Promise<SheetPlan> {
  const found = await plan(...args);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

/** Returns the only pick of a one-row sheet, without the fields common to all. */
async function pickOf(...args: Parameters<typeof plan>) {
  const { rows } = await planned(...args);
  expect(rows, rows[0]?.reason).to.have.length(1);
  const { pick, reason } = rows[0]!;
  if (pick === undefined) throw new Error(reason);
  return pick;
}

async function reasonOf(...args: Parameters<typeof plan>): Promise<string> {
  return (await planned(...args)).rows[0]!.reason ?? '';
}

const capper = { capper: 'Max Gull' };

describe('the plan for a sheet of bets', () => {
  it('reads a tracker with columns for the event, the description, and money', async () => {
    const sheet =
      'ID,Date,Sport,League,Event,Type,Description,Pick,Opponent,Odds,Risk,To Win,Status,Result Date,Notes\n' +
      '8,2024-12-28,Football,NCAAF,IOWA @ CLEM,spread,CLEM -5 -110,CLEM,IOWA,-110,220,200,lost,2024-12-28,\n' +
      '9,2024-12-28,Football,NCAAF,IOWA @ CLEM,total,IOWA @ CLEM: o50 -105,IOWA,CLEM,-105,110,100,won,2024-12-28,\n';
    const { mapping, guesses, cappers, rows } = await planned(sheet, capper);
    expect(Object.fromEntries(mapping.map(({ header, field }) => [header, field]))).to.deep.equal({
      Date: 'date',
      Sport: 'sport',
      League: 'league',
      Event: 'game',
      Type: 'market',
      Description: 'description',
      Pick: 'pick',
      Opponent: 'opponent',
      Odds: 'odds',
      Risk: 'money',
      Status: 'result',
    });
    expect(guesses).to.include(
      'Stakes are in money. 1 unit is 220, their median. Choose another with --unit.',
    );
    expect(cappers).to.deep.equal([
      { handle: 'max-gull', tier: 'listed', verified: true, displayName: 'Max Gull' },
    ]);
    const game = 'Iowa Hawkeyes @ Clemson Tigers';
    const when = { startsAt: null, day: '2024-12-28' };
    expect(rows.map(({ pick }) => pick)).to.deep.equal([
      {
        capperHandle: 'max-gull',
        sport: 'ncaaf',
        game,
        ...when,
        market: 'spread',
        subject: null,
        side: 'home',
        line: -5,
        pick: 'CLEM',
        oddsAmerican: -110,
        stakeUnits: 1,
        source: 'day',
        result: 'loss',
        postedAt: '2024-12-29T04:58:00.000Z',
      },
      {
        capperHandle: 'max-gull',
        sport: 'ncaaf',
        game,
        ...when,
        market: 'total',
        subject: null,
        side: 'over',
        line: 50,
        pick: 'IOWA',
        oddsAmerican: -105,
        stakeUnits: 0.5,
        source: 'day',
        result: 'win',
        postedAt: '2024-12-29T04:58:00.000Z',
      },
    ]);
    expect(rows[0]!.game).to.deep.equal({
      sport: 'ncaaf',
      game,
      day: when.day,
      status: 'scheduled',
    });
    expect(rows[0]!.notes).to.include(
      "No score is known, so the sheet's word counts: loss. It is shown as a claim.",
    );
    expect(await pickOf(sheet.split('\n').slice(0, 2).join('\n'), { ...capper, unit: 100 })).to.include({
      stakeUnits: 2.2,
    });
  });

  it("finds a team's game by its day, in another tracker's columns", async () => {
    const sheet =
      'date,sport,book,type,team_or_player,odds_american,stake,result,notes\n' +
      '2024-11-01,NBA,DK,spread,Knicks -3.5,-110,50,W,\n';
    const game = known('nba', 'LAL', 'NYK', '2024-11-01T23:30:00Z', [100, 112]);
    expect(await pickOf(sheet, capper, [game])).to.include({
      game: 'Los Angeles Lakers @ New York Knicks',
      market: 'spread',
      side: 'home',
      line: -3.5,
      book: 'draftkings',
      stakeUnits: 1,
      postedAt: '2024-11-01T23:29:00.000Z',
    });
    expect(await reasonOf(sheet, capper)).to.equal(
      "No nba game is known around 2024-11-01. Ingest that day's games first, or name both teams in a game column.",
    );
  });

  it('compares results with scores, and makes result events if no score can grade', async () => {
    const game = known('nba', 'LAL', 'NYK', '2024-11-01T23:30:00Z', [100, 112]);
    const rowOf = async (pick: string, result: string) =>
      (
        await planned(
          `Date,Sport,Pick,Odds,Units,Result\n2024-11-01,NBA,${pick},-110,1,${result}\n`,
          capper,
          [game],
        )
      ).rows[0]!;
    expect((await rowOf('Knicks -3.5', 'Win')).notes).to.deep.equal([]);
    expect((await rowOf('Knicks -3.5', 'Loss')).notes).to.deep.equal([
      'The sheet says loss, the score win. The score counts.',
    ]);
    const player = await rowOf('Ada Gull over 20.5 points Knicks', 'half win');
    expect(player.pick).to.deep.include({
      market: 'player_points',
      subject: 'Ada Gull',
      result: 'win',
      half: true,
    });
    expect((await rowOf('Ada Gull over 20.5 points Knicks', 'cashed out')).notes).to.deep.equal([
      'The bet was cashed out before it ended, so the score will decide its result.',
    ]);
    expect((await rowOf('Knicks -3.5', 'maybe')).reason).to.equal(undefined);
  });

  it("reads the text of a bet with the game and the time of placing, in a third tracker's columns", async () => {
    const sheet =
      'bet_id,sportsbook,type,status,odds,closing_line,ev,amount,profit,time_placed,time_settled,time_placed_iso,bet_info,tags,sports,leagues\n' +
      '1,FanDuel,straight,SETTLED_WIN,2.27,2.2,0.03,25,30,11/01/2024 20:55:44 GMT,,2024-11-01T20:55:44.000Z,over 24.5 Ada Gull Total Points Utah Jazz @ San Antonio Spurs,,Basketball,NBA\n' +
      '2,FanDuel,parlay,SETTLED_LOSS,5.1,,,25,-25,11/01/2024 20:55:44 GMT,,2024-11-01T20:55:44.000Z,Jazz ML | Lakers ML,,Basketball,NBA\n';
    const { rows } = await planned(sheet, capper);
    expect(rows[0]!.pick).to.include({
      market: 'player_points',
      subject: 'Ada Gull',
      side: 'over',
      line: 24.5,
      oddsAmerican: 127,
      game: 'Utah Jazz @ San Antonio Spurs',
      book: 'fanduel',
      postedAt: '2024-11-01T20:55:44.000Z',
    });
    expect(rows[0]!.pick).to.include({ result: 'win' });
    expect(rows[1]!.reason).to.equal('parlay: a bet on several games or selections is not one pick.');
  });

  it('treats a column of lines as odds if its cells are odds, and says so', async () => {
    const { guesses, rows } = await planned(
      'Date,Sport,Pick,Confidence,Status,Line\n2024-04-02,MLB,Houston Astros ML,A+,Pending,-125\n',
      capper,
      [known('mlb', 'TEX', 'HOU', '2024-04-02T23:10:00Z')],
    );
    expect(rows[0]!.pick).to.include({
      oddsAmerican: -125,
      market: 'moneyline',
      side: 'home',
      stakeUnits: 1,
    });
    expect(guesses).to.include('Line is read as odds, judging by its cells.');
    expect(guesses).to.include('No column has stakes. Bets without one in their text count as 1 unit.');
  });

  it('joins team, line, side, and market if no text has all of them', async () => {
    const game = known('nba', 'LAL', 'NYK', '2024-11-01T23:30:00Z');
    const bet = async (header: string, row: string) => {
      const { market, subject, side, line } = await pickOf(
        `Date,League,Odds,Units,${header}\n2024-11-01,NBA,-110,1,${row}\n`,
        capper,
        [game],
      );
      return [market, subject, side, line];
    };
    expect(await bet('Team,Line,Market', 'Knicks,-3.5,Spread')).to.deep.equal(['spread', null, 'home', -3.5]);
    expect(await bet('Team,Line,Market', 'Knicks,3.5,Spread')).to.deep.equal(['spread', null, 'home', 3.5]);
    expect(await bet('Team,Line,Market', 'Knicks,,Moneyline')).to.deep.equal([
      'moneyline',
      null,
      'home',
      null,
    ]);
    expect(await bet('Game,Side,Line,Market', 'Lakers @ Knicks,Over,221.5,Total')).to.deep.equal([
      'total',
      null,
      'over',
      221.5,
    ]);
    expect(await bet('Game,Pick,Line,Market', 'Lakers @ Knicks,Under,221.5,Total')).to.deep.equal([
      'total',
      null,
      'under',
      221.5,
    ]);
    expect(
      await bet('Player,Opponent,Stat,Line,Side', 'Ada Gull,Knicks,points,20.5,over').catch(String),
    ).to.match(/Ada Gull|no \w+ game/);
    expect(await bet('Home Team,Away Team,Selection', 'Knicks,Lakers,Knicks ML')).to.deep.equal([
      'moneyline',
      null,
      'home',
      null,
    ]);
    expect(await bet('Game,Pick,Market', 'Lakers @ Knicks,Lakers,to win')).to.deep.equal([
      'moneyline',
      null,
      'away',
      null,
    ]);
  });

  it('refuses a bet that contradicts its column of markets, and lists what a text can mean', async () => {
    const games = [
      known('nba', 'LAL', 'NYK', '2024-11-01T23:30:00Z'),
      known('mlb', 'BOS', 'NYY', '2024-11-01T23:00:00Z'),
    ];
    const sheet = (row: string) => `Date,Sport,Pick,Market,Odds,Units\n2024-11-01,${row},-110,1\n`;
    expect(await reasonOf(sheet('NBA,Knicks ML,spread'), capper, games)).to.match(
      /^The market column says spread/,
    );
    const { rows } = await planned(sheet('MLB,Yankees o6.5,total'), capper, games);
    expect(rows[0]!.choices).to.deep.equal([
      'MLB: Boston Red Sox @ New York Yankees over 6.5',
      'MLB: New York Yankees team total over 6.5',
    ]);
  });

  it('names the missing columns', async () => {
    expect(await plan('Date,Pick,Odds\n2024-11-01,Knicks ML,-110\n')).to.match(
      /^bets\.csv: no column names the capper\. Set it with --capper <name>\. Its columns are Date, Pick, Odds\. /,
    );
    expect(await plan('Foo,Bar\n1,2\n', capper)).to.match(/^bets\.csv has no header row for bets/);
    expect(await plan('Date,Odds\n2024-11-01,-110\n', capper)).to.match(/no column has the bet/);
    expect(await plan('Pick,Odds\nKnicks ML,-110\n', capper)).to.match(/no column has a date/);
  });

  it('accepts the columns that the operator names', async () => {
    const map = readMap(['Memo=description', 'Quota=odds', 'When=date', 'Odds=-']);
    if (typeof map === 'string') throw new Error(map);
    const sheet = 'When,Memo,Quota,Odds\n2024-11-01,Lakers @ Knicks: Knicks -3.5,1.91,junk\n';
    expect(await pickOf(sheet, { ...capper, map, sport: 'nba' })).to.include({
      oddsAmerican: -110,
      line: -3.5,
    });
    expect(
      await plan('Date,Pick,Odds\n', { ...capper, map: new Map([['memo', 'description' as const]]) }),
    ).to.equal('bets.csv has no column memo.');
    expect(readMap(['Memo=nonsense'])).to.match(
      /^Memo=nonsense is not a mapping\. Write Header=field, where field is one of/,
    );
  });

  it('refuses sports outside the ledger, live bets, and overlarge stakes', async () => {
    const row = async (sport: string, units: string, live = '') =>
      reasonOf(
        `Date,Sport,Game,Pick,Odds,Units,Live\n2024-11-01,${sport},Lakers @ Knicks,Knicks ML,-110,${units},${live}\n`,
        capper,
      );
    expect(await row('NBA', '1')).to.equal('');
    expect(await row('Golf', '1')).to.match(/^Golf is not a sport of this ledger/);
    expect(await row('Curling', '1')).to.match(/^Curling is not a known sport/);
    expect(await row('NBA', '1', 'true')).to.match(/after the start of its game/);
    expect(await row('NBA', '250')).to.match(/^Stakes are 0\.01 to 100 units; 250 is 250\./);
    expect(await row('Basketball', '1')).to.equal('');
  });

  it('says who is at home if the sheet does not, and how the games that it creates ended', async () => {
    const header = 'Date,Sport,Game,Pick,Odds,Units,Home Score,Away Score';
    const { rows } = await planned(
      `${header}\n2024-11-01,NBA,Knicks vs Lakers,Knicks ML,-110,1,112,100\n2024-11-02,NBA,Lakers @ Knicks,Knicks ML,-110,1,112,100\n`,
      capper,
    );
    expect(rows[0]!.reason).to.match(/^The score 112-100 does not say who is at home\./);
    expect([rows[1]!.game?.status, rows[1]!.game?.homeScore]).to.deep.equal(['final', 112]);
    expect(rows[0]!.notes).to.include(
      'The row does not say who is at home. New York Knicks is assumed to be.',
    );
    const { rows: said } = await planned(
      `${header},Result\n2024-11-02,NBA,Lakers @ Knicks,Knicks ML,-110,1,112,100,loss\n`,
      capper,
    );
    expect(said[0]!.notes).to.include('The sheet says loss, the score win. The score counts.');
  });

  it('finds the game of a doubleheader that starts exactly when the row says', async () => {
    const games = ['17:05', '21:35'].map((time) => known('mlb', 'NYY', 'BOS', `2024-07-06T${time}:00Z`));
    const header = 'Game Time,League,Game,Bet,Odds,Stake\n';
    const at = (time: string) =>
      pickOf(
        `${header}2024-07-06 ${time},MLB,NYY @ BOS,Over 8.5,1.91,1\n`,
        { ...capper, zone: 'UTC' },
        games,
      );
    expect((await at('17:05')).startsAt).to.equal('2024-07-06T17:05:00.000Z');
    expect((await at('21:35')).startsAt).to.equal('2024-07-06T21:35:00.000Z');
    expect(
      await reasonOf(
        `${header}2024-07-06 19:00,MLB,NYY @ BOS,Over 8.5,1.91,1\n`,
        { ...capper, zone: 'UTC' },
        games,
      ),
    ).not.to.equal('');
  });

  it('treats times beside dates as starts, and says so', async () => {
    const { rows, guesses } = await planned(
      'Date,Time,Sport,Game,Pick,Odds,Units\n11/1/2024,7:30 PM,NBA,Lakers @ Knicks,Knicks ML,-110,1\n',
      capper,
    );
    expect(rows[0]!.pick).to.include({
      startsAt: '2024-11-01T23:30:00.000Z',
      postedAt: '2024-11-01T23:29:00.000Z',
      source: 'day',
    });
    expect(guesses).to.include('Times without a zone are in America/New_York. Choose another with --zone.');
  });
});
