import { pairsOf, readStarts, readTwins, type StartedGame } from '../../games/starts.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { blockingStart, passedStarts, undecidedMs } from '../../rules/starts.ts';

/** Selects recent games of the same sports that started without a final result and were announced no later than the newest given game. */
const undecided = `
  select id from games where status <> 'final' and sport in (select sport from mine)
    and starts_at > :since and starts_at <= least(:now, (select max(announced_at) from mine))
  union all
  select game_id from start_moves where from_start <= at and from_start > :since`;

/**
 * Finds games that are closed to live picks because of a start that has passed (docs/rules/games.md#a-start-that-has-passed).
 * @param ids ids of locked games
 * @returns the reasons by game id
 */
export async function closedGames(
  database: Database,
  ids: readonly number[],
  now: EpochMs,
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const games = await readStarts(
    database,
    `with mine as (select id, sport, announced_at from games where id = any(cast(:ids as bigint[])))
     select id from mine union ${undecided}`,
    { ids: [...ids], now: new Date(now), since: new Date(now - undecidedMs) },
  );
  const mine = new Set(ids);
  const joined = await readTwins(
    database,
    games.flatMap((game) => (game.joined && mine.has(game.id) ? game.id : [])),
  );
  const others = games.filter(
    (game) => game.finalAt === null && passedStarts(game, now).some(({ at }) => at > now - undecidedMs),
  );
  const pairOf = others.length === 0 ? undefined : await pairsOf(database, games);
  const reasons = new Map<number, string>();
  for (const game of games) {
    if (!mine.has(game.id)) continue;
    const rivals =
      pairOf === undefined
        ? []
        : others.filter((other) => other.id !== game.id && pairOf(other) === pairOf(game));
    const twins = (joined.get(game.id) ?? []).map((twin) => twin.game);
    const reason = reasonOf(game, twins, rivals, now);
    if (reason !== undefined) reasons.set(game.id, reason);
  }
  return reasons;
}

/**
 * @param twins games that it was joined with: the earliest start holds
 * @param rivals other games of the same opponents without a final result
 */
function reasonOf(
  game: StartedGame,
  twins: readonly StartedGame[],
  rivals: readonly StartedGame[],
  now: number,
): string | undefined {
  if (game.startsAt === null)
    return 'the game has no start yet: it takes picks once a source or the operator gives its time';
  const [passed] = [game, ...twins].flatMap((each) => passedStarts(each, now));
  if (passed !== undefined)
    return `the game started at ${iso(passed.start)}: if it is played later, post it as a new game with its new start`;
  for (const rival of rivals) {
    const blocking = blockingStart(rival, game, now);
    if (blocking !== undefined)
      return `another game of the same opponents started at ${iso(blocking.start)}, before this one was announced, and has no final result: post its result first`;
  }
  return undefined;
}
