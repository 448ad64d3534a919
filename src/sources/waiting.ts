import type { Database } from '../platform/database.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { marketSides } from '../rules/markets/index.ts';
import type { ScoreName } from '../rules/markets/market.ts';
import type { Played } from '../rules/played.ts';
import { gradingScoreName } from '../rules/units.ts';
import type { GameStatus } from '../rules/vocabulary.ts';
import { sourceOf } from './index.ts';
import type { Source } from './source.ts';
import { weighSayings } from './source-scores.ts';
import { missesToVanish } from './vanished-rule.ts';
import { saidText } from './verdict.ts';

/** Requests for the score of one event, after which no more are made. */
export const maxScoreAsks = 24;

/** A game that picks wait for, and why. Instants in epoch milliseconds. */
export interface WaitingGame {
  sport: string;
  name: string;
  startsAt: number | null;
  status: GameStatus;
  /** It has ended, or should have by now. */
  over: boolean;
  selections: WaitingSelection[];
  reasons: string[];
}

/** Pending picks on one selection. */
export interface WaitingSelection {
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  picks: number;
  /** What would settle them. */
  needs: string;
}

interface Row extends Pick<WaitingGame, 'sport' | 'name' | 'startsAt' | 'status' | 'over'> {
  id: number;
  homeScore: number | null;
  awayScore: number | null;
  halfIsKnown: boolean;
  setsAreKnown: boolean;
  played: Played | null;
  feeds: { source: string; missed: number; asks: number; seenAt: string }[];
  /** What sources say that is the end without a score to grade by. */
  unscored: { source: string; note: string | null }[];
}

interface SelectionRow extends Omit<WaitingSelection, 'line' | 'needs'> {
  gameId: number;
  lineE3: number | null;
}

/**
 * Games with pending picks that have ended, are overdue, postponed or no longer listed, the longest waiting first.
 * @param options.status only games of this status; default: all
 * @param options.limit the most games; default: all
 */
export async function readWaiting(
  database: Database,
  now: number,
  { status, limit }: { status?: GameStatus; limit?: number } = {},
): Promise<WaitingGame[]> {
  const { rows: games }: { rows: Row[] } = await database.raw(
    `select * from (
       select g.id, g.sport, g.name, g.starts_at as "startsAt", g.status, g.home_score as "homeScore", g.away_score as "awayScore",
         g.home_half_score is not null as "halfIsKnown", g.sets is not null as "setsAreKnown", g.played,
         g.status in ('final', 'cancelled') or coalesce(g.starts_at + s.event_minutes * interval '1 minute' < :now, false) as over,
         (select coalesce(json_agg(json_build_object('source', e.source, 'missed', e.missed, 'asks', e.score_asks, 'seenAt', e.seen_at)
            order by e.source), '[]') from source_events e where e.game_id = g.id) as feeds,
         (select coalesce(json_agg(json_build_object('source', c.source, 'note', c.note) order by c.source), '[]')
          from source_scores c where c.game_id = g.id and c.state = 'final' and c.home_score is null) as unscored
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
  return games.map((game): WaitingGame => {
    const { sport, name, startsAt, status, over, feeds, unscored } = game;
    const waiting = (selections.get(game.id) ?? []).map(({ gameId: _, lineE3, ...selection }) => ({
      ...selection,
      line: lineFromE3(lineE3),
      needs: whatSettles(game, selection),
    }));
    const dispute = disputes.get(game.id);
    return {
      ...{ sport, name, startsAt, status, over, selections: waiting },
      reasons: [
        ...reasonsOf(game, feeds),
        ...unscored.map(unscoredReason),
        ...(dispute === undefined ? [] : [`sources disagree: ${dispute}`]),
      ],
    };
  });
}

async function waitingSelections(database: Database, gameIds: readonly number[]): Promise<SelectionRow[]> {
  const { rows }: { rows: SelectionRow[] } = await database.raw(
    `select p.game_id as "gameId", p.market, p.subject, p.side, p.line_e3 as "lineE3", count(*)::int as picks
     from pending_picks q join picks p on p.id = q.pick_id where q.game_id = any(?::bigint[])
     group by p.game_id, p.market, p.subject, p.side, p.line_e3
     order by p.game_id, p.market, p.subject nulls first, p.side, p.line_e3`,
    [[...gameIds]],
  );
  return rows;
}

/** What sources say of games about which they contradict each other, by game. */
async function disputesOf(
  database: Database,
  gameIds: readonly number[],
  now: number,
): Promise<Map<number, string>> {
  return new Map(
    (await weighSayings(database, now, gameIds)).flatMap(({ game, verdict }) =>
      verdict.verdict === 'disagree' ? [[game.id, verdict.saids.map(saidText).join(', ')] as const] : [],
    ),
  );
}

/** What picks need where the score that grades their market is not known. */
const neededScores: Readonly<Record<ScoreName, string>> = {
  final: 'a final score',
  firstHalf: 'the score of the first half, or a result event',
  sets: 'the games of each set, or a result event',
};

type KnownFacts = 'halfIsKnown' | 'setsAreKnown' | 'played';

/** What would settle picks of a market and side: docs/rules/grading.md#waiting-picks */
export function whatSettles(
  { sport, status, halfIsKnown, setsAreKnown, played }: Pick<Row, 'sport' | 'status' | KnownFacts>,
  { market, side }: Pick<WaitingSelection, 'market' | 'side'>,
): string {
  if (status === 'cancelled') return 'the grading worker: the game is canceled';
  const score = gradingScoreName(market, sport);
  if (score === null || marketSides(market, 3)?.includes(side) !== true) return 'a result event';
  if (status === 'final' && played === 'shortened' && score !== 'firstHalf')
    return 'a result event: the game was shortened';
  const isKnown = status === 'final' && { final: true, firstHalf: halfIsKnown, sets: setsAreKnown }[score];
  return isKnown ? 'the grading worker: the score is known' : neededScores[score];
}

function unscoredReason({ source, note }: Row['unscored'][0]): string {
  return `${source} says that it is over, without a score to grade by${note === null ? '' : ` (${note})`}: post its result`;
}

function reasonsOf(
  {
    sport,
    status,
    over,
    homeScore,
    awayScore,
  }: Pick<Row, 'sport' | 'status' | 'over' | 'homeScore' | 'awayScore'>,
  feeds: Row['feeds'],
): string[] {
  if (status === 'final') return [`final ${awayScore}-${homeScore}`];
  if (status === 'cancelled') return ['canceled'];
  const reasons = feeds.flatMap(({ source, missed, asks }) => [
    ...(missed > 0
      ? [`${source} has left it out ${missed} times${missed < missesToVanish ? ', looked at again' : ''}`]
      : []),
    ...(asks >= maxScoreAsks
      ? [`${source} was asked ${asks} times for the score, and is asked no more`]
      : []),
  ]);
  if (status === 'postponed') return ['postponed: void 48 hours after the first announced start', ...reasons];
  if (!over) return reasons;
  if (feeds.length === 0) return ['over without a result, and no source lists it: post its result'];
  if (!feeds.some(({ source }) => hasScores(source, sport)))
    return [
      `over without a result, and no source that lists it has scores of ${sport}: post its result`,
      ...reasons,
    ];
  return ['over without a result', ...reasons];
}

function hasScores(feed: string, sport: string): boolean {
  const source: Source | undefined = sourceOf(feed);
  const sports = source?.offers.scores?.sports;
  return sports === 'set' || sports?.includes(sport) === true;
}
