import { Type } from '../../platform/type.ts';
import { confidenceInputs } from '../../projections/confidence-inputs.ts';
import { everyEvent } from '../../projections/tags.ts';
import { confidence } from '../../rules/confidence.ts';
import { board } from '../board.ts';
import { uuid } from '../params.ts';
import { knownPick } from '../subjects.ts';

export const confidenceSchema = Type.Object({
  pickUuid: Type.String({ format: 'uuid' }),
  version: Type.Literal('R24'),
  index: Type.Number({ minimum: 0, maximum: 100 }),
  components: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.Number({ minimum: 0, maximum: 1 }),
      weight: Type.Number(),
      contribution: Type.Number(),
      sample: Type.Integer({ description: 'Sample size: settled picks, cappers, or books.' }),
      note: Type.String(),
    }),
  ),
});

export const pickConfidence = board({
  path: '/api/picks/:uuid/confidence',
  group: 'picks',
  about: 'The Confidence Index (version R24) of a pick, 0 to 100, with the points of each component.',
  params: Type.Object({ uuid }),
  // The pick's game and market are known only after the pick is read.
  tags: () => everyEvent,
  body: confidenceSchema,
  examples: [{ uuid: '{uuid}' }],
  async compute({ database, now }, params) {
    const pick = await knownPick(database, params.uuid);
    const [inputs] = await confidenceInputs(database, [pick], now);
    return { pickUuid: pick.uuid, ...confidence(inputs!) };
  },
});
