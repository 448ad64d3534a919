import type { Static, TObject, TSchema } from 'typebox';
import type { Capper } from '../../cappers/cappers.ts';
import { tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { board, type TypedBoard } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { handle } from '../params.ts';
import { knownCapper } from '../subjects.ts';

/** The fields of a capper in lists of cappers. The log has the tier of each pick, but not the current one. */
export const capperFields = {
  handle: Field.text(),
  tier: { ...tierSchema, description: 'Current tier.' },
  verified: verifiedSchema,
};

type WithHandle<P> = TObject<{ handle: typeof handle } & P>;

interface CapperBoard<P extends Record<string, TSchema>, B extends TObject>
  extends Pick<
    Parameters<typeof board<WithHandle<P>, B>>[0],
    'about' | 'beyondLog' | 'body' | 'collection' | 'formats'
  > {
  name: string;
  params?: P;
  /** Set if the body also depends on games, whose starts can move. */
  showsGames?: true;
  /** Default: none. */
  examples?: readonly Record<string, string>[];
  /** @param params those beside the handle */
  compute(context: BoardContext & { capper: Capper }, params: Static<TObject<P>>): Promise<Static<B>>;
}

export function capperBoard<P extends Record<string, TSchema>, B extends TObject>({
  name,
  params,
  showsGames,
  examples = [{}],
  compute,
  ...rest
}: CapperBoard<P, B>): TypedBoard<WithHandle<P>, B> {
  return board<WithHandle<P>, B>({
    ...rest,
    path: `/api/cappers/:handle/${name}`,
    group: 'cappers',
    params: Type.Object({ handle, ...params }) as unknown as WithHandle<P>,
    tags: (given) => [
      tags.capper((given as { handle: string }).handle),
      ...(showsGames === undefined ? [] : [tags.world]),
    ],
    examples: examples.map((example) => ({ handle: '{handle}', ...example })),
    async compute(context, given) {
      const { handle, ...others } = given as { handle: string };
      const capper = await knownCapper(context.database, handle);
      return compute({ ...context, capper }, others as never);
    },
  });
}
