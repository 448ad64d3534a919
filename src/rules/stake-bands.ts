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
