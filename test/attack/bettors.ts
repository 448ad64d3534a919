import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import {
  books,
  decimal,
  type FairGame,
  gamesADay,
  latest,
  oneOf,
  postingCapture,
  type Quote,
  type Random,
} from './fair-world.ts';

/** Minutes before the start at which most bettors post, just after a capture. */
const usual = postingCapture - 3;

/** A bet to post. */
export interface Bet {
  /** Minutes before the game's start. */
  before: number;
  row: Pick<PickRow, 'market' | 'side' | 'oddsAmerican'> &
    Partial<Pick<PickRow, 'line' | 'book' | 'subject' | 'stakeUnits'>>;
  /** Index of the handle that posts it. Default: 0. */
  by?: number;
}

/** A way to bet without skill. */
export interface Bettor {
  what: string;
  /** Number of handles. Default: 1. */
  handles?: number;
  /**
   * Games that only this bettor has, with the scores of the common ones, and which of their prices the provider has: by default none.
   * Default: the common games.
   */
  own?: { sport: string; priced?(quote: Quote, game: FairGame): boolean };
  bets(game: FairGame, random: Random): Bet[];
  /** Prices that the operator's staff feeds for the bettor after the game is over. */
  fed?(game: FairGame): Quote[];
  /** Reports whether the game is cancelled 2 minutes before its start. */
  isCancelled?(game: FairGame, random: Random): boolean;
  /** Minutes by which the start moves, 2 minutes before it. */
  movedBy?(game: FairGame): number;
  /** The results of bets that no score grades. */
  result?: 'win';
  /** The honest bettor of the same kind of prices. Default: the one who takes the best price of all books. */
  like?: keyof typeof honest;
}

const asPosted = ({ market, side, line, oddsAmerican, book }: Quote, isNamed = false): Bet['row'] => ({
  market,
  side,
  oddsAmerican,
  ...(line === null ? {} : { line }),
  ...(isNamed ? { book } : {}),
});

/** Prices of the two books that take the least. */
const byTwoBooks = ({ market, book }: Quote) =>
  market === 'moneyline' && (book === 'north' || book === 'south');

/** Doubles the stake after each loss, by the bettor's games of the day before. */
function doubling(): Bettor['bets'] {
  const stakes = new Map<number, number>();
  return (game, random) => {
    const { index, homeScore, awayScore } = game;
    const stakeUnits = stakes.get(index) ?? 1;
    const side = oneOf(random, ['home', 'away'] as const);
    const isLost = side === 'home' ? homeScore < awayScore : awayScore < homeScore;
    stakes.set(index + gamesADay, isLost ? Math.min(2 * stakeUnits, 64) : 1);
    return [{ before: usual, row: { ...asPosted(highest(moneyline(game, side))), stakeUnits } }];
  };
}

const highest = (quotes: readonly Quote[]) =>
  quotes.toSorted((a, b) => decimal(b.oddsAmerican) - decimal(a.oddsAmerican))[0]!;

/** Returns the prices of a random side that every book prices, of any market. */
function anySide(game: FairGame, random: Random, before = usual, market?: string): Quote[] {
  const quotes = latest(game, before, market);
  const of = oneOf(
    random,
    quotes.filter(({ book }) => book === 'west'),
  );
  return quotes.filter(
    (quote) => quote.market === of.market && quote.side === of.side && quote.line === of.line,
  );
}

/** Bets on a random side at the best price on offer. */
const best =
  (before: number, more: Partial<Bet> = {}, market?: string) =>
  (game: FairGame, random: Random): Bet[] => [
    { before, row: asPosted(highest(anySide(game, random, before, market))), ...more },
  ];

const moneyline = (game: FairGame, side: Quote['side'], before = usual) =>
  latest(game, before, 'moneyline').filter((quote) => quote.side === side);

/** Returns the side of the moneyline whose chance rose between two instants, in minutes before the start. */
const riser = (game: FairGame, from: number, to: number) => {
  const home = { market: 'moneyline', side: 'home', line: null } as const;
  return game.chance(home, to) > game.chance(home, from) ? 'home' : 'away';
};

/** Returns the home side at points more than the main spread gives it. */
const easier = (game: FairGame, points: number) => {
  const [main] = latest(game, usual, 'spread').filter(({ side, book }) => side === 'home' && book === 'west');
  return { main: main!, line: main!.line! + points };
};

/** Bets on the home side of an easier line that two books price, at the better price of the two. */
const easy =
  (points: number) =>
  (game: FairGame): Bet[] => {
    const { line } = easier(game, points);
    const prices = latest(game, usual, 'spread').filter(
      (quote) => quote.side === 'home' && quote.line === line,
    );
    return [{ before: usual, row: asPosted(highest(prices)) }];
  };

/** Returns the bets of several handles. */
const each = (handles: number, bets: (by: number) => Bettor['bets']): Pick<Bettor, 'handles' | 'bets'> => ({
  handles,
  bets: (game, random) => Array.from({ length: handles }, (_, by) => bets(by)(game, random)).flat(),
});

/** Honest bettors, whom nobody without skill may be ahead of. All of their picks count. */
export const honest = {
  best: { what: 'takes the best price of all books', ...each(4, (by) => best(usual, { by })) },
  named: {
    what: 'takes the price of any book, which it names',
    ...each(2, (by) => (game, random) => {
      const quotes = anySide(game, random).filter(({ book }) => book !== game.error.book);
      return [{ before: usual, row: asPosted(oneOf(random, quotes), true), by }];
    }),
  },
  moneyline: { what: 'takes the best moneyline', ...each(2, (by) => best(usual, { by }, 'moneyline')) },
  short: { what: 'takes short prices', bets: easy(6) },
  shortest: { what: 'takes the shortest prices', bets: easy(14) },
} as const satisfies Record<string, Bettor>;

/** Every known way to lead a board without skill. A new one is one entry. */
export const tricks: Bettor[] = [
  {
    what: 'an easy line that nobody prices, at the price of a hard one',
    bets: (game) => {
      const { main, line } = easier(game, 12);
      return [{ before: usual, row: { ...asPosted(main), line } }];
    },
  },
  {
    what: 'an easier line that two books price, at the price of the main one',
    like: 'short',
    bets: (game) => {
      const { main, line } = easier(game, 6);
      return [{ before: usual, row: { ...asPosted(main), line } }];
    },
  },
  {
    what: 'the price of a book that errs, which it names',
    bets: (game) => {
      const [price] = moneyline(game, game.error.side).filter(({ book }) => book === game.error.book);
      return [{ before: usual, row: asPosted(price!, true) }];
    },
  },
  {
    what: 'the price of a book that errs, without a name',
    bets: (game) => [{ before: usual, row: asPosted(highest(moneyline(game, game.error.side))) }],
  },
  {
    what: 'a sport without a provider, always at +900',
    own: { sport: 'nhl' },
    bets: (_, random) => [
      {
        before: usual,
        row: { market: 'moneyline', side: oneOf(random, ['home', 'away']), oddsAmerican: 900 },
      },
    ],
  },
  {
    what: 'any bet at +2500',
    bets: (game, random) => [
      { before: usual, row: { ...asPosted(anySide(game, random)[0]!), oddsAmerican: 2500 } },
    ],
  },
  {
    what: 'any bet at +2500, naming a book that does not exist',
    bets: (game, random) => [
      { before: usual, row: { ...asPosted(anySide(game, random)[0]!), oddsAmerican: 2500, book: 'mine' } },
    ],
  },
  {
    what: 'a price 50 minutes old, on the side that has risen since',
    bets: (game) => [{ before: 100, row: asPosted(highest(moneyline(game, riser(game, 150, 100), 150))) }],
  },
  { what: 'early posts, at the opening prices', bets: best(1498) },
  { what: 'posts in the last minutes', bets: best(3) },
  {
    what: 'the best price of the last day, long gone',
    bets: (game, random) => {
      const side = oneOf(random, ['home', 'away'] as const);
      const seen = game.quotes.filter((quote) => quote.market === 'moneyline' && quote.side === side);
      return [{ before: 3, row: asPosted(highest(seen)) }];
    },
  },
  {
    what: 'prices that staff feeds by hand after the game, for winners',
    own: { sport: 'wnba' },
    bets: (_, random) => [
      {
        before: usual,
        row: { market: 'moneyline', side: oneOf(random, ['home', 'away']), oddsAmerican: 2500 },
      },
    ],
    fed: ({ homeScore, awayScore, start }) => [
      {
        market: 'moneyline',
        side: homeScore > awayScore ? 'home' : 'away',
        line: null,
        book: 'mine',
        oddsAmerican: 2500,
        at: start - (usual + 1) * 60_000,
      },
    ],
  },
  {
    what: 'prices that staff feeds by hand after the game, where a provider prices the sport',
    like: 'moneyline',
    bets: (game, random) => [
      {
        before: usual,
        row: { ...asPosted(anySide(game, random, usual, 'moneyline')[0]!), oddsAmerican: 2500 },
      },
    ],
    fed: ({ start }) =>
      ['home', 'away'].map((side) => ({
        market: 'moneyline',
        side: side as 'home',
        line: null,
        book: 'mine',
        oddsAmerican: 2500,
        at: start - (usual + 1) * 60_000,
      })),
  },
  {
    what: 'the other side as well, once the price has moved',
    like: 'moneyline',
    bets: (game) => {
      const early = { before: 1498, row: asPosted(highest(moneyline(game, 'home', 1498))) };
      const late = { before: usual, row: asPosted(highest(moneyline(game, 'away'))) };
      return riser(game, 1500, 180) === 'home' ? [early, late] : [early];
    },
  },
  { what: 'stakes doubled after each loss', like: 'moneyline', bets: doubling() },
  {
    what: 'four handles that agree on every game',
    own: { sport: 'ncaab', priced: byTwoBooks },
    ...each(4, (by) => (game) => [
      { before: usual, by, row: asPosted(highest(moneyline(game, 'home').filter(byTwoBooks))) },
    ]),
  },
  {
    what: 'hedges over two handles',
    like: 'moneyline',
    handles: 2,
    bets: (game) =>
      (['home', 'away'] as const).map((side, by) => ({
        before: usual,
        by,
        row: asPosted(highest(moneyline(game, side))),
      })),
  },
  {
    what: 'both sides under one handle',
    like: 'moneyline',
    bets: (game) =>
      (['home', 'away'] as const).map((side) => ({
        before: usual,
        row: asPosted(highest(moneyline(game, side))),
      })),
  },
  {
    what: 'one huge stake in a hundred',
    bets: (game, random) =>
      best(usual)(game, random).map(({ row, ...bet }) => ({
        ...bet,
        row: { ...row, stakeUnits: game.index % 100 === 99 ? 100 : 0.01 },
      })),
  },
  {
    what: 'streaks at tiny odds',
    like: 'shortest',
    bets: easy(14),
  },
  {
    what: 'long shots only',
    like: 'moneyline',
    bets: (game) => [
      {
        before: usual,
        row: asPosted(
          highest(
            books.map((book) =>
              highest(latest(game, usual, 'moneyline').filter((quote) => quote.book === book)),
            ),
          ),
        ),
      },
    ],
  },
  {
    what: 'voids on demand, of bets whose price fell',
    own: { sport: 'ncaab', priced: byTwoBooks },
    bets: (game) => [{ before: 1498, row: asPosted(highest(moneyline(game, 'home', 1498))) }],
    isCancelled: (game) => riser(game, 1500, 2) === 'away',
  },
  {
    what: 'a void in 20, of the bet whose price fell most',
    own: { sport: 'ncaab', priced: byTwoBooks },
    bets: (game) => [{ before: 1498, row: asPosted(highest(moneyline(game, 'home', 1498))) }],
    isCancelled: (game) => {
      const home = { market: 'moneyline', side: 'home', line: null } as const;
      return game.chance(home, 2) < game.chance(home, 1500) - 0.13;
    },
  },
  {
    what: 'games that are often cancelled',
    own: { sport: 'ncaab', priced: byTwoBooks },
    bets: best(usual, {}, 'moneyline'),
    isCancelled: (_, random) => random() < 0.2,
  },
  {
    what: 'posts just before a start moves',
    own: { sport: 'ncaab', priced: byTwoBooks },
    bets: best(3, {}, 'moneyline'),
    movedBy: () => 90,
  },
  {
    what: 'four handles, to keep the best',
    ...each(4, (by) => best(usual, { by })),
  },
  {
    what: 'three bets on one team',
    bets: (game, random) => {
      if (game.index % 3 !== 0) return [];
      const side = oneOf(random, ['home', 'away'] as const);
      const quotes = latest(game, usual).filter((quote) => quote.side === side);
      const lines = [...new Set(quotes.map(({ market, line }) => `${market} ${line}`))].slice(0, 3);
      return lines.map((key) => ({
        before: usual,
        row: asPosted(highest(quotes.filter(({ market, line }) => `${market} ${line}` === key))),
      }));
    },
  },
  {
    what: 'totals at odd lines that nobody prices',
    bets: (game, random) => {
      const [price] = latest(game, usual, 'total').filter(({ side }) => side === 'over');
      return [
        { before: usual, row: { ...asPosted(price!), line: price!.line! - oneOf(random, [7, 7.25, 9.5]) } },
      ];
    },
  },
  {
    what: 'questions that nobody prices, decided by staff',
    bets: () => [
      { before: usual, row: { market: 'question', subject: 'Rain', side: 'yes', oddsAmerican: 900 } },
    ],
    result: 'win',
  },
  {
    what: 'whole and quarter lines, for their pushes and halves',
    bets: (game, random) => {
      const { line } = easier(game, oneOf(random, [0.25, 0.5]));
      const prices = latest(game, usual, 'spread').filter(
        (quote) => quote.side === 'home' && quote.line === line,
      );
      return [{ before: usual, row: asPosted(highest(prices)) }];
    },
  },
];
