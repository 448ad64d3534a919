import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { followed } from '../../projections/followers.ts';
import { windowTallies } from '../../projections/rollups.ts';
import { etDay } from '../../rules/et-day.ts';
import { followDelays } from '../../rules/follow.ts';
import { shownRatio } from '../../rules/rounding.ts';
import { recordOf, settledCount } from '../../rules/tally.ts';
import { optionalMarket, optionalSport, window } from '../params.ts';
import { recordSchema } from '../record.ts';
import { capperBoard } from './capper-board.ts';

const { picks, unitsNet, roiPct, yieldPct, edgeMeanPct } = recordSchema.properties;

/** The fields that depend on the odds, and the counts they apply to. */
const fields = [
  ...(['picks', 'wins', 'losses', 'pushes', 'voids', 'unitsNet', 'unitsStaked'] as const),
  ...(['roiPct', 'yieldPct', 'yieldLowPct', 'yieldHighPct', 'edgeMeanPct', 'edgeSample'] as const),
] as const;
type Name = (typeof fields)[number];

function shown<Of extends Record<Name, unknown>>(of: Of): Pick<Of, Name> {
  return Object.fromEntries(fields.map((field) => [field, of[field]])) as Pick<Of, Name>;
}

export const capperFollow = capperBoard({
  name: 'follow',
  about: "A capper's live record at the best odds on offer 5, 15, and 60 minutes after each pick was posted.",
  params: { window, sport: optionalSport, market: optionalMarket },
  body: Type.Object({
    live: Type.Object(
      { picks, unitsNet, roiPct, edgeMeanPct },
      { description: 'All live picks, at their counted odds.' },
    ),
    delays: Type.Array(
      Type.Object({
        delay: Field.integer('Minutes after posting.'),
        coveragePct: Field.orNull.number(
          'Share of the live picks that had odds then: `picks` here out of `live.picks`.',
        ),
        missed: Field.integer('Live picks that no book priced then, or whose game had started.'),
        unknown: Field.integer('Live picks of whose market no price was read then.'),
        own: Type.Object(
          { unitsNet, roiPct, yieldPct, edgeMeanPct },
          { description: 'The same picks as the follower’s, at their counted odds.' },
        ),
        ...shown(recordSchema.properties),
      }),
    ),
  }),
  collection: 'delays',
  examples: [{}, { window: '90d', sport: '{sport}', market: 'total' }],
  async compute({ database, now, capper: { id } }, { window, ...filter }) {
    const [tallies, after] = await Promise.all([
      windowTallies(database, [window], etDay(now), { capperId: id, ...filter, provenance: 'live' }),
      followed(database, { capperId: id, window, ...filter }, now),
    ]);
    const { picks, unitsNet, roiPct, edgeMeanPct } = recordOf(tallies[window]);
    return {
      live: { picks, unitsNet, roiPct, edgeMeanPct },
      delays: followDelays.map((delay) => {
        const { own, follower, missed } = after.get(delay)!;
        const found = settledCount(follower);
        const { unitsNet, roiPct, yieldPct, edgeMeanPct } = recordOf(own);
        return {
          delay,
          coveragePct: picks === 0 ? null : shownRatio(100 * found, picks, 2),
          missed,
          unknown: Math.max(0, picks - found - missed),
          own: { unitsNet, roiPct, yieldPct, edgeMeanPct },
          ...shown(recordOf(follower)),
        };
      }),
    };
  },
});
