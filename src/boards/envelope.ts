import type { TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { Board } from './board.ts';

/** What a board's answer holds beside `generatedAt`: the effective parameters, the count of its collection, and the body. */
export function answerData(
  board: Board,
  params: Record<string, unknown>,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { collection } = board;
  const count = collection === undefined ? {} : { count: (body[collection] as unknown[]).length };
  return { query: params, ...count, ...body };
}

/** The schema of a board's whole answer (decisions: JSON shape). */
export function answerSchema(board: Board): TObject {
  const count: Record<string, TSchema> =
    board.collection === undefined ? {} : { count: Type.Integer({ minimum: 0 }) };
  return Type.Object({
    generatedAt: Type.String({ format: 'date-time' }),
    query: board.params,
    ...count,
    ...(board.body.properties as Record<string, TSchema>),
  });
}
