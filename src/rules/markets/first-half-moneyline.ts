import type { Market } from './market.ts';
import { moneyline } from './moneyline.ts';

/** The moneyline of the first half, by the score at its end. */
export const firstHalfMoneyline: Market = {
  ...moneyline,
  name: 'first_half_moneyline',
  label: 'first-half moneyline',
  gradedBy: 'firstHalf',
  oddsApi: { ...moneyline.oddsApi, key: 'h2h_h1', featured: false },
};
