import type { Database } from '../platform/database.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { betText, selectionWords } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { betWindow, pastBetGames, type StoredBetGame } from './bet-games.ts';

/** A bet on a game that has not begun. A null is yet to be chosen. */
export interface OpenBet {
  sport: string;
  game: string;
  /** The present start, in epoch milliseconds. */
  startsAt: number;
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  /** The selection in words. */
  pick: string;
  oddsAmerican: number | null;
  stakeUnits: number | null;
  book: string | null;
}

/** A game that takes picks. */
export interface OpenGame {
  sport: string;
  game: string;
  startsAt: number;
  away: string;
  home: string;
  /** On the game itself, each with the newest price. One without any has no line and no odds. */
  bets: readonly (Pick<OpenBet, 'market' | 'side' | 'line' | 'pick' | 'oddsAmerican' | 'book'> & {
    /** When the price was seen, in epoch milliseconds. */
    seenAt: number | null;
  })[];
}

/** The games that take picks now, and a reader of bets on them. */
export interface OpenBets {
  games: readonly OpenGame[];
  read(text: string): { why: string | null; bets: readonly (OpenBet & { words: string })[] };
}

interface NewestPrice {
  gameId: number;
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string;
  seenAt: number;
}

/** Games beyond are found by a line of text. */
const maxGames = 300;

/** @param now epoch milliseconds */
export async function openBets(database: Database, now: number): Promise<OpenBets> {
  const found = await pastBetGames(database, now, now + betWindow.ahead);
  const open = found.filter(
    ({ status, begins }) => begins > now && (status === 'scheduled' || status === 'postponed'),
  );
  const listed = open.slice(0, maxGames);
  const prices = Map.groupBy(await newestPrices(database, listed), ({ gameId }) => gameId);
  return {
    games: listed.map((game) => openGame(game, prices.get(game.id) ?? [])),
    read: (text) => read(text, open),
  };
}

/** The newest price of each side of the markets on games themselves: of several lines the one nearest to even, of several books the best. */
async function newestPrices(database: Database, games: readonly StoredBetGame[]): Promise<NewestPrice[]> {
  const { rows }: { rows: NewestPrice[] } = await database.raw(
    `select distinct on (game_id, market, side) game_id as "gameId", market, side, line_e3 as "lineE3", odds_american as "oddsAmerican",
       book, captured_at as "seenAt"
     from lines where game_id = any(?::bigint[]) and subject is null
     order by game_id, market, side, captured_at desc,
       case when line_e3 is null then 0 else abs(odds_american + 110) end, odds_american desc, book`,
    [games.map(({ id }) => id)],
  );
  return rows;
}

function openGame(game: StoredBetGame, prices: readonly NewestPrice[]): OpenGame {
  const { sport, game: name, begins, away, home, moneylineWays } = game;
  const words = (market: string, side: string, line: number | null) =>
    selectionWords({
      ...{
        sport,
        game: name,
        startsAt: null,
        away: away.name,
        home: home.name,
        market,
        subject: null,
        side,
        line,
      },
      ...{ oddsAmerican: null, stakeUnits: null, book: null },
    });
  const sides = [
    ...['away', 'home', ...(moneylineWays === 3 ? ['draw'] : [])].map((side) => ['moneyline', side]),
    ...[
      ['spread', 'away'],
      ['spread', 'home'],
      ['total', 'over'],
      ['total', 'under'],
    ],
  ] as [market: string, side: string][];
  const unpriced = sides.filter(
    ([market, side]) => !prices.some((price) => price.market === market && price.side === side),
  );
  const order = (market: string) => (['moneyline', 'spread', 'total'].indexOf(market) + 4) % 4;
  const bets = [
    ...prices.map(({ market, side, lineE3, oddsAmerican, book, seenAt }) => {
      const line = lineFromE3(lineE3);
      return { market, side, line, pick: words(market, side, line), oddsAmerican, book, seenAt };
    }),
    ...unpriced.map(([market, side]) => ({
      ...{ market, side, line: null, pick: words(market, side, null), oddsAmerican: null, book: null },
      seenAt: null,
    })),
  ];
  return {
    ...{ sport, game: name, startsAt: begins, away: away.name, home: home.name },
    bets: bets.toSorted((one, other) => order(one.market) - order(other.market)),
  };
}

function read(text: string, open: readonly StoredBetGame[]): ReturnType<OpenBets['read']> {
  const found = readBetText(text, open);
  if (found.kind === 'refused') return { why: found.reason, bets: [] };
  const readings = found.kind === 'bet' ? [found.bet] : found.choices;
  const bets = readings.flatMap((bet) => {
    const game = open.find(
      ({ sport, game, startsAt }) => sport === bet.sport && game === bet.game && startsAt === bet.startsAt,
    );
    return game === undefined ? [] : [openBet(bet, game)];
  });
  const why = found.kind === 'choices' ? found.why : found.notes.join(' ');
  return { why: why === '' ? null : why, bets };
}

function openBet(bet: BetReading, { begins }: StoredBetGame): OpenBet & { words: string } {
  const { sport, game, market, subject, side, line, oddsAmerican, stakeUnits, book } = bet;
  return {
    ...{ sport, game, startsAt: begins, market, subject, side, line, pick: selectionWords(bet) },
    ...{ oddsAmerican, stakeUnits, book, words: betText(bet) },
  };
}
