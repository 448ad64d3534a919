const hour = 3_600_000;

/** How one feed lists a game. Instants in epoch milliseconds. */
export interface Listing {
  source: string;
  /** Consecutive full answers without it; 0: listed. */
  missed: number;
  missedSince: number | null;
  seenAt: number;
}

/** How often, and for how long in ms, a feed must omit a game. */
export const missesToVanish = 3;
const vanishMs = hour;

/** Silence after which a feed says nothing about a game, in ms. */
const staleMs = 24 * hour;

/**
 * Judges a game that a feed has stopped listing: docs/rules/games.md#games-that-disappear. The game is checked again until the feed has
 * omitted it three times and for an hour. If another feed lists it, it stays; otherwise it is postponed.
 */
export function vanishedVerdict(
  listings: readonly Listing[],
  now: number,
): 'check again' | 'listed elsewhere' | 'postponed' {
  const gone = ({ missed, missedSince }: Listing) =>
    missed >= missesToVanish && missedSince !== null && now - missedSince >= vanishMs;
  const heard = listings.filter((listing) => listing.missed > 0 || now - listing.seenAt <= staleMs);
  if (!heard.some(gone)) return 'check again';
  if (heard.some(({ missed }) => missed === 0)) return 'listed elsewhere';
  return heard.every(gone) ? 'postponed' : 'check again';
}

/** Reports whether an answer omits so many games that it must be faulty. */
export function isPoorAnswer(missing: number, expected: number): boolean {
  return missing > 3 && missing > expected / 2;
}
