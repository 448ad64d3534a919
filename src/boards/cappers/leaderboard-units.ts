import { Type } from '../../platform/type.ts';
import { bestNets } from '../../projections/settled-picks.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import { settledCount } from '../../rules/tally.ts';
import { board } from '../board.ts';
import { floor } from '../params.ts';
import type { Order } from './places.ts';
import { firstOf, rowsOf, standing, standingParams, standingsTags } from './standings.ts';

export const unitsLeaderboard = board({
  path: '/api/leaderboard/units',
  group: 'sharp',
  about: 'Cappers ranked by net units.',
  params: Type.Object({
    min_n: floor(10, 'Minimum sample: settled picks.'),
    ...standingParams,
  }),
  tags: standingsTags,
  ahead: [{}],
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        ...standing.properties,
        onePick: Type.Boolean({
          description: 'Whether the lead over the next capper is at most what the best pick won.',
        }),
      }),
    ),
  }),
  collection: 'cappers',
  examples: [{}, { min_n: '1', window: '90d', sport: 'nfl', market: 'total' }],
  async compute(context, params) {
    // One more than shown, for the last one's lead.
    const inOrder = await firstOf(
      context,
      byUnits,
      { ...params, limit: params.limit + 1 },
      { shown: params.min_n },
    );
    const shown = inOrder.slice(0, params.limit);
    const [rows, best] = await Promise.all([
      rowsOf(context, shown, params),
      bestNets(
        context.database,
        shown.map(({ id }) => id),
        { ...params, firstDay: windowFirstDay(params.window, etDay(context.now)) },
      ),
    ]);
    return {
      cappers: rows.map((row, index) => {
        const [{ id, score }, next] = [shown[index]!, inOrder[index + 1]];
        const lead = next === undefined ? Infinity : score - next.score;
        return { ...row, onePick: lead > 0 && lead <= (best.get(id) ?? 0) };
      }),
    };
  },
});

export const byUnits: Order = {
  name: 'units',
  sums: ['netE4', 'stakedE4'],
  score: ({ netE4 }) => netE4,
  // By return on stakes; without stakes last. With equal net units, a smaller stake makes a gain worth more and a loss worth less.
  tie: ({ netE4, stakedE4 }) => (netE4 === 0 ? Math.sign(stakedE4) : -Math.sign(netE4) * stakedE4),
  sample: settledCount,
};
