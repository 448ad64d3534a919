import { expect } from 'chai';
import { gridsOf } from '../../src/sheets/grid.ts';
import { planSheet } from '../../src/sheets/plan.ts';
import type { SheetChoices } from '../../src/sheets/sheet.ts';
import { xlsxFiles, zipOf } from '../support/xlsx.ts';
import { bets, nobody, planned, read, short, world } from './planned.ts';

describe('the reading of a sheet of bets', () => {
  it('takes the market from its column, and the side and the line from the others', async () => {
    expect(
      await bets('Market,Pick,Odds', [
        ...['Match Winner,Home,1.9', '1X2,X,3.9', 'BTTS,Yes,1.9', 'Asian Handicap -0.5,Home,1.9'],
        ...['Over/Under 2.5,Over,1.9', 'Corners,Over 9.5,1.9', '1st Half Over/Under,Over 0.5,1.4'],
        ...['2nd Half Goals,Over 1.5,1.9', 'Double Chance,1X,1.3', 'Draw No Bet,Arsenal,1.5'],
        ...['Handicap,Arsenal -1,3', 'Team Total,Arsenal over 1.5,1.9', 'To Qualify,Arsenal,1.4'],
      ]),
    ).to.deep.equal([
      ...['moneyline home', 'moneyline draw', 'btts yes', 'spread home -0.5', 'total over 2.5'],
      ...[
        'corners over 9.5',
        'first_half_total over 0.5',
        'totals_h2 over 1.5',
        'double_chance home_or_draw',
      ],
      ...['draw_no_bet home', 'handicap home -1', 'team_total home_over 1.5', 'to_qualify home'],
    ]);
  });

  it('reads markets and sides in further words', async () => {
    expect(
      await bets('Market,Pick,Odds', [
        ...[
          'Winner,Arsenal,1.9',
          'To Win,Away,1.9',
          '1X2,Home Win,1.9',
          'Double Chance,Arsenal or Everton,1.3',
        ],
        ...['HT/FT,Draw/Arsenal,5', 'Corners O/U,Over 9.5,1.9', 'Home Clean Sheet,Yes,2.5'],
        ...['Over 2.5,No,1.9', 'Correct Score,Lay 2-1,9', 'Handicap (Asian),Everton (+1.5),1.9'],
        ...['Total Goals,Mais de 2.5,1.9', 'Total Goals,Meer dan 2.5 goals,1.9', 'BTTS - Yes,,1.9'],
      ]),
    ).to.deep.equal([
      ...['moneyline home', 'moneyline away', 'moneyline home', 'double_chance home_or_away'],
      ...['halftime_fulltime draw_arsenal', 'corners over 9.5', 'clean_sheet home', 'total under 2.5'],
      'refused: Lay 2-1: it turns the bet around. Post the bet that was made.',
      ...['spread away 1.5', 'total over 2.5', 'total over 2.5', 'btts yes'],
    ]);
    const picks = ['Empate,3.2', 'Unentschieden,3.2', 'Visitante,4'];
    expect(await bets('Pick,Odds', picks)).to.deep.equal([
      ...['moneyline draw', 'moneyline draw', 'moneyline away'],
    ]);
    expect(await bets('Pick,Odds,Halbzeit', ['Arsenal ML,1.9,1', 'Arsenal ML,1.9,2'])).to.deep.equal([
      ...['first_half_moneyline home', 'h2h_h2 home'],
    ]);
    expect(await bets('Prop,Side,Odds,Player', ['Anytime TD,Yes,+150,Rory Finch'], 'NFL')).to.deep.equal([
      'player_anytime_td Rory Finch yes',
    ]);
  });

  it('refuses a pick that names another market than its column', async () => {
    const [outright, series] = await bets('Market,Pick,Odds', [
      'Outright,Arsenal ML,5',
      'Corners,Arsenal ML,1.9',
    ]);
    expect(outright).to.equal('refused: The market column says Outright, but the bet reads as Arsenal ML.');
    expect(series).to.match(/^refused: The market column says Corners/);
  });

  it("reads logs of players' bets", async () => {
    const rows = [
      'Receiving Yards,Over,45.5,-110',
      'Rush + Rec Yards,Over,45.5,-110',
      'Completions,Over,21.5,-110',
    ];
    expect(
      await bets(
        'Prop,Side,Line,Odds,Player',
        rows.map((row) => `${row},Rory Finch`),
        'NFL',
      ),
    ).to.deep.equal([
      'player_reception_yds Rory Finch over 45.5',
      'player_rush_reception_yds Rory Finch over 45.5',
      'player_pass_completions Rory Finch over 21.5',
    ]);
    expect(
      await bets('Market,Pick,Odds,Player', ['Shots on Goal,Over 3.5,-110,Rory Finch'], 'NHL'),
    ).to.deep.equal(['player_shots_on_goal Rory Finch over 3.5']);
    expect((await bets('Market,Pick,Odds', ['Receiving Yards,Over 45.5,-110'], 'NFL'))[0]).to.match(
      /^refused: Receiving Yards is about a player/,
    );
  });

  it('narrows the bet to the period that a column names, and refuses an unknown one', async () => {
    const [half, whole, other] = await bets('Pick,Odds,Period', [
      'Arsenal ML,1.9,1H',
      'Arsenal ML,1.9,FT',
      'Arsenal ML,1.9,Zz',
    ]);
    expect([half, whole]).to.deep.equal(['first_half_moneyline home', 'moneyline home']);
    expect(other).to.equal('refused: Zz is no part of a game that is known here.');
  });

  it('refuses bets that are not one pick: multiples, legs, lays, each-way, live, and voided ones', async () => {
    const kinds = [
      'Single',
      'Double',
      'Treble',
      'Patent',
      'Yankee',
      'Acca (4)',
      'Bet Builder',
      'SGP',
      'Teaser',
      '2/3',
      'Multi',
      'Each Way',
      'LAY',
      'Live',
      'Lucky 15',
    ];
    const read = await bets(
      'Pick,Odds,Bet type',
      kinds.map((kind) => `Arsenal ML,1.9,${kind}`),
    );
    expect(read.map((row) => row.startsWith('refused'))).to.deep.equal(
      kinds.map((kind) => kind !== 'Single'),
    );
    const flags = async (header: string, cell: string) =>
      (await bets(`Pick,Odds,${header}`, [`Arsenal ML,1.9,${cell}`]))[0];
    for (const [header, cell] of [
      ['Legs', '2'],
      ['Live', 'yes'],
      ['Eachway', '1'],
      ['Voided', 'true'],
      ['Lay', 'x'],
      ['Side', 'LAY'],
      ['Live', 'maybe'],
    ] as const)
      expect(await flags(header, cell), header).to.match(/^refused/);
    for (const [header, cell] of [
      ['Legs', '1'],
      ['Live', 'no'],
      ['Eachway', ''],
      ['Voided', '0'],
      ['Side', 'BACK'],
    ] as const)
      expect(await flags(header, cell), header).to.equal('moneyline home');
    const legs = 'Bet ID,Pick,Odds';
    expect(
      (await bets(legs, ['7,Arsenal ML,3.5', '7,Arsenal -1,3.5', '8,Arsenal ML,1.9'])).map((row) =>
        row.startsWith('refused'),
      ),
    ).to.deep.equal([true, true, false]);
  });

  it('notes free bets, boosts, and cash-outs', async () => {
    const { rows } = await read('Pick,Odds,Freebet,Boosted odds,Cashout', [
      'Arsenal ML,1.9,true,,',
      'Arsenal ML,1.9,,2.4,',
      'Arsenal ML,1.9,,,0.40',
      'Arsenal ML,1.9,no,,0',
    ]);
    expect(
      rows.map(({ notes }) => notes.filter((note) => !note.startsWith('New game')).length),
    ).to.deep.equal([1, 1, 1, 0]);
  });

  it('decides the format of odds by the whole column, and refuses odd cells one by one', async () => {
    const odds = async (cells: readonly string[], header = 'Odds') =>
      (
        await read(
          `Pick,${header}`,
          cells.map((cell) => `Arsenal ML,${cell}`),
        )
      ).rows.map(({ pick, reason }) => pick?.oddsAmerican ?? reason!);
    expect(await odds(['0.45', '0.95', '2.10', '1.05'])).to.deep.equal([-222, -105, 210, 105]);
    expect(await odds(['0.80', '-0.50', '1.20'])).to.deep.equal([
      -125,
      200,
      '1.20 is not a price in Malay odds.',
    ]);
    expect(await odds(['1.20', '-1.50'])).to.deep.equal([120, -150]);
    expect(await odds(['52¢', '25¢'])).to.deep.equal([-108, 300]);
    const odd = await odds(['4/6', '08-Nov', '11/8/2026', '46334', '11-8', 'EVS', 'SP', '11 to 8']);
    expect(odd.filter((each) => typeof each === 'number')).to.deep.equal([-150, 100, 138]);
    expect(
      odd.filter((each) => typeof each === 'string').map((each) => String(each).split(' ')[0]),
    ).to.deep.equal(['08-Nov', '11/8/2026', '46334', '11-8', 'SP']);
    expect(
      await odds(['1.95,HK', '2.10,Decimal', '-120,American', '1.20,Malay', '1.5,Roman'], 'Odds,Odds Format'),
    ).to.deep.equal([
      ...[
        195,
        110,
        -120,
        '1.20 is not a price in Malay odds.',
        'Roman is no format of odds that is known here.',
      ],
    ]);
    const { questions } = await read('Pick,Odds', ['Arsenal ML,0.52', 'Arsenal ML,0.48']);
    expect(questions.map(({ key, choices }) => [key, choices])).to.deep.equal([
      ['odds', ['hongkong', 'cents']],
    ]);
  });

  it('proves the format of odds by profits', async () => {
    const rows = ['Arsenal ML,1.50,Won,1.50', 'Arsenal ML,1.20,Won,1.20', 'Arsenal ML,1.90,Lost,-1'];
    const { rows: read1, guesses } = await read('Pick,Odds,Result,Profit', rows);
    expect(read1.map(({ pick }) => pick?.oddsAmerican)).to.deep.equal([150, 120, 190]);
    expect(guesses).to.include('The odds are Hong Kong, because the profits of the won bets fit.');
  });

  it('reads letters of results by the whole column, and asks about those that it does not decide', async () => {
    const results = async (cells: readonly string[], given: Partial<SheetChoices> = {}) => {
      const { rows, questions } = await read(
        'Market,Pick,Odds,Result',
        cells.map((cell) => `BTTS,Yes,1.9,${cell}`),
        'EPL',
        given,
      );
      return [
        rows.map(({ result }) => result?.result ?? '-').join(' '),
        questions.map(({ key }) => key).join(' '),
      ];
    };
    expect(await results(['W', 'L', 'P'])).to.deep.equal(['win loss -', 'results.P']);
    expect(await results(['W', 'L', 'P'], { answers: new Map([['results.P', 'push']]) })).to.deep.equal([
      'win loss push',
      '',
    ]);
    expect(await results(['V', 'N', 'P'])).to.deep.equal(['win void loss', '']);
    expect(await results(['G', 'P', 'N'])).to.deep.equal(['win loss void', '']);
    expect(await results(['1', '0'])).to.deep.equal(['win loss', '']);
    expect(await results(['Gagné', 'Perdu', 'Remboursé'])).to.deep.equal(['win loss void', '']);
    expect(await results(['P', 'V'])).to.deep.equal(['loss win', '']);
    expect(await results(['W', 'Tie', 'whatever'])).to.deep.equal(['win - -', 'results.whatever']);
    const { rows } = await read('Market,Pick,Odds,Result', [
      'Double Chance,Arsenal or draw,1.2,Draw',
      'Draw No Bet,Arsenal,1.5,Draw',
      'BTTS,Yes,1.9,W',
    ]);
    expect(rows.map(({ result }) => result?.result)).to.deep.equal(['win', 'push', 'win']);
  });

  it('counts each currency in its own unit', async () => {
    const { rows, guesses } = await read('Pick,Odds,Stake,Currency', [
      'Arsenal ML,1.9,20,GBP',
      'Arsenal ML,1.9,40,GBP',
      'Arsenal ML,1.9,20,GBP',
      'Arsenal ML,1.9,200,SEK',
    ]);
    expect(rows.map(({ pick }) => pick?.stakeUnits)).to.deep.equal([1, 2, 1, 1]);
    expect(guesses.join()).to.contain('1 unit is 20 GBP, 200 SEK, the median of each');
    expect(
      (await read('Pick,Odds,Stake_GBP', ['Arsenal ML,1.9,5', 'Arsenal ML,1.9,5'])).rows[0]!.pick?.stakeUnits,
    ).to.equal(1);
  });

  it('reads dates and times as spreadsheets write them, and skips headings and totals', async () => {
    const header = 'Date,Time,League,Home,Away,Pick,Odds,Stake\n';
    const starts = async (cells: readonly string[]) =>
      (
        await planned(header + cells.map((cell) => `${cell},EPL,Arsenal,Everton,Arsenal ML,1.9,1`).join('\n'))
      ).rows.map(({ pick, reason }) => pick?.startsAt ?? pick?.day ?? reason);
    expect(
      await starts([
        '20-Sep-24,19:05',
        '2024-09-21,0.795138889',
        '2024-09-22,12:30 BST',
        '23 September 2024,TBD',
        '24 Sep,',
        '26.9.,',
        '2024-09-27,soon',
      ]),
    ).to.deep.equal([
      ...['2024-09-20T23:05:00.000Z', '2024-09-21T23:05:00.000Z', '2024-09-22T11:30:00.000Z', '2024-09-23'],
      ...['24 Sep is not a date.', '26.9. is not a date.', 'soon is not a time of day.'],
    ]);
    const mixed = await planned(
      `${header}13/02/2024,,EPL,Arsenal,Everton,Arsenal ML,1.9,1\n02/14/2024,,EPL,Arsenal,Everton,Arsenal ML,1.9,1\n03/04/2024,,EPL,Arsenal,Everton,Arsenal ML,1.9,1\n`,
    );
    expect(mixed.rows.map(({ reason }) => reason === undefined)).to.deep.equal([true, true, false]);
    expect(mixed.questions.map(({ key }) => key)).to.deep.equal(['dates']);
    const sections = await planned(
      'Date,Sport,Event,Market,Pick,Odds,Stake\n2024-11-10,Soccer,Roma vs Lazio,BTTS,Yes,1.9,1\n,Soccer,Genoa vs Torino,BTTS,Yes,1.9,1\nWeek 2,,,,,,\n,Soccer,Parma vs Cagliari,BTTS,Yes,1.9,1\nTotal,,,,,,3\n',
    );
    expect(sections.rows.map(({ line, reason }) => [line, reason])).to.deep.equal([
      [2, undefined],
      [3, undefined],
      [5, 'The row has no date.'],
    ]);
    expect(sections.guesses.join()).to.contain('Rows without a bet are skipped: 4 (Week 2), 6 (Total 3).');
  });

  it('takes scores whose bet does not depend on who is at home, and decides the others by results', async () => {
    const sheet = (rows: readonly string[]) =>
      planned(
        `Date,League,Matchup,Bet,Price,Stake,Home score,Away score,Result\n${rows.map((row, at) => `2024-10-${10 + at},EPL,Foxes vs Gulls,${row}`).join('\n')}\n`,
      );
    expect((await sheet(['Over 2.5,1.91,2,2,1,'])).rows.map(short)).to.deep.equal(['total over 2.5 1-2']);
    const open = await sheet(['Foxes ML,1.91,2,2,1,']);
    expect(open.questions.map(({ key }) => key)).to.deep.equal(['home']);
    expect(open.rows[0]!.reason).to.match(/does not say who is at home/);
    const proven = await sheet(['Foxes ML,1.91,2,2,1,Lost', 'Gulls ML,1.91,2,2,1,Won']);
    expect(proven.rows.map(short)).to.deep.equal(['moneyline home 2-1', 'moneyline away 2-1']);
    const combined = await read('Pick,Odds,FT', ['Arsenal ML,1.9,2:1', 'Over 2.5,1.9,0-1']);
    expect(combined.rows.map(short)).to.deep.equal(['moneyline home 1-2', 'total over 2.5 1-0']);
  });

  it('refuses a void that the score would grade', async () => {
    const [row] = (await read('Pick,Odds,Result,Home score,Away score', ['Arsenal ML,1.9,Void,2,1'])).rows;
    expect(row!.reason).to.match(/^The sheet says void, but the score gives win/);
  });

  it('asks before anything is stored if results or profits contradict the rules', async () => {
    const brake = async (rows: readonly string[], given: Partial<SheetChoices> = {}) =>
      (await read('Pick,Odds,Result,Profit,Home score,Away score', rows, 'EPL', given)).questions.map(
        ({ text, otherwise }) => [text, otherwise],
      );
    expect(await brake(['Arsenal ML,2.0,Won,1,2,1', 'Arsenal ML,2.0,Lost,-1,0,1'])).to.deep.equal([]);
    const [[text, otherwise] = []] = await brake(['Arsenal ML,2.0,Won,1,2,1', 'Arsenal ML,2.0,Won,1,0,1']);
    expect(text).to.match(
      /^1 of 2 rows contradict what their bets give: the sheet says win, and the score gives loss \(row 3\)/,
    );
    expect(otherwise).to.equal(undefined);
    expect((await brake(['Arsenal ML,3.0,Lost,0,0,1']))[0]![0]).to.contain('as free bets do');
    expect((await brake(['Arsenal ML,3.0,Won,2.5,2,1']))[0]![0]).to.contain('as boosted ones do');
    expect((await brake(['Arsenal ML,3.0,Lost,-2,0,1']))[0]![0]).to.contain('as lay bets do');
    expect(
      await brake(['Arsenal ML,3.0,Lost,0,0,1'], { answers: new Map([['contradictions', 'store']]) }),
    ).to.deep.equal([]);
  });

  it('reads a column of bets without a header, and lists each column that it ignores', async () => {
    const { rows, unread, guesses } = await planned(
      'Date,League,Home,Away,,Odds,Stake,Notes\n2024-11-01,EPL,Arsenal,Everton,Over 2.5,1.9,1,nice\n',
    );
    expect(rows.map(short)).to.deep.equal(['total over 2.5']);
    expect(unread).to.deep.equal(['Notes']);
    expect(guesses).to.include('column 5 is read as description, judging by its cells.');
  });

  it('refuses rows whose remarks change the bet, and notes the others', async () => {
    const { rows, unread, guesses } = await read('Pick,Odds,Notes', [
      'Arsenal ML,1.9,placed live',
      'Arsenal ML,1.9,parlay with Leeds',
      'Arsenal ML,1.9,each way',
      'Arsenal ML,1.9,live dog',
      'Arsenal ML,1.9,free bet',
      'Arsenal ML,1.9,cashed out at half-time',
      'Arsenal ML,1.9,great value',
    ]);
    expect(
      rows.map(({ reason, notes }) => reason ?? notes.find((note) => !/^New game/.test(note)) ?? ''),
    ).to.deep.equal([
      'Notes says placed live: the bet was placed after the start of its game. The ledger does not accept those.',
      'Notes says parlay with Leeds: a bet on several games or selections is not one pick.',
      'Notes says each way: an each-way bet is two bets at two prices, not one pick.',
      'Notes says live dog, which is not read.',
      'A free bet (free bet): the record counts its stake as if it had been paid.',
      'The bet was cashed out (cashed out at half-time), so the score will decide its result.',
      '',
    ]);
    expect(unread).to.deep.equal(['Notes']);
    expect(guesses.join()).to.contain(
      'Of these columns only words such as live, parlay, or free bet are read: Notes.',
    );
  });

  it('takes the day first in sheets with fractional odds or money of countries that do so', async () => {
    const guessed = async (odds: string, stake: string) => {
      const csv = `Placed,League,Home,Away,Pick,Odds,Stake\n02/11/2024 12:01,EPL,Arsenal,Everton,Arsenal,${odds},${stake}`;
      const { guesses } = await planned(csv);
      return guesses.find((guess) => guess.startsWith('Dates such as'))?.match(/the (day|month) first/)?.[1];
    };
    expect(await guessed('4/6', '15')).to.equal('day');
    expect(await guessed('1.67', '£15.00')).to.equal('day');
    expect(await guessed('1.67', '15 EUR')).to.equal('day');
    expect(await guessed('-150', '$15.00')).to.equal('month');
    expect(await guessed('-150', '1u')).to.equal('month');
  });

  it('reads `To Risk` as the stake', async () => {
    const { rows } = await planned(
      'Date,Sport,Teams,Pick,Odds,To Risk,To Win\n11/23/2024,NFL,Bills @ Dolphins,Bills -3,-110,110,100\n11/24/2024,NFL,Jets @ Bears,Jets ML,+120,55,66',
    );
    expect(rows.map(({ pick }) => pick?.stakeUnits)).to.deep.equal([1, 0.5]);
  });

  it('reads a pick that is only an outcome', async () => {
    const picks = ['1,1.9', 'X,3.2', '2,4.1', '1X,1.3', 'X2,1.9', 'N,3.2', 'Home,1.9', 'Draw,3.1'];
    expect(await bets('Pick,Odds', picks)).to.deep.equal([
      ...['moneyline home', 'moneyline draw', 'moneyline away'],
      ...['double_chance home_or_draw', 'double_chance away_or_draw'],
      ...['moneyline draw', 'moneyline home', 'moneyline draw'],
    ]);
    expect(await bets('Pick,Odds', ['Away,-120'], 'NHL')).to.deep.equal(['moneyline away']);
    expect(await bets('Pick,Odds', ['1,-120', 'Away,1.9'], 'NHL')).to.satisfy((all: string[]) =>
      all[0]!.startsWith('refused'),
    );
  });

  it('reads headers that count selections, and sides of an exchange', async () => {
    expect(
      await bets('Pick,Odds,No. of selections', [
        'Arsenal ML,1.9,1',
        'Arsenal ML,3.5,2',
        'Arsenal ML,1.9,Single',
      ]),
    ).to.deep.equal([
      'moneyline home',
      'refused: No. of selections 2: a bet with several legs is not one pick.',
      'moneyline home',
    ]);
    expect(await bets('Pick,Odds,B/L', ['Back Arsenal ML,1.9,B', 'Arsenal ML,3.5,L'])).to.deep.equal([
      'moneyline home',
      'refused: L: a lay bet is against its selection, so it is no pick on it.',
    ]);
  });

  it('counts unformatted days of a workbook from its own first day', async () => {
    const files = xlsxFiles({
      Bets: [
        ['Date', 'League', 'Home', 'Away', 'Pick', 'Odds', 'Stake'],
        [44_823, 'EPL', 'Arsenal', 'Everton', 'Arsenal ML', 1.9, 1],
      ],
    });
    const dayIn = async (properties: string) => {
      const book = files['xl/workbook.xml']!.replace('<sheets>', `${properties}<sheets>`);
      const [grid] = await gridsOf('bets.xlsx', zipOf({ ...files, 'xl/workbook.xml': book }));
      const plan = await planSheet(grid!, { ...nobody, capper: 'ada' }, world);
      return typeof plan === 'string' ? plan : plan.rows[0]!.pick!.day;
    };
    expect(await dayIn('<workbookPr date1904="true"/>')).to.equal('2026-09-20');
    expect(await dayIn('<workbookPr date1904="1"/>')).to.equal('2026-09-20');
    expect(await dayIn('<workbookPr date1904="0"/>')).to.equal('2022-09-19');
    expect(await dayIn('')).to.equal('2022-09-19');
  });

  it('takes what a bet is from cells whose header nobody knows', async () => {
    expect(
      await bets('Pick,Odds,Bet action', [
        'Arsenal ML,1.9,Back',
        'Arsenal ML,1.9,Lay',
        'Arsenal ML,1.9,Treble',
      ]),
    ).to.deep.equal([
      'moneyline home',
      'refused: Lay: a lay bet is against its selection, so it is no pick on it.',
      'refused: Treble: a bet on several games or selections is not one pick.',
    ]);
    expect(await bets('Pick,Odds,Wager', ['Arsenal ML,1.9,Straight', 'Arsenal ML,6.5,3-fold'])).to.deep.equal(
      ['moneyline home', 'refused: 3-fold: a bet on several games or selections is not one pick.'],
    );
    expect(await bets('Pick,Odds,When', ['Arsenal ML,1.9,Pre', 'Arsenal ML,1.9,Live'])).to.deep.equal([
      'moneyline home',
      'refused: Live: the bet was placed after the start of its game. The ledger does not accept those.',
    ]);
    expect(
      await bets('Pick,Line,Odds,What is it', ['Over,4.5,1.9,Cards', 'Over,9.5,1.9,Corners']),
    ).to.deep.equal(['cards over 4.5', 'corners over 9.5']);
    expect(await bets('Pick,Odds,Span', ['Arsenal ML,1.9,1H', 'Arsenal ML,1.9,2nd half'])).to.deep.equal([
      'first_half_moneyline home',
      'h2h_h2 home',
    ]);
    expect(await bets('Pick,Odds,Liability', ['Arsenal ML,1.9,', 'Arsenal ML,2.6,1.6'])).to.deep.equal([
      'moneyline home',
      'refused: A lay bet is against its selection, so it is no pick on it.',
    ]);
  });

  it('reads a header that is a market, with its sides below', async () => {
    expect(await bets('1X2,Odds', ['1,1.9', 'X,3.4', '2,4', '1X,1.3', '12,1.3'])).to.deep.equal([
      ...['moneyline home', 'moneyline draw', 'moneyline away'],
      ...['double_chance home_or_draw', 'double_chance home_or_away'],
    ]);
    expect(await bets('BTTS,Odds', ['Yes,1.9', 'No,1.9'])).to.deep.equal(['btts yes', 'btts no']);
    expect(await bets('O/U 2.5,Odds', ['Over,1.9', 'Under,1.9'])).to.deep.equal([
      'total over 2.5',
      'total under 2.5',
    ]);
    expect(await bets('BTTS,1X2,Odds', ['Yes,,1.9', ',X,3.4', 'Yes,1,4.5'])).to.deep.equal([
      'btts yes',
      'moneyline draw',
      'refused: BTTS and 1X2 are several bets at one price.',
    ]);
    const innings = async (rows: string, header: string) =>
      (
        await planned(
          `Date,Game,${header},Odds,Units\n${rows
            .split(' ')
            .map((row) => `2024-09-10,Boston Red Sox @ New York Yankees,${row},-115,1`)
            .join('\n')}\n`,
        )
      ).rows.map(short);
    const [none, any] = ['under', 'over'].map((side) => `totals_1st_1_innings ${side} 0.5`);
    expect(await innings('NRFI YRFI Yes No', 'NRFI')).to.deep.equal([none, any, none, any]);
    expect(await innings('NRFI,NRFI YRFI,Yes NRFI/YRFI,YRFI', 'Market,Pick')).to.deep.equal([none, any, any]);
  });

  it('reads the part of the game in a text, when no column names one', async () => {
    expect(
      await bets('Pick,Odds', ['Bills +3 1H,-105', '1H Bills +3,-105', 'Bills 4Q ML,-105'], 'NFL'),
    ).to.deep.equal(['first_half_spread home 3', 'first_half_spread home 3', 'h2h_q4 home']);
    expect(await bets('Pick,Odds', ['1 HT,2.6', '1H X2,1.5', '2nd half 1,2.1', '12,1.3'])).to.deep.equal([
      'first_half_moneyline home',
      'double_chance_h1 away_or_draw',
      'h2h_h2 home',
      'double_chance home_or_away',
    ]);
  });

  it('never adds the other team to a bet that names one, so that it would be of the game', async () => {
    const game = async (pick: string) =>
      short(
        (await planned(`Date,League,Game,Pick,Odds,Units\n2024-11-01,EPL,Arsenal - Everton,${pick},1.9,1\n`))
          .rows[0]!,
      );
    expect(await game('Arsenal over 1.5')).to.equal('refused: "Arsenal over 1.5" fits several bets.');
    expect(await game('Arsenal u1.5 goals')).to.equal('refused: "Arsenal u1.5 goals" fits several bets.');
    expect(await game('Arsenal corners over 5.5')).to.match(
      /^refused: .*corners can be of the game or of one team/,
    );
    expect(await game('under 10 corners')).to.equal('corners under 10');
    expect(await game('Arsenal TT over 1.5')).to.equal('team_total home_over 1.5');
  });

  it('reads lines between two numbers, and half results from profits', async () => {
    const { rows } = await read('Market,Pick,Line,Odds,Stake,Profit', [
      ...['Asian Handicap,Arsenal,"-0.5,-1.0",1.90,1,0.45', 'Goal Line,Over,"2.0,2.5",1.90,2,-1'],
      ...['Goal Line,Over,2.5 & 3,1.90,1,0.9', 'Asian Handicap,Everton,+0.5/+1,1.90,1,-1'],
    ]);
    expect(rows.map(({ pick }) => [pick?.line, pick?.result, pick?.half ?? false])).to.deep.equal([
      [-0.75, 'win', true],
      [2.25, 'loss', true],
      [2.75, 'win', false],
      [0.75, 'loss', false],
    ]);
  });

  it('reads who is at home from a column, and the line from the column of its market', async () => {
    const { rows } = await planned(
      [
        'Date,League,Team,Opponent,Home_Away,Bet Type,Pick,Spread,Total,Odds,Units',
        '2026-11-01,NBA,Lakers,Celtics,A,spread,Lakers,-4.5,,-110,1',
        '2026-11-01,NBA,Lakers,Celtics,Road,total,Over,-4.5,221.5,-110,1',
        '2026-11-01,NBA,Lakers,Celtics,H,spread,Lakers,3,221.5,-110,1',
        '2026-11-01,NBA,Thunder,Celtics,H,spread,Thunder,-6.5,221.5,-110,1',
      ].join('\n'),
    );
    expect(rows.map((row) => `${row.pick?.game}: ${short(row)}`)).to.deep.equal([
      'Los Angeles Lakers @ Boston Celtics: spread away -4.5',
      'Los Angeles Lakers @ Boston Celtics: total over 221.5',
      'Boston Celtics @ Los Angeles Lakers: spread home 3',
      'Boston Celtics @ Oklahoma City Thunder: spread home -6.5',
    ]);
  });

  it('refuses a remark that moves the bet to a part of the game, unless a column does', async () => {
    const read = await bets('Market,Pick,Odds,Notes', [
      ...['Total,Under 2.5,1.9,second half only', '1st Half Total,Under 1.5,1.9,1st half'],
      ...['Total,Under 2.5,1.9,teased 6', 'Total,Under 2.5,1.9,half of the public is on over'],
    ]);
    expect(read.map((each) => each.replace(/: .*?(only|selections).*/, ': $1'))).to.deep.equal([
      'refused: only',
      'first_half_total under 1.5',
      'refused: selections',
      'total under 2.5',
    ]);
  });

  it('reads more and less in Spanish', async () => {
    expect(
      await bets('Mercado,Apuesta,Cuota', ['Más/Menos 2.5,Más,1.8', 'Más/Menos 2.5,Menos,1.8']),
    ).to.deep.equal(['total over 2.5', 'total under 2.5']);
  });

  it('reads German names of markets of two sides', async () => {
    expect(
      await bets('Market,Pick,Odds', ['Ecken Über/Unter,Über 9.5,1.9', 'Gelbe Karten,Über 3.5,1.9']),
    ).to.deep.equal(['corners over 9.5', 'yellow_cards over 3.5']);
  });

  it('takes the second game of a day only if that day has one', async () => {
    const { rows } = await planned(
      [
        'Date,Sport,Event,Selection,Odds,Stake',
        ...['Yankees @ Red Sox (Game 1)', 'Yankees @ Red Sox (Game 2)', 'Yankees @ Red Sox G2'].map(
          (game) => `2026-08-01,MLB,${game},over 8.5,-120,1`,
        ),
        '2026-11-01,NBA,Lakers @ Celtics - Game 3,Celtics -3,-120,1',
      ].join('\n'),
    );
    expect(rows.map(({ reason }) => reason?.replace(/^.* is game/, 'game'))).to.deep.equal([
      undefined,
      ...Array(2).fill(
        "game 2 of a day, and none is known. Ingest that day's games first, or leave the number out.",
      ),
      undefined,
    ]);
  });

  it('reads stakes out of ten and in words, and lines beside their odds', async () => {
    const staked = await read('Tip,Odds,Stake', [
      'Arsenal ML,1.9,2/10',
      'Arsenal ML,1.9,3 eenheden',
      'Arsenal ML,1.9,1/8',
    ]);
    expect(staked.rows.map(({ pick, reason }) => pick?.stakeUnits ?? reason)).to.deep.equal([
      2,
      3,
      '1/8 is not a stake.',
    ]);
    expect(staked.rows[0]!.notes).to.include('The stake 2/10 counts as 2u.');
    expect(
      await bets('Our Pick,Line/Odds', ['Bills,-7 (-110)', 'Over,55.5 (-105)', 'Bills ML,-240'], 'NFL'),
    ).to.deep.equal(['spread home -7', 'total over 55.5', 'moneyline home']);
  });

  it('reads half of any result, before or behind it', async () => {
    const words = [
      '1/2 Acertada',
      'Half gewonnen',
      'half-won',
      'L 1/2',
      'Half Loss',
      '½ lost',
      'Media perdida',
    ];
    const { rows } = await read(
      'Pick,Odds,Result',
      words.map((word) => `Arsenal -0.25,1.9,${word}`),
    );
    expect(rows.map(({ pick }) => `${pick?.result} ${pick?.half}`)).to.deep.equal([
      ...Array(3).fill('win true'),
      ...Array(4).fill('loss true'),
    ]);
  });

  it('takes dates with the day first below the header of a language that writes them so', async () => {
    const dates = (header: string) =>
      planned(
        `${header},Home,Away,League,Pick,Odds,Units\n03-11-2024,Arsenal,Everton,EPL,Arsenal ML,1.9,1\n`,
      );
    const day = async (header: string) => (await dates(header)).rows[0]!.pick?.day;
    expect([await day('Datum'), await day('Date')]).to.deep.equal(['2024-11-03', '2024-03-11']);
  });

  it('reads markets, sides, and results in several languages', async () => {
    const table = (text: string) => text.trim().replaceAll(' | ', ';');
    const french = await planned(
      table(`
Date;Championnat;Rencontre;Marché;Sélection;Mise;Cote;Statut
24/08/2024 | Ligue 1 | Lyon - Nantes | Résultat du match | Lyon | 10,50 | 1,72 | Gagné
24/08/2024 | Ligue 1 | Lille - Nice | Les deux équipes marquent | Non | 10,50 | 1,80 | Perdu
24/08/2024 | Ligue 1 | Lens - Brest | Nombre de buts | Plus de 2,5 | 10,50 | 1,90 | Gagné
24/08/2024 | Ligue 1 | Rennes - Lorient | Mi-temps | Rennes | 10,50 | 2,25 | Gagné
24/08/2024 | Ligue 1 | Nice - Metz | Handicap asiatique | Nice -1 | 10,50 | 1,95 | Perdu
24/08/2024 | Ligue 1 | Brest - Metz | 1N2 | N | 10,50 | 3,25 | Perdu`),
    );
    expect(french.rows.map(short)).to.deep.equal([
      ...['moneyline home', 'btts no: loss', 'total over 2.5', 'first_half_moneyline home', 'spread home -1'],
      'moneyline draw',
    ]);
    const german = await planned(
      table(`
Datum;Liga;Heim;Gast;Markt;Tipp;Linie;Quote;Einsatz;Ergebnis;Endstand
20.10.2024 | Bundesliga | Mainz | Freiburg | Über/Unter | Über | 2,5 | 1,85 | 1 | Verloren | 1:0
20.10.2024 | Bundesliga | Augsburg | Wolfsburg | Endergebnis | 1 |  | 1,75 | 1 | Verloren | 1:2`),
    );
    expect(german.rows.map(short)).to.deep.equal(['total over 2.5 0-1', 'moneyline home 2-1']);
    const italian = await planned(
      table(`
Data;Campionato;Casa;Ospite;Mercato;Pronostico;Quota;Puntata;Esito;Risultato
20/10/2024 | Serie A | Roma | Lazio | Esito finale | 1 | 2,10 | 1 | Vinta | 2-1
20/10/2024 | Serie A | Genoa | Torino | Goal/No Goal | Goal | 1,90 | 1 | Persa | 2-0`),
    );
    expect(italian.rows.map(short)).to.deep.equal(['moneyline home 1-2', 'btts yes 0-2: loss']);
  });

  it("reads the exports of FanDuel's history and of an exchange", async () => {
    const fanduel = await planned(
      `External Bet ID,Bet Date Time,Bet Type,Bet Amount,Number of Legs,Bet Settled,Bet Selection,Market Name,Event Name,League,Leg Handicap,Bet American Odds,Bet Result,State
1,2024-11-10 12:01:00,Straight,10,1,TRUE,Buffalo Bills,Spread Betting,Miami Dolphins @ Buffalo Bills,NFL,-3.5,-110,Won,NJ
2,2024-11-10 12:02:00,Straight,10,1,TRUE,Rory Finch Over,Rory Finch - Receiving Yds,Miami Dolphins @ Buffalo Bills,NFL,45.5,-114,Lost,NJ
3,2024-11-10 12:03:00,Parlay,10,3,TRUE,Buffalo Bills,Moneyline,Miami Dolphins @ Buffalo Bills,NFL,,+600,Won,NJ
`,
    );
    expect(fanduel.rows.map(short)).to.deep.equal([
      'spread home -3.5',
      'player_reception_yds Rory Finch over 45.5',
      'refused: Parlay: a bet on several games or selections is not one pick.',
    ]);
    expect(fanduel.rows[0]!.pick!.stakeUnits).to.equal(1);
    expect(fanduel.questions).to.deep.equal([]);
    expect(fanduel.guesses).to.include(
      'Of these columns only words such as live, parlay, or free bet are read: State.',
    );
    const exchange = await planned(
      `Event,Market name,Selection,Side,priceMatched,sizeSettled,profit,Placed,betOutcome
Arsenal v Everton,Both teams to score?,Yes,BACK,2.1,2,2.2,30-Apr-24 13:10,WON
Arsenal v Everton,Match Odds,The Draw,LAY,3.4,2,2,30-Apr-24 13:10,WON
`,
    );
    expect(exchange.rows.map(short)).to.deep.equal([
      'btts yes: win',
      'refused: LAY: a lay bet is against its selection, so it is no pick on it.',
    ]);
  });

  it('takes the format of odds, the currency, and the part of the game from headers', async () => {
    const odds = async (header: string, cell: string) =>
      (await read(`Pick,${header}`, [`Arsenal ML,${cell}`])).rows[0]!.pick?.oddsAmerican;
    expect(await odds('HK Odds', '1.45')).to.equal(145);
    expect(await odds('Odds (Malay)', '-0.80')).to.equal(125);
    expect(await odds('US', '120')).to.equal(120);
    const formats = await read('Pick,Odds,Style', [
      'Arsenal ML,0.95,HONGKONG',
      'Arsenal ML,-1.25,INDONESIAN',
    ]);
    expect(formats.rows.map(({ pick }) => pick?.oddsAmerican)).to.deep.equal([-105, -125]);
    const stakes = async (header: string, cells: readonly string[]) => {
      const { rows, guesses } = await read(
        `Pick,Odds,${header}`,
        cells.map((cell) => `Arsenal ML,1.9,${cell}`),
      );
      return [rows.map(({ pick }) => pick?.stakeUnits).join(' '), guesses.find((text) => /unit/.test(text))];
    };
    expect(await stakes('Stake GBP,Stake EUR', ['20,', ',30', '40,', '20,'])).to.deep.equal([
      '1 1 2 1',
      'Stakes are in several currencies. 1 unit is 20 GBP, 30 EUR, the median of each.',
    ]);
    expect(await stakes('Stake', ['A$20', 'R$50', '2u'])).to.deep.equal([
      '1 1 2',
      'Stakes are in several currencies. 1 unit is 20 AUD, 50 BRL, the median of each.',
    ]);
    expect(await bets('Pick,Odds,Half', ['Arsenal ML,1.9,1st', 'Arsenal ML,1.9,2'])).to.deep.equal([
      'first_half_moneyline home',
      'h2h_h2 home',
    ]);
    expect(await bets('HDP,Pick,Odds', ['-0.5,Arsenal,1.9', '0/-0.5,Arsenal,1.9'])).to.deep.equal([
      'spread home -0.5',
      'spread home -0.25',
    ]);
  });

  it('reads results from columns that answer yes or no, and asks about V without L', async () => {
    const results = async (header: string, cells: readonly string[]) => {
      const { rows, questions } = await read(
        `Market,Pick,Odds,${header}`,
        cells.map((cell) => `BTTS,Yes,1.9,${cell}`),
      );
      return [
        rows.map(({ result }) => result?.result ?? '-').join(' '),
        questions.map(({ key }) => key).join(),
      ];
    };
    expect(await results('Won', ['TRUE', 'FALSE'])).to.deep.equal(['win loss', '']);
    expect(await results('Hit?', ['✅', '❌'])).to.deep.equal(['win loss', '']);
    expect(await results('Uitslag', ['W', 'V'])).to.deep.equal(['win -', 'results.V']);
    expect(await results('Result', ['W', 'L', 'V'])).to.deep.equal(['win loss void', '']);
  });

  it('reads dates and times as people of several languages write them', async () => {
    const { rows } = await planned(
      [
        'Date;Anstoss;League;Home;Away;Pick;Odds;Stake',
        ...[
          'sam. 9 nov. 2024;15h00',
          '09.11.2024;15.00 Uhr',
          'Samstag, 9. November 2024;15:00 h',
          '20241109;1500',
        ].map((when) => `${when};EPL;Arsenal;Everton;Arsenal ML;1,9;1`),
      ].join('\n'),
      { map: new Map([['anstoss', 'time']]) },
    );
    expect(rows.map(({ pick, reason }) => pick?.startsAt ?? reason)).to.deep.equal(
      rows.map(() => '2024-11-09T20:00:00.000Z'),
    );
  });
});
