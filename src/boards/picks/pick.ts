import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { uuid } from '../params.ts';
import { pickSchema, toPick } from '../pick.ts';
import { nullable } from '../record.ts';
import { tags } from '../tags.ts';
import { knownPick } from './known-pick.ts';

export const pickBoard = board({
  path: '/api/picks/:uuid',
  group: 'picks',
  about: 'One pick, sealed or not yet; `hashStatus` says which.',
  params: Type.Object({ uuid }),
  lifetime: lifetimes.board,
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
      .where({ pick_id: row.pickId, kind: 'posted' })
      .select('hash');
    return {
      ...toPick({ ...row, sealed: entry !== undefined }, baseUrl),
      pickHash: entry?.hash.toString('hex') ?? null,
      recordUrl: `${baseUrl}/record/${row.pickId}`,
    };
  },
});
