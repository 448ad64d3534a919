import { Type } from '../../platform/type.ts';
import type { Tally } from '../../rules/tally.ts';
import type { Window } from '../../rules/vocabulary.ts';
import { rankedYield } from '../../rules/yield.ts';
import { board } from '../board.ts';
import { optionalDelay } from '../params.ts';
import {
  type Order,
  ranked,
  readStandings,
  rowsOf,
  standingParams,
  standingsBody,
  standingsTags,
} from './standings.ts';

export const leaderboard = board({
  path: '/api/leaderboard',
  group: 'sharp',
  about:
    'Cappers ranked by yield as believed by someone who knows that real edges are small, at the low end of the 95% interval, so neither a few lucky picks nor long shots lead.',
  params: Type.Object({ ...standingParams, delay: optionalDelay }),
  tags: standingsTags,
  ahead: [{}, { window: '7d' }, { window: '30d' }, { window: '90d' }],
  body: standingsBody,
  collection: 'cappers',
  examples: [
    {},
    { window: '30d', sport: 'nfl', tier: 'elite', limit: '10' },
    { market: 'total' },
    { delay: '15' },
  ],
  async compute(context, params) {
    const order = orderIn(params.window);
    const standings = ranked(await readStandings(context, params), order);
    return { cappers: await rowsOf(context, standings.slice(0, params.limit), params) };
  },
});

/** Returns the order in a window. */
export function orderIn(window: Window): Order {
  const isLong = window === 'all' || window === '90d';
  return {
    by: byYield,
    ties: (a, b) => b.wins + b.losses - (a.wins + a.losses),
    // Keeps a few lucky picks from leading a long window.
    isRanked: ({ wins, losses }) => !isLong || wins + losses >= 20,
  };
}

/** Orders by the lower end of the shrunk yield, in hundred-millionths, so that the last bits of floats decide no rank. */
function byYield(a: Tally, b: Tally): number {
  const [first, second] = [a, b].map((tally) => Math.round(1e8 * rankedYield(tally)));
  return first === second ? 0 : second! - first!;
}
