import { iso } from '../platform/clock.ts';
import { truthOf } from './outcome.ts';
import { picksOn } from './picks.ts';
import { isClosing, pricesOf } from './prices.ts';
import { extrasOf } from './props.ts';
import { type Random, randomOf, whole } from './random.ts';
import type { DemoGame, GameName } from './rows.ts';
import { type DemoSport, startsEvery } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Time from a game's first row to its start, in milliseconds. */
export const announcedBefore = 24 * hour;
/** Time from the move of a start to the announced start, in milliseconds. */
const movedBefore = 5 * hour;
/** Maximum time from a game's announced start to its last row, in milliseconds. */
export const settledWithin = 10 * hour;

/** Generates a game from its announcement to the final score. The same sport and slot give the same game. */
export function demoGame(sport: DemoSport, slot: number): DemoGame {
  const random = (purpose: string) => randomOf(`${sport.key}/${slot}/${purpose}`);
  // Sports with one game a day take turns.
  const turn = whole(randomOf(sport.key), 0, Math.max(1, sport.every / startsEvery) - 1) * startsEvery;
  const announced = (Math.floor((slot * sport.every) / startsEvery) * startsEvery + turn) * minute;
  const pairs = pairsOf(sport);
  const pair = pairs[((slot % pairs.length) + pairs.length) % pairs.length]!;
  const [home, away] = random('sides')() < 0.5 ? pair : ([pair[1], pair[0]] as const);
  const name: GameName = { sport: sport.key, game: `${away} @ ${home}`, startsAt: iso(announced) };
  const startsAt = announced + moveOf(random('move'));
  const truth = truthOf(sport.scoring, random('outcome'));
  const finalAt = startsAt + (sport.minutes + whole(random('length'), -8, 8)) * minute;
  const extras = extrasOf(sport, { name, home, away, finalAt }, random('props'));
  const contests = [...truth.contests, ...extras.contests];
  const offers = pricesOf({ ...truth, contests }, startsAt, random('prices'));
  const rows: DemoGame = {
    games: [{ at: announced - announcedBefore, row: { ...name, status: 'scheduled' } }],
    lines: offers.map(({ edge: _, at, ...price }) => ({
      at,
      row: { ...name, ...price, capturedAt: iso(at), closing: isClosing(at, startsAt) },
    })),
    picks: [],
    results: extras.results,
    stats: extras.stats,
  };
  if (startsAt !== announced)
    rows.games.push({
      at: announced - movedBefore,
      row: { ...name, status: 'scheduled', movedTo: iso(startsAt) },
    });
  const until = Math.min(announced, startsAt);
  rows.picks = picksOn({ name, startsAt, until, offers, labels: extras.labels }, random('picks'));
  const fate = random('fate')();
  if (fate < 0.015) {
    // A game that is not played has no statistics or results.
    [rows.results, rows.stats] = [[], []];
    rows.games.push(
      fate < 0.006
        ? { at: startsAt, row: { ...name, status: 'postponed' } }
        : { at: finalAt, row: { ...name, status: 'cancelled', finalAt: iso(finalAt) } },
    );
    return rows;
  }
  rows.games.push({ at: finalAt, row: { ...name, status: 'final', ...truth.score, finalAt: iso(finalAt) } });
  return rows;
}

type Pair = readonly [string, string];

/**
 * Returns every pair of a sport's sides, in the order of their games. Each round has every side once, so games at one time have no side in
 * common, and a pair meets again only after all others have, days later: while one of its games is undecided, another takes no picks
 * (docs/rules/games.md#games-of-one-pair).
 */
function pairsOf({ key, sides }: DemoSport): readonly Pair[] {
  // The circle method: one side stays, and the others move on by one place a round.
  const [first, ...others] = shuffled(sides, randomOf(`${key}/pairs`));
  return others.flatMap((_, round) => {
    const circle = [first!, ...others.slice(round), ...others.slice(0, round)];
    return circle.slice(0, circle.length / 2).map((side, place): Pair => [side, circle.at(-1 - place)!]);
  });
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((each) => ({ each, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each);
}

/** Returns by how much a game's start moves, in milliseconds. Few do: each such start is a step of its own. */
function moveOf(random: Random): number {
  return random() < 0.02 ? hour : 0;
}
