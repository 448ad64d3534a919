import { Type } from 'typebox';
import { lifetimes } from '../../platform/lifetimes.ts';
import { board } from '../board.ts';
import { uuid } from '../params.ts';
import { tags } from '../tags.ts';
import { pickEventSchema, pickEvents } from './events.ts';
import { knownPick } from './known-pick.ts';

export const pickTimeline = board({
  path: '/api/picks/:uuid/timeline',
  group: 'picks',
  about: 'What happened to a pick, in order: posted, closed, settled, each with its hash.',
  params: Type.Object({ uuid }),
  lifetime: lifetimes.board,
  tags: (params) => [tags.pick(params.uuid)],
  body: Type.Object({ pickUuid: Type.String({ format: 'uuid' }), events: Type.Array(pickEventSchema) }),
  collection: 'events',
  examples: [{ uuid: '{uuid}' }],
  async compute({ database }, params) {
    const { pickId, uuid: pickUuid } = await knownPick(database, params.uuid);
    return { pickUuid, events: await pickEvents(database, pickId) };
  },
});
