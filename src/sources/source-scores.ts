import { type Game, type GameRow, gameColumns } from '../games/game.ts';
import { iso, isoOrNull } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { suspendedUntil } from '../rules/grading.ts';
import { sourceOf, sources } from './index.ts';
import { readRuns, type SourceRun } from './runs.ts';
import type { Source } from './source.ts';
import { type Said, type Verdict, verdictOn } from './verdict.ts';

/** What a source says of a game now. */
export type Saying = Omit<Said, 'saidAt'> & { gameId: number };

/** The source that speaks in a feed; what no source has any more speaks for itself. */
export function speakerOf(feed: string): string {
  return sourceOf(feed)?.name ?? feed;
}

/**
 * Remembers what a source says of games. That a game is scheduled is remembered only of one of which it has said something else.
 * @param now epoch milliseconds
 * @returns those that are not what it said before
 */
export async function recordSayings(
  transaction: Transaction,
  sayings: readonly Saying[],
  now: number,
): Promise<Saying[]> {
  if (sayings.length === 0) return [];
  // Two events of one game: the last one counts.
  const last = [...new Map(sayings.map((saying) => [saying.gameId, saying])).values()];
  const given = last.map((saying) => ({
    game_id: saying.gameId,
    source: saying.source,
    state: saying.state,
    home_score: saying.homeScore,
    away_score: saying.awayScore,
    home_half_score: saying.homeHalfScore,
    away_half_score: saying.awayHalfScore,
    sets: saying.sets,
    played: saying.played,
    periods_e3: saying.periodsE3,
    note: saying.note,
  }));
  const { rows }: { rows: { game_id: number }[] } = await transaction.raw(
    `insert into source_scores as s (${fields}, said_at)
     select ${fields}, :now from json_to_recordset(:given) as r (game_id bigint, source text, state text, home_score int, away_score int,
       home_half_score int, away_half_score int, sets set_games, played extent, periods_e3 int, note text)
     where r.state <> 'scheduled'
       or exists (select from source_scores o where o.game_id = r.game_id and o.source = r.source)
     on conflict (game_id, source) do update set state = excluded.state, home_score = excluded.home_score,
       away_score = excluded.away_score, home_half_score = excluded.home_half_score,
       away_half_score = excluded.away_half_score, sets = excluded.sets, played = excluded.played, periods_e3 = excluded.periods_e3,
       note = excluded.note, said_at = excluded.said_at
     where (s.state, s.home_score, s.away_score, s.home_half_score, s.away_half_score, s.sets, s.played, s.periods_e3)
       is distinct from (excluded.state, excluded.home_score, excluded.away_score, excluded.home_half_score,
         excluded.away_half_score, excluded.sets, excluded.played, excluded.periods_e3)
     returning game_id`,
    { given: JSON.stringify(given), now: new Date(now) },
  );
  const changed = new Set(rows.map(({ game_id }) => game_id));
  return last.filter(({ gameId }) => changed.has(gameId));
}

const fields =
  'game_id, source, state, home_score, away_score, home_half_score, away_half_score, sets, played, periods_e3, note';

/** Forgets what was said of games at a start that they no longer have. */
export async function forgetEarlierStarts(
  transaction: Transaction,
  gameIds: readonly number[],
): Promise<void> {
  if (gameIds.length === 0) return;
  await transaction('source_scores')
    .whereIn('game_id', [...gameIds])
    .whereIn('state', ['scheduled', 'delayed', 'suspended', 'postponed'])
    .delete();
}

/** A game that has not ended here, of which some source says that it ended, or that it is suspended for too long. */
export interface Weighed {
  game: Game;
  saids: readonly Said[];
  verdict: Verdict;
}

/**
 * Weighs what is said of games that have not ended here.
 * @param gameIds those games alone. Default: all of which some source says that they ended
 * @param now epoch milliseconds
 */
export async function weighSayings(
  database: Database,
  now: number,
  gameIds?: readonly number[],
): Promise<Weighed[]> {
  const ended = database('source_scores')
    .whereIn('state', ['final', 'cancelled', 'suspended'])
    .modify((query) => void (gameIds === undefined ? query : query.whereIn('game_id', [...gameIds])))
    .select('game_id');
  const rows: (Game & { saids: (Omit<Said, 'saidAt'> & { saidAt: string })[]; feeds: string[] })[] =
    await database('games as g')
      .whereIn('g.id', ended)
      .whereNotIn('g.status', ['final', 'cancelled'])
      .orderBy('g.id')
      .select(gameColumns)
      .select(
        database.raw(
          `(select json_agg(json_build_object('source', s.source, 'state', s.state, 'homeScore', s.home_score,
           'awayScore', s.away_score, 'homeHalfScore', s.home_half_score, 'awayHalfScore', s.away_half_score,
           'sets', s.sets, 'played', s.played, 'periodsE3', s.periods_e3, 'note', s.note, 'saidAt', s.said_at) order by s.source) from source_scores s where s.game_id = g.id) as saids`,
        ),
        database.raw(
          `coalesce((select json_agg(distinct e.source) from source_events e where e.game_id = g.id), '[]') as feeds`,
        ),
      );
  if (rows.length === 0) return [];
  const free = freeScoreFeeds((await readRuns(database, '')).values());
  const weighed = rows.map(({ saids: said, feeds, ...game }): Weighed => {
    const saids = said.map((one): Said => ({ ...one, saidAt: Date.parse(one.saidAt) }));
    const silent = feeds.filter(
      (feed) =>
        free.has(feed) && !saids.some(({ source, state }) => source === speakerOf(feed) && isEnd(state)),
    );
    // A game may have been resumed while a source that called it suspended could not be asked.
    const isKnown = ({ source, state }: Said) =>
      state !== 'suspended' || feeds.some((feed) => free.has(feed) && speakerOf(feed) === source);
    const until =
      game.announcedStart === null || !saids.every(isKnown) ? null : suspendedUntil(game.announcedStart);
    return { game, saids, verdict: verdictOn(saids, silent.length > 0, now, until) };
  });
  return weighed.filter(
    ({ verdict, saids }) => verdict.verdict !== 'none' || saids.some(({ state }) => isEnd(state)),
  );
}

/**
 * Feeds that report scores for free and are well, as `source_events` names them: the score of a game with an event of one of them need not
 * be bought. A feed `espn/nba` has the runs `espn/nba/schedule` and `espn/nba/scores`.
 */
export function freeScoreFeeds(
  runs: Iterable<Pick<SourceRun, 'source' | 'ok' | 'succeededAt' | 'nextAt'>>,
): Set<string> {
  const all = [...runs];
  const free: readonly Source[] = sources.filter(({ offers }: Source) => offers.scores?.credits === 0);
  return new Set(
    free.flatMap(({ name }) => {
      const own = all.filter(({ source }) => source === name || source.startsWith(`${name}/`));
      const account = own.find(({ source }) => source === name);
      if (account?.ok === false) return [];
      const feeds = new Set(
        own.filter((run) => run !== account).map(({ source }) => source.replace(/\/[^/]+$/, '')),
      );
      return [...feeds].filter((feed) => {
        const parts = own.filter(({ source }) => source.startsWith(`${feed}/`));
        // One that failed and has nothing to ask any more is tried again with the next game.
        return (
          parts.every(({ ok, nextAt }) => ok || nextAt === null) &&
          parts.some(({ succeededAt }) => succeededAt !== null)
        );
      });
    }),
  );
}

/** Whether a state is the last one of a game. */
export function isEnd(state: Said['state']): boolean {
  return state === 'final' || state === 'cancelled';
}

/**
 * What a source says of a game, as a row that ends it.
 * @param finalAt epoch milliseconds. Default: when it is stored
 */
export function endRow(game: Game, said: Omit<Said, 'saidAt'>, finalAt?: number): GameRow {
  const name = { sport: game.sport, game: game.name, startsAt: isoOrNull(game.announcedStart) };
  if (said.state === 'cancelled') return { ...name, status: 'cancelled' };
  const { homeScore, awayScore, homeHalfScore, awayHalfScore, played } = said;
  return {
    ...{ ...name, status: 'final', homeScore, awayScore, homeHalfScore, awayHalfScore, played },
    sets: said.sets as [number, number][] | null,
    periods: lineFromE3(said.periodsE3),
    ...(finalAt === undefined ? {} : { finalAt: iso(finalAt) }),
  };
}

const keptMs = 30 * 86_400_000;

/** Deletes what was said of games that ended, 30 days after the last word. @param now epoch milliseconds */
export async function trimSayings(database: Database, now: number): Promise<void> {
  await database('source_scores')
    .where('said_at', '<', new Date(now - keptMs))
    .whereExists(
      database('games as g')
        .whereRaw('g.id = source_scores.game_id')
        .whereIn('g.status', ['final', 'cancelled']),
    )
    .delete();
}
