import { type Game, nameOf as identityOf } from '../games/game.ts';
import { confirmHomes, swapHomes, swappedRow } from '../games/home-team.ts';
import { areOneGame, gameTitle, isOnDay, isSwapped, type Teams } from '../games/names/teams.ts';
import type { GameRow } from '../intake/game.ts';
import type { LineRow } from '../intake/price.ts';
import { iso } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { finalScoreFault } from '../rules/units.ts';
import type { EventReport, LeftOutCounts, ReportedScore } from './answer.ts';
import type { Announced, ListedGame } from './source-events.ts';
import { type GameStatement, isEnd, speakerOf } from './source-scores.ts';
import { missesToVanish } from './vanished.ts';

/** How far a provider's clock may be ahead of the service's, in ms. */
const clockSkewMs = 120_000;

/** Returns the name and first announced start, or day, of a report's game; those of a new game if it has none. */
export function nameOf(
  event: Announced,
  teams: Teams,
  game: Game | undefined,
): Pick<GameRow, 'sport' | 'game' | 'startsAt' | 'day'> {
  if (game === undefined) {
    const when = event.day == null ? { startsAt: iso(event.startsAt) } : { day: event.day };
    return { sport: teams.sport, game: gameTitle(event, teams), ...when };
  }
  return identityOf(game);
}

/** Returns the move of a known game that a report announces. */
export function moveOf(event: EventReport, game: ListedGame | undefined, now: number): Partial<GameRow> {
  if (game === undefined) return {};
  if (beganEarlier(event, game, now)) return { status: 'scheduled', movedTo: iso(event.startsAt) };
  // The new start of a suspended game is when it resumes.
  if (event.state === 'postponed' || event.state === 'suspended') return {};
  if (event.state !== undefined && isEnd(event.state)) return {};
  if (event.score !== undefined && event.startsAt <= now) return {};
  // Listed again after its disappearance counted as a postponement.
  if ((game.missed ?? 0) >= missesToVanish && game.status === 'postponed')
    return { status: 'scheduled', ...(event.day == null ? { movedTo: iso(event.startsAt) } : {}) };
  if (!changesStart(event, game, now) || game.startsAt === event.startsAt) return {};
  if (game.status === 'final' || game.status === 'cancelled') return {};
  // After the start, only a postponement to a later start counts.
  if (game.startsAt !== null && game.startsAt <= now && event.startsAt <= now) return {};
  return { status: 'scheduled', movedTo: iso(event.startsAt) };
}

/**
 * Reports whether a report moves a game: the source changed its start, has one for a game known only by its day, or says that the game has
 * begun.
 */
export function changesStart(event: EventReport, game: ListedGame, now: number): boolean {
  const { listedStart, startsAt } = game;
  if (event.day != null) return false;
  if (startsAt === null || beganEarlier(event, game, now)) return true;
  return listedStart !== null && listedStart !== event.startsAt;
}

/** Reports whether a source has a game in progress or ended before the start known here. */
function beganEarlier({ state, score, day, startsAt }: EventReport, game: ListedGame, now: number): boolean {
  if (day != null || startsAt > now || game.startsAt === null || game.startsAt <= now) return false;
  if (game.status === 'final' || game.status === 'cancelled') return false;
  const hasBegun = ['in_progress', 'suspended', 'final'].includes(
    state ?? (score === undefined ? '' : 'final'),
  );
  return hasBegun && areOneGame(game.sport, game.startsAt, startsAt);
}

/** Returns a report's statement about a game's state. Returns none if the report cannot be about this start of the game. */
export function statementOf(
  source: string,
  event: EventReport,
  game: Game,
  teams: Teams,
  now: number,
  leftOut: LeftOutCounts,
): GameStatement[] {
  const { score, startsAt } = event;
  const state = event.state ?? (score === undefined ? undefined : 'final');
  if (state === undefined) return [];
  if (state === 'final' && startsAt > now) {
    leftOut.add('final score of a game that has not started');
    return [];
  }
  // A postponed event keeps its old start if its new one is another event.
  const isOther =
    game.startsAt !== null &&
    !(event.day == null
      ? areOneGame(game.sport, game.startsAt, startsAt)
      : isOnDay(game.sport, event.day, game.startsAt));
  if (isOther && state !== 'cancelled' && state !== 'final') return [];
  const isImpossible = state === 'final' && score !== undefined && isNoFinal(game.sport, score);
  if (isImpossible) leftOut.add(`final score: ${noFinal}`);
  const isScore = !isImpossible && (state === 'final' || state === 'suspended');
  const counted: Partial<ReportedScore> = isScore ? (score ?? {}) : {};
  const isHalf = counted.awayHalf !== undefined && counted.homeHalf !== undefined;
  const statement: GameStatement = {
    gameId: game.id,
    source: speakerOf(source),
    state,
    homeScore: counted.home ?? null,
    awayScore: counted.away ?? null,
    homeHalfScore: isHalf ? counted.homeHalf! : null,
    awayHalfScore: isHalf ? counted.awayHalf! : null,
    sets: counted.sets ?? null,
    played: counted.played ?? null,
    periodsE3: lineToE3(counted.periods ?? null),
    note: isImpossible ? noFinal : (event.note ?? null),
  };
  return [isSwapped(event, game.name, teams) ? swappedRow(statement) : statement];
}

const noFinal = 'impossible score';

/** Sports in which every game that is played out has a winner. */
const decided: ReadonlySet<string> = new Set(['nba', 'wnba', 'ncaab', 'ncaaf', 'nhl']);

/** Reports whether a source's score is that of no finished game: it is missing, still level, or in another unit. */
function isNoFinal(sport: string, { home, away, played }: ReportedScore): boolean {
  const isMissing = home === 0 && away === 0 && sport !== 'soccer' && sport !== 'mma';
  const isLevel = home === away && decided.has(sport) && played !== 'shortened';
  const score = { homeScore: home, awayScore: away, played: played ?? null };
  return isMissing || isLevel || finalScoreFault(sport, score) !== undefined;
}

/** Returns the prices of a report as rows of its game. Prices at or after the start, and from the future, are ignored and counted. */
export function linesOf(
  event: EventReport,
  game: Game,
  teams: Teams,
  now: number,
  leftOut: LeftOutCounts,
): LineRow[] {
  // Of a game without a time, only prices of earlier days are surely before the start.
  const start =
    event.day == null
      ? Math.min(event.startsAt, game.startsAt ?? event.startsAt)
      : (game.startsAt ?? event.startsAt);
  if (now >= start || game.status === 'final' || game.status === 'cancelled') {
    leftOut.add('price after the start', event.prices?.length ?? 0);
    return [];
  }
  const swapped = isSwapped(event, game.name, teams);
  return (event.prices ?? []).flatMap((price) => {
    if (price.capturedAt > now + clockSkewMs) {
      leftOut.add('price from the future');
      return [];
    }
    const capturedAt = iso(Math.min(price.capturedAt, now));
    const row = { ...nameOf(event, teams, game), subject: null, ...price, capturedAt };
    return [swapped ? swappedRow(row) : row];
  });
}

/** Minimum number of games that proves a feed's order of teams. */
const fewest = 2;

/**
 * Applies a feed's learned order of teams to events whose home team is a guess. The order is learned from events whose games have a known
 * home team (docs/rules/games.md#home-and-away).
 * @returns the events, and whether an order was learned
 */
export function inLearnedOrder<E extends Announced>(
  events: readonly E[],
  gameOf: (event: E) => Game | undefined,
  teams: Teams,
): { events: E[]; isLearned: boolean } {
  const evidence = events.filter((event) => event.homeGuessed && gameOf(event)?.homeKnown === true);
  const swapped = evidence.filter((event) => isSwapped(event, gameOf(event)!.name, teams)).length;
  const isAwayFirst = swapped >= fewest && swapped > evidence.length / 2;
  return {
    events: isAwayFirst
      ? events.map((event) => (event.homeGuessed ? { ...event, away: event.home, home: event.away } : event))
      : [...events],
    isLearned: isAwayFirst || evidence.length - swapped >= fewest,
  };
}

/**
 * Swaps the teams of games without a known home team that these events name the other way round, if nothing depends on them. Home teams
 * that the events know become known.
 * @returns the renamed games, with new names by id
 */
export async function settleHomes<E extends Announced>(
  transaction: Transaction,
  pairs: readonly { event: E; game: Game }[],
  isLearned: boolean,
  teams: Teams,
): Promise<Map<number, string>> {
  const unknown = pairs.filter(({ event, game }) => !game.homeKnown && (!event.homeGuessed || isLearned));
  const [swapped, same] = [true, false].map((wanted) =>
    unknown.filter(({ event, game }) => isSwapped(event, game.name, teams) === wanted),
  ) as [typeof unknown, typeof unknown];
  await confirmHomes(
    transaction,
    same.filter(({ event }) => !event.homeGuessed).map(({ game }) => game.id),
  );
  return swapHomes(
    transaction,
    swapped
      .filter(({ game }) => !same.some((one) => one.game.id === game.id))
      .map(({ event, game }) => ({ game, known: !event.homeGuessed })),
  );
}
