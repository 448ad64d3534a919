const hour = 3_600_000;

/** What one feed says of a game by listing it or not. Instants in epoch milliseconds. */
export interface Listing {
  source: string;
  /** Full answers in a row without it; 0: listed. */
  missed: number;
  missedSince: number | null;
  seenAt: number;
}

/** How often, and for how long, a feed must have left a game out. */
export const missesToVanish = 3;
const vanishMs = hour;

/** A feed that has not been heard of for this long says nothing of a game. */
const staleMs = 24 * hour;

/**
 * What becomes of a game that a feed no longer lists: docs/rules/games.md#games-that-disappear. It is looked at again until the feed has left it
 * out three times and for an hour; another feed that lists it stands by it; otherwise it is postponed.
 */
export function vanishedVerdict(
  listings: readonly Listing[],
  now: number,
): 'look again' | 'listed elsewhere' | 'postponed' {
  const gone = ({ missed, missedSince }: Listing) =>
    missed >= missesToVanish && missedSince !== null && now - missedSince >= vanishMs;
  const heard = listings.filter((listing) => listing.missed > 0 || now - listing.seenAt <= staleMs);
  if (!heard.some(gone)) return 'look again';
  if (heard.some(({ missed }) => missed === 0)) return 'listed elsewhere';
  return heard.every(gone) ? 'postponed' : 'look again';
}

/** Reports whether an answer that leaves so many out is a poor answer rather than news of games. */
export function isPoorAnswer(missing: number, expected: number): boolean {
  return missing > 3 && missing > expected / 2;
}
