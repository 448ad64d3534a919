import { compareAmerican } from './odds.ts';

/** A range of odds, both ends included; `null` is an open end. */
export interface OddsBand {
  fromOdds: number | null;
  toOdds: number | null;
}

/** Bands of odds, from the shortest to the longest. Closed bands are about 4 to 8 percentage points of implied probability wide. */
export const oddsBands: readonly OddsBand[] = [
  { fromOdds: null, toOdds: -301 },
  { fromOdds: -300, toOdds: -201 },
  { fromOdds: -200, toOdds: -151 },
  { fromOdds: -150, toOdds: -121 },
  { fromOdds: -120, toOdds: -101 },
  { fromOdds: -100, toOdds: 120 },
  { fromOdds: 121, toOdds: 150 },
  { fromOdds: 151, toOdds: 200 },
  { fromOdds: 201, toOdds: 300 },
  { fromOdds: 301, toOdds: null },
];

/** Returns the index in {@link oddsBands} of the band of a price. */
export function oddsBandOf(american: number): number {
  return oddsBands.findIndex(({ toOdds }) => toOdds === null || compareAmerican(american, toOdds) <= 0);
}

/** A range of stakes in units, `toUnits` excluded; `null` is an open end. */
export interface StakeBand {
  fromUnits: number | null;
  toUnits: number | null;
}

export const stakeBands: readonly StakeBand[] = [
  { fromUnits: null, toUnits: 1 },
  { fromUnits: 1, toUnits: 2 },
  { fromUnits: 2, toUnits: 3 },
  { fromUnits: 3, toUnits: 5 },
  { fromUnits: 5, toUnits: null },
];

/** Returns the index in {@link stakeBands} of the band of a stake in ten-thousandths. */
export function stakeBandOf(stakeE4: number): number {
  return stakeBands.findIndex(({ toUnits }) => toUnits === null || stakeE4 < 10_000 * toUnits);
}
