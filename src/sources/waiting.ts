import { type Game, gameColumns } from '../games/game.ts';
import { nearPlayers } from '../games/names/players.ts';
import { isAboutPlayer } from '../games/subjects.ts';
import type { Database } from '../platform/database.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { gradeByScore } from '../rules/grading.ts';
import { marketSides } from '../rules/markets/index.ts';
import type { MoneylineWays, ScoreName } from '../rules/markets/market.ts';
import type { PlayerStats } from '../rules/markets/player-markets.ts';
import { distanceOf } from '../rules/played.ts';
import { gradeByStats, isGradedByStats, missingStats } from '../rules/player-grading.ts';
import { gradingScoreName } from '../rules/units.ts';
import type { GameStatus } from '../rules/vocabulary.ts';
import { sourceOf } from './index.ts';
import { weighStatements } from './source-scores.ts';
import { missesToVanish } from './vanished.ts';
import { statementText } from './verdict.ts';

/** Maximum number of requests for the score of one event. */
export const maxScoreAsks = 24;

/** A game with pending picks, and why they wait. Instants in epoch milliseconds. */
export interface WaitingGame {
  id: number;
  sport: string;
  name: string;
  startsAt: number | null;
  day: string | null;
  status: GameStatus;
  /** Whether it has ended, or should have by now. */
  over: boolean;
  selections: WaitingSelection[];
  reasons: string[];
}

export interface WaitingSelection {
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  picks: number;
  /** The missing data that would settle them. */
  needs: string;
}

interface Row extends Game, Pick<WaitingGame, 'over'> {
  moneylineWays: MoneylineWays;
  feeds: { source: string; missed: number; asks: number; seenAt: string }[];
  /** Statements of sources that report an end without a score to grade by, or a suspension. */
  unscored: { source: string; state: 'final' | 'suspended'; note: string | null }[];
}

export interface SelectionRow extends Omit<WaitingSelection, 'line' | 'needs'> {
  gameId: number;
  lineE3: number | null;
}

const selected = Object.entries(gameColumns)
  .map(([as, column]) => `${column} as "${as}"`)
  .join(', ');

/**
 * Returns games with pending picks that have ended, are overdue, postponed, or omitted by sources, longest wait first.
 * @param options.status only games of this status; default: all
 * @param options.limit maximum number; default: all
 */
export async function readWaiting(
  database: Database,
  now: number,
  { status, limit }: { status?: GameStatus; limit?: number } = {},
): Promise<WaitingGame[]> {
  const { rows: games }: { rows: Row[] } = await database.raw(
    `select * from (
       select ${selected}, s.moneyline_ways as "moneylineWays",
         g.status in ('final', 'cancelled') or coalesce(g.starts_at + s.event_minutes * interval '1 minute' < :now, false) as over,
         (select coalesce(json_agg(json_build_object('source', e.source, 'missed', e.missed, 'asks', e.score_asks, 'seenAt', e.seen_at)
            order by e.source), '[]') from source_events e where e.game_id = g.id) as feeds,
         (select coalesce(json_agg(json_build_object('source', c.source, 'state', c.state, 'note', c.note) order by c.source), '[]')
          from source_scores c where c.game_id = g.id and g.status in ('scheduled', 'postponed')
            and (c.state = 'suspended' or (c.state = 'final' and c.home_score is null))) as unscored
       from (select distinct game_id from pending_picks) p
       join games g on g.id = p.game_id join sports s on s.key = g.sport
       where g.status = coalesce(:status, g.status)
     ) w
     where over or status = 'postponed' or exists (select from json_array_elements(feeds) f where (f ->> 'missed')::int > 0)
     order by "startsAt" nulls first, sport, name, id limit :limit`,
    { now: new Date(now), status: status ?? null, limit: limit ?? null },
  );
  const ids = games.map(({ id }) => id);
  const selections = Map.groupBy(await waitingSelections(database, ids), ({ gameId }) => gameId);
  const disputes = await disputesOf(database, ids, now);
  const players = await readPlayers(database, ids);
  return games.map((game): WaitingGame => {
    const { id, sport, name, startsAt, day, status, over, unscored } = game;
    const waiting = (selections.get(game.id) ?? []).map(({ gameId: _, ...selection }) => {
      const { lineE3, ...rest } = selection;
      return {
        ...rest,
        line: lineFromE3(lineE3),
        needs: whatSettles(game, selection, players.get(`${game.id}/${selection.subject}`)),
      };
    });
    const dispute = disputes.get(game.id);
    return {
      id,
      sport,
      name,
      startsAt,
      day,
      status,
      over,
      selections: waiting,
      reasons: [
        ...reasonsOf(game),
        ...unscored.map(unscoredReason),
        ...(dispute === undefined ? [] : [`sources disagree: ${dispute}`]),
      ],
    };
  });
}

/** A player's known statistics in a game, and why a box score lacks others. */
interface KnownPlayer {
  stats: PlayerStats;
  gaps: readonly string[];
}

/** By `game/subject`. */
type Players = ReadonlyMap<string, KnownPlayer>;

async function readPlayers(database: Database, gameIds: readonly number[]): Promise<Players> {
  const { rows }: { rows: { gameId: number; subject: string; stats: PlayerStats; gaps: string[] }[] } =
    await database.raw(
      `select s.game_id as "gameId", s.subject,
         (select coalesce(json_object_agg(t.stat, t.value_e3 / 1000.0), '{}') from stats t
          where t.game_id = s.game_id and t.subject = s.subject) as stats,
         (select coalesce(json_agg(b.source || ': ' || b.reason order by b.source), '[]') from stat_gaps b
          where b.game_id = s.game_id and b.subject = s.subject) as gaps
       from (select distinct game_id, subject from pending_picks where game_id = any(?::bigint[]) and subject is not null) s`,
      [[...gameIds]],
    );
  return new Map(rows.map(({ gameId, subject, ...known }) => [`${gameId}/${subject}`, known]));
}

/** A player with pending picks in an upcoming game whose price list does not name them. */
export interface UnpricedPlayer {
  gameId: number;
  sport: string;
  name: string;
  startsAt: EpochMs;
  player: string;
  picks: number;
  /** Players of the price list whom the name can mean in another spelling, nearest first. */
  near: string[];
}

/** Returns players with pending picks whom the price list of their game and market does not name, soonest game first. */
export async function readUnpriced(database: Database, now: number): Promise<UnpricedPlayer[]> {
  type Row = Omit<UnpricedPlayer, 'near'> & { markets: string[]; priced: string[] };
  const { rows }: { rows: Row[] } = await database.raw(
    `select p.game_id as "gameId", g.sport, g.name, extract(epoch from g.starts_at) * 1000 as "startsAt", p.subject as player,
       count(*)::int as picks, array_agg(distinct p.market::text) as markets,
       array(select distinct l.subject::text from lines l where l.game_id = p.game_id and l.market = any(array_agg(p.market)) and l.subject is not null) as priced
     from pending_picks q join picks p on p.id = q.pick_id join games g on g.id = p.game_id
     where p.subject is not null and g.status = 'scheduled' and g.starts_at > :now
       and not exists (select from lines l where l.game_id = p.game_id and l.subject = p.subject)
     group by p.game_id, g.sport, g.name, g.starts_at, p.subject order by g.starts_at, g.name, p.game_id, p.subject`,
    { now: new Date(now) },
  );
  return rows.flatMap(({ markets, priced, startsAt, ...row }) =>
    priced.length === 0 || !markets.every(isAboutPlayer)
      ? []
      : {
          ...row,
          startsAt: Number(startsAt),
          near: nearPlayers(
            row.player,
            priced.map((each) => ({ names: [each] })),
          ),
        },
  );
}

/** The selections of games with pending picks. */
export async function waitingSelections(
  database: Database,
  gameIds: readonly number[],
): Promise<SelectionRow[]> {
  const { rows }: { rows: SelectionRow[] } = await database.raw(
    `select p.game_id as "gameId", p.market, p.subject, p.side, p.line_e3 as "lineE3", count(*)::int as picks
     from pending_picks q join picks p on p.id = q.pick_id where q.game_id = any(?::bigint[])
     group by p.game_id, p.market, p.subject, p.side, p.line_e3
     order by p.game_id, p.market, p.subject nulls first, p.side, p.line_e3`,
    [[...gameIds]],
  );
  return rows;
}

/** Returns the contradicting statements about games, by game. */
async function disputesOf(
  database: Database,
  gameIds: readonly number[],
  now: number,
): Promise<Map<number, string>> {
  return new Map(
    (await weighStatements(database, now, gameIds)).flatMap(({ game, verdict }) =>
      verdict.verdict === 'disagree'
        ? [[game.id, verdict.statements.map(statementText).join(', ')] as const]
        : [],
    ),
  );
}

/** Names the data that would settle picks whose score is unknown. */
const neededScores: Readonly<Record<ScoreName, string>> = {
  final: 'a final score',
  firstHalf: 'the score of the first half, or a result event',
  sets: 'the games of each set, or a result event',
};

/** Returns what would settle picks on a selection: docs/operations.md#waiting-picks */
function whatSettles(
  game: Row,
  selection: Pick<SelectionRow, 'market' | 'side' | 'lineE3'>,
  player: KnownPlayer = { stats: {}, gaps: [] },
): string {
  if (game.status === 'cancelled') return 'the grading worker: the game is canceled';
  if (isGradedByStats(game.sport, selection.market)) return whatSettlesPlayer(game, selection, player);
  const isFinal = game.status === 'final';
  if (isFinal && gradeByScore({ ...game, ...selection }) !== null)
    return 'the grading worker: the score is known';
  const score = gradingScoreName(selection.market, game.sport);
  if (score === null || marketSides(selection.market, 3)?.includes(selection.side) !== true)
    return 'a result event';
  const isKnown = { final: isFinal, firstHalf: game.homeHalfScore !== null, sets: game.sets !== null };
  if (!isFinal || !isKnown[score]) return neededScores[score];
  return distanceOf(game) === 'unknown' ? 'how much was played, or a result event' : 'a result event';
}

/** Names the statistics that a finished game lacks, and why a box score does not have them. */
function whatSettlesPlayer(
  game: Row,
  selection: Pick<SelectionRow, 'market' | 'side' | 'lineE3'>,
  { stats, gaps }: KnownPlayer,
): string {
  const statistics = 'the statistics of the player, or a result event';
  if (game.status !== 'final') return statistics;
  const missing = missingStats(game.sport, selection.market, stats);
  if (missing.length > 0) return [statistics, `missing: ${missing.join(', ')}`, ...gaps].join('; ');
  if (gradeByStats({ ...game, ...selection, stats }) !== null)
    return 'the grading worker: the statistics are known';
  return distanceOf(game) === 'unknown' ? 'how much was played, or a result event' : 'a result event';
}

function unscoredReason({ source, state, note }: Row['unscored'][0]): string {
  if (state === 'suspended')
    return `${source} says that it is suspended: final as far as played, 48 hours after the first announced start`;
  return `${source} says that it is over, without a score to grade by${note === null ? '' : ` (${note})`}: post its result`;
}

function reasonsOf({ sport, status, over, homeScore, awayScore, feeds }: Row): string[] {
  if (status === 'final') return [`final ${awayScore}-${homeScore}`];
  if (status === 'cancelled') return ['canceled'];
  const reasons = feeds.flatMap(({ source, missed, asks }) => [
    ...(missed > 0
      ? [`${source} has omitted it ${missed} times${missed < missesToVanish ? ', checked again' : ''}`]
      : []),
    ...(asks >= maxScoreAsks ? [`${asks} requests to ${source} brought no score: no more are made`] : []),
  ]);
  if (status === 'postponed') return ['postponed: void 48 hours after the first announced start', ...reasons];
  if (!over) return reasons;
  if (feeds.length === 0) return ['over without a result, and no source lists it: post its result'];
  if (!feeds.some(({ source }) => sourceOf(source)?.offers.scores?.hasSport(sport)))
    return [
      `over without a result, and no source that lists it has scores of ${sport}: post its result`,
      ...reasons,
    ];
  return ['over without a result', ...reasons];
}
