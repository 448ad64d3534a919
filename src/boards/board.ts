import type { Static, TObject, TSchema } from 'typebox';
import { iso } from '../platform/clock.ts';
import { Field } from '../platform/field-schemas.ts';
import { Type } from '../platform/type.ts';
import { type BoardContext, type Endpoint, endpoint, lifetimes, type Renderable } from './endpoint.ts';
import { inOddsForm, type OddsForm, oddsParam } from './formats/odds-text.ts';

export const boardGroups = ['picks', 'sharp', 'cappers', 'feeds', 'status'] as const;

/** Reasons of {@link Board.beyondLog}. */
export const beyond = {
  tier: 'The operator can change a tier without a pick. The log has the tier of each pick, and a copy takes that of the last one.',
  number: 'The operator numbers cappers as they are added. A copy numbers them by their first entry.',
  listed: 'Cappers without an entry are not in the log, and a page begins after a number.',
  game: 'The log has the games of picks and published prices, and the scores that settled picks. Schedules, other scores, and the numbers of games are not in it.',
  name: 'Names that readers see beside the names in the log are not in it.',
  choice: 'The boards worker chooses the Pick of the Day once, at an instant that is not in the log.',
} as const;

/** A board without the types of its parameters and body: enough to serve, document, and test it. */
export interface Board extends Endpoint {
  group: (typeof boardGroups)[number];
  about: string;
  /** Advertised lifetime of the answer, in seconds. */
  lifetime: number;
  /** Parameter sets to refresh ahead, as a reader would give them. */
  ahead: readonly Record<string, string>[];
  /** Schema of the computed body; see {@link answerSchema} for the whole answer. */
  body: TObject;
  collection?: string | undefined;
  formats: readonly Format[];
  /** Paths that the log does not determine, such as `cappers[].tier`, with the reason; `` for the whole answer. */
  beyondLog: Readonly<Record<string, string>>;
  /** As text, for tests; the first also warms the board up. At least one; see `examples.ts`. */
  examples: readonly Record<string, string>[];
}

/** Another format of a board, at its own path. It is validated, cached, and served like the board. */
export interface Format extends Endpoint {
  contentType: string;
  lifetime: number;
}

export interface TypedBoard<P extends TObject, B extends TObject> extends Board {
  params: P;
  body: B;
  /** Tags that the body depends on; see `projections/tags.ts`. New log entries bump tags, which makes older answers stale. */
  tags(params: Static<P>): string[];
  /** @throws NotFound if a subject does not exist */
  compute(context: BoardContext, params: Static<P>): Promise<Static<B>>;
}

/** Routes, validation, caching, the OpenAPI document, conformance tests, and the reference derive from the list in `index.ts`. */
interface BoardDeclaration<P extends TObject, B extends TObject>
  extends Pick<
    TypedBoard<P, B>,
    'path' | 'group' | 'about' | 'params' | 'tags' | 'body' | 'examples' | 'compute'
  > {
  /** Default {@link lifetimes}.board. */
  lifetime?: number;
  /** Default: the log determines the whole answer. */
  beyondLog?: Board['beyondLog'];
  ahead?: Board['ahead'];
  collection?: string & keyof Static<B>;
  formats?: readonly FormatDeclaration<P, B>[];
  /** Whether an answer may be kept; default true. False for free-text parameters, so that nobody can fill the cache. */
  keep?(body: Static<B>, params: Static<P>): boolean;
}

interface FormatDeclaration<P extends TObject, B extends TObject> {
  /** Koa path; its `:name` segments are parameters of the board. */
  path: string;
  /** For example `application/rss+xml; charset=utf-8`. */
  contentType: string;
  /** Advertised lifetime of the answer, in seconds. */
  lifetime: number;
  params?: Readonly<Record<string, TSchema>>;
  render(body: Static<B>, context: Omit<BoardContext, 'database'> & { params: Static<P> }): string;
}

export function board<P extends TObject, B extends TObject>(
  declaration: BoardDeclaration<P, B>,
): TypedBoard<P, B> {
  const {
    lifetime = lifetimes.board,
    ahead = [],
    formats = [],
    beyondLog = {},
    keep,
    ...fields
  } = declaration;
  const { params, tags, compute } = declaration;

  async function computed(context: BoardContext, effective: Static<P>) {
    const body = await compute(context, effective);
    // Converted to bytes once; as text it would be copied and converted for both the tag and the answer.
    const tagged = Buffer.from(JSON.stringify(answerData(declaration.collection, effective, body)));
    return { body, tagged, mayKeep: keep?.(body, effective) ?? true };
  }

  return {
    ...fields,
    lifetime,
    ahead,
    beyondLog,
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
        // The board's parameters come first; the format's own override equal names.
        params: Type.Object({
          ...params.properties,
          ...format.params,
          ...params.properties,
          odds: oddsParam,
        }) as unknown as P,
        tags,
        async render(context, effective) {
          const { body, tagged, mayKeep } = await computed(context, effective);
          const { database: _, ...rest } = context;
          const { odds } = effective as { odds?: OddsForm };
          const text = inOddsForm(odds ?? 'american', () =>
            format.render(body, { ...rest, params: effective }),
          );
          return { text, tagged, mayKeep };
        },
      }),
      contentType: format.contentType,
      lifetime: format.lifetime,
    })),
  };
}

/** Without `generatedAt`. */
export function answerData(collection: string | undefined, params: object, body: object): object {
  const list =
    collection === undefined ? undefined : new Map<string, unknown>(Object.entries(body)).get(collection);
  return { query: params, ...(Array.isArray(list) ? { count: list.length } : {}), ...body };
}

export function answerSchema(board: {
  params: TObject;
  body: TObject;
  collection?: string | undefined;
}): TObject {
  const count: Record<string, TSchema> =
    board.collection === undefined ? {} : { count: Type.Integer({ minimum: 0 }) };
  return Type.Object({
    generatedAt: Field.instant(),
    query: board.params,
    ...count,
    ...(board.body.properties as Record<string, TSchema>),
  });
}

export function aheadOf(boards: readonly Board[]): Renderable[] {
  return boards.flatMap((board) => board.ahead.map((given) => board.renderable(given, undefined)));
}
