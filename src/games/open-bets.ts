import type { Database } from '../platform/database.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { numberedText, selectionWords } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { pastBetGames, type StoredBetGame } from './bet-games.ts';

/** A bet on a game that has not started. The bettor still chooses the fields that are null. */
export interface OpenBet {
  sport: string;
  game: string;
  /** The current start. */
  startsAt: EpochMs;
  /** The day of a game that was announced without a start. */
  day: string | null;
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

/** A selection with its newest price. Without a price, it has no line and no odds. */
export interface PricedBet
  extends Pick<OpenBet, 'market' | 'subject' | 'side' | 'line' | 'pick' | 'oddsAmerican' | 'book'> {
  /** When the price was captured. */
  seenAt: EpochMs | null;
}

export interface OpenGame {
  sport: string;
  game: string;
  startsAt: number;
  day: string | null;
  away: string;
  home: string;
  /** Bets on the game itself. */
  bets: readonly Omit<PricedBet, 'subject'>[];
}

/** The games that take picks now, and a parser of bets on them. */
export interface OpenBets {
  games: readonly OpenGame[];
  read(text: string): { why: string | null; bets: readonly (OpenBet & { words: string })[] };
}

type NewestPrice = Omit<PricedBet, 'line' | 'pick'> & { gameId: number; lineE3: number | null };

/** Maximum number of listed games. A line of text finds the others too. */
const maxGames = 300;

/** Maximum number of prices about players and questions that a game shows. */
const maxSubjectPrices = 600;

/** Reads the games that take picks. */
export async function openBets(database: Database, now: EpochMs): Promise<OpenBets> {
  const open = await currentGames(database, now);
  const listed = open.slice(0, maxGames);
  const prices = Map.groupBy(await newestPrices(database, listed), ({ gameId }) => gameId);
  return {
    games: listed.map((game) => openGame(game, prices.get(game.id) ?? [])),
    read(text) {
      const { why, bets } = readOpenBets(text, open);
      return { why, bets: bets.map(({ bet, game }) => openBet(bet, game, open)) };
    },
  };
}

/** How far ahead a game starts that the text of a bet can mean, in ms. */
const aheadMs = 36 * 3_600_000;

/** Reads the games that the text of a bet can mean now. */
export function currentGames(database: Database, now: number): Promise<StoredBetGame[]> {
  return openGamesBetween(database, now, now + aheadMs, now);
}

/** Reads the games that start in a period and take picks. Instants in epoch milliseconds. */
export async function openGamesBetween(
  database: Database,
  from: number,
  to: number,
  now: number,
): Promise<StoredBetGame[]> {
  return (await pastBetGames(database, from, to)).filter((game) => takesPicks(game, now));
}

/** Reports whether a game is still to be played, and has a known start that has not passed. */
export function takesPicks({ status, begins, hasStart }: StoredBetGame, now: EpochMs): boolean {
  return hasStart && begins > now && (status === 'scheduled' || status === 'postponed');
}

/**
 * Reads a game's selections with a price, and those that always exist: first those on the game itself, then those about players and
 * questions.
 */
export async function pricedBets(
  database: Database,
  game: StoredBetGame,
): Promise<{ onGame: Omit<PricedBet, 'subject'>[]; onSubjects: PricedBet[] }> {
  const [onGame, onSubjects] = await Promise.all([
    newestPrices(database, [game]),
    newestPrices(database, [game], 'subjects'),
  ]);
  return {
    onGame: [...openGame(game, onGame).bets],
    onSubjects: onSubjects.slice(0, maxSubjectPrices).map((price) => pricedBet(game, price)),
  };
}

/**
 * Reads the newest price of each side. Among several lines it is the most even one, among several books the best.
 * @param about the games themselves, or their players and questions
 */
async function newestPrices(
  database: Database,
  games: readonly StoredBetGame[],
  about: 'games' | 'subjects' = 'games',
): Promise<NewestPrice[]> {
  const { rows }: { rows: NewestPrice[] } = await database.raw(
    `select distinct on (game_id, subject, market, side) game_id as "gameId", market, subject, side, line_e3 as "lineE3",
       odds_american as "oddsAmerican", book, captured_at as "seenAt"
     from lines where game_id = any(?::bigint[]) and subject is ${about === 'games' ? '' : 'not '}null
     order by game_id, subject, market, side, captured_at desc,
       case when line_e3 is null then 0 else abs(odds_american + 110) end, odds_american desc, book`,
    [games.map(({ id }) => id)],
  );
  return rows;
}

export function wordsOf(
  { sport, game, away, home }: Pick<StoredBetGame, 'sport' | 'game' | 'away' | 'home'>,
  selection: Pick<OpenBet, 'market' | 'subject' | 'side' | 'line'>,
): string {
  return selectionWords({ sport, game, away: away.name, home: home.name, ...selection });
}

function pricedBet(game: StoredBetGame, { gameId: _, lineE3, ...price }: NewestPrice): PricedBet {
  const line = lineFromE3(lineE3);
  return { ...price, line, pick: wordsOf(game, { ...price, line }) };
}

function openGame(game: StoredBetGame, prices: readonly NewestPrice[]): OpenGame {
  const { sport, game: name, begins, day = null, away, home, moneylineWays } = game;
  const sides = {
    moneyline: ['away', 'home', ...(moneylineWays === 3 ? ['draw'] : [])],
    spread: ['away', 'home'],
    total: ['over', 'under'],
  };
  const unpriced = Object.entries(sides).flatMap(([market, all]) =>
    all
      .filter((side) => !prices.some((price) => price.market === market && price.side === side))
      .map((side) => ({ market, side })),
  );
  const order = (market: string) => (Object.keys(sides).indexOf(market) + 4) % 4;
  const bets = [
    ...prices.map((price) => {
      const { subject, ...bet } = pricedBet(game, price);
      return bet;
    }),
    ...unpriced.map((selection) => ({
      ...selection,
      line: null,
      pick: wordsOf(game, { ...selection, subject: null, line: null }),
      oddsAmerican: null,
      book: null,
      seenAt: null,
    })),
  ];
  return {
    sport,
    game: name,
    startsAt: begins,
    day,
    away: away.name,
    home: home.name,
    bets: bets.toSorted((one, other) => order(one.market) - order(other.market)),
  };
}

/** Reads the bets that a line of text can mean. `why` explains several bets or none, or adds a note to a single one. */
export function readOpenBets(
  text: string,
  open: readonly StoredBetGame[],
): { why: string | null; bets: { bet: BetReading; game: StoredBetGame }[] } {
  const found = readBetText(text, open);
  if (found.kind === 'refused') return { why: found.reason, bets: [] };
  const readings = found.kind === 'bet' ? [found.bet] : found.choices;
  const bets = readings.flatMap((bet) => {
    const game = open.find(
      ({ sport, game, startsAt }) => sport === bet.sport && game === bet.game && startsAt === bet.startsAt,
    );
    return game === undefined ? [] : [{ bet, game }];
  });
  const why = found.kind === 'choices' ? found.why : found.notes.join(' ');
  return { why: why === '' ? null : why, bets };
}

function openBet(
  bet: BetReading,
  { begins, day = null }: StoredBetGame,
  open: readonly StoredBetGame[],
): OpenBet & { words: string } {
  const { away: _, home: _home, ...selected } = bet;
  return { ...selected, startsAt: begins, day, pick: selectionWords(bet), words: numberedText(bet, open) };
}
