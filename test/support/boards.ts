import { type Board, board } from '../../src/boards/board.ts';
import { NotFound } from '../../src/boards/endpoint.ts';
import { count, optionalSport, tier } from '../../src/boards/params.ts';
import { Type } from '../../src/platform/type.ts';
import { createGate } from './gate.ts';

/** A board that reads no table and counts its computations. */
export interface CountingBoard {
  board: Board;
  computed(): number;
  /** Sets the value in the next answers. */
  set(value: string): void;
  /** Makes computations wait. @returns a function that releases them */
  hold(): () => void;
}

export interface CountingOptions {
  path?: string;
  tags?: string[];
  lifetime?: number;
  /** Makes it read the database, as real boards do. */
  reads?: boolean;
  ahead?: Record<string, string>[];
}

/** Declares `sport`, `limit` (10, at most 50), and `text`. The text `missing` does not exist; `untold` may not be cached. */
export function countingBoard(options: CountingOptions = {}): CountingBoard {
  const { path = '/api/counted', tags = ['a', 'b'], lifetime = 300, reads = false, ahead = [{}] } = options;
  let computed = 0;
  let value = 'first';
  const gate = createGate();
  const declared = board({
    path,
    group: 'feeds',
    about: 'For tests.',
    params: Type.Object({
      sport: optionalSport,
      limit: count(10, 50, 'Most.'),
      text: Type.Optional(Type.String()),
    }),
    lifetime,
    tags: () => tags,
    ahead,
    body: Type.Object({ value: Type.String(), items: Type.Array(Type.Integer()) }),
    collection: 'items',
    examples: [{}],
    keep: (body) => body.value !== 'untold',
    async compute({ database }, { text, limit }) {
      computed += 1;
      if (reads) await database.raw('select 1');
      await gate.passed();
      if (text === 'missing') throw new NotFound('There is no such text.');
      const items = Array.from({ length: limit }, (_, index) => index);
      return { value: text === 'untold' ? 'untold' : value, items };
    },
    formats: [
      {
        path: `${path}.txt`,
        contentType: 'text/plain; charset=utf-8',
        lifetime: 600,
        render: (body, { baseUrl, params }) => `${baseUrl} ${body.value} ${params.limit}`,
      },
    ],
  });
  return {
    board: declared,
    computed: () => computed,
    set(next) {
      value = next;
    },
    hold: gate.hold,
  };
}

/** A board whose path has parameters. */
export const tierBoard = board({
  path: '/api/tiers/:tier',
  group: 'cappers',
  about: 'For tests.',
  params: Type.Object({ tier, limit: count(10, 50, 'Most.') }),
  lifetime: 60,
  tags: () => ['a'],
  body: Type.Object({ tier: Type.String() }),
  examples: [{ tier: 'elite' }],
  compute: (_, params) => Promise.resolve({ tier: params.tier }),
});
