import { etInstant } from './et-day.ts';
import { type Tier, tierRank } from './vocabulary.ts';

/** A pending pick on today's slate whose game has not started. */
export interface PickOfTheDayCandidate {
  pickUuid: string;
  /** The displayed Confidence Index, with 1 decimal. */
  index: number;
  /** The tier at post time. */
  tier: Tier;
  /** Epoch milliseconds. */
  postedAt: number;
}

/** Returns the earliest time for choosing an ET date's Pick of the Day: 09:00 ET. */
export function pickOfTheDayFrom(day: string): number {
  return etInstant(day, 9);
}

/**
 * Returns the Pick of the Day among candidates, `null` if there are none: the highest Confidence Index, then the better tier, then the
 * earliest `postedAt`, then the lowest UUID.
 */
export function choosePickOfTheDay<C extends PickOfTheDayCandidate>(candidates: Iterable<C>): C | null {
  let chosen: C | null = null;
  for (const candidate of candidates)
    if (chosen === null || compareCandidates(candidate, chosen) < 0) chosen = candidate;
  return chosen;
}

function compareCandidates(a: PickOfTheDayCandidate, b: PickOfTheDayCandidate): number {
  return (
    b.index - a.index ||
    tierRank(a.tier) - tierRank(b.tier) ||
    a.postedAt - b.postedAt ||
    (a.pickUuid < b.pickUuid ? -1 : Number(a.pickUuid > b.pickUuid))
  );
}
