import type { TObject, TSchema } from 'typebox';
import { Type } from '../platform/type.ts';

/** A board's answer without `generatedAt`: the effective parameters, the count of its collection, and the body. */
export function answerData(collection: string | undefined, params: object, body: object): object {
  const list =
    collection === undefined ? undefined : new Map<string, unknown>(Object.entries(body)).get(collection);
  return { query: params, ...(Array.isArray(list) ? { count: list.length } : {}), ...body };
}

/** The schema of a board's whole answer. */
export function answerSchema(board: {
  params: TObject;
  body: TObject;
  collection?: string | undefined;
}): TObject {
  const count: Record<string, TSchema> =
    board.collection === undefined ? {} : { count: Type.Integer({ minimum: 0 }) };
  return Type.Object({
    generatedAt: Type.String({ format: 'date-time' }),
    query: board.params,
    ...count,
    ...(board.body.properties as Record<string, TSchema>),
  });
}
