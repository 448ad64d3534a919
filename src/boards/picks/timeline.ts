import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { uuid } from '../params.ts';
import { knownPick } from '../subjects.ts';
import { pickEventSchema, pickEvents } from './events.ts';

export const pickTimeline = board({
  path: '/api/picks/:uuid/timeline',
  group: 'picks',
  about: 'The timeline of a pick: posted, closed, and settled, each with its hash.',
  params: Type.Object({ uuid }),
  tags: (params) => [tags.pick(params.uuid)],
  body: Type.Object({ pickUuid: Type.String({ format: 'uuid' }), events: Type.Array(pickEventSchema) }),
  collection: 'events',
  examples: [{ uuid: '{uuid}' }],
  async compute(context, params) {
    const { id, uuid: pickUuid } = await knownPick(context.database, params.uuid);
    return { pickUuid, events: await pickEvents(context, id) };
  },
});
