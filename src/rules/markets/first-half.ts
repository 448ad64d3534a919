import type { Market } from './market.ts';
import { moneyline } from './moneyline.ts';
import { spread } from './spread.ts';
import { total } from './total.ts';

/** Returns a market of the first half, graded by the score at its end. Its names are those of the whole game's, beside a word for the half. */
function firstHalf(whole: Market): Market {
  const { key, alternates } = whole.oddsApi;
  return {
    ...whole,
    name: `first_half_${whole.name}`,
    label: `first-half ${whole.label}`,
    words: '',
    gradedBy: 'firstHalf',
    oddsApi: {
      ...whole.oddsApi,
      key: `${key}_h1`,
      featured: false,
      alternates: alternates === null ? null : `${alternates}_h1`,
    },
  };
}

export const firstHalfMoneyline = firstHalf(moneyline);
export const firstHalfSpread = firstHalf(spread);
export const firstHalfTotal = firstHalf(total);
