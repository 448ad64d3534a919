import { expect } from 'chai';
import { bets, planned, read, short } from './planned.ts';

/** Returns why each row is refused, or its bet. */
async function outcomes(header: string, rows: readonly string[], league = 'EPL'): Promise<string[]> {
  return (await bets(header, rows, league)).map((each) => each.replace(/^refused: /, ''));
}

describe('rows of sheets that look like other bets', () => {
  it('refuses rows whose remarks say that nobody made the bet, or that turn or narrow it', async () => {
    const cells = [
      'Fade',
      'Pass',
      'Paper',
      'Series',
      'void if Finch is out',
      'if Finch plays',
      'placed at HT',
    ];
    const rows = [...cells, 'in play 60 min'].map((cell) => `Bills -3,1.9,${cell}`);
    expect(await outcomes('Pick,Odds,Remarks', rows, 'NFL')).to.deep.equal([
      'Remarks says Fade. That turns the bet around.',
      'Remarks says Pass, so nobody made the bet.',
      'Remarks says Paper, so nobody made the bet.',
      'Remarks says Series. That is another bet than one on the game.',
      ...['void if Finch is out', 'if Finch plays'].map(
        (cell) => `Remarks says ${cell}. That makes the bet depend on a condition that is not graded here.`,
      ),
      ...['placed at HT', 'in play 60 min'].map(
        (cell) =>
          `Remarks says ${cell}: the bet was placed after the start of its game. The ledger does not accept those.`,
      ),
    ]);
    const fine = [
      'Serie A',
      'Playoffs',
      'Champions League',
      'home dog',
      'lay off next week',
      'fading the public here',
      'love the Yankees',
      'weather forecast is fine',
      'pass rush',
    ];
    expect(
      await outcomes(
        'Pick,Odds,Remarks',
        fine.map((cell) => `Bills -3,1.9,${cell}`),
        'NFL',
      ),
    ).to.deep.equal(fine.map(() => 'spread home -3'));
    expect(
      await outcomes('Pick,Odds,Pitchers', ['Bills -3,1.9,Listed', 'Bills -3,1.9,Action'], 'NFL'),
    ).to.deep.equal([
      'Pitchers says Listed. That makes the bet depend on a condition that is not graded here.',
      'spread home -3',
    ]);
  });

  it('notes promotions that pay otherwise than the score', async () => {
    const { rows } = await read('Pick,Odds,Promo', ['Arsenal ML,1.9,early payout', 'Arsenal ML,1.9,SNR']);
    expect(rows.map(({ notes }) => notes[0])).to.deep.equal([
      'Promo says early payout. The score decides the bet, whatever was paid.',
      'A free bet (SNR): the record counts its stake as if it had been paid.',
    ]);
  });

  it('refuses bets that a column or a status says were not made', async () => {
    for (const header of ['Placed?', 'Taken', 'Matched'])
      expect(
        await outcomes(`Pick,Odds,${header}`, ['Arsenal ML,1.9,Yes', 'Arsenal ML,1.9,No']),
      ).to.deep.equal(['moneyline home', `${header} says No, so nobody made the bet.`]);
    const statuses = ['Won', 'Rejected', 'Not placed', 'Skipped', 'Unmatched'];
    const { rows, questions } = await read(
      'Pick,Odds,Status',
      statuses.map((status) => `Arsenal ML,1.9,${status}`),
    );
    expect(rows.map(short)).to.deep.equal([
      'moneyline home',
      ...statuses.slice(1).map((status) => `refused: Status says ${status}, so nobody made the bet.`),
    ]);
    expect(questions).to.deep.equal([]);
  });

  it('refuses bets placed at a minute or a score of their game', async () => {
    const placed = 'The bet was placed after the start of its game. The ledger does not accept those.';
    expect(
      await outcomes('Pick,Odds,Minute,Score at bet', [
        'Arsenal ML,1.9,,',
        'Arsenal ML,1.9,0,',
        'Arsenal ML,1.9,72,',
        'Arsenal ML,1.9,,0-1',
      ]),
    ).to.deep.equal([
      ...['moneyline home', 'moneyline home', placed],
      'Score at bet says 0-1, which is neither yes nor no.',
    ]);
  });

  it('refuses a bet whose column of sides turns it around', async () => {
    const rows = ['Yes', 'No', 'Short', 'Buy'].map((side) => `Bills ML,1.9,${side}`);
    expect(await outcomes('Pick,Odds,Side', rows, 'NFL')).to.deep.equal([
      'moneyline home',
      'The side column says No, but the bet reads as NFL: Buffalo Bills ML.',
      'Short: a lay bet is against its selection, so it is no pick on it.',
      'moneyline home',
    ]);
  });

  it('refuses a cell that names several games', async () => {
    const of = async (event: string) =>
      (
        await planned(`Date,League,Event,Pick,Odds,Stake\n2024-11-01,EPL,${event},Arsenal ML,5.6,1\n`)
      ).rows.map(short);
    for (const event of ['Arsenal v Everton | Leeds v Fulham', 'Arsenal v Everton / Leeds v Fulham'])
      expect(await of(event)).to.deep.equal([
        `refused: ${event} names several games. A bet on several games is not one pick.`,
      ]);
    expect(await of('Arsenal v Everton')).to.deep.equal(['moneyline home']);
  });

  it('reads outcomes in numbers beside a market in every sport, and numbers that the market counts as written', async () => {
    expect(
      await outcomes(
        'Market,Pick,Odds',
        ['1X2,1,1.9', '1X2,X,4', 'Double Chance,1X,1.3', 'Draw No Bet,2,2'],
        'NHL',
      ),
    ).to.deep.equal([
      ...['h2h_3_way home', 'h2h_3_way draw', 'double_chance home_or_draw', 'draw_no_bet away'],
    ]);
    const counted = ['Correct Score,2 - 1,9', 'Correct Score,2:1,9', 'Exact Goals,2,4', 'Odd/Even,Even,1.9'];
    expect(await outcomes('Market,Pick,Odds', counted)).to.deep.equal([
      ...['correct_score 2-1', 'correct_score 2-1', 'exact_goals 2', 'odd_even even'],
    ]);
  });

  it('takes the line and the team out of the name of a market', async () => {
    expect(
      await outcomes('Market,Pick,Odds', [
        'Asian Corners 9.5,Over,1.9',
        'Corner Handicap -1.5,Arsenal,1.9',
        'Arsenal Team Goals,Over 1.5,1.9',
        'To Win 2nd Half,Arsenal,1.9',
        '10 Minute Result,Arsenal,1.9',
      ]),
    ).to.deep.equal([
      ...['asian_corners over 9.5', 'corner_handicap home -1.5', 'team_total home_over 1.5'],
      ...['h2h_h2 home', '10_minute_result home'],
    ]);
    const points = ['Team Total Points - Bills,Over 22.5,1.9', 'Dolphins Total Points,Under 20.5,1.9'];
    expect(await outcomes('Market,Pick,Odds', points, 'NFL')).to.deep.equal([
      ...['team_total home_over 22.5', 'team_total away_under 20.5'],
    ]);
  });

  it('reads a line that only the part of the game can have', async () => {
    expect(
      await outcomes('Pick,Odds,Segment', ['Over 10.5,1.9,1Q', 'Over 44.5,1.9,Game'], 'NFL'),
    ).to.deep.equal(['totals_q1 over 10.5', 'total over 44.5']);
  });

  it('reads a market and an outcome in one cell, and never the half of two bets', async () => {
    expect(
      await outcomes('Tipp,Quote', ['DNB 1,1.5', '2 DNB,2.5', 'HC 0:1 1,2.5', '1X DNB,1.4']),
    ).to.deep.equal([
      ...['draw_no_bet home', 'draw_no_bet away', 'hc_0_1 home'],
      'The market column says DNB, but the bet reads as 1X.',
    ]);
    for (const each of await outcomes('Tipp,Quote', [
      '1 & Over 2.5,3.5',
      'X2 & Unter 3.5,1.9',
      '1 and BTTS,4',
    ]))
      expect(each).not.to.match(/^(?:moneyline|total|team_total|double_chance|btts) /);
    expect((await outcomes('Wettart,Tipp,Quote', ['Rest der Partie,1,1.9']))[0]).to.contain(
      'is about a bet during the game',
    );
    expect(
      (await outcomes('Tipp,Quote', ['Rest der Partie 1,1.9', 'H,1.9', 'D,3.4', 'A,4'])).slice(1),
    ).to.deep.equal([...['moneyline home', 'moneyline draw', 'moneyline away']]);
  });

  it('reads stakes in points and halves, and results with decorations', async () => {
    const { rows } = await read(
      'Pick,Odds,Stake',
      ['1pt', '0.5pts', '½u', '1.5 points'].map((stake) => `Arsenal ML,1.9,${stake}`),
    );
    expect(rows.map(({ pick }) => pick?.stakeUnits)).to.deep.equal([1, 0.5, 0.5, 1.5]);
    expect((await read('Pick,Odds,Stake', ['Arsenal ML,1.9,1pt e/w'])).rows[0]!.reason).to.equal(
      '1pt e/w is not a stake.',
    );
    const results = ['WON ✅', 'Lost (2-1)', 'won 2-0', 'Partial Cashout', 'Reembolso'];
    const plan = await read(
      'Pick,Odds,Result',
      results.map((result) => `Arsenal ML,1.9,${result}`),
    );
    expect(plan.questions).to.deep.equal([]);
    expect(plan.rows.map(({ pick }) => pick?.result)).to.deep.equal([
      'win',
      'loss',
      'win',
      undefined,
      'void',
    ]);
  });

  it('reads Dutch and Portuguese sheets, and a Spanish column of bets in words and numbers', async () => {
    const dutch =
      'Datum;Competitie;Thuis;Uit;Type weddenschap;Weddenschap;Quotering;Inzet;Uitslag\n' +
      '05-10-2025;Eredivisie;Ajax;PSV;Eindresultaat;Ajax;2,10;1;Gewonnen\n' +
      '06-10-2025;Eredivisie;Ajax;Utrecht;Meer/Minder 2,5;Meer;1,60;1;Verloren\n' +
      '07-10-2025;Eredivisie;Ajax;Twente;Eerste helft;Ajax;1,80;1;Verloren\n';
    expect((await planned(dutch)).rows.map(short)).to.deep.equal([
      ...['moneyline home', 'total over 2.5', 'first_half_moneyline home'],
    ]);
    const spanish =
      'Fecha;Liga;Mandante;Visitante;Mercado;Apuesta;Cuota;Stake\n' +
      '05/10/2025;LaLiga;Sevilla;Betis;Resultado final;Empate;3,10;2\n' +
      '06/10/2025;LaLiga;Valencia;Getafe;Resultado final;1;1,90;1\n' +
      '07/10/2025;LaLiga;Sevilla;Getafe;Resultado final;2;1,90;1\n';
    expect((await planned(spanish)).rows.map(short)).to.deep.equal([
      ...['moneyline draw', 'moneyline home', 'moneyline away'],
    ]);
  });

  it('refuses a remark or a category that is another market than the bet', async () => {
    const remarks = [
      'corners',
      'corners only',
      'cards market',
      'DNB',
      'to qualify',
      'Arsenal team total',
      '1st half goals',
    ];
    const sentence = 'this one is based on the recent form of both';
    const rows = [...remarks, sentence].map((cell) => `Over 2.5,1.9,${cell}`);
    const found = await outcomes('Pick,Odds,Info', rows);
    expect(found.slice(0, -1)).to.deep.equal(
      remarks.map((cell) => `Info says ${cell}, and the bet reads as SOCCER: Everton @ Arsenal over 2.5.`),
    );
    expect(found.at(-1)).to.equal('total over 2.5');
    const fine = ['total', 'goals', 'full game', 'value'].map((cell) => `Over 2.5,1.9,${cell} ${sentence}`);
    expect(await outcomes('Pick,Odds,Info', [...fine, 'Over 2.5,1.9,totals'])).to.deep.equal(
      [...fine, ''].map(() => 'total over 2.5'),
    );
    expect((await outcomes('Pick,Odds,Period,Tags', ['Over 0.5,1.9,1H,2nd half']))[0]).to.contain(
      'part of the game',
    );
    expect((await outcomes('Pick,Odds,Tags', ['Over 0.5,1.9,1st half']))[0]).to.contain('part of the game');
    const hockey = ['3-way', 'regulation', 'ML', 'winner', 'puck line', sentence, sentence, sentence];
    const read = await outcomes(
      'Pick,Odds,Info',
      hockey.map((cell) => `Bruins ML,1.9,${cell}`),
      'NHL',
    );
    expect(read.map((each) => each.replace(/,.*/, ''))).to.deep.equal([
      ...[
        'Info says 3-way',
        'Info says regulation',
        'moneyline home',
        'moneyline home',
        'Info says puck line',
      ],
      ...[sentence, sentence, sentence].map(() => 'moneyline home'),
    ]);
    expect((await outcomes('Pick,Odds,Info', ['Over 44.5,1.9,team total'], 'NFL'))[0]).to.equal(
      'A team total needs a team.',
    );
  });

  it('takes a column of short words, many of them markets, as the market', async () => {
    const cells = ['Corners', 'Throw-ins', 'Goals', 'Fouls', 'Cards'];
    expect(
      await outcomes(
        'What,Pick,Odds',
        cells.map((cell) => `${cell},Over 3.5,1.9`),
      ),
    ).to.deep.equal([
      ...['corners over 3.5', 'throw_ins over 3.5', 'total over 3.5', 'fouls over 3.5', 'cards over 3.5'],
    ]);
  });

  it('refuses teasers and parlays that only a column of numbers names, and rows of one slip', async () => {
    for (const header of ['Teaser', 'Parlay ID', 'Parlay #'])
      expect(
        (await outcomes(`Pick,Odds,${header}`, ['Bills +9,1.9,6', 'Bills -3,1.9,'], 'NFL')).slice(1),
      ).to.deep.equal(['spread home -3']);
    expect((await outcomes('Pick,Odds,Teaser', ['Bills +9,1.9,6 pt'], 'NFL'))[0]).to.contain('not one pick');
    const slips = ['Bills +9,1.9,A1', 'Bills +3,2.6,A2', 'Bills -3,2.6,A2'];
    expect(await outcomes('Pick,Odds,Slip', slips, 'NFL')).to.deep.equal([
      'spread home 9',
      ...slips.slice(1).map(() => 'The rows 3, 4 have one bet ID, so they are legs of one bet.'),
    ]);
    expect(
      await outcomes('Pick,Odds,Slip', ['Bills +9,1.9,Single', 'Bills -3,1.9,Single'], 'NFL'),
    ).to.deep.equal(['spread home 9', 'spread home -3']);
  });

  it('refuses bets that columns place after the start, or on regulation time', async () => {
    expect(await outcomes('Pick,Odds,Pregame', ['Arsenal ML,1.9,Yes', 'Arsenal ML,1.9,No'])).to.deep.equal([
      'moneyline home',
      'The bet was placed after the start of its game. The ledger does not accept those.',
    ]);
    expect(
      await outcomes('Pick,Odds,OT included', ['Bruins ML,1.9,Yes', 'Bruins ML,1.9,No'], 'NHL'),
    ).to.deep.equal([
      'moneyline home',
      'OT included says No. A bet on regulation time is another market: name it in a column.',
    ]);
  });

  it('lets one odd price decide nothing about a column of American odds and fractions', async () => {
    const { rows } = await read(
      'Pick,Odds',
      ['+120', '1.91', '10/11', '-1.10', '0.95'].map((odds) => `Arsenal ML,${odds}`),
    );
    expect(rows.map(({ pick, reason }) => pick?.oddsAmerican ?? reason)).to.deep.equal([
      ...[120, -110, -110],
      '-1.10 is not a price. Write -110, 1.91, or 10/11.',
      '0.95 is not a price. Write -110, 1.91, or 10/11.',
    ]);
  });

  it('reads the names and the handicaps of 0 that exchanges write', async () => {
    expect(
      await outcomes('Market,Pick,Handicap,Odds', [
        'OVER_UNDER_25,Over 2.5 Goals,0,1.9',
        'FIRST_HALF_GOALS_15,Under 1.5 Goals,0,1.9',
        'MATCH_ODDS,The Draw,0,3.4',
        'TO_QUALIFY,Arsenal,0,1.5',
        'ASIAN_HANDICAP,Arsenal,0,1.5',
        'HALF_TIME,Arsenal,0,2.5',
      ]),
    ).to.deep.equal([
      ...[
        'total over 2.5',
        'first_half_total under 1.5',
        'moneyline draw',
        'to_qualify home',
        'spread home 0',
      ],
      'The line 0 beside HALF TIME can mean none. Name the market: a draw no bet, or the result.',
    ]);
  });

  it('reads at least so many of a statistic, and refuses the sum of two players', async () => {
    expect(
      await outcomes(
        'Player,Market,Pick,Odds',
        ['Rory Finch,Receptions,5+,1.9', 'Rory Finch + Ada Gull,Receiving Yards,Over 120.5,1.9'],
        'NFL',
      ),
    ).to.deep.equal([
      'player_receptions Rory Finch over 4.5',
      'Rory Finch + Ada Gull are several players, and Receiving Yards is about one.',
    ]);
    expect(await outcomes('Pick,Line,Odds', ['Bills TT Over,22.5,1.9'], 'NFL')).to.deep.equal([
      'team_total home_over 22.5',
    ]);
  });

  it('refuses rows whose legs stand side by side', async () => {
    expect(
      await outcomes('Pick,Odds,Pick 2,Pick 3', ['Bills ML,1.9,,', 'Bills ML,3.6,Jets ML,'], 'NFL'),
    ).to.deep.equal(['moneyline home', 'Pick 2 Jets ML: a bet with several legs is not one pick.']);
    const sheet =
      'Date,League,Game 1,Pick 1,Game 2,Pick 2,Odds,Stake\n' +
      '2024-11-01,NFL,Dolphins @ Bills,Bills ML,,,1.9,1\n' +
      '2024-11-02,NFL,Dolphins @ Bills,Bills ML,Bears @ Packers,Bears ML,3.6,1\n';
    expect((await planned(sheet)).rows.map(short)).to.deep.equal([
      'moneyline home',
      'refused: Game 2 Bears @ Packers: a bet with several legs is not one pick.',
    ]);
  });

  it('takes no team as a moneyline beside a line that no field reads', async () => {
    expect(
      await outcomes('Pick,Odds,Home Spread', ['Bills,1.9,-3.5', 'Bills ML,1.9,-3.5', 'Bills,1.9,'], 'NFL'),
    ).to.deep.equal([
      'Home Spread says -3.5, so the bet may be no moneyline. Write the line of the bet beside its team, or ML.',
      'moneyline home',
      'moneyline home',
    ]);
    for (const header of ['Closing Line', 'Close', 'CL'])
      expect(
        await outcomes(`Pick,Odds,${header}`, ['Bills,1.9,−3.5', 'Bills,1.9,1.95', 'Bills ML,1.9,+3'], 'NFL'),
      ).to.deep.equal([
        `${header} says -3.5, so the bet may be no moneyline. Write the line of the bet beside its team, or ML.`,
        'moneyline home',
        'moneyline home',
      ]);
  });

  it('refuses the line of the other team, and two signs of one line', async () => {
    expect(
      await outcomes('Pick,Odds,Line,Line Away', ['Dolphins,1.9,-3,+3', 'Bills,1.9,-3,+3'], 'NFL'),
    ).to.deep.equal([
      'Line Away says +3, but the bet reads as away -3. Write the line of the bet beside its team.',
      'spread home -3',
    ]);
    expect(
      await outcomes(
        'Market,Pick,Line,Odds',
        ['Dolphins +3,-3', 'Dolphins -3,3', 'Dolphins -3,+3', 'Dolphins -3,-3'].map(
          (bet) => `Spread,${bet},1.9`,
        ),
        'NFL',
      ),
    ).to.deep.equal([
      'The columns name two lines, -3 and 3.',
      'spread away -3',
      'The columns name two lines, 3 and -3.',
      'spread away -3',
    ]);
  });

  it('asks whose the lines beside the teams are, unless results prove it', async () => {
    const plan = await read(
      'Line,Pick,Odds',
      ['-3,Dolphins,1.9', '-3,Bills,1.9', '-3,Dolphins +3,1.9'],
      'NFL',
    );
    expect(plan.questions.map(({ key }) => key)).to.deep.equal(['lines']);
    expect(plan.rows.map(short)).to.deep.equal([
      'refused: The line -3 can be that of the home team or of the pick. Answer with --answer lines=pick or lines=home.',
      'spread home -3',
      'refused: The line column says -3, but the bet reads as NFL: Miami Dolphins +3.',
    ]);
    for (const [answer, line] of [
      ['home', 3],
      ['pick', -3],
    ] as const)
      expect(
        await bets('Line,Pick,Odds', ['-3,Dolphins,1.9'], 'NFL', { answers: new Map([['lines', answer]]) }),
      ).to.deep.equal([`spread away ${line}`]);
    const scored = (results: readonly string[]) =>
      bets(
        'Line,Pick,Odds,Home Score,Away Score,Result',
        results.map((result) => `-3,Dolphins,1.9,21,20,${result}`),
        'NFL',
      );
    expect(await scored(['Win', 'Win'])).to.deep.equal(['spread away 3 20-21', 'spread away 3 20-21']);
    expect(await scored(['Loss'])).to.deep.equal(['spread away -3 20-21']);
    expect(await bets('Pick,Line,Odds', ['Dolphins,-3,1.9'], 'NFL')).to.deep.equal(['spread away -3']);
  });

  it('refuses the team of a column for another pick, or a total that can be its own', async () => {
    const rows = [
      'Everton,Arsenal',
      'Everton,BTTS',
      'Everton,Over 1.5',
      'Everton,Over 5.5',
      'Everton,Everton',
      'Everton,-1.5',
      'Chelsea,Over 2.5',
    ];
    expect(
      await outcomes(
        'Team,Pick,Odds',
        rows.map((row) => `${row},1.9`),
      ),
    ).to.deep.equal([
      'The team column says Everton, but the bet reads as SOCCER: Arsenal ML.',
      '"BTTS": The text names no team or known player of these games.',
      'Over 1.5 fits several bets.',
      'total over 5.5',
      'moneyline away',
      '"Everton": The text names no market. Write ML, a spread, or over or under with a line.',
      '"Chelsea" is no side of Over 2.5.',
    ]);
    expect(
      await outcomes('Market,Team,Pick,Odds', [
        'Moneyline,Everton,Arsenal,1.9',
        'Moneyline,Everton,Everton,1.9',
        'Arsenal Total Goals,,Everton Over 1.5,1.9',
      ]),
    ).to.deep.equal([
      'The columns name two teams, Arsenal and Everton.',
      'moneyline away',
      'The columns name two teams, Arsenal and Everton.',
    ]);
    expect(
      await outcomes('Opponent,Pick,Odds', ['Chelsea,Arsenal,1.9', 'Everton,Arsenal,1.9']),
    ).to.deep.equal(['Chelsea is no team of Everton @ Arsenal.', 'moneyline home']);
    expect(
      await outcomes('Market,Team,Side,Line,Odds', [
        'Total,Everton,Over,1.5,1.9',
        'Total,Everton,Over,5.5,1.9',
      ]),
    ).to.deep.equal(['Total fits several bets.', 'total over 5.5']);
  });

  it('reads the number of a game in a column of its own, and behind a team', async () => {
    const of = async (header: string, cell: string, away = 'Yankees') =>
      short(
        (
          await planned(
            `Date,League,Away,Home,${header},Pick,Odds,Stake\n2024-06-01,MLB,${away},Red Sox,${cell},Yankees ML,1.9,1\n`,
          )
        ).rows[0]!,
      );
    const refused = (title: string) =>
      `refused: ${title} is game 2 of a day, and none is known. Ingest that day's games first, or leave the number out.`;
    expect(await of('Game #', '2')).to.equal(refused('Yankees @ Red Sox'));
    expect(await of('DH', 'G2')).to.equal(refused('Yankees @ Red Sox'));
    expect(await of('Game #', '1')).to.equal('moneyline away');
    expect(await of('Note', 'x', 'Yankees (G2)')).to.equal(refused('Yankees (G2) @ Red Sox'));
  });

  it('reads ordinals below P as parts of the game, and refuses awards and divisions beside a team', async () => {
    expect(
      await outcomes('Pick,Odds,P', ['Bruins ML,1.9,3rd', 'Bruins ML,1.9,P1', 'Over 5.5,1.9,'], 'NHL'),
    ).to.deep.equal(['h2h_p3 home', 'h2h_p1 home', 'total over 5.5']);
    expect(await outcomes('Pick,Odds,P', ['Bruins ML,1.9,0.9', 'Bruins ML,1.9,-1'], 'NHL')).to.deep.equal([
      'moneyline home',
      'moneyline home',
    ]);
    expect(await outcomes('Pick,Odds,Half', ['Arsenal,1.9,MT', 'Arsenal,1.9,2. MT'])).to.deep.equal([
      'first_half_moneyline home',
      'h2h_h2 home',
    ]);
    for (const type of ['Award', 'Division', 'Conference'])
      expect(await outcomes('Type,Pick,Odds', [`${type},Bills,9`], 'NFL')).to.deep.equal([
        `${type} is about a competition, and the row names the game Miami Dolphins @ Buffalo Bills.`,
      ]);
  });

  it('refuses remarks that qualify, join, or handicap a bare team', async () => {
    const remarks = [
      'Weiterkommen',
      'Qualifies',
      'Tournament winner',
      'Relegation',
      'to nil',
      'double with Chelsea',
    ];
    const found = await outcomes(
      'Pick,Odds,Remarks',
      [...remarks, 'EBR', '-1', 'Moneyline'].map((remark) => `Arsenal,1.9,${remark}`),
    );
    expect(found.map((each) => each.startsWith('Remarks says '))).to.deep.equal([
      ...remarks.map(() => true),
      ...[true, true, false],
    ]);
    expect(await outcomes('HC,Pick,Odds', ['-1,Arsenal,1.9', '0:1,Arsenal,3'])).to.deep.equal(
      ['-1', '0:1'].map(
        (cell) =>
          `HC says ${cell}, so the bet may be no moneyline. Write the line of the bet beside its team, or ML.`,
      ),
    );
  });

  it('takes no fighter or player as a winner beside a method, a round, or a set', async () => {
    for (const [sport, header, cells] of [
      ['MMA', 'Method', ['KO', 'Decision']],
      ['MMA', 'Round', ['2', 'R3']],
      ['Tennis', 'Set', ['1', '2']],
    ] as const) {
      const rows = ['', ...cells].map(
        (cell, at) => `2024-11-0${at + 1},${sport},Jon Gull,Rory Finch,${cell},Gull,1.9,1`,
      );
      const plan = await planned(`Date,Sport,Home,Away,${header},Pick,Odds,Stake\n${rows.join('\n')}\n`);
      expect(plan.rows.map(short)).to.deep.equal([
        'moneyline home',
        ...cells.map(
          (cell) =>
            `refused: ${header} says ${cell}, so the bet may be no moneyline. Write the line of the bet beside its team, or ML.`,
        ),
      ]);
    }
    const { rows } = await planned(
      'Date,Sport,Home,Away,Market,Pick,Odds,Stake\n2024-11-01,Tennis,Jon Gull,Rory Finch,Set 2,Gull,1.9,1\n',
    );
    expect(rows.map(short)).to.deep.equal(['refused: The columns do not say over or under.']);
  });

  it('takes the header of a column for the remark where its cell says only yes', async () => {
    for (const [header, why] of [
      ['1H?', '1H? says 1H, and no column says that the bet is on a part of the game.'],
      ['Regulation', 'Regulation says Regulation, and no column says that the bet is on a part of the game.'],
      ['TT?', 'TT? says TT, and the bet reads as NFL: Miami Dolphins @ Buffalo Bills over 38.5.'],
      ['Fade?', 'Fade? says Fade. That turns the bet around.'],
      ['Futures', 'Futures says Futures. That is another bet than one on the game.'],
      ['HT', 'HT says HT, and no column says that the bet is on a part of the game.'],
      ['Halbzeit', 'Halbzeit says Halbzeit. That is a part of the game: name the market in a column.'],
      ['Reverse', 'Reverse says Reverse. That turns the bet around.'],
    ] as const)
      expect(
        await outcomes(
          `Pick,Odds,${header}`,
          ['Over 38.5,1.9,Y', 'Over 38.5,1.9,x', 'Over 38.5,1.9,No'],
          'NFL',
        ),
      ).to.deep.equal([why, why, 'total over 38.5']);
    for (const fact of ['Verified', 'OT', 'Went to OT?'])
      expect(
        await outcomes(`Pick,Odds,${fact}`, ['Over 38.5,1.9,Yes', 'Over 38.5,1.9,'], 'NFL'),
      ).to.deep.equal(['total over 38.5', 'total over 38.5']);
    expect(await outcomes('Pick,Odds,OT only', ['Over 38.5,1.9,Yes'], 'NFL')).to.deep.equal([
      'OT only says OT only, and the bet reads as NFL: Miami Dolphins @ Buffalo Bills over 38.5.',
    ]);
    const titles = ['Arsenal - Everton [Live]', 'Arsenal - Everton [Corners]', 'Arsenal - Everton'].map(
      (title, at) => `2024-11-0${at + 1},EPL,${title},Arsenal,1.9,1`,
    );
    const { rows } = await planned(`Date,League,Game,Pick,Odds,Stake\n${titles.join('\n')}\n`);
    expect(rows.map((row) => short(row).slice(0, 7))).to.deep.equal(['refused', 'refused', 'moneyli']);
  });

  it('refuses a line beside another one that was taken instead', async () => {
    for (const header of ['Alt Line', 'New Line', 'Bought to'])
      expect(
        await outcomes(`Pick,Odds,${header}`, ['Bills -3.5,1.9,-2.5', 'Bills -3.5,1.9,-3.5'], 'NFL'),
      ).to.deep.equal([
        `${header} says -2.5, but the bet reads as home -3.5. Write the line of the bet beside its team.`,
        'spread home -3.5',
      ]);
  });

  it('says that lines without signs count as plus', async () => {
    const note = 'No line of the sheet has a sign, so 3.5 counts as +3.5.';
    const notesOf = async (rows: readonly string[]) =>
      (await read('Market,Pick,Line,Odds', rows, 'NFL')).rows.map(({ notes }) => notes.includes(note));
    expect(await notesOf(['Spread,Bills,3.5,1.9', 'Spread,Dolphins,6,1.9'])).to.deep.equal([true, false]);
    expect(await notesOf(['Spread,Bills,3.5,1.9', 'Spread,Dolphins,-6,1.9'])).to.deep.equal([false, false]);
    expect(await notesOf(['Spread,Bills +3.5,3.5,1.9'])).to.deep.equal([false]);
  });

  it('reads German parts of games, a market of at least so many, and results as covered or not', async () => {
    expect(
      await outcomes(
        'Wettart,Tipp,Quote',
        ['1. Drittel,X,2', '3-Weg,1,2', 'Über/Unter 5.5 (reguläre Spielzeit),Über,2'],
        'NHL',
      ),
    ).to.deep.equal(['h2h_p1 draw', 'h2h_3_way home', 'totals_regulation over 5.5']);
    expect(
      await outcomes(
        'Player,Market,Pick,Odds',
        ['Rory Finch,2+ TDs,Yes,5', 'Rory Finch,2+ TDs,No,1.2'],
        'NFL',
      ),
    ).to.deep.equal(['player_tds_over Rory Finch over 1.5', 'player_tds_over Rory Finch under 1.5']);
    const { rows } = await read('Pick,Odds,Covered?', ['Bills -3,1.9,Y', 'Bills -3,1.9,N'], 'NFL');
    expect(rows.map(({ pick }) => pick?.result)).to.deep.equal(['win', 'loss']);
  });

  it('says that several bets stand side by side, and reads over and under in a column of lines', async () => {
    const sheet =
      'Date,League,Away,Home,Spread,Total,ML,Stake\n2024-11-01,NFL,Bears,Packers,-3.5,44.5,-180,1\n';
    expect(await planned(sheet).catch((error: Error) => error.message)).to.contain(
      'Spread, Total, ML are bets side by side. Give each a row of its own, with columns Pick and Odds.',
    );
    const rows = ['Bills,-3.5,,1.9', ',,o41,1.9', ',,U41.5,1.9'];
    expect(
      await outcomes('Description,Total,Odds', ['Over 41 for the game,u41,1.9', 'Over 41,u41,1.9'], 'NFL'),
    ).to.satisfy((all: string[]) => all.every((each) => !each.startsWith('total')));
    expect(await outcomes('Team,Spread,Total,Odds', rows, 'NFL')).to.deep.equal([
      ...['spread home -3.5', 'total over 41', 'total under 41.5'],
    ]);
  });

  it('refuses lines that the score rarely has, because they count something else', async () => {
    const unusual = (line: number, market: string, sport: string) =>
      `${line} is no usual line of a ${market} in ${sport}. Name what it counts, or the part of the game.`;
    expect(
      await outcomes('Market,Pick,Odds', [
        'Total,Over 9.5,1.9',
        'Goals,Over 3.5,1.9',
        'Spread,Arsenal -13,1.9',
      ]),
    ).to.deep.equal([unusual(9.5, 'total', 'soccer'), 'total over 3.5', unusual(-13, 'spread', 'soccer')]);
    expect(
      await outcomes(
        'Market,Pick,Odds',
        [
          'Total,Over 5.5,1.9',
          'Alternate Total,Over 25.5,1.9',
          'Handicap,Bills -1.5 games,1.9',
          'Team Total,Bills over 61.5,1.9',
        ],
        'NFL',
      ),
    ).to.deep.equal([
      unusual(5.5, 'total', 'nfl'),
      'total over 25.5',
      '"bills  games" in Bills -1.5 games is no side of Handicap.',
      unusual(61.5, 'team total', 'nfl'),
    ]);
    const tennis = [
      'Total,Over 3.5',
      'Total Games,Over 38.5',
      'Spread,Ada Gull -1.5',
      'Game Spread,Ada Gull -1.5',
    ];
    const rows = tennis.map((bet, at) => `2025-06-0${at + 1},Tennis,Ada Gull,Rory Finch,${bet},1.9,1`);
    expect(
      (await planned(`Date,Sport,Player 1,Player 2,Market,Pick,Odds,Stake\n${rows.join('\n')}\n`)).rows.map(
        short,
      ),
    ).to.deep.equal([
      `refused: ${unusual(3.5, 'total', 'tennis')}`,
      'total over 38.5',
      `refused: ${unusual(-1.5, 'spread', 'tennis')}`,
      'spread home -1.5',
    ]);
  });

  it('reads a market or a part of the game behind a title', async () => {
    const of = async (league: string, event: string, pick: string) =>
      short(
        (await planned(`Date,League,Event,Pick,Odds,Stake\n2024-11-01,${league},${event},${pick},1.9,1\n`))
          .rows[0]!,
      );
    expect(await of('EPL', 'Arsenal v Everton - Corners', 'Over 4.5')).to.equal('corners over 4.5');
    expect(await of('Serie A', 'Inter - Milan (Angoli)', 'Over 4.5')).to.equal('corners over 4.5');
    expect(await of('NBA', 'Lakers @ Celtics - 1st Half', 'Lakers +3.5')).to.equal(
      'first_half_spread away 3.5',
    );
    expect(await of('NFL', 'Bills @ Dolphins (OT)', 'Bills ML')).to.equal('moneyline away');
    expect(await of('NFL', 'Bills @ Dolphins | Live', 'Bills ML')).to.contain('placed after the start');
    expect(await of('NFL', 'Bills @ Dolphins (Thanksgiving)', 'Bills ML')).to.equal('moneyline away');
  });

  it('keeps the games of other teams of a club, and of none, apart', async () => {
    const rows = ['Italy - Serie A (W)', 'Premier League 2', 'Esoccer Battle', 'SRL Premier League'].map(
      (league, at) => `2024-11-0${at + 1},Soccer,${league},Arsenal,Everton,1,1.9,1`,
    );
    const plan = await planned(`Date,Sport,League,Home,Away,Pick,Odds,Stake\n${rows.join('\n')}\n`);
    const others = ['Esoccer Battle', 'SRL Premier League'].map(
      (league) => `${league} has games of its own between teams of these names, which are not kept here.`,
    );
    expect(plan.rows.map(({ pick, reason }) => reason ?? pick?.game)).to.deep.equal([
      'Everton Women @ Arsenal Women',
      'Everton U21 @ Arsenal U21',
      ...others,
    ]);
  });

  it('takes a column with a word such as Single for how bets are built, whatever its header', async () => {
    const unknown = (header: string, cell: string) =>
      `${header} says ${cell}, which nobody knows here. Write Single, or skip the column with --map '${header}=-'.`;
    const cells = ['Single', 'Value', 'Akkumulator', 'Sammensat', 'Flex 3'];
    expect(
      await outcomes(
        'Pick,Odds,How',
        cells.map((cell) => `Arsenal ML,1.9,${cell}`),
      ),
    ).to.deep.equal([
      ...['moneyline home', 'moneyline home'],
      'Akkumulator: a bet on several games or selections is not one pick.',
      ...[unknown('How', 'Sammensat'), unknown('How', 'Flex 3')],
    ]);
    expect(
      await outcomes('Pick,Odds,When', ['Arsenal ML,1.9,Pre', 'Arsenal ML,1.9,During', "Arsenal ML,1.9,63'"]),
    ).to.deep.equal(['moneyline home', unknown('When', 'During'), unknown('When', "63'")]);
    expect(await outcomes('Selection,Bet,Odds', ['Arsenal,B,1.9', 'Arsenal,L,1.9'])).to.deep.equal([
      'moneyline home',
      'L: a lay bet is against its selection, so it is no pick on it.',
    ]);
    expect(await outcomes('Type,Pick,Odds', ['S,Arsenal ML,1.9', 'C,Arsenal ML,1.9'])).to.deep.equal([
      'moneyline home',
      unknown('Type', 'C'),
    ]);
    expect(
      await outcomes(
        'Pick,Odds,Op',
        ['A favor', 'Contra', 'Banca', 'Vender'].map((cell) => `Arsenal,1.9,${cell}`),
      ),
    ).to.deep.equal([
      'moneyline home',
      ...['Contra', 'Banca', 'Vender'].map(
        (cell) => `${cell}: a lay bet is against its selection, so it is no pick on it.`,
      ),
    ]);
  });

  it('refuses remarks that say that a bet was missed, a leg, or placed late', async () => {
    const remarks = [
      'missed it',
      "didn't get it down",
      'for fun / paper',
      'no stake',
      'leg 1 of double',
      '2nd half live',
    ];
    const others = ['fine', 'during a good run', 'cancelled flights', "90'", 'got 1.95 at a shop'];
    const fine = others.map((cell) => `Arsenal ML,1.9,${cell}`);
    expect(await outcomes('Pick,Odds,Notes', fine)).to.deep.equal(others.map(() => 'moneyline home'));
    const rows = ['fine', ...remarks, '2up paid'].map((cell) => `Arsenal ML,1.9,${cell}`);
    const read = await outcomes('Pick,Odds,Notes', rows);
    expect(read.map((each) => each.replace(/^Notes says /, ''))).to.deep.equal([
      'moneyline home',
      ...remarks.slice(0, 4).map((cell) => `${cell}, so nobody made the bet.`),
      'leg 1 of double: a bet on several games or selections is not one pick.',
      '2nd half live: the bet was placed after the start of its game. The ledger does not accept those.',
      'moneyline home',
    ]);
  });

  it('reads parts of the game below headers such as Scope and Innings, and as remarks', async () => {
    const cells = ['1Q', 'Game', 'Season'];
    expect(
      await outcomes(
        'Pick,Odds,Scope',
        cells.map((cell) => `Bills -3,1.9,${cell}`),
        'NFL',
      ),
    ).to.deep.equal([
      'spreads_q1 home -3',
      'spread home -3',
      'Season is no part of a game that is known here.',
    ]);
    expect(
      (await outcomes('Pick,Odds,Where', ['Bills -3,1.9,1Q', 'Bills -3,1.9,club'], 'NFL'))[0],
    ).to.contain('part of the game');
    const innings = ['F5', '9', '5'].map(
      (cell, at) => `2025-06-0${at + 1},MLB,Yankees @ Red Sox,Yankees ML,1.9,1,${cell}`,
    );
    expect(
      (await planned(`Date,League,Event,Pick,Odds,Stake,Innings\n${innings.join('\n')}\n`)).rows.map(short),
    ).to.deep.equal([
      ...['h2h_1st_5_innings away', 'moneyline away', 'refused: 5 is no part of a game that is known here.'],
    ]);
  });

  it('reads an Italian sheet, headers of two letters, and what corners and fouls are called abroad', async () => {
    const italian =
      'Data;Campionato;Partita;Mercato;Esito Giocato;Quota;Stake;Esito\n' +
      '05/10/2025;Serie A;Inter - Milan;Angoli Over/Under 9.5;Over;1,85;1;V\n' +
      '06/10/2025;Serie A;Roma - Lazio;1X2 Primo Tempo;1;2,40;1;P\n' +
      '07/10/2025;Serie A;Roma - Genoa;Gol/NoGol;Gol;1,80;1;V\n' +
      '08/10/2025;Serie A;Roma - Torino;Handicap;1 (-1);2,30;1;P\n' +
      '09/10/2025;Serie A;Roma - Napoli;Falli;Over 20.5;1,90;1;V\n';
    expect((await planned(italian)).rows.map(short)).to.deep.equal([
      ...['corners over 9.5: win', 'first_half_moneyline home', 'btts yes: win', 'handicap home -1: loss'],
      'fouls over 20.5: win',
    ]);
    const { rows } = await read('Pick,Odds,G/V', ['Arsenal ML,1.9,G', 'Arsenal ML,1.9,V']);
    expect(rows.map(({ pick }) => pick?.result)).to.deep.equal(['win', 'loss']);
    const spanish = await read('Pick,Odds,Acierto', ['BTTS Yes,1.9,SI', 'BTTS Yes,1.9,NO']);
    expect(spanish.rows.map(short)).to.deep.equal(['btts yes: win', 'btts yes: loss']);
  });

  it('takes no unknown category for a remark beside a bare total, and no part of a joined side', async () => {
    const cells = ['Esquinazos', 'Value bets', 'Hjørnespark'].map((cell) => `Over 2.5,1.9,${cell}`);
    expect(await outcomes('Pick,Odds,Category', cells)).to.deep.equal([
      "Category says Esquinazos, and nobody knows here whether 2.5 counts that. Name the market, or skip the column with --map 'Category=-'.",
      'total over 2.5',
      'Category says Hjørnespark, and the bet reads as SOCCER: Everton @ Arsenal over 2.5.',
    ]);
    expect(await outcomes('Market,Pick,Odds', ['Result + Total Goals,Arsenal and Over 2.5,3'])).to.deep.equal(
      ['result_total_goals arsenal_and_over_2_5'],
    );
  });

  it('refuses a market, a part of the game, or a bet during it at the end of a league or a category', async () => {
    const of = async (rows: readonly string[]) =>
      (
        await planned(
          `Date,Sport,League,Category,Home,Away,Market,Pick,Odds,Stake\n${rows.map((row, at) => `2024-11-0${at + 1},${row},1.9,1`).join('\n')}\n`,
        )
      ).rows.map(short);
    const path = 'Football / England / Premier League';
    expect(
      await of([
        'Soccer,England - Premier League,,Arsenal,Everton,Total,Over 2.5',
        'Soccer,England - Premier League Corners,,Arsenal,Everton,Total,Over 2.5',
        'Soccer,England - Premier League Corners,,Arsenal,Everton,,Over 2.5',
        'Hockey,NHL Reg. Time,,Boston Bruins,New York Rangers,Money Line,Boston Bruins',
        `Soccer,,${path} Corners,Arsenal,Everton,,Over 2.5`,
        `Soccer,,${path.replace('Football', 'Football Livebet')},Arsenal,Everton,,Arsenal ML`,
      ]),
    ).to.deep.equal([
      'total over 2.5',
      'refused: The columns name two markets, Total and Corners.',
      ...['corners over 2.5', 'h2h_3_way home', 'corners over 2.5'],
      `refused: ${path.replace('Football', 'Football Livebet')}: the bet was placed after the start of its game. The ledger does not accept those.`,
    ]);
  });

  it('refuses a future beside a game, and the players of a pair', async () => {
    expect(
      await outcomes('Bet Type,Bet,Odds', ['Futures,Buffalo Bills,7', 'Spread,Bills -3,1.9'], 'NFL'),
    ).to.deep.equal([
      'Futures is about a competition, and the row names the game Miami Dolphins @ Buffalo Bills.',
      'spread home -3',
    ]);
    expect(
      await outcomes('Player,Market,Pick,Odds', ['Finch/Gull,Receptions,Over 9.5,1.9'], 'NFL'),
    ).to.deep.equal(['Finch/Gull are several players, and Receptions is about one.']);
  });

  it('reads remarks in other languages as those in English', async () => {
    const late = ': the bet was placed after the start of its game. The ledger does not accept those.';
    const remarks = {
      ...{
        Livewette: late,
        'en directo min 60': late,
        'nach Anpfiff': late,
        'bet at 1-0': late,
        "63'": late,
      },
      'nicht gespielt': ', so nobody made the bet.',
      'pas joué': ', so nobody made the bet.',
      'apuesta anulada': '. Its score would count, so leave the row out.',
      'solo si juega Finch': '. That makes the bet depend on a condition that is not graded here.',
      'segunda parte': ', and no column says that the bet is on a part of the game.',
      '& over 2.5': '. That joins another bet.',
      Women: '. Those are other teams than the row names.',
    };
    const cells = Object.keys(remarks);
    expect(
      await outcomes(
        'Pick,Odds,Nota',
        cells.map((cell) => `Arsenal ML,1.9,${cell}`),
      ),
    ).to.deep.equal(Object.entries(remarks).map(([cell, why]) => `Nota says ${cell}${why}`));
  });

  it('reads columns named after two fields, and fights', async () => {
    const fights =
      'Date,Sport,Fight,Pick,Odds,Stake\n2025-06-02,UFC,Ada Gull vs Mary Finch,Ada Gull ML,1.9,1\n';
    expect((await planned(fights)).rows.map(short)).to.deep.equal(['moneyline home']);
    const rows = ['Spread,Bills,-3.5,1.9', 'Total,Over,44.5,1.9', 'Moneyline,Home,,1.9'];
    expect(await outcomes('Bet Type,Team/Player,Spread/Total,Odds', rows, 'NFL')).to.deep.equal([
      ...['spread home -3.5', 'total over 44.5', 'moneyline home'],
    ]);
  });

  it('reads Swedish, Polish, and Brazilian markets, and a column of picks beside them', async () => {
    const swedish =
      'Datum;Liga;Hemmalag;Bortalag;Speltyp;Spel;Odds;Insats\n' +
      '2025-10-05;Allsvenskan;Malmö FF;AIK;Halvtid;X;2,05;1\n' +
      '2025-10-06;Allsvenskan;Malmö FF;Hammarby;Gula kort;Över 3,5;1,85;1\n' +
      '2025-10-07;Allsvenskan;Malmö FF;Häcken;Båda lagen gör mål;Ja;1,85;1\n';
    expect((await planned(swedish)).rows.map(short)).to.deep.equal([
      ...['first_half_moneyline draw', 'yellow_cards over 3.5', 'btts yes'],
    ]);
    const polish =
      'Data;Liga;Gospodarze;Goście;Rodzaj zakładu;Typ;Kurs;Stawka\n' +
      '05.10.2025;Ekstraklasa;Legia Warsaw;Cracovia;Powyżej/Poniżej 2.5;Powyżej;1,85;1\n';
    expect((await planned(polish)).rows.map(short)).to.deep.equal(['total over 2.5']);
    const brazilian =
      'Data;Campeonato;Mandante;Visitante;Mercado;Minha;Odd;Stake\n' +
      '05/10/2025;Brasileirão;Flamengo;Santos;Escanteios;Mais de 9.5;1,85;1\n' +
      '06/10/2025;Brasileirão;Flamengo;Bahia;Over/Under 2.5;Over;1,85;1\n' +
      '07/10/2025;Brasileirão;Flamengo;Vasco;Over/Under 3.5;Under;1,85;1\n';
    expect((await planned(brazilian)).rows.map(short)).to.deep.equal([
      ...['corners over 9.5', 'total over 2.5', 'total under 3.5'],
    ]);
    expect(await outcomes('Pick,Odds', ['Under 44.5 (team),1.9'], 'NFL')).to.deep.equal([
      '"Under 44.5 (team)": No team or player team plays in these games, and it is not a betting term.',
    ]);
  });

  it('takes an amount without a currency for the only one of its sheet, and for none of several', async () => {
    const stakesOf = async (stakes: readonly string[]) =>
      (
        await read(
          'Pick,Odds,Stake',
          stakes.map((stake) => `Arsenal ML,1.9,${stake}`),
        )
      ).rows.map(({ pick, reason }) => reason ?? pick?.stakeUnits);
    expect(await stakesOf(['£20', '£20', '50', '£40', '10 u'])).to.deep.equal([0.5, 0.5, 1.25, 1, 10]);
    expect(await stakesOf(['£20', '200 CZK', '50', '10 USDT'])).to.deep.equal([
      ...[1, 1, 'The value of 50 in units is unknown.', 1],
    ]);
  });

  it('refuses a multiple whose legs follow each other, and what the column of books says', async () => {
    const legs = (rows: string) => `refused: The rows ${rows} follow each other as legs of one bet.`;
    const merged =
      'Date,League,Event,Pick,Odds,Stake\n2024-11-02,NFL,Bills @ Dolphins,Bills ML,+260,1\n' +
      ',NFL,Chiefs @ Jets,Chiefs ML,,\n2024-11-04,NFL,Bills @ Dolphins,Bills ML,-110,1\n' +
      ',NFL,Chiefs @ Jets,Chiefs ML,-110,1\n';
    expect((await planned(merged)).rows.map(short)).to.deep.equal([
      ...[legs('2, 3'), legs('2, 3'), 'moneyline away', 'moneyline away'],
    ]);
    const numbered = ['Bills ML,1.9,1', 'Dolphins +3,1.9,2', 'Bills -3,1.9,1'];
    expect(
      (await outcomes('Pick,Odds,Leg #', numbered, 'NFL')).map((each) => `refused: ${each}`),
    ).to.deep.equal([...[legs('2, 3'), legs('2, 3'), 'refused: spread home -3']]);
    const books = ['Betfair (Lay)', 'bet365 live', 'Betfair'].map((book) => `Arsenal ML,1.9,${book}`);
    expect((await outcomes('Pick,Odds,Bookie', books)).map((each) => each.split(':')[0])).to.deep.equal([
      ...['Bookie says Lay', 'Bookie says live', 'moneyline home'],
    ]);
  });

  it('skips a header that a sheet repeats', async () => {
    const header = 'Date,League,Home,Away,Pick,Odds,Stake,Result';
    const row = '2024-11-01,EPL,Arsenal,Everton,Arsenal ML,1.9,1,W';
    const { rows, questions } = await planned(`${header}\n${row}\n${header}\n${row}\n`);
    expect([rows.length, questions]).to.deep.equal([2, []]);
  });

  it('reads a team or the draw as a double chance, and neither as the draw', async () => {
    const either = [
      'Arsenal ou nul',
      'Arsenal o empate',
      'Arsenal of gelijkspel',
      'Unentschieden oder Arsenal',
    ];
    const rows = [...either, 'Arsenal/Draw', 'Arsenal/Arsenal', 'Arsenal draw'].map((pick) => `${pick},1.9`);
    const read = await outcomes('Pick,Odds', rows);
    expect(read.slice(0, 4)).to.deep.equal(either.map(() => 'double_chance home_or_draw'));
    expect(read.slice(4).map((each) => each.replace(/^"[^"]*":? |\. .*$/g, ''))).to.deep.equal([
      'fits several bets.',
      'The text names one team twice, as bets on half-time and full-time do',
      'fits several bets.',
    ]);
  });

  it('reads over and under of the home or the away team as its total', async () => {
    expect(
      await outcomes(
        'Pick,Odds',
        ['Over 1.5 casa', 'Home over 1.5', 'Under 0.5 away', 'Over 1.5'].map((pick) => `${pick},1.9`),
      ),
    ).to.deep.equal([
      'team_total home_over 1.5',
      'team_total home_over 1.5',
      'team_total away_under 0.5',
      'total over 1.5',
    ]);
    expect((await outcomes('Pick,Odds', ['Over 4.5 home corners,1.9']))[0]).to.contain(
      'corners of one team cannot be read as text',
    );
  });

  it('never reads a bet without the words of its pick', async () => {
    const teams = async (bets: readonly string[]) =>
      (
        await planned(
          `Date,League,Team,Opp,Loc,Bet,Number,Odds,Units\n${bets
            .map((bet, at) => `2024-11-0${at + 1},NFL,Bills,Dolphins,${bet},-110,1`)
            .join('\n')}\n`,
        )
      ).rows.map(short);
    expect(
      await teams(['vs,Team Total Over,24.5', 'vs,Spread,-3', '@,ML,', 'vs,Over,44.5', 'vs,ML,-3']),
    ).to.deep.equal([
      'team_total home_over 24.5',
      'spread home -3',
      'moneyline away',
      'total over 44.5',
      'refused: The market column says ML, which has no line, but the row has the line -3.',
    ]);
  });

  it('takes over and under below the pick for the side of a player, beside the team', async () => {
    const rows = ['Rebounds,7.5,Over', 'Pts+Rebs,27.5,U'].map(
      (bet, at) => `2024-11-0${at + 1},NBA,Rory Finch,Lakers,Celtics,${bet},-110,1`,
    );
    const plan = await planned(`Date,League,Player,Team,Opp,Stat,Line,Pick,Odds,Units\n${rows.join('\n')}\n`);
    expect(plan.rows.map(short)).to.deep.equal([
      'player_rebounds Rory Finch over 7.5',
      'player_points_rebounds Rory Finch under 27.5',
    ]);
  });

  it('reads a kickoff that is only a time of day, and names in paths of JSON', async () => {
    const german =
      'Datum;Anstoß;Wettbewerb;Heim;Gast;Auswahl;Quote;Einsatz\n' +
      '02.11.2024;15:30;Bundesliga;Bayern;Dortmund;1;1,30;1\n';
    expect((await planned(german, { zone: 'Europe/Berlin' })).rows[0]!.pick?.startsAt).to.equal(
      '2024-11-02T14:30:00.000Z',
    );
    const bet = {
      ...{
        placedAt: '2024-11-01T10:00:00Z',
        sport: 'Soccer',
        market: '1X2',
        selection: '1',
        odds: 1.9,
        stake: 1,
      },
      event: { home: 'Arsenal', away: 'Everton', startsAt: '2024-11-02T15:00:00Z' },
    };
    const { rows } = await planned(JSON.stringify([bet]), {}, 'bets.json');
    expect([short(rows[0]!), rows[0]!.pick?.startsAt]).to.deep.equal([
      'moneyline home',
      '2024-11-02T15:00:00.000Z',
    ]);
  });

  it('refuses a sheet with the bets and prices of several markets side by side', async () => {
    const header = 'Date,League,Home,Away,Spread Pick,Spread Odds,Total Pick,Total Odds,Units';
    const row = '2024-11-01,NFL,Bills,Dolphins,Bills -3,-110,Over 44.5,-105,1';
    expect(await planned(`${header}\n${row}\n`).catch((error: Error) => error.message)).to.contain(
      'Spread Pick, Spread Odds, Total Pick, Total Odds are bets side by side.',
    );
  });

  it('takes the price below the header of the outcome, and scores of the team and its opponent', async () => {
    const prices = 'Date,League,Home,Away,1,X,2,Pick,Stake';
    const rows = ['1', 'X', '2', 'Over 2.5'].map(
      (pick, at) => `2024-11-0${at + 1},EPL,Arsenal,Everton,1.5,4.2,6.5,${pick},1`,
    );
    const plan = await planned(`${prices}\n${rows.join('\n')}\n`);
    expect(plan.rows.map(({ pick, reason }) => reason ?? [pick?.side, pick?.oddsAmerican])).to.deep.equal([
      ['home', -200],
      ['draw', 320],
      ['away', 550],
      'The row has no odds.',
    ]);
    const scores =
      'Date,League,Team,Opponent,Score,Opp Score,Bet,Odds,Units\n' +
      '2024-11-03,NFL,Bills,Dolphins,30,27,Bills -3,-110,1\n';
    expect((await planned(scores)).rows.map(short)).to.deep.equal(['spread home -3 27-30']);
  });

  it('takes the day of settling as that of the game, and amounts below W/L as profits', async () => {
    const betfair =
      'Event,League,Market,Selection,Type,Odds,Stake,W/L,Status,Settled date\n' +
      'Arsenal v Everton,EPL,Match Odds,Arsenal,Back,2.5,10,15,Settled,30-Apr-24 18:10\n' +
      'Arsenal v Leeds,EPL,Match Odds,Arsenal,Back,2.5,10,-10,Settled,29-Apr-24 18:10\n';
    const { rows, questions } = await planned(betfair);
    expect(rows.map(({ pick, game }) => [game?.day, game?.startsAt, pick?.result])).to.deep.equal([
      ['2024-04-30', undefined, 'win'],
      ['2024-04-29', undefined, 'loss'],
    ]);
    expect(questions).to.deep.equal([]);
  });

  it('reads goal and no goal, winners in other languages, ML below a line, and squares as results', async () => {
    const picks = ['GG', 'NG', 'No Goal', 'Victoire Arsenal', 'Vitória do Arsenal', 'Arsenal gagne'];
    expect(
      await outcomes(
        'Pick,Odds',
        picks.map((pick) => `${pick},1.9`),
      ),
    ).to.deep.equal([
      ...['btts yes', 'btts no', 'btts no'],
      ...['moneyline home', 'moneyline home', 'moneyline home'],
    ]);
    expect(await outcomes('Pick,Line,Odds', ['Bills,ML,1.9', 'Bills,-3,1.9'], 'NFL')).to.deep.equal([
      ...['moneyline home', 'spread home -3'],
    ]);
    const { rows } = await read('Pick,Odds,Result', ['Arsenal ML,1.9,🟩', 'Arsenal ML,1.9,🟥']);
    expect(rows.map(({ pick }) => pick?.result)).to.deep.equal(['win', 'loss']);
  });

  it('takes no part of the name of a market for a player, and the selection before the type of a bet', async () => {
    const first = 'To Score First TD,Rory Finch,9';
    const { rows } = await read('Market,Selection,Odds', [first], 'NFL');
    expect([rows[0]!.pick?.market, rows[0]!.pick?.subject]).to.deep.equal(['player_1st_td', 'Rory Finch']);
    const draftKings =
      'Date,Sport,Bet,Selection,Odds,Wager\n' +
      '2024-11-03,NFL,Spread,MIA Dolphins @ BUF Bills: BUF Bills -3,-110,10\n' +
      '2024-11-10,NFL,1st Half Spread,MIA Dolphins @ BUF Bills: BUF Bills -1.5,-110,10\n';
    expect((await planned(draftKings)).rows.map(short)).to.deep.equal([
      ...['spread home -3', 'first_half_spread home -1.5'],
    ]);
  });

  it('notes a dead heat and a deduction by rule 4, and refuses a bet that a column of lay prices hedges', async () => {
    const plan = await read('Pick,Odds,Dead Heat,Rule 4', ['Arsenal ML,1.9,Yes,', 'Arsenal ML,1.9,,10p']);
    expect(plan.rows.map(({ notes }) => notes[0])).to.deep.equal([
      'Dead Heat says Yes. The score decides the bet, whatever was paid.',
      'Rule 4 says 10p. The score decides the bet, whatever was paid.',
    ]);
    const lay = await outcomes('Pick,Back odds,Lay odds,Back stake', [
      'Arsenal ML,1.9,1.95,10',
      'Arsenal ML,1.9,,10',
    ]);
    expect(lay).to.deep.equal([
      'A lay bet is against its selection, so it is no pick on it.',
      'moneyline home',
    ]);
  });
});
