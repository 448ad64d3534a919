import type { Game } from '../games/game.ts';
import { confirmHomes, turnGames } from '../games/home-team.ts';
import { isSwapped, type Teams } from '../games/names/teams.ts';
import type { Transaction } from '../platform/database.ts';
import type { Announced } from './match.ts';

/** How many games have to show that a feed names the away team first. */
const fewest = 2;

/**
 * Reads the events whose home team is a guess as most of them prove to be meant: by those whose games somebody else has named
 * (docs/rules/games.md#home-and-away).
 * @returns the events, and whether the order of teams was learnt
 */
export function inLearntOrder<E extends Announced>(
  events: readonly E[],
  gameOf: (event: E) => Game | undefined,
  teams: Teams,
): { events: E[]; isLearnt: boolean } {
  const told = events.filter((event) => event.homeGuessed && gameOf(event)?.homeKnown === true);
  const turned = told.filter((event) => isSwapped(event, gameOf(event)!.name, teams)).length;
  const isAwayFirst = turned >= fewest && turned > told.length / 2;
  return {
    events: isAwayFirst
      ? events.map((event) => (event.homeGuessed ? { ...event, away: event.home, home: event.away } : event))
      : [...events],
    isLearnt: isAwayFirst || told.length - turned >= fewest,
  };
}

/**
 * Turns the games whose home team is not known and that these events name the other way round, where nothing rests on them; what the events
 * know is known from now on.
 * @returns the games with another name, by id
 */
export async function settleHomes<E extends Announced>(
  transaction: Transaction,
  pairs: readonly { event: E; game: Game }[],
  isLearnt: boolean,
  teams: Teams,
): Promise<Map<number, string>> {
  const unknown = pairs.filter(({ event, game }) => !game.homeKnown && (!event.homeGuessed || isLearnt));
  const [swapped, same] = [true, false].map((wanted) =>
    unknown.filter(({ event, game }) => isSwapped(event, game.name, teams) === wanted),
  ) as [typeof unknown, typeof unknown];
  await confirmHomes(
    transaction,
    same.filter(({ event }) => !event.homeGuessed).map(({ game }) => game.id),
  );
  return turnGames(
    transaction,
    swapped
      .filter(({ game }) => !same.some((one) => one.game.id === game.id))
      .map(({ event, game }) => ({ game, known: !event.homeGuessed })),
  );
}
