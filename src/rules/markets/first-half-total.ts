import type { Market } from './market.ts';
import { total } from './total.ts';

/** The total of the first half, by the score at its end. */
export const firstHalfTotal: Market = {
  ...total,
  name: 'first_half_total',
  label: 'first-half total',
  gradedBy: 'firstHalf',
  oddsApi: { ...total.oddsApi, key: 'totals_h1', featured: false, alternates: 'alternate_totals_h1' },
};
