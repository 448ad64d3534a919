import { ownValue } from '../rules/own-value.ts';
import { sourceOf } from './index.ts';

/** Data that readers miss if a feed fails or an answer is incomplete, worst first. */
export const impacts = ['results', 'games', 'prices'] as const;
export type Impact = (typeof impacts)[number];

/** Missing data by reason of an ignored part. Other reasons take nothing from readers: such parts belong to no game here, or come again. */
const byReason: Readonly<Record<string, Impact>> = {
  'unknown state': 'results',
  'final score of a game that has not started': 'results',
  'unknown team': 'games',
  'names no two opponents': 'games',
  'no exact start': 'games',
  'unreadable event': 'games',
  'unreadable game': 'games',
  'unreadable box score': 'results',
  'unreadable bookmaker': 'prices',
  'unreadable market': 'prices',
  'unknown market': 'prices',
  'market without the time of its prices': 'prices',
  'market with an unknown outcome': 'prices',
  'market with an unknown line': 'prices',
  'price that is not in American odds': 'prices',
  'contest without a price of each side': 'prices',
};

/** Returns the data missing because of a reason; undefined if none is. */
export function impactOf(reason: string): Impact | undefined {
  if (reason.startsWith('final score: ')) return 'results';
  return ownValue(byReason, reason);
}

const byOffer = { schedule: 'games', prices: 'prices', scores: 'results' } as const;

/** Returns the data missing while a feed fails. A failing account stops everything that its source offers. */
export function impactsOfFailure(feed: string): Impact[] {
  const source = sourceOf(feed);
  if (source?.name === feed)
    return (Object.keys(source.offers) as (keyof typeof byOffer)[]).map((offer) => byOffer[offer]);
  if (/\/(?:scores|boxes|past)$/.test(feed)) return ['results'];
  return [/\/(?:odds|event-odds|history)$/.test(feed) ? 'prices' : 'games'];
}
