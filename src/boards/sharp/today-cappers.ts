import { sportSchema, tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { slateGroups } from '../../projections/groups.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import { board } from '../board.ts';
import { optionalSport } from '../params.ts';
import { consensusTags } from './groups.ts';

export const sharpTodayCappers = board({
  path: '/api/sharp/today/cappers',
  group: 'sharp',
  about: "Cappers in today's consensus groups, most groups first.",
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => consensusTags(sport),
  ahead: [{}],
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        handle: Type.String(),
        tier: { ...tierSchema, description: 'Current tier.' },
        verified: verifiedSchema,
        groupCount: Type.Integer(),
        sports: Type.Array(sportSchema),
        picks: Type.Array(Type.String(), { description: 'UUIDs, earliest pick first.' }),
      }),
    ),
  }),
  collection: 'cappers',
  examples: [{}, { sport: '{sport}' }],
  async compute({ database, now }, { sport }) {
    const groups = await slateGroups(database, now, sport);
    const byHandle = new Map<string, { sport: string; pickUuid: string; postedAt: string }[]>();
    for (const group of groups)
      for (const { handle, pickUuid, postedAt } of group.cappers) {
        const entries = byHandle.get(handle) ?? [];
        entries.push({ sport: group.sport, pickUuid, postedAt });
        byHandle.set(handle, entries);
      }
    const known = new Map<string, { tier: Tier; verified: boolean }>(
      (
        await database('cappers')
          .whereIn('handle', [...byHandle.keys()])
          .select('handle', 'tier', 'verified')
      ).map(({ handle, ...capper }) => [handle, capper]),
    );
    const cappers = [...byHandle]
      .map(([handle, entries]) => ({
        handle,
        ...known.get(handle)!,
        groupCount: entries.length,
        sports: [...new Set(entries.map((each) => each.sport))].sort(),
        picks: entries.sort(byPost).map(({ pickUuid }) => pickUuid),
      }))
      .sort((a, b) => b.groupCount - a.groupCount || (a.handle < b.handle ? -1 : 1));
    return { cappers };
  },
});

type Post = { pickUuid: string; postedAt: string };

function byPost(a: Post, b: Post): number {
  if (a.postedAt !== b.postedAt) return a.postedAt < b.postedAt ? -1 : 1;
  return a.pickUuid < b.pickUuid ? -1 : 1;
}
