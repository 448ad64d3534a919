import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { uuid } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { knownPick } from '../subjects.ts';

export const pickBoard = board({
  path: '/api/picks/:uuid',
  group: 'picks',
  about: 'One pick. `hashStatus` says whether it is sealed.',
  params: Type.Object({ uuid }),
  tags: (params) => [tags.pick(params.uuid), tags.world],
  body: Type.Object({
    ...pickSchema.properties,
    pickHash: nullable(Type.String({ description: 'Hex; null until the pick is sealed.' })),
    recordUrl: Type.String({ format: 'uri' }),
  }),
  examples: [{ uuid: '{uuid}' }],
  async compute({ database, baseUrl }, params) {
    const row = await knownPick(database, params.uuid);
    const [entry]: { hash: Buffer }[] = await database('ledger_entries')
      .where({ pick_id: row.id, kind: 'posted' })
      .select('hash');
    return {
      ...publicPick({ ...row, sealed: entry !== undefined }, baseUrl),
      pickHash: entry?.hash.toString('hex') ?? null,
      recordUrl: `${baseUrl}/record/${row.id}`,
    };
  },
});
