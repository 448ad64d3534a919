import { pairOf } from '../games/names/opponents.ts';
import { teamsOf } from '../games/names/teams.ts';
import type { PickBody, StartMovedBody } from '../proof/bodies.ts';

/** A game as the log names it, by live picks and by moves of its start. Instants in epoch milliseconds. */
export interface LoggedGame {
  /** Every start that it had, the present one last. */
  starts: number[];
  /** The earliest start that passed before it was moved: from then on the game takes no picks. */
  closedAt?: number;
  /** A settlement has shown that it has a result. */
  ended?: true;
}

/** Games by pair of opponents. */
export type LoggedGames = Record<string, LoggedGame[]>;

const day = 86_400_000;

/** Games that are over for so long are forgotten. */
const rememberedMs = 4 * day;

const keyOf = ({ sport, game }: { sport: string; game: string }) =>
  pairOf({ sport, name: game }, teamsOf(sport));

/** Follows a move of a start. */
export function followMove(games: LoggedGames, body: StartMovedBody): void {
  const announced = msOf(body.announced_start);
  const from = msOf(body.from);
  const to = msOf(body.to);
  const known = gamesOf(games, keyOf(body));
  let game = known.find(
    ({ starts }) => starts.includes(announced ?? Number.NaN) || starts.includes(from ?? Number.NaN),
  );
  if (game === undefined) {
    game = { starts: [announced, from].filter((start) => start !== null) };
    known.push(game);
  }
  if (from !== null && Date.parse(body.at) >= from)
    game.closedAt = Math.min(game.closedAt ?? Number.POSITIVE_INFINITY, from);
  if (to !== null) game.starts = [...game.starts.filter((start) => start !== to), to];
}

/**
 * Compares a live pick with the starts that the log names for its game and for other games of the pair, and notes its game
 * (docs/rules/provenance.md#before-the-start).
 * @returns what is wrong: after a start, or on a game that may have been made after one
 */
export function startFault(
  games: LoggedGames,
  body: PickBody,
): { kind: 'late' | 'pair'; message: string } | undefined {
  const start = msOf(body.starts_at);
  const postedAt = Date.parse(body.posted_at);
  const about = `pick ${body.uuid} of ${body.capper}`;
  if (start === null)
    return { kind: 'late', message: `${about} was posted live on a game that names no start` };
  const known = gamesOf(games, keyOf(body));
  const own = known.filter(({ starts }) => starts.includes(start));
  if (own.length === 0) {
    const rival = known
      .map((game) => ({ game, began: beganBy(game, postedAt) }))
      .find(isUndecided(body, start));
    known.push({ starts: [start] });
    if (rival === undefined) return undefined;
    return {
      kind: 'pair',
      message: `${about} is the first on ${body.sport}: ${body.game} (${body.starts_at}), and was posted at ${body.posted_at}, after the same opponents had begun at ${iso(rival.began!)} without a result: was this game announced before?`,
    };
  }
  // Two games of a pair may have had one start: then either may be the one that is meant.
  const closed = own.every(({ closedAt }) => closedAt !== undefined && postedAt >= closedAt);
  if (!closed) return undefined;
  return {
    kind: 'late',
    message: `${about} was posted at ${body.posted_at}, after ${iso(own[0]!.closedAt!)}, a start that its game had and that had passed`,
  };
}

/** Notes that the game of a pick has a result. */
export function noteResult(games: LoggedGames, body: PickBody): void {
  const start = msOf(body.starts_at);
  for (const game of gamesOf(games, keyOf(body)))
    if (start !== null && game.starts.includes(start)) game.ended = true;
}

/** Forgets games that started long ago. */
export function forgetGames(games: LoggedGames, now: number): void {
  for (const [key, list] of Object.entries(games)) {
    const recent = list.filter(({ starts }) => Math.max(...starts) > now - rememberedMs);
    if (recent.length === 0) delete games[key];
    else games[key] = recent;
  }
}

/** When a game had begun by an instant; undefined if it had not. */
function beganBy({ starts, closedAt }: LoggedGame, at: number): number | undefined {
  const began = closedAt ?? starts.at(-1);
  return began !== undefined && began <= at ? began : undefined;
}

/**
 * Of another game of the pair: it has begun, has no result, and is so near that it may be the same one. Teams that meet on consecutive
 * days have their next game a day later.
 */
function isUndecided({ sport }: PickBody, start: number) {
  const near = sport === 'mlb' ? day / 2 : 2 * day;
  return ({ game, began }: { game: LoggedGame; began: number | undefined }) =>
    began !== undefined && game.ended !== true && start - began <= near;
}

function gamesOf(games: LoggedGames, key: string): LoggedGame[] {
  if (!Object.hasOwn(games, key)) games[key] = [];
  return games[key]!;
}

const msOf = (at: string | null) => (at === null ? null : Date.parse(at));
const iso = (at: number) => new Date(at).toISOString();
