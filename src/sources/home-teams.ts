import type { Game } from '../games/game.ts';
import { confirmHomes, swapHomes } from '../games/home-team.ts';
import { isSwapped, type Teams } from '../games/names/teams.ts';
import type { Transaction } from '../platform/database.ts';
import type { Announced } from './source-events.ts';

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
