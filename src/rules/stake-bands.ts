/** Stakes from one, included, up to another, not included, in units; `null` is an open end. */
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

/** The band of a stake in ten-thousandths, by its place among {@link stakeBands}. */
export function stakeBandOf(stakeE4: number): number {
  return stakeBands.findIndex(({ toUnits }) => toUnits === null || stakeE4 < 10_000 * toUnits);
}
