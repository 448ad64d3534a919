import { lifetimes } from '../../cache/lifetimes.ts';
import { Type } from '../../platform/type.ts';
import { slateGames } from '../../projections/slate.ts';
import { eventsOf, tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { sport } from '../params.ts';
import { digest, digestSchema } from './digest.ts';

const day = 86_400_000;

export const sportSnapshot = board({
  path: '/api/snapshot/sport/:sport',
  group: 'status',
  about:
    "A digest of one sport: consensus groups, latest activity, elite cappers of the last 24 hours, and today's picks.",
  params: Type.Object({ sport }),
  lifetime: lifetimes.live,
  tags: (params) => [tags.pickOfTheDay, ...eventsOf(params.sport)],
  body: Type.Object({
    ...digestSchema.properties,
    eliteCappers24h: Type.Integer({ description: 'Elite cappers who posted in the last 24 hours.' }),
    picksToday: Type.Integer({ description: "Picks posted on today's games (ET), settled or not." }),
  }),
  examples: [{ sport: '{sport}' }],
  async compute(context, params) {
    const { database, now } = context;
    const [shared, elite, today] = await Promise.all([
      digest(context, params.sport),
      database('board_picks')
        .where({ tier: 'elite', sport: params.sport })
        .where('posted_at', '>=', new Date(now - day))
        .countDistinct({ n: 'capper_id' }),
      slateGames(database, now, params.sport),
    ]);
    return {
      ...shared,
      eliteCappers24h: Number(elite[0]?.n),
      picksToday: today.reduce((sum, { pickCount }) => sum + pickCount, 0),
    };
  },
});
