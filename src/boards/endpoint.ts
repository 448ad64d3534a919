import type { Static, TObject, TSchema } from 'typebox';
import type { Database } from '../platform/database.ts';
import { checker, type Fault, faultsText } from '../platform/schema.ts';
import { meant } from '../rules/markets/meant.ts';

export interface Sport {
  key: string;
  label: string;
  moneylineWays: 2 | 3;
  eventMinutes: number;
}

export async function sportsIn(database: Database): Promise<Sport[]> {
  return database<Sport>('sports')
    .select({ key: 'key', label: 'label', moneylineWays: 'moneyline_ways', eventMinutes: 'event_minutes' })
    .orderBy('position')
    .orderBy('key');
}

export interface BoardContext {
  database: Database;
  now: EpochMs;
  /** For example `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  helpLine: string;
  sports: ReadonlyMap<string, Sport>;
}

/** Seconds that caches may keep an answer, by how soon its content changes. */
export const lifetimes = {
  /** Service status and digests of the present. */
  live: 60,
  /** Lists that every new pick or settlement changes. */
  stream: 120,
  /** Boards, and pages that show them. */
  board: 300,
  /** Feeds and calendars, whose readers poll, and daily content. */
  feed: 600,
  /** Content that changes only with a release. */
  release: 3600,
} as const;

export interface Renderable {
  key: string;
  /** Tags that the answer depends on. Bumping one of them makes it stale. */
  tags: readonly string[];
  /** Longest time that the answer is fresh, in seconds, as advertised. */
  lifetime: number;
  contentType: string;
  /** @throws NotFound, and errors of reading its data */
  render(context: BoardContext): Promise<Output>;
}

export interface Output {
  text: string | Buffer;
  /** Content of the entity tag, without fields that differ in each rendering, such as `generatedAt`. Default: the text. */
  tagged?: string | Buffer;
  /** Seconds that this answer is fresh, as advertised. Default: {@link Renderable.lifetime}. */
  lifetime?: number;
  /** Whether the answer may be kept; default true. */
  mayKeep?: boolean;
}

/** Thrown if the subject of an answer does not exist. Not a failure: the cache serves no stale answer instead. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/** Thrown if the answer is at another path of this site. */
export class SeeOther extends Error {
  override name = 'SeeOther';
  readonly path: string;

  constructor(path: string) {
    super(`see ${path}`);
    this.path = path;
  }
}

export interface Endpoint {
  /** Koa path; its `:name` segments are parameters too. */
  path: string;
  /** All parameters by name, with defaults and bounds; see `params.ts`. */
  params: TObject;
  /** @param sports the valid sports; if undefined, any sport is accepted. @throws InvalidParams */
  renderable(given: GivenParams, sports: ReadonlyMap<string, Sport> | undefined): Renderable;
}

interface EndpointDeclaration<P extends TObject> extends Pick<Renderable, 'contentType' | 'lifetime'> {
  path: string;
  params: P;
  /** Version of the answer's form, if releases differ in it for the same data. */
  form?: string;
  tags(params: Static<P>): readonly string[];
  render(context: BoardContext, params: Static<P>): Promise<Output>;
}

/** Hides the type of its parameters, so that all kinds fit in one list. @throws Error if the path has an undeclared parameter */
export function endpoint<P extends TObject>(declaration: EndpointDeclaration<P>): Endpoint {
  const { path, params, form, contentType, lifetime, tags, render } = declaration;
  for (const name of namesIn(path))
    if (!Object.hasOwn(params.properties, name))
      throw new Error(`${path} has an undeclared parameter: ${name}`);
  const read = paramsReader(params);
  const keyPath = form === undefined ? path : `${path}#${form}`;
  return {
    path,
    params,
    renderable(given, sports) {
      const effective = read(given, sports);
      return {
        key: keyOf(keyPath, effective),
        tags: tags(effective),
        lifetime,
        contentType,
        render: (context) => render(context, effective),
      };
    },
  };
}

export function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

/** Returns a path with its parameters filled in, followed by the other parameters sorted by name. */
export function keyOf(path: string, params: object): string {
  const query = new Map<string, unknown>(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(query.get(name)));
    query.delete(name);
    return value;
  });
  const names = [...query.keys()].filter((name) => query.get(name) !== undefined).sort();
  if (names.length === 0) return filled;
  return `${filled}?${names.map((name) => `${name}=${encodeURIComponent(String(query.get(name)))}`).join('&')}`;
}

/** Parameters as a reader gave them: text by name, or a list for a repeated name. */
export type GivenParams = Readonly<Record<string, string | readonly string[]>>;

/** The query cannot override the parameters of the path. */
export function givenParams(querystring: string, inPath: Readonly<Record<string, string>>): GivenParams {
  const query = new URLSearchParams(querystring);
  const given = [...new Set(query.keys())].map((name) => {
    const texts = query.getAll(name);
    return [name, texts.length === 1 ? (texts[0] as string) : texts] as const;
  });
  return { ...Object.fromEntries(given), ...inPath };
}

/** Thrown for parameters that a board does not accept; `faults` has each as `/<name>`. */
export class InvalidParams extends Error {
  override name = 'InvalidParams';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faultsText(faults));
    this.faults = faults;
  }
}

const maxTextLength = 300;
const integer32 = 2 ** 31 - 1;

/**
 * Returns a function that reads a board's parameters from text.
 * - It drops unknown names and treats empty text as absent.
 * - A number above its maximum becomes the maximum, or without one, the largest 32-bit integer.
 * - A value with a pattern or a list of values ignores case. Text is normalized to NFC.
 * - A `market` may have another name (docs/rules/markets.md). A `sport` must be one of `sports`, if known.
 * - `capper` is another name of `capper_handle`.
 * - A repeated name is an error, because either value could be meant.
 * @throws InvalidParams, from the function
 */
export function paramsReader<P extends TObject>(
  schema: P,
): (given: GivenParams, sports: ReadonlyMap<string, Sport> | undefined) => Static<P> {
  const check = checker(schema);
  const properties = Object.entries(schema.properties as Record<string, TSchema>);
  return (given, sports) => {
    const values: Record<string, string | number> = {};
    const faults: Fault[] = [];
    for (const [name, property] of properties) {
      const text = given[name] ?? (name === 'capper_handle' ? given.capper : undefined);
      if (text === undefined || text === '') continue;
      if (typeof text !== 'string') {
        faults.push({ path: `/${name}`, message: 'must be given once' });
        continue;
      }
      values[name] = name === 'market' ? marketOf(text, given.sport) : read(property, text);
      const refusal = refusedText(text) ?? unknownSport(name, values[name], sports);
      if (refusal !== undefined) faults.push({ path: `/${name}`, message: refusal });
    }
    const checked = check(values);
    if (checked.ok && faults.length === 0) return checked.value;
    const named = new Set(faults.map(({ path }) => path));
    const others = checked.ok ? [] : checked.faults.filter(({ path }) => !named.has(path));
    throw new InvalidParams([...faults, ...others.map((fault) => explained(fault, schema))]);
  };
}

function read(property: TSchema, text: string): string | number {
  const { type, maximum, pattern, anyOf } = property as {
    type?: string;
    maximum?: number;
    pattern?: string;
    anyOf?: unknown;
  };
  if (type === 'integer' || type === 'number') {
    // The schema refuses text that is not a number.
    if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return text;
    return Math.max(Math.min(Number(text), maximum ?? integer32), -integer32);
  }
  const normal = text.normalize('NFC');
  return pattern !== undefined || anyOf !== undefined ? normal.toLowerCase() : normal;
}

/** In any sport if none is given. */
function marketOf(text: string, sport: GivenParams[string] | undefined): string {
  const meaning = meant(text, {
    sport: typeof sport === 'string' && sport !== '' ? sport.toLowerCase() : undefined,
  });
  return meaning?.kind === 'market' && meaning.subject !== 'question'
    ? meaning.market
    : text.trim().toLowerCase().replace(/\s+/g, '_');
}

/** Refuses text that is useless to every board and that PostgreSQL cannot store. */
function refusedText(text: string): string | undefined {
  if (/\p{Cc}|\p{Cs}/u.test(text)) return 'must not contain control characters';
  if (text.length > maxTextLength && !/^[+-]?[\d.]+$/.test(text))
    return `must not be longer than ${maxTextLength} characters`;
  return undefined;
}

function unknownSport(
  name: string,
  value: string | number,
  sports: ReadonlyMap<string, Sport> | undefined,
): string | undefined {
  if (name !== 'sport' || sports === undefined || sports.has(String(value))) return undefined;
  return `must be one of ${[...sports.keys()].join(', ')}`;
}

function explained(fault: Fault, schema: TObject): Fault {
  const property = (schema.properties as Record<string, { must?: unknown }>)[fault.path.slice(1)];
  if (fault.message !== 'is missing' || typeof property?.must !== 'string') return fault;
  return { ...fault, message: `is missing: it must be ${property.must}` };
}
