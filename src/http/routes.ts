import type { Static, TObject, TSchema } from 'typebox';
import type { Board } from '../boards/board.ts';
import type { GivenParams } from '../boards/endpoint.ts';
import type { Answer, Lifetime } from './answer.ts';

/** The sections of the API's reference, in their order. */
export const sections = {
  picks: 'Picks and confidence',
  sharp: 'Sharp consensus, streaks, leaderboards',
  cappers: 'Capper data',
  feeds: 'Feeds and catalogs',
  record: 'Record and receipts',
  log: 'The log',
  status: 'Status',
  authors: 'Signed picks',
  webhooks: 'Webhooks',
} as const satisfies Record<Board['group'], string> & Record<string, string>;

/** A route's entry in the API reference, except its parameters and body. */
export interface Reference {
  /** The OpenAPI `operationId`. */
  id: string;
  section: keyof typeof sections;
  /** One sentence. */
  about: string;
  /** The parameters in the path. The handler answers 404 for a value that names nothing, whatever its form. */
  params?: TObject;
  /** The request headers that it reads. */
  headers?: TObject;
  answer: {
    /** Default 200. */
    status?: number;
    /** The content type. Default: JSON. */
    type?: string;
    /** Default: no body. */
    schema?: TSchema;
    /** Whether it has no entity tag, and so no 304. Default: answers to GET have one. */
    untagged?: true;
  };
  /** The refusals by status, each with what it means. Default: none. */
  refusals?: Readonly<Record<number, string>>;
  /** Parameters, as texts, for tests and the reference. Placeholders such as `{uuid}` are filled from the ledger. */
  examples?: readonly Readonly<Record<string, string>>[];
}

/** A request as a handler sees it. */
export interface Request<Q = unknown, B = unknown> {
  path: string;
  /** Path and query exactly as the client sent them. */
  url: string;
  /** The client's address, from `X-Forwarded-For` as far as proxies are trusted. */
  ip: string;
  /** The parameters in the path, decoded. */
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  /** {@link search} by name. A parameter that is given several times has a list. */
  given: GivenParams;
  /** A header's value, or the empty string. */
  header(name: string): string;
  /**
   * The query parameters that the route declares, read like those of boards.
   * @throws InvalidParams
   */
  query(): Q;
  /**
   * The JSON body that the route declares; no body counts as an empty object.
   * @throws Problem 400 that names every fault, 413, 415
   */
  body(): Promise<B>;
  /**
   * The fields of a posted form.
   * @throws Problem 400, 413, 415
   */
  form(): Promise<Record<string, unknown>>;
}

/** A path of a port, its handler, and its declaration. */
export interface Route<Q extends TObject = TObject, B extends TSchema = TSchema> {
  method: 'GET' | 'POST' | 'DELETE';
  /** A path pattern of `@koa/router`. */
  path: string;
  /** How long caches may keep its answers, unless an answer says otherwise. Default: not at all. */
  lifetime?: Lifetime;
  /** The query parameters. `request.query()` returns them validated. */
  query?: Q;
  /** The JSON body. `request.body()` returns it validated. */
  body?: B;
  /** Its largest size. Default: 16 KiB. */
  bodyLimit?: '8kb';
  /** Default: the API reference does not list it. */
  reference?: Reference;
  /** Whether it serves pages: its refusals then are pages. Default: they are JSON. */
  page?: boolean;
  /** @throws Problem, or an error that `transport/errors.ts` turns into one */
  handle(request: Request<Static<Q>, Static<B>>): Answer | Promise<Answer>;
}

/** Declares a route; the generics type what its handler reads. */
export function route<Q extends TObject, B extends TSchema>(declaration: Route<Q, B>): Route {
  return declaration as unknown as Route;
}

/**
 * Sorts routes into the order in which they are matched: the most literal path first.
 * @throws Error if two of them have the same method and path, whatever their parameters are called
 */
export function inOrder(routes: readonly Route[]): Route[] {
  const seen = new Map<string, string>();
  for (const { method, path } of routes) {
    const shape = `${method} ${path.replace(/:\w+/g, ':')}`;
    const other = seen.get(shape);
    if (other !== undefined) throw new Error(`two routes on one path: ${method} ${other} and ${path}`);
    seen.set(shape, path);
  }
  return routes.toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : rank(a.path) > rank(b.path) ? 1 : 0));
}

/** The names of the parameters in a path. */
export function namesInPath(path: string): Set<string> {
  return new Set([...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name as string));
}

/** One digit per segment: 0 literal, 1 partly literal (`:day.csv`), 2 a parameter. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (!segment.includes(':') ? '0' : /^:\w+$/.test(segment) ? '2' : '1'))
    .join('');
}
