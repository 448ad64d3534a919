const hour = 3_600_000;

/**
 * How far apart two announced starts of one game may be, in milliseconds. In baseball two teams may meet twice on a day; elsewhere two
 * opponents meet once within half a day.
 */
export function similarStartMs(sport: string): number {
  return sport === 'mlb' ? 3 * hour : 12 * hour;
}

/** Closer than this two starts are never those of two games of the same opponents, in milliseconds. */
export function minimumGapMs(sport: string): number {
  return sport === 'mlb' ? 2 * hour : 12 * hour;
}
