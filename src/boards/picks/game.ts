import { type Game, gameColumns, gamesJoined } from '../../games/game.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { gameGroups } from '../../projections/groups.ts';
import type { PriceRow } from '../../rules/closing-snapshot.ts';
import type { Group } from '../../rules/consensus.ts';
import type { GameStatus } from '../../rules/vocabulary.ts';
import { type BoardContext, NotFound } from '../endpoint.ts';
import { type PublicPick, publicPick } from '../pick.ts';

const maxPrices = 3000;

export interface GameView {
  id: number;
  sport: string;
  game: string;
  startsAt: string | null;
  day: string | null;
  status: GameStatus;
  score: Score | null;
  /** The first-half score; null if the result has none. */
  halfScore: Score | null;
  sides: SideCount[];
  /** Sides on which two or more sharp cappers agree, regardless of when they posted. */
  groups: Group[];
  priced: MarketAbout[];
}

/** A market and its subject, which is null if the market is about the game itself. */
export interface MarketAbout {
  market: string;
  subject: string | null;
}

export interface SideCount extends MarketAbout {
  side: string;
  count: number;
}

export function sideCounts(database: BoardContext['database'], games: readonly number[]) {
  return database('board_picks')
    .whereRaw('game_id = any(?::bigint[])', [[...games]])
    .groupBy('market', 'subject', 'side')
    .orderByRaw('market collate "C", subject collate "C" nulls first, side collate "C"')
    .select<SideCount[]>('market', 'subject', 'side', database.raw('count(*)::int'));
}

export interface Score {
  away: number;
  home: number;
}

/** A game that was joined into another is that game. @throws NotFound */
export async function readGame(
  { database }: Pick<BoardContext, 'database'>,
  number: number,
): Promise<GameView> {
  const id = (await gamesJoined(database, [number])).get(number)?.id ?? number;
  const row: Game | undefined = await database('games as g').where('g.id', id).first(gameColumns);
  if (row === undefined) throw new NotFound(`There is no game number ${id}. Search for one of its teams.`);
  const [sides, groups, priced] = await Promise.all([
    sideCounts(database, [id]),
    gameGroups(database, id),
    database('lines')
      .where('game_id', id)
      .groupBy('market', 'subject')
      .orderByRaw('market collate "C", subject collate "C" nulls first')
      .select<MarketAbout[]>('market', 'subject'),
  ]);
  return {
    id,
    sport: row.sport,
    game: row.name,
    startsAt: isoOrNull(row.startsAt),
    day: row.day,
    status: row.status,
    score: scoreOf(row.awayScore, row.homeScore),
    halfScore: scoreOf(row.awayHalfScore, row.homeHalfScore),
    sides,
    groups,
    priced,
  };
}

function scoreOf(away: number | null, home: number | null): Score | null {
  return away === null || home === null ? null : { away, home };
}

/** Latest first. @param after number of picks to skip */
export async function gamePicks(
  { database, baseUrl }: Pick<BoardContext, 'database' | 'baseUrl'>,
  id: number,
  {
    market,
    subject,
    side,
  }: { market?: string | undefined; subject?: string | undefined; side?: string | undefined },
  limit: number,
  after = 0,
): Promise<PublicPick[]> {
  const rows: BoardPick[] = await boardPicks(database)
    .where('p.game_id', id)
    .modify((query) => {
      if (market !== undefined) query.where('p.market', market);
      if (subject !== undefined) query.where('p.subject', subject);
      if (side !== undefined) query.where('p.side', side);
    })
    .orderBy(newestFirst)
    .offset(after)
    .limit(limit);
  return rows.map((row) => publicPick(row, baseUrl));
}

const priceColumns = 'book side line_e3 odds_american captured_at closing';

/** The latest ones, oldest first. */
export async function gamePrices(
  database: BoardContext['database'],
  id: number,
  { market, subject }: MarketAbout,
): Promise<PriceRow[]> {
  const rows: PriceRow[] = await database('lines')
    .where({ game_id: id, market })
    .whereRaw('subject is not distinct from ?::text', [subject])
    .orderBy('captured_at', 'desc')
    .limit(maxPrices)
    .select(inCamelCase(priceColumns));
  return rows.reverse();
}

export interface MarketPrice extends MarketAbout, PriceRow {}

/** Returns the first and the last prices of each book in every market of a game, oldest first. */
export function gameOdds(database: BoardContext['database'], id: number): Promise<MarketPrice[]> {
  const ends = database.raw(
    `(select *, min(captured_at) over book as first_at, max(captured_at) over book as last_at
       from lines where game_id = ? window book as (partition by market, subject, book)) l`,
    [id],
  );
  return database
    .from(ends)
    .whereRaw('captured_at in (first_at, last_at)')
    .orderBy(['captured_at', 'id'])
    .select<MarketPrice[]>('market', 'subject', inCamelCase(priceColumns));
}

export interface BoxScoreRow extends MarketAbout {
  figure: number;
}

export async function gameBoxScore(database: BoardContext['database'], id: number): Promise<BoxScoreRow[]> {
  return database('settlements as s')
    .join('board_picks as b', 'b.pick_id', 's.pick_id')
    .where('b.game_id', id)
    .whereNotNull('s.stat_value_e3')
    .distinct<BoxScoreRow[]>(
      'b.subject',
      'b.market',
      database.raw('(s.stat_value_e3 / 1000.0)::float8 as figure'),
    )
    .orderBy(['b.subject', 'b.market']);
}
