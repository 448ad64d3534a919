import { takeLock } from '../../migrations/locks.ts';
import { type Game, gameColumns, nameOf } from '../games/game.ts';
import { applyGames, type GameRow } from '../intake/game.ts';
import { followLogJob, gradeDueJob, planClosings, seal } from '../jobs/declared.ts';
import { type Outcome, ok } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { type Clock, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { suspendedUntil } from '../rules/grading.ts';
import { sourceOf, sources } from './index.ts';
import { readRuns, type SourceRun } from './runs.ts';
import type { Source } from './source.ts';
import { type FullAnswer, noteVanished } from './vanished.ts';
import { type EventState, type Statement, type Verdict, verdictOn } from './verdict.ts';

/** A source's current statement about a game. */
export type GameStatement = Omit<Statement, 'saidAt'> & { gameId: number };

/** Returns the source of a feed; an unknown feed is its own source. */
export function speakerOf(feed: string): string {
  return sourceOf(feed)?.name ?? feed;
}

/**
 * Stores a source's statements about games. The state `scheduled` is stored only if the source reported another state before.
 * @returns those that differ from the source's previous statement
 */
export async function recordStatements(
  transaction: Transaction,
  statements: readonly GameStatement[],
  now: EpochMs,
): Promise<GameStatement[]> {
  if (statements.length === 0) return [];
  // If two events have one game, the one that got furthest counts: the other one's id is a former one.
  const ordered = statements.toSorted((a, b) => courses.indexOf(a.state) - courses.indexOf(b.state));
  const last = [...new Map(ordered.map((statement) => [statement.gameId, statement])).values()];
  const given = last.map((statement) =>
    Object.fromEntries(columns.map(([field, column]) => [column, statement[field]])),
  );
  const compared = names.filter((name) => !['game_id', 'source', 'note'].includes(name));
  const { rows }: { rows: { game_id: number }[] } = await transaction.raw(
    `insert into source_scores as s (${names}, said_at)
     select ${names}, :now from json_to_recordset(:given) as r (${columns.map(([, name, type]) => `${name} ${type}`)})
     where r.state <> 'scheduled'
       or exists (select from source_scores o where o.game_id = r.game_id and o.source = r.source)
     on conflict (game_id, source) do update set (${compared}, note, said_at)
       = (${compared.map((name) => `excluded.${name}`)}, excluded.note, excluded.said_at)
     where (${compared.map((name) => `s.${name}`)}) is distinct from (${compared.map((name) => `excluded.${name}`)})
     returning game_id`,
    { given: JSON.stringify(given), now: new Date(now) },
  );
  const changed = new Set(rows.map(({ game_id }) => game_id));
  return last.filter(({ gameId }) => changed.has(gameId));
}

/** States in the order of a game's course. */
const courses: readonly EventState[] = [
  'cancelled',
  'postponed',
  'scheduled',
  'delayed',
  'in_progress',
  'suspended',
  'final',
];

/** The stored fields of a statement, with their columns and types. */
const columns = [
  ['gameId', 'game_id', 'bigint'],
  ['source', 'source', 'text'],
  ['state', 'state', 'text'],
  ['homeScore', 'home_score', 'int'],
  ['awayScore', 'away_score', 'int'],
  ['homeHalfScore', 'home_half_score', 'int'],
  ['awayHalfScore', 'away_half_score', 'int'],
  ['sets', 'sets', 'set_games'],
  ['played', 'played', 'extent'],
  ['periodsE3', 'periods_e3', 'int'],
  ['note', 'note', 'text'],
] as const satisfies [keyof GameStatement, string, string][];
const names = columns.map(([, name]) => name);

/** Deletes statements about a previous start of games. */
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

/** A game that has not ended in the ledger, although a source reports it as ended or suspended for too long. */
export interface UnendedGame {
  game: Game;
  statements: readonly Statement[];
  verdict: Verdict;
}

/**
 * Weighs the statements about games that have not ended here.
 * @param gameIds only these games. Default: all that some source reports as ended
 */
export async function weighStatements(
  database: Database,
  now: EpochMs,
  gameIds?: readonly number[],
): Promise<UnendedGame[]> {
  const ended = database('source_scores')
    .whereIn('state', ['final', 'cancelled', 'suspended'])
    .modify((query) => void (gameIds === undefined ? query : query.whereIn('game_id', [...gameIds])))
    .select('game_id');
  const rows: (Game & { statements: (Omit<Statement, 'saidAt'> & { saidAt: string })[]; feeds: string[] })[] =
    await database('games as g')
      .whereIn('g.id', ended)
      .whereNotIn('g.status', ['final', 'cancelled'])
      .orderBy('g.id')
      .select(gameColumns)
      .select(
        database.raw(
          `(select json_agg(json_build_object('saidAt', s.said_at, ${columns.map(([field, name]) => `'${field}', s.${name}`)}) order by s.source)
            from source_scores s where s.game_id = g.id) as statements`,
        ),
        database.raw(
          `coalesce((select json_agg(distinct e.source) from source_events e where e.game_id = g.id), '[]') as feeds`,
        ),
      );
  if (rows.length === 0) return [];
  const free = freeScoreFeeds((await readRuns(database, '')).values());
  const unended = rows.map(({ statements: stored, feeds, ...game }): UnendedGame => {
    const statements = stored.map((one): Statement => ({ ...one, saidAt: Date.parse(one.saidAt) }));
    const silent = feeds.filter(
      (feed) =>
        free.has(feed) && !statements.some(({ source, state }) => source === speakerOf(feed) && isEnd(state)),
    );
    // A game may have resumed while a source that called it suspended was unreachable.
    const isKnown = ({ source, state }: Statement) =>
      state !== 'suspended' || feeds.some((feed) => free.has(feed) && speakerOf(feed) === source);
    const until =
      game.announcedStart === null || !statements.every(isKnown) ? null : suspendedUntil(game.announcedStart);
    return { game, statements, verdict: verdictOn(statements, silent.length > 0, now, until) };
  });
  return unended.filter(
    ({ verdict, statements }) => verdict.verdict !== 'none' || statements.some(({ state }) => isEnd(state)),
  );
}

/**
 * Returns healthy feeds with free scores, as `source_events` names them: a score that one of them covers need not be bought. A feed
 * `espn/nba` has the runs `espn/nba/schedule` and `espn/nba/scores`.
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
        // A failed feed with nothing to request is retried with the next game.
        return (
          parts.every(({ ok, nextAt }) => ok || nextAt === null) &&
          parts.some(({ succeededAt }) => succeededAt !== null)
        );
      });
    }),
  );
}

/** Reports whether a state ends a game. */
export function isEnd(state: Statement['state']): boolean {
  return state === 'final' || state === 'cancelled';
}

/**
 * Turns a statement into a row that ends a game.
 * @param finalAt Default: when it is stored
 */
export function endRow(game: Game, statement: Omit<Statement, 'saidAt'>, finalAt?: EpochMs): GameRow {
  const name = nameOf(game);
  if (statement.state === 'cancelled') return { ...name, status: 'cancelled' };
  const { homeScore, awayScore, homeHalfScore, awayHalfScore, played } = statement;
  return {
    ...name,
    status: 'final',
    homeScore,
    awayScore,
    homeHalfScore,
    awayHalfScore,
    played,
    sets: statement.sets as [number, number][] | null,
    periods: lineFromE3(statement.periodsE3),
    ...(finalAt === undefined ? {} : { finalAt: iso(finalAt) }),
  };
}

const keptMs = 30 * 86_400_000;

/** Deletes statements about ended games 30 days after the last one. @param now */
export async function trimStatements(database: Database, now: EpochMs): Promise<void> {
  await database('source_scores')
    .where('said_at', '<', new Date(now - keptMs))
    .whereExists(
      database('games as g')
        .whereRaw('g.id = source_scores.game_id')
        .whereIn('g.status', ['final', 'cancelled']),
    )
    .delete();
}

/** Changes to games by what sources say of them. */
export interface AppliedStates {
  postponed: number;
  finals: number;
  cancelled: number;
  corrections: number;
}

/** Ends games on which the sources agree by now, after waiting for a second source or for time to pass. */
export function settleStatements(database: Database, now: number): Promise<AppliedStates> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    return applyStates(transaction, [], undefined, now);
  });
}

/**
 * Applies what changed in a source's statements about games, and ends those on which the sources agree. For a game that has ended, a
 * contradiction becomes a correction.
 * @param games the games to weigh, including those of `changed`. Default: all that some source reports as ended
 */
export async function applyStates(
  transaction: Transaction,
  changed: readonly GameStatement[],
  games: readonly Game[] | undefined,
  now: number,
): Promise<AppliedStates> {
  const byId = new Map(games?.map((game) => [game.id, game]));
  const reported = changed.flatMap((statement): GameRow[] => {
    const game = byId.get(statement.gameId)!;
    const row = endRow(game, statement);
    if (game.status === 'final' || game.status === 'cancelled')
      return statement.state === 'cancelled' || (statement.state === 'final' && statement.homeScore !== null)
        ? [row]
        : [];
    if (statement.state === 'postponed') return [{ ...row, status: 'postponed' }];
    return game.status === 'postponed' && !isEnd(statement.state) ? [{ ...row, status: 'scheduled' }] : [];
  });
  const unended = await weighStatements(
    transaction,
    now,
    games?.map(({ id }) => id),
  );
  const settled = unended.flatMap(({ game, verdict }) =>
    verdict.verdict === 'take' ? [endRow(game, verdict.statement, verdict.finalAt)] : [],
  );
  const rows = [...reported, ...settled];
  const { outcomes, corrections } = await applyGames(transaction, rows, { now, imported: false });
  await recordNotices(transaction, 'correction', corrections, now);
  const updated = (status: GameRow['status']) =>
    rows.filter((row, index) => row.status === status && outcomes[index]?.outcome === 'updated').length;
  return {
    postponed: updated('postponed'),
    finals: updated('final'),
    cancelled: updated('cancelled'),
    corrections: corrections.length,
  };
}

interface SettleDeps {
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/** Ends games on which the sources agree by now, and deletes statements about games that ended long ago. */
export async function settle({ database, clock, enqueue }: SettleDeps): Promise<Outcome> {
  const now = clock.now();
  const taken = await settleStatements(database, now);
  await notifyWorkers(enqueue, taken);
  await trimStatements(database, now);
  return ok({ ...taken });
}

/** Enqueues the work that follows from an answer. Workers would otherwise find it a little later. A moved start moves the closing. */
export async function notifyWorkers(
  enqueue: Pick<Enqueue, 'add'>,
  taken: AppliedStates & { added?: number; moved?: number; prices?: number },
): Promise<void> {
  const { added = 0, moved = 0, prices = 0, postponed, finals, cancelled, corrections } = taken;
  if (moved + added > 0) await enqueue.add(planClosings, {});
  if (moved + postponed + finals + cancelled + prices > 0) await enqueue.add(gradeDueJob, {});
  if (moved + postponed + cancelled > 0) await enqueue.add(followLogJob, {});
  if (corrections > 0) await enqueue.add(seal, {});
}

/** Notes the games that a full answer omits, and enqueues the work that follows. @returns the number of postponed games */
export async function noteFull(
  { database, enqueue }: Pick<SettleDeps, 'database' | 'enqueue'>,
  source: string,
  answer: FullAnswer,
  now: number,
): Promise<number> {
  const postponed = await noteVanished(database, source, answer, now);
  // Each one adds a remark to the log.
  await notifyWorkers(enqueue, { postponed, finals: 0, cancelled: 0, corrections: postponed });
  return postponed;
}
