import type { Static, TObject, TSchema } from 'typebox';
import { lifetimes } from '../cache/lifetimes.ts';
import type { Renderable } from '../cache/renderable.ts';
import { iso } from '../platform/clock.ts';
import { Type } from '../platform/type.ts';
import type { BoardContext } from './context.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { inOddsForm, type OddsForm, oddsParam } from './formats/odds-text.ts';

/** The tables of the reference in which boards stand, in that order. */
export const boardGroups = ['picks', 'sharp', 'cappers', 'feeds', 'status'] as const;

/** What is known of every board without the types of its parameters and body: enough to serve, document and test it. */
export interface Board extends Endpoint {
  group: (typeof boardGroups)[number];
  /** One sentence for the reference. */
  about: string;
  /** Seconds that the answer advertises. */
  lifetime: number;
  /** The parameters for which the board is refreshed ahead, as a reader would give them. */
  ahead: readonly Record<string, string>[];
  /** The schema of what is computed; see {@link answerSchema} for the whole answer. */
  body: TObject;
  /** The list in the body that `count` counts. */
  collection?: string | undefined;
  /** Further formats of the same data. */
  formats: readonly Format[];
  /** Parameters, as texts, that tests call the board with; the first also warms it up. At least one; see `examples.ts`. */
  examples: readonly Record<string, string>[];
}

/** A further format of a board, at a path of its own: cached, validated and served as the board itself is. */
export interface Format extends Endpoint {
  contentType: string;
  lifetime: number;
}

/** A board with the types of its parameters and body, for callers that compute it. */
export interface TypedBoard<P extends TObject, B extends TObject> extends Board {
  params: P;
  body: B;
  /** What the body depends on; see `projections/tags.ts`. New log entries bump tags, and an answer rendered before that is stale. */
  tags(params: Static<P>): string[];
  /** @throws NotFound for a capper, pick or other subject that does not exist */
  compute(context: BoardContext, params: Static<P>): Promise<Static<B>>;
}

/**
 * A board says everything about itself. Routes, validation, caching, the OpenAPI document, the conformance tests and the README's
 * table are made from the list of boards (`index.ts`).
 */
interface BoardDeclaration<P extends TObject, B extends TObject>
  extends Pick<
    TypedBoard<P, B>,
    'path' | 'group' | 'about' | 'params' | 'tags' | 'body' | 'examples' | 'compute'
  > {
  /** Default {@link lifetimes}.board. */
  lifetime?: number;
  ahead?: Board['ahead'];
  collection?: string & keyof Static<B>;
  formats?: readonly FormatDeclaration<P, B>[];
  /** Whether an answer may be kept; default yes. For parameters of free text, so that nobody can fill the cache. */
  keep?(body: Static<B>, params: Static<P>): boolean;
}

interface FormatDeclaration<P extends TObject, B extends TObject> {
  /** Koa path; its `:name` segments are parameters of the board. */
  path: string;
  /** Such as `application/rss+xml; charset=utf-8`. */
  contentType: string;
  /** Seconds that the answer advertises. */
  lifetime: number;
  /** Parameters beside those of the board. */
  params?: Readonly<Record<string, TSchema>>;
  /** The text, from the body and nothing else. */
  render(body: Static<B>, context: Omit<BoardContext, 'database'> & { params: Static<P> }): string;
}

/** Declares a board. */
export function board<P extends TObject, B extends TObject>(
  declaration: BoardDeclaration<P, B>,
): TypedBoard<P, B> {
  const { lifetime = lifetimes.board, ahead = [], formats = [], keep, ...facts } = declaration;
  const { params, tags, compute } = declaration;

  async function computed(context: BoardContext, effective: Static<P>) {
    const body = await compute(context, effective);
    // As bytes at once: as text it would be copied, and put into bytes, once for the tag and once for the answer.
    const tagged = Buffer.from(JSON.stringify(answerData(declaration.collection, effective, body)));
    return { body, tagged, mayKeep: keep?.(body, effective) ?? true };
  }

  return {
    ...facts,
    lifetime,
    ahead,
    ...endpoint({
      path: declaration.path,
      params,
      contentType: 'application/json; charset=utf-8',
      lifetime,
      tags,
      async render(context, effective) {
        const { tagged, mayKeep } = await computed(context, effective);
        const start = Buffer.from(`{"generatedAt":"${iso(context.now)}",`);
        return { text: Buffer.concat([start, tagged.subarray(1)]), tagged, mayKeep };
      },
    }),
    params,
    formats: formats.map((format) => ({
      ...endpoint({
        ...format,
        // The board's parameters first, and its own of a name.
        params: Type.Object({
          ...params.properties,
          ...format.params,
          ...params.properties,
          odds: oddsParam,
        }) as unknown as P,
        tags,
        async render(context, effective) {
          const { body, tagged, mayKeep } = await computed(context, effective);
          const { database: _, ...facts } = context;
          const { odds } = effective as { odds?: OddsForm };
          const text = inOddsForm(odds ?? 'american', () =>
            format.render(body, { ...facts, params: effective }),
          );
          return { text, tagged, mayKeep };
        },
      }),
      contentType: format.contentType,
      lifetime: format.lifetime,
    })),
  };
}

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

/** The answers of boards that are to be refreshed ahead. */
export function aheadOf(boards: readonly Board[]): Renderable<BoardContext>[] {
  return boards.flatMap((board) => board.ahead.map((given) => board.renderable(given, undefined)));
}
