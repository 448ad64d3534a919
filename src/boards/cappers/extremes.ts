import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { countsSql, ofProvenance } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, handle, provenance } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { knownCapper } from '../subjects.ts';

export const capperExtremes = board({
  path: '/api/cappers/:handle/extremes',
  group: 'cappers',
  about:
    "A capper's picks with the best and the worst closing line value, among those that closed at the line taken.",
  params: Type.Object({ handle, n: count(5, 25, 'Maximum number of best and of worst picks.'), provenance }),
  tags: (params) => [tags.capper(params.handle), tags.world],
  body: Type.Object({ best: Type.Array(pickSchema), worst: Type.Array(pickSchema) }),
  examples: [{ handle: '{handle}' }, { handle: '{handle}', n: '1' }],
  async compute({ database, baseUrl }, params) {
    const { id } = await knownCapper(database, params.handle);
    const extreme = (order: 'asc' | 'desc'): Promise<BoardPick[]> =>
      boardPicks(database)
        .where('p.capper_id', id)
        .whereNotNull('p.clv_counted_bps')
        .whereRaw(countsSql('p'))
        .where('p.same_line', true)
        .modify((query) => ofProvenance(query, 'p.provenance', params.provenance))
        .orderBy([{ column: 'p.clv_counted_bps', order }, ...newestFirst])
        .limit(params.n);
    const [best, worst] = await Promise.all([extreme('desc'), extreme('asc')]);
    return {
      best: best.map((row) => publicPick(row, baseUrl)),
      worst: worst.map((row) => publicPick(row, baseUrl)),
    };
  },
});
