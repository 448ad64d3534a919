import { sportSchema, tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { passing } from '../../projections/pick-filter.ts';
import { windowTallies } from '../../projections/rollups.ts';
import { tags } from '../../projections/tags.ts';
import { verdictsBy } from '../../projections/verdicts.ts';
import { etDay } from '../../rules/et-day.ts';
import { recordOf, settledCount } from '../../rules/tally.ts';
import { beyond, board } from '../board.ts';
import { handle, optionalMarket, optionalSport, provenance } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema, verdictSchema } from '../record.ts';
import { knownCapper } from '../subjects.ts';
import { capperSplit } from './split.ts';

export const capperStats = board({
  path: '/api/cappers/:handle/stats',
  group: 'cappers',
  about: "A capper's lifetime record, 30-day record, record by sport, and last 10 picks.",
  params: Type.Object({ handle, sport: optionalSport, market: optionalMarket, provenance }),
  tags: (params) => [tags.capper(params.handle), tags.world],
  body: Type.Object({
    handle: Type.String(),
    tier: { ...tierSchema, description: 'Current tier.' },
    verified: verifiedSchema,
    verdict: verdictSchema,
    lifetime: recordSchema,
    last30d: recordSchema,
    bySport: Type.Array(
      Type.Object({ sport: sportSchema, verdict: verdictSchema, ...recordSchema.properties }),
    ),
    lastPicks: Type.Array(pickSchema),
  }),
  beyondLog: { tier: beyond.tier },
  examples: [
    { handle: '{handle}' },
    { handle: '{handle}', sport: '{sport}', market: 'total', provenance: 'live' },
  ],
  async compute(context, params) {
    const { database, now, baseUrl } = context;
    const { handle, ...filter } = params;
    const capper = await knownCapper(database, handle);
    const { sport, market } = filter;
    const [tallies, bySport, verdicts] = await Promise.all([
      windowTallies(database, ['30d', 'all'], etDay(now), { capperId: capper.id, ...filter }),
      capperSplit(context, capper.id, 'sport', filter),
      verdictsBy(database, capper.id, 'sport', market),
    ]);
    // Known counts bound the search: no pick newer or older than the capper's own is read.
    const posted = bySport.reduce((sum, split) => sum + split.posted, 0);
    const lastPostedAt = Math.max(...bySport.map((split) => split.lastPostedAt));
    const lastPicks =
      posted === 0
        ? []
        : await boardPicks(database)
            .where('p.capper_id', capper.id)
            .where('p.posted_at', '<=', new Date(lastPostedAt))
            .modify((query) => passing(query, 'p', filter))
            .orderBy(newestFirst)
            .limit(Math.min(posted, 10));
    return {
      handle: capper.handle,
      tier: capper.tier,
      verified: capper.verified,
      verdict: verdicts(sport),
      lifetime: recordOf(tallies.all),
      last30d: recordOf(tallies['30d']),
      bySport: bySport
        .filter(({ tally }) => settledCount(tally) > 0)
        .map(({ name, tally }) => ({ sport: name, verdict: verdicts(name), ...recordOf(tally) })),
      lastPicks: lastPicks.map((row: BoardPick) => publicPick(row, baseUrl)),
    };
  },
});
