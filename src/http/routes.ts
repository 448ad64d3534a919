import type { Static, TObject, TSchema } from 'typebox';
import type { Board } from '../boards/board.ts';
import type { GivenParams, Sport } from '../boards/endpoint.ts';
import type { Answer, Lifetime } from './answer.ts';

/** In the order of the API reference. */
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

/** @typeParam Section the sections of that reference. Default: those of the public API */
export interface Reference<Section extends string = keyof typeof sections> {
  id: string;
  section: Section;
  about: string;
  /** Path parameters. The handler answers 404 for a value that names nothing, whatever its form. */
  params?: TObject;
  headers?: TObject;
  /** A body that it takes. Default: the reference makes one of the names of the required fields. */
  bodyExample?: object;
  answer: {
    status?: number;
    /** Default: JSON. */
    type?: string;
    /** Default: no body. */
    schema?: TSchema;
    /** Whether it has no entity tag, and thus no 304. Default: answers to GET have one. */
    untagged?: true;
  };
  /** Meaning of refusals, by status. Default: none. */
  refusals?: Readonly<Record<number, string>>;
  /** Example parameters as text, for tests and the reference. Placeholders such as `{uuid}` are filled from the ledger. */
  examples?: readonly Readonly<Record<string, string>>[];
}

/** Statuses of refusals that any operation with a JSON body can give. */
export const bodyRefusals = [400, 413, 415] as const;

/** Returns a function that picks refusals by status, for {@link Reference.refusals}. @param meanings of the statuses in a section */
export function refusing<Status extends number>(meanings: Readonly<Record<Status, string>>) {
  return (...statuses: readonly Status[]): NonNullable<Reference['refusals']> =>
    Object.fromEntries(statuses.map((status) => [status, meanings[status]]));
}

export interface Request<Q = unknown, B = unknown> {
  path: string;
  /** Exactly as the client sent them. */
  url: string;
  /** The client's address, taken from `X-Forwarded-For` as far as proxies are trusted. */
  ip: string;
  /** Decoded. */
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  /** Like {@link search}, by name. A repeated parameter has a list. */
  given: GivenParams;
  /** Empty if absent. */
  header(name: string): string;
  /** Parsed like those of boards. @param sports by which `sport` is checked. Default: unchecked. @throws InvalidParams */
  query(sports?: ReadonlyMap<string, Sport>): Q;
  /** No body counts as an empty object. @throws Problem 400 that names every fault, 413, 415 */
  body(): Promise<B>;
  /** @throws Problem 400, 413, 415 */
  form(): Promise<Record<string, unknown>>;
}

export interface Route<Q extends TObject = TObject, B extends TSchema = TSchema> {
  method: 'GET' | 'POST' | 'DELETE';
  /** A path pattern of `@koa/router`. */
  path: string;
  /** Default: not at all. */
  lifetime?: Lifetime;
  query?: Q;
  body?: B;
  /** Largest body. Default: 16 KiB. */
  bodyLimit?: '8kb' | '32kb';
  /** Whether `request.body()` returns the body unchecked: the handler checks each row and answers about each. */
  checksRows?: true;
  /** Default: the API reference does not list it. */
  reference?: Reference;
  /** Whether it serves pages, so that its refusals are pages too. Default: JSON. */
  page?: boolean;
  /** @throws Problem, or an error that `transport/errors.ts` turns into one */
  handle(request: Request<Static<Q>, Static<B>>): Answer | Promise<Answer>;
}

export type DescribedRoute<Section extends string = string> = Pick<
  Route,
  'method' | 'path' | 'lifetime' | 'query' | 'body'
> & { reference?: Reference<Section> };

/** Not listed by the API reference; the generics type the handler's input. */
export function route<Q extends TObject, B extends TSchema>(declaration: Route<Q, B>): Route {
  return declaration as unknown as Route;
}

/** Declares a route together with its entry in the API reference. @param method Default: GET */
export function described<Q extends TObject, B extends TSchema>({
  method = 'GET',
  path,
  lifetime,
  query,
  body,
  bodyLimit,
  checksRows,
  handle,
  ...reference
}: Omit<Route<Q, B>, 'method' | 'reference' | 'page'> & { method?: Route['method'] } & Reference): Route {
  const request = { query, body, bodyLimit, checksRows };
  return { method, path, lifetime, ...request, reference, handle } as unknown as Route;
}

/** The most literal path first. @throws Error if two have the same method and path, whatever their parameters are called */
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

/** Ranks a path with one digit per segment: 0 literal, 1 partly literal (`:day.csv`), 2 a parameter. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (!segment.includes(':') ? '0' : /^:\w+$/.test(segment) ? '2' : '1'))
    .join('');
}
