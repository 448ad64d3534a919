import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { BetReading } from '../../src/rules/bet-text/bet.ts';
import type { BetGame } from '../../src/rules/bet-text/day.ts';
import { betText, numberedText, selectionWords } from '../../src/rules/bet-text/print.ts';
import { maxChoices, otherSelection, readBetText } from '../../src/rules/bet-text/read.ts';
import { lexiconIn } from '../../src/rules/markets/lexicon.ts';
import { selectionFault } from '../../src/rules/selection.ts';
import { lineTyped, oddsTyped, stakeTyped } from '../../src/rules/typed-numbers.ts';
import { naiveBets } from '../naive/bet-text.ts';
import { betDay, betGames } from '../support/bet-day.ts';
import { atLength } from '../support/long.ts';
import { americanOdds } from './arbitraries.ts';

const fixture = resolve(import.meta.dirname, '..', 'fixtures', 'bet-lines.txt');

/** Lines as people write them, with their meaning: bets in the notation of {@link shown}, or none if the reader refuses. */
const lines = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line.includes(' => ') && !line.startsWith('# '))
  .map((line) => {
    const at = line.lastIndexOf(' => ');
    const meant = line.slice(at + 4).trim();
    const kind = meant === '!' ? 'refused' : meant.startsWith('? ') ? 'choices' : 'bet';
    const bets = meant === '!' ? [] : meant.replace(/^\? /, '').split(' ; ');
    return { text: line.slice(0, at), kind, bets: bets.map((each) => each.trim()).sort() };
  });

const idOf = new Map<BetGame, string>([...betGames].map(([id, game]) => [game, id]));

/** Formats a bet in the notation of the fixture. */
function shown(bet: BetReading): string {
  const { sport, game, startsAt, market, subject, side, line, oddsAmerican, stakeUnits, book } = bet;
  const found = betDay.find(
    (each) => each.sport === sport && each.game === game && each.startsAt === startsAt,
  )!;
  const words = [idOf.get(found), market, side, line ?? '-', oddsAmerican ?? '-', stakeUnits ?? '-'];
  return [...words, ...(book === null ? [] : [book]), ...(subject === null ? [] : [`: ${subject}`])].join(
    ' ',
  );
}

/** Parses a text. */
function read(text: string): { kind: string; bets: string[] } {
  const found = readBetText(text, betDay);
  const bets = found.kind === 'bet' ? [found.bet] : found.kind === 'choices' ? found.choices : [];
  return { kind: found.kind, bets: bets.map(shown).sort() };
}

const ofSport = (...sports: string[]) => betDay.filter(({ sport }) => sports.includes(sport));

/** Games whose teams meet once. */
const single = betDay.filter(
  ({ game, sport }) => betDay.filter((each) => each.game === game && each.sport === sport).length === 1,
);

const stake = fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100);
const half = (min: number, max: number) => fc.integer({ min, max }).map((points) => points + 0.5);

type Selection = Pick<BetReading, 'market' | 'subject' | 'side' | 'line'>;

const overOrUnder = fc.constantFrom('over', 'under');

/** Returns the selections of a game that can be put into words, with lines of its sport. */
function selectionsOf({ sport, game, players, moneylineWays }: BetGame): fc.Arbitrary<Selection> {
  const totals: Record<string, [number, number]> = {
    nba: [180, 260],
    wnba: [130, 200],
    ncaab: [100, 190],
    nfl: [30, 60],
    ncaaf: [30, 80],
    mlb: [6, 14],
    nhl: [5, 8],
    soccer: [0, 6],
    tennis: [12, 50],
    mma: [0, 3],
  };
  const teams: Record<string, [number, number]> = {
    nba: [90, 130],
    wnba: [60, 100],
    ncaab: [50, 100],
    nfl: [7, 40],
    ncaaf: [7, 60],
    mlb: [0, 8],
    nhl: [0, 5],
    soccer: [0, 5],
    tennis: [4, 30],
    mma: [0, 0],
  };
  const role = fc.constantFrom('away', 'home');
  const none = { subject: null, line: null };
  const moneyline = fc
    .constantFrom(...['away', 'home', ...(moneylineWays === 3 ? ['draw'] : [])])
    .map((side) => ({ ...none, market: 'moneyline', side }));
  const spread = fc
    .tuple(role, fc.constantFrom(1.5, -1.5, 2.5, -2.5))
    .map(([side, line]) => ({ market: 'spread', subject: null, side, line }));
  const total = fc
    .tuple(overOrUnder, half(...totals[sport]!))
    .map(([side, line]) => ({ market: 'total', subject: null, side, line }));
  const teamTotal = fc
    .tuple(role, overOrUnder, half(...teams[sport]!))
    .map(([team, side, line]) => ({ market: 'team_total', subject: null, side: `${team}_${side}`, line }));
  const five = fc
    .tuple(overOrUnder, half(2, 7))
    .map(([side, line]) => ({ market: 'totals_1st_5_innings', subject: game, side, line }));
  const chance = role.map((side) => ({
    ...none,
    market: 'double_chance',
    subject: game,
    side: `${side}_or_draw`,
  }));
  const markets: Record<string, string[]> = {
    nba: ['player_points', 'player_points_rebounds_assists', 'player_threes', 'player_double_double'],
    nfl: ['player_pass_yds', 'player_reception_yds', 'player_anytime_td', 'player_rush_reception_yds'],
    mlb: ['batter_total_bases', 'pitcher_outs', 'batter_hits'],
    nhl: ['player_points', 'player_shots_on_goal', 'player_total_saves', 'player_goal_scorer_anytime'],
    soccer: ['player_goal_scorer_anytime', 'player_shots_on_target'],
  };
  const lines: Record<string, number> = { pitcher_outs: 14, player_total_saves: 20, player_pass_yds: 200 };
  const questions = /double|anytime/;
  const player = fc
    .tuple(fc.constantFrom(...(markets[sport] ?? ['player_points'])), fc.nat(), overOrUnder, half(0, 3))
    .map(([market, at, side, line]) => {
      const subject = players[at % players.length]?.name ?? '';
      return questions.test(market)
        ? { market, subject, side: side === 'over' ? 'yes' : 'no', line: null }
        : { market, subject, side, line: line + (lines[market] ?? 0) };
    });
  return fc.oneof(
    moneyline,
    total,
    ...(sport === 'mma' ? [] : [spread, teamTotal]),
    ...(sport === 'mlb' ? [five] : []),
    ...(sport === 'soccer' ? [chance] : []),
    ...(players.length > 0 && markets[sport] !== undefined ? [player] : []),
  );
}

const anyBet: fc.Arbitrary<BetReading> = fc.constantFrom(...single).chain((game) =>
  fc
    .record({
      selection: selectionsOf(game),
      oddsAmerican: fc.option(americanOdds),
      stakeUnits: fc.option(stake),
      book: fc.option(fc.constantFrom('draftkings', 'fanduel', 'pinnacle', 'williamhill_us')),
    })
    .map(({ selection, ...rest }) => ({
      sport: game.sport,
      game: game.game,
      startsAt: game.startsAt,
      away: game.away.name,
      home: game.home.name,
      ...selection,
      ...rest,
    })),
);

describe('bets as people write them', () => {
  it('number at least 300 in the corpus', () => {
    expect(lines.length).to.be.at.least(300);
  });

  it('are parsed correctly in at least 95% of the corpus, and never wrongly without a question', () => {
    const off = lines
      .map((line) => ({ ...line, found: read(line.text) }))
      .filter(({ kind, bets, found }) => found.kind !== kind || found.bets.join() !== bets.join());
    const list = (some: typeof off) =>
      some
        .map(
          ({ text, kind, bets, found }) =>
            `${text}\n  ${kind} ${bets}\n  read as ${found.kind} ${found.bets}`,
        )
        .join('\n');
    expect(list(off.filter(({ found }) => found.kind === 'bet'))).to.equal('');
    expect(off.length / lines.length, list(off)).to.be.at.most(0.05);
  });

  it('round-trip through their printed form', () => {
    fc.assert(
      fc.property(anyBet, (bet) => {
        const text = betText(bet);
        expect(readBetText(text, betDay), text).to.deep.equal({ kind: 'bet', bet, notes: [] });
      }),
      { numRuns: 500 },
    );
  });

  it("fit the maximum length of a pick's text when printed", () => {
    fc.assert(
      fc.property(anyBet, (bet) => {
        expect(selectionWords(bet).length).to.be.within(1, 300);
      }),
    );
  });

  it('are parsed like the naive reader parses plain forms', () => {
    const games = ofSport('nba', 'nfl');
    const form = fc.constantFrom(...games).chain((game) =>
      fc.record({
        away: fc.constantFrom(...game.away.names),
        home: fc.constantFrom(...game.home.names),
        isAway: fc.boolean(),
        form: fc.constantFrom('spread', 'ml', 'total', 'team'),
        side: overOrUnder,
        line: half(1, 12),
        points: fc.constant(game.sport === 'nba' ? 221.5 : 45.5),
        team: fc.constant(game.sport === 'nba' ? 110.5 : 24.5),
        isMinus: fc.boolean(),
        odds: americanOdds.filter((odds) => odds < 0),
        stake,
      }),
    );
    fc.assert(
      fc.property(form, (each) => {
        const { away, home, side, odds } = each;
        const name = each.isAway ? away : home;
        const price = `${odds} ${each.stake}u`;
        const texts = {
          spread: `${name} ${each.isMinus ? '-' : '+'}${each.line} ${price}`,
          ml: `${name} ML ${price}`,
          total: `${away}/${home} ${side} ${each.points} ${price}`,
          team: `${name} team total ${side} ${each.team} ${price}`,
        };
        const text = texts[each.form as keyof typeof texts];
        const found = readBetText(text, games);
        const bets = found.kind === 'bet' ? [found.bet] : found.kind === 'choices' ? found.choices : [];
        const plain = bets.map(({ game, market, side: on, line, oddsAmerican, stakeUnits }) => ({
          game,
          market,
          side: on,
          line,
          oddsAmerican,
          stakeUnits,
        }));
        // A word that several teams share may match more teams than its exact name does, never fewer.
        expect(plain, text).to.deep.include.members(
          naiveBets(text, games).filter(({ game }) => plain.some((one) => one.game === game)),
        );
        expect(plain.length, text).to.be.at.least(1);
        if (found.kind === 'bet') expect(naiveBets(text, games), text).to.deep.include(plain[0]);
      }),
      { numRuns: 500 },
    );
  });

  it('are parsed quickly, without throwing, and with at most a dozen choices, whatever the text', () => {
    const words = lines.flatMap(({ text }) => text.split(' '));
    const jumble = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((some) => some.join(' '));
    const marks = fc.string({
      unit: fc.constantFrom(...'0123456789+-./,:;@()[]|= uoxkKTML½−–…\'"$%*#🔥'),
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.oneof(jumble, marks, fc.string({ unit: 'grapheme', maxLength: 400 })), (text) => {
        const began = performance.now();
        const found = readBetText(text, betDay);
        expect(performance.now() - began, text).to.be.below(2000);
        if (found.kind === 'choices') expect(found.choices.length).to.be.within(1, maxChoices);
        if (found.kind === 'refused') expect(found.reason).to.match(/^.+[.?]$/s);
      }),
      { numRuns: 2000 },
    );
  });

  it('are refused with instructions if only a market and side can express them', () => {
    const examples = {
      'Finch 1st set -150': 'first_set_winner and away',
      'Vance by submission +350': 'method_of_victory and away_ko',
      'Leeds 2-1 +900': 'correct_score and 2-1',
    };
    for (const [text, example] of Object.entries(examples))
      expect(readBetText(text, betDay), text)
        .to.have.property('reason')
        .that.contains(`such as ${example}, with`);
  });

  it('are not parsed without games', () => {
    expect(readBetText('Lakers -3.5 -110 2u', [])).to.deep.equal({
      kind: 'refused',
      reason: 'There are no games to bet on.',
    });
  });

  it('leave the stake open if it is in money, and compute it from an amount to win', () => {
    const notesOf = (text: string) => {
      const found = readBetText(text, betDay);
      return found.kind === 'bet' ? [found.bet.stakeUnits, found.notes] : found;
    };
    expect(notesOf('Lakers ML -110 $50')).to.deep.equal([
      null,
      ['$50 is not a stake in units, so no stake was read.'],
    ]);
    expect(notesOf('Lakers ML -150 to win 2u')).to.deep.equal([3, ['The stake is 3u, to win 2u.']]);
    expect(notesOf('Lakers ML +130 to win 2u')).to.deep.equal([1.54, ['The stake is 1.54u, to win 2u.']]);
    expect(notesOf('Lakers ML to win 2u')).to.deep.equal([
      null,
      ['The text gives the amount to win, but no price, so no stake was read.'],
    ]);
    expect(notesOf('Lakers ML -5000 to win 5u')).to.have.property('kind', 'refused');
    expect(notesOf('Lakers ML -110 -1u')).to.have.property('kind', 'refused');
  });

  it('are refused, with the word, if a word can change how the bet settles', () => {
    const bets = ['Lakers -3.5 -110', 'Lakers ML +120', 'Lakers Warriors over 221.5', 'Lakers TT over 112.5'];
    const more = [
      'Oilers -1.5 +165',
      'Oilers Flames under 5.5',
      'Leeds ML 2.10',
      'Leeds Wolves over 2.5',
      'Korda ML 1.62',
    ];
    const words =
      'series|season|week 3|round 1|record|overtime|extra innings|shootout|tournament|champions|playoffs|cup|trophy|finals|live|in play|fade|lay|hedge|not|never|without|lean|maybe|parlay|each way|free bet|boosted|cash out|early payout|early|listed pitchers|temporada|torneo|turnier|en vivo|kombiwette|anti'.split(
        '|',
      );
    for (const bet of [...bets, ...more])
      for (const word of words)
        for (const text of [`${word} ${bet}`, `${bet} ${word}`]) {
          const found = readBetText(text, betDay);
          expect(found.kind, text).to.equal('refused');
          if (found.kind === 'refused')
            expect(found.reason.toLowerCase(), text).to.contain(word.split(' ')[0]);
        }
    for (const word of ['reg time', 'regulation', 'no OT', '60 min'])
      for (const bet of [...bets, ...more.slice(0, 2)])
        expect(readBetText(`${bet} ${word}`, betDay), `${bet} ${word}`).to.have.property('kind', 'refused');
  });

  it('may say that overtime counts where it does', () => {
    expect(read('Lakers Warriors over 221.5 incl. OT').bets).to.deep.equal(['lal-gsw total over 221.5 - -']);
    expect(read('Oilers Flames under 5.5 including overtime').kind).to.equal('bet');
    expect(read('Leeds Wolves over 2.5 incl. extra time').kind).to.equal('refused');
    expect(read('Leeds Wolves over 2.5 full time').kind).to.equal('bet');
    expect(read('Leeds Wolves over 2.5 90 minutes').kind).to.equal('bet');
  });

  it('name an opponent with against, and lay points with laying', () => {
    expect(read('Lakers -3.5 against Warriors').bets).to.deep.equal(['lal-gsw spread away -3.5 - -']);
    for (const text of ['against Lakers -3.5', 'bet against Lakers', 'laying Lakers', 'laying 3.5 Lakers'])
      expect(read(text).kind, text).to.equal('refused');
    expect(read('Lakers laying -3.5').bets).to.deep.equal(['lal-gsw spread away -3.5 - -']);
  });

  it('are not the winner of a competition', () => {
    for (const text of [
      'Lakers NBA +900',
      'Bills NFL winner +900',
      'Leeds to win 2.10',
      'Korda winner 1.62',
      'Leeds EPL +900',
    ])
      expect(read(text).kind, text).to.equal('refused');
    for (const text of [
      'NBA: Lakers +130',
      'Lakers +130 NBA',
      'Leeds to win vs Wolves 2.10',
      'EPL: Leeds 2.10',
    ])
      expect(read(text).kind, text).to.equal('bet');
  });

  it('agree with the venue that they name', () => {
    expect(read('Warriors home ML').bets).to.deep.equal(['lal-gsw moneyline home - - -']);
    expect(read('Lakers home ML').kind).to.equal('refused');
  });

  it('name other markets of the game, with its title as subject', () => {
    const title = 'Leeds United @ Wolverhampton Wanderers';
    for (const [text, bet] of [
      ['Leeds Wolves corners over 9.5', 'corners over 9.5'],
      ['Leeds Wolves ambos marcan', 'btts yes -'],
      ['Leeds win to nil', 'win_to_nil away -'],
      ['Leeds Wolves 2nd half over 1.5', 'totals_h2 over 1.5'],
    ] as const)
      expect(read(text).bets, text).to.deep.equal([`lee-wol ${bet} - - : ${title}`]);
    expect(read('Leeds corners over 4.5').kind).to.equal('refused');
  });

  it('offer both games of a doubleheader, each with its number', () => {
    const found = readBetText('Braves ML -110', betDay);
    expect(found.kind).to.equal('choices');
    if (found.kind !== 'choices') return;
    const texts = found.choices.map((bet) => numberedText(bet, betDay));
    expect(texts.map((text) => / (G[12]) /.exec(text)?.[1])).to.have.members(['G1', 'G2']);
    for (const [at, text] of texts.entries())
      expect(readBetText(text, betDay)).to.deep.equal({ kind: 'bet', bet: found.choices[at], notes: [] });
  });

  it('are only bets that posting accepts, in every market that has words', () => {
    const bySport = new Map(single.map((game) => [game.sport, game]));
    for (const game of bySport.values())
      for (const words of [...lexiconIn(game.sport).keys()].filter(
        (key, at) => !/^(?:[a-z]|over|under)$/.test(key) && at % atLength(4, 1) === 0,
      ))
        for (const text of [
          `${game.away.name} ${words}`,
          `${game.away.name} @ ${game.home.name} ${words} over 2.5`,
        ]) {
          const found = readBetText(text, [game]);
          for (const { market, subject, side, line } of found.kind === 'bet'
            ? [found.bet]
            : found.kind === 'choices'
              ? found.choices
              : [])
            expect(
              selectionFault(
                { market, subject, side, lineE3: line === null ? null : line * 1000 },
                game,
                game.moneylineWays,
              ),
              text,
            ).to.equal(undefined);
        }
  });

  it('are compared with the selection of their pick', () => {
    const game = betGames.get('lal-gsw')!;
    const spread = { market: 'spread', subject: null, side: 'away', line: -3.5 };
    const points = { market: 'player_points', subject: 'Nico Ferro', side: 'over', line: 12.5 };
    for (const [text, given] of [
      ['Lakers -3.5', spread],
      ['LAL −3.5 (-110) 2u LOCK', spread],
      ['Lakers all the way!', spread],
      ['Los Angeles Lakers -3½ @ Warriors', spread],
      ['Nico Ferro over 12.5 points', points],
      ['Over 12.5', points],
      ['my favorite of the day', points],
      ['Over 221.5', { market: 'rebounds', subject: game.game, side: 'over', line: 221.5 }],
      ['U221.5', { market: 'totals_h1', subject: null, side: 'under', line: 221.5 }],
      ['Lakers over 112.5', { market: 'team_total', subject: null, side: 'away_over', line: 112.5 }],
    ] as const)
      expect(otherSelection(text, given, [game]), text).to.equal(undefined);
    for (const [text, given, read] of [
      ['Lakers -4.5', spread, 'Los Angeles Lakers -4.5'],
      ['Lakers ML', spread, 'Los Angeles Lakers ML'],
      ['Over 221.5', { ...points, line: 220.5 }, 'Los Angeles Lakers @ Golden State Warriors over 221.5'],
      ['Warriors +3.5', spread, 'Golden State Warriors +3.5'],
      ['1H Lakers -3.5', spread, 'Los Angeles Lakers 1H -3.5'],
      [
        'Nico Ferro under 12.5 points',
        points,
        'Nico Ferro under 12.5 points (Los Angeles Lakers @ Golden State Warriors)',
      ],
      [
        'Nico Ferro over 12.5 assists',
        points,
        'Nico Ferro over 12.5 assists (Los Angeles Lakers @ Golden State Warriors)',
      ],
    ] as const)
      expect(otherSelection(text, given, [game])?.read, text).to.equal(read);
    expect(otherSelection('Lakers ML', spread, [game])?.given).to.equal('Los Angeles Lakers -3.5');
    const two = fc
      .constantFrom(...single)
      .chain((game) => fc.tuple(fc.constant(game), selectionsOf(game), selectionsOf(game)));
    fc.assert(
      fc.property(two, ([game, one, other]) => {
        const { sport, startsAt, away, home } = game;
        const names = { sport, game: game.game, startsAt, away: away.name, home: home.name };
        const text = selectionWords({ ...names, ...one, oddsAmerican: null, stakeUnits: null, book: null });
        expect(otherSelection(text, one, [game]), text).to.equal(undefined);
        const isSame = Object.values(one).join() === Object.values({ ...one, ...other }).join();
        expect(otherSelection(text, other, [game]) === undefined, text).to.equal(isSame);
      }),
    );
  });

  it('are refused at once if they are far too long', () => {
    for (const text of [' '.repeat(100_000), 'Lakers '.repeat(20_000), `Lakers -${'9'.repeat(100_000)}`])
      expect(readBetText(text, betDay).kind).to.equal('refused');
    for (const typed of [stakeTyped, lineTyped, oddsTyped])
      expect(typed(`1${' '.repeat(10_000)}u`)).to.have.property('fault');
  });
});
