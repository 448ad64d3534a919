import type { Bodies, PickBody, StartMovedBody } from '../proof/bodies.ts';
import { joinTakesMs } from '../rules/starts.ts';
import { pairKey } from './pair.ts';

/** A game as live picks and moves of its start describe it. Instants in epoch milliseconds. */
export interface LoggedGame {
  /** All its starts, the current one last. */
  starts: number[];
  /** The earliest start that had passed when it was moved, or that a move set in the past. From then on the game takes no picks. */
  closedAt?: number;
  /** The earliest start that was moved before it came, by hand or at short notice. The log does not show whether the game really waited. */
  left?: { start: number; at: number; by: string };
  last?: { uuid: string; capper: string; at: number };
  ended?: true;
  joined?: { pair: string; start: number; at: number }[];
}

export type LoggedGames = Record<string, LoggedGame[]>;

const day = 86_400_000;

/** The database login of the process that reads providers: docs/security.md#database-logins. */
const provider = 'ingest';

/** Notice with which a provider's move of a start is beyond question, in milliseconds. */
const announcedAheadMs = 3_600_000;

/**
 * A contradiction between a pick and the start of its game. `late`: posted after a start. `pair`: the game may have been created after
 * another game of its opponents had started. `moved`: posted after a start that was moved before it came, which may be legitimate.
 */
export interface StartFault {
  kind: 'late' | 'pair' | 'moved';
  message: string;
}

/** Time after its start for which a game is remembered, in milliseconds: as long as its picks may wait for a settlement. */
const rememberedMs = 15 * day;

const keyOf = ({ sport, game }: { sport: string; game: string }) => pairKey(sport, game);

/** Processes a move of a start. @returns a fault if the last pick on the game was not posted before its new start */
export function followMove(games: LoggedGames, body: StartMovedBody): StartFault | undefined {
  const announced = msOf(body.announced_start);
  const from = msOf(body.from);
  const to = msOf(body.to);
  const at = Date.parse(body.at);
  const known = gamesOf(games, keyOf(body));
  let game = known.find(
    ({ starts }) => starts.includes(announced ?? Number.NaN) || starts.includes(from ?? Number.NaN),
  );
  if (game === undefined) {
    game = { starts: [announced, from].filter((start) => start !== null) };
    known.push(game);
  }
  if (from !== null && at >= from) close(game, from);
  else if (from !== null && (to === null || to > from) && isQuestionable(body, from))
    if (game.left === undefined || from < game.left.start) game.left = { start: from, at, by: body.by };
  if (to !== null) game.starts = [...game.starts.filter((start) => start !== to), to];
  if (to === null || to > at) return undefined;
  close(game, to);
  const { last } = game;
  if (last === undefined || last.at < to) return undefined;
  return {
    kind: 'late',
    message: `pick ${last.uuid} of ${last.capper} was posted at ${iso(last.at)}, and at ${body.at} ${body.by} said that ${body.sport}: ${body.game} had started at ${body.to}`,
  };
}

/** Processes a join of two games: for later picks on either, the earlier start holds. */
export function followJoin(games: LoggedGames, { sport, from, to, at }: Bodies['game_joined']): void {
  const ends = [from, to].map(({ game, announced_start }) => ({
    pair: pairKey(sport, game),
    start: msOf(announced_start),
  }));
  const [one, other] = ends as [(typeof ends)[0], (typeof ends)[0]];
  for (const [own, twin] of [
    [one, other],
    [other, one],
  ] as const) {
    // The log shows no start of a game that was announced for a day, except in its moves.
    if (own.start === null || twin.start === null) continue;
    const known = gamesOf(games, own.pair);
    let game = known.find(({ starts }) => starts.includes(own.start!));
    if (game === undefined) {
      game = { starts: [own.start] };
      known.push(game);
    }
    game.joined = [...(game.joined ?? []), { pair: twin.pair, start: twin.start, at: Date.parse(at) }];
  }
}

/** Returns the start of a game joined with this one before a pick that had passed by then; undefined if there is none. */
function twinBegan(games: LoggedGames, { joined = [] }: LoggedGame, postedAt: number): number | undefined {
  const began = joined.flatMap(({ pair, start, at }) => {
    if (at + joinTakesMs > postedAt) return [];
    const twins = gamesOf(games, pair).filter(({ starts }) => starts.includes(start));
    return twins.flatMap((twin) => beganBy(twin, postedAt) ?? []);
  });
  return began.length === 0 ? undefined : Math.min(...began);
}

function close(game: LoggedGame, start: number): void {
  game.closedAt = Math.min(game.closedAt ?? Number.POSITIVE_INFINITY, start);
}

function isQuestionable({ by, at }: StartMovedBody, from: number): boolean {
  return by !== provider || from - Date.parse(at) < announcedAheadMs;
}

/**
 * Compares a live pick with the known starts of its game and of other games of the pair (docs/rules/provenance.md#before-the-start).
 * Records the pick and its game.
 */
export function startFault(games: LoggedGames, body: PickBody): StartFault | undefined {
  const start = msOf(body.starts_at);
  const postedAt = Date.parse(body.posted_at);
  const about = `pick ${body.uuid} of ${body.capper}`;
  if (start === null) return { kind: 'late', message: `${about} was posted live on a game without a start` };
  const known = gamesOf(games, keyOf(body));
  const own = known.filter(({ starts }) => starts.includes(start));
  if (own.length === 0) {
    const rival = known
      .map((game) => ({ game, began: beganBy(game, postedAt) }))
      .find(isUndecided(body, start));
    known.push({ starts: [start], last: lastOf(body, postedAt) });
    if (rival === undefined) return undefined;
    return {
      kind: 'pair',
      message: `${about} is the first on ${body.sport}: ${body.game} (${body.starts_at}), and was posted at ${body.posted_at}, after the same opponents had begun at ${iso(rival.began!)} without a result: was this game announced before?`,
    };
  }
  for (const game of own)
    if (game.last === undefined || game.last.at < postedAt) game.last = lastOf(body, postedAt);
  // Two games of a pair may have shared a start. The pick may then be on either.
  if (own.every(({ closedAt }) => closedAt !== undefined && postedAt >= closedAt))
    return {
      kind: 'late',
      message: `${about} was posted at ${body.posted_at}, after ${iso(own[0]!.closedAt!)}, a start of its game that had already passed`,
    };
  const began = own.map((game) => twinBegan(games, game, postedAt));
  if (began.every((start) => start !== undefined))
    return {
      kind: 'late',
      message: `${about} was posted at ${body.posted_at}, after ${iso(began[0]!)}, the start of a game that its game had been joined with`,
    };
  if (!own.every(({ left }) => left !== undefined && postedAt >= left.start)) return undefined;
  const { start: before, at, by } = own[0]!.left!;
  return {
    kind: 'moved',
    message: `${about} was posted at ${body.posted_at}, after ${iso(before)}, a start of ${body.sport}: ${body.game} that ${by} had moved at ${iso(at)}: was the game really put off?`,
  };
}

/** Returns the known starts of a pick's game: the one in its body, those that it moved from or to, and those of games joined with it. */
export function startsIn(games: LoggedGames, body: PickBody): Set<number> {
  const start = msOf(body.starts_at);
  if (start === null) return new Set();
  const own = gamesOf(games, keyOf(body)).filter(({ starts }) => starts.includes(start));
  const twins = own.flatMap(({ joined = [] }) => joined.map((twin) => twin.start));
  return new Set([start, ...own.flatMap(({ starts }) => starts), ...twins]);
}

export function noteResult(games: LoggedGames, body: PickBody): void {
  const start = msOf(body.starts_at);
  for (const game of gamesOf(games, keyOf(body)))
    if (start !== null && game.starts.includes(start)) game.ended = true;
}

export function forgetGames(games: LoggedGames, now: number): void {
  for (const [key, list] of Object.entries(games)) {
    const recent = list.filter(({ starts }) => Math.max(...starts) > now - rememberedMs);
    if (recent.length === 0) delete games[key];
    else games[key] = recent;
  }
}

function beganBy({ starts, closedAt }: LoggedGame, at: number): number | undefined {
  const began = closedAt ?? starts.at(-1);
  return began !== undefined && began <= at ? began : undefined;
}

/**
 * Matches another game of the pair that has begun, has no result, and is so close that it may be the same one. In baseball, teams meet on
 * consecutive days.
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

const lastOf = ({ uuid, capper }: PickBody, at: number) => ({ uuid, capper, at });
export const msOf = (at: string | null) => (at === null ? null : Date.parse(at));
export const iso = (at: number) => new Date(at).toISOString();
