import { sourceOf } from './index.ts';

/** What readers miss when a feed fails or leaves something out, the worst first. */
export const impacts = ['results', 'games', 'prices'] as const;
export type Impact = (typeof impacts)[number];

/** What is missing by reasons of leaving out. Of other reasons nothing is: what they leave out belongs to no game here, or comes again. */
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

/** What is missing because of a reason; undefined for one that takes nothing from readers. */
export function impactOf(reason: string): Impact | undefined {
  if (reason.startsWith('final score: ')) return 'results';
  return Object.hasOwn(byReason, reason) ? byReason[reason] : undefined;
}

const byOffer = { schedule: 'games', prices: 'prices', scores: 'results' } as const;

/** What is missing while a feed fails; that of an account stops all that its source offers. */
export function impactsOfFailure(feed: string): Impact[] {
  const source = sourceOf(feed);
  if (source?.name === feed)
    return (Object.keys(source.offers) as (keyof typeof byOffer)[]).map((offer) => byOffer[offer]);
  if (/\/(?:scores|boxes)$/.test(feed)) return ['results'];
  return [/\/(?:odds|event-odds|history)$/.test(feed) ? 'prices' : 'games'];
}
