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
  webhooks: 'Webhooks',
} as const satisfies Record<Board['group'], string> & Record<string, string>;

/** What the API's reference says of a route beside its parameters and body. */
export interface Reference {
  /** The OpenAPI `operationId`. */
  id: string;
  section: keyof typeof sections;
  /** One sentence. */
  about: string;
  /** The parameters in the path. What names nothing is a 404 of the handler, whatever its form. */
  params?: TObject;
  /** The request headers that it reads. */
  headers?: TObject;
  answer: {
    /** Default 200. */
    status?: number;
    /** The content type. Default: JSON. */
    type?: string;
    /** Default: none, it has no body. */
    schema?: TSchema;
    /** Whether it has no entity tag, so that there is no 304. Default: that of a GET has one. */
    untagged?: true;
  };
  /** The refusals by status, each with what it means. Default: none. */
  refusals?: Readonly<Record<number, string>>;
  /** Parameters, as texts, for tests and the reference. Placeholders such as `{uuid}` are filled from the ledger. */
  examples?: readonly Readonly<Record<string, string>>[];
}

/** What a handler sees of a request. */
export interface Request<Q = unknown, B = unknown> {
  path: string;
  /** Path and query exactly as they were asked for. */
  url: string;
  /** The client's address, as far as proxies are trusted. */
  ip: string;
  /** The parameters in the path, decoded. */
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  /** {@link search} by name: a list for a parameter that is given several times. */
  given: GivenParams;
  /** A header's value; empty where there is none. */
  header(name: string): string;
  /**
   * The query's parameters that the route declares, read as those of boards are.
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

/** One path of a port, what answers it, and what it says of itself. */
export interface Route<Q extends TObject = TObject, B extends TSchema = TSchema> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Koa path. */
  path: string;
  /** How long its answers may be kept, unless one says otherwise. Default: not at all. */
  lifetime?: Lifetime;
  /** The query's parameters; `request.query()` gives them validated. */
  query?: Q;
  /** The JSON body; `request.body()` gives it validated. */
  body?: B;
  /** Without one it is no part of the API's reference. */
  reference?: Reference;
  /** Whether refusals are pages too. Default: only where the reader accepts HTML and the path is none of the API. */
  page?: boolean;
  /** @throws Problem, or what `transport/errors.ts` makes one of */
  handle(request: Request<Static<Q>, Static<B>>): Answer | Promise<Answer>;
}

/** Declares a route; the generics type what its handler reads. */
export function route<Q extends TObject, B extends TSchema>(declaration: Route<Q, B>): Route {
  return declaration as unknown as Route;
}

/**
 * Sorts routes into the order in which they are matched: the most literal path first, whatever the order they were declared in.
 * @throws Error when two of them have one method and one path, whatever their parameters are called
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

/** A digit a segment: 0 literal, 1 partly (`:day.csv`), 2 a parameter. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (!segment.includes(':') ? '0' : /^:\w+$/.test(segment) ? '2' : '1'))
    .join('');
}
