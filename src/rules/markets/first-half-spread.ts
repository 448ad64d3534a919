import type { Market } from './market.ts';
import { spread } from './spread.ts';

/** The spread of the first half, by the score at its end. */
export const firstHalfSpread: Market = {
  ...spread,
  name: 'first_half_spread',
  label: 'first-half spread',
  gradedBy: 'firstHalf',
  oddsApi: { ...spread.oddsApi, key: 'spreads_h1', featured: false, alternates: 'alternate_spreads_h1' },
};
