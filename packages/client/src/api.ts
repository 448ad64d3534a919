import { seconds } from '../../../src/platform/retry-after.ts';
import { type Operations, operations } from './operations.ts';

export type * from './operations.ts';

type Name = Exclude<keyof Operations, 'followPicks'>;
type Params<N extends keyof Operations> = Operations[N]['params'];
type Answer<N extends keyof Operations> = Operations[N]['answer'];
/** Whether every parameter of an operation may be left out. */
type Optional<P> = Partial<P> extends P ? true : false;

/** Operations that answer in pages. */
export type Paged =
  | {
      [N in Name]: (typeof operations)[N] extends readonly [string, string, string, string, string, string]
        ? N
        : never;
    }[Name]
  | 'getRecordJson';
/** An item of such an operation's list. */
export type Item<N extends Paged> = Answer<N> extends Record<ListOf<N>, readonly (infer I)[]> ? I : never;
type ListOf<N extends Paged> = (typeof operations)[N] extends readonly [
  string,
  string,
  string,
  string,
  string,
  infer L extends string,
]
  ? L
  : 'picks';

export interface CallOptions {
  signal?: AbortSignal;
}

/** One operation of the API as a function. Path, query, and `X-` headers are fields of one object; so is `body`. */
export type Call<N extends keyof Operations> =
  Optional<Params<N>> extends true
    ? (params?: Params<N>, options?: CallOptions) => Promise<Answer<N>>
    : (params: Params<N>, options?: CallOptions) => Promise<Answer<N>>;

export type Calls = { [N in Name]: Call<N> };

/** The service refused a request, or failed. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The body of the refusal (RFC 9457). */
  readonly problem: { detail?: string; errors?: { path: string; message: string }[] };
  /** What Retry-After asks for, in milliseconds; null if the answer has none. */
  readonly retryAfterMs: number | null;

  constructor(status: number, problem: ApiError['problem'], retryAfterMs: number | null) {
    super(problem.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A service to call. */
export interface Service {
  /** Address of the site, such as `https://picks.example`. */
  address: string;
  /** Sends each request. Default: the platform's `fetch`. */
  fetch?: typeof fetch;
}

/** Timeout of a call, in ms. */
const timeoutMs = 30_000;

/** Sends a request. @throws ApiError unless the status is 2xx */
export async function send(
  { address, fetch: fetchUrl = fetch }: Service,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const response = await fetchUrl(`${address.replace(/\/+$/, '')}${path}`, init);
  if (response.ok) return response;
  const text = await response.text();
  let problem: ApiError['problem'] = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // A proxy in front of the service answers in its own words.
  }
  throw new ApiError(response.status, problem, seconds(response.headers.get('Retry-After') ?? undefined));
}

/** Returns the path, the query, and the `X-` headers that hold an operation's parameters. */
export function located(template: string, params: Readonly<Record<string, unknown>>) {
  const rest = new Map(Object.entries(params).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!rest.has(name)) throw new TypeError(`${name} is missing`);
    const value = String(rest.get(name));
    rest.delete(name);
    // A tile's index has slashes.
    return value.split('/').map(encodeURIComponent).join('/');
  });
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  for (const [name, value] of rest)
    if (/^[A-Z]/.test(name)) headers[name] = String(value);
    else query.append(name, String(value));
  return { path: query.size === 0 ? path : `${path}?${query}`, headers };
}

async function call(
  service: Service,
  name: Name,
  { body, ...params }: Readonly<Record<string, unknown>>,
  { signal }: CallOptions,
): Promise<unknown> {
  const [method, template, form] = operations[name];
  const { path, headers } = located(template, params);
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await send(service, path, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  if (form === 'json') return await response.json();
  if (form === 'bytes') return new Uint8Array(await response.arrayBuffer());
  return form === 'text' ? await response.text() : undefined;
}

/** Returns every operation of the API as a function of its parameters. */
export function callsOf(service: Service): Calls {
  const names = Object.keys(operations).filter((name) => name !== 'followPicks') as Name[];
  return Object.fromEntries(
    names.map((name) => [name, (params = {}, options = {}) => call(service, name, params, options)]),
  ) as unknown as Calls;
}

/** Yields the items of all pages of an operation, in order. The record export is read oldest first, without a gap. */
export async function* itemsOf<N extends Paged>(
  calls: Calls,
  name: N,
  params: Params<N>,
  options: CallOptions,
): AsyncGenerator<Item<N>, void, undefined> {
  type Page = Record<string, unknown> & { picks: { id: number }[] };
  const read = calls[name] as unknown as (params: object, options: CallOptions) => Promise<Page>;
  const [, , , parameter = '', next = '', list = ''] = operations[name] as readonly string[];
  let given: object = name === 'getRecordJson' ? { after_id: 0, ...params } : params;
  for (;;) {
    const page = await read(given, options);
    if (name === 'getRecordJson') {
      yield* page.picks as Item<N>[];
      const last = page.picks.at(-1);
      if (page.db_reachable === false)
        throw new ApiError(503, { detail: 'The ledger is unavailable.' }, null);
      if (last === undefined) return;
      given = { ...given, after_id: last.id };
    } else {
      yield* page[list] as Item<N>[];
      if (page[next] === null) return;
      given = { ...given, [parameter]: page[next] };
    }
  }
}
