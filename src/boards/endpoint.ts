import type { Static, TObject, TSchema } from 'typebox';
import type { Output, Renderable } from '../cache/renderable.ts';
import { checker, type Fault, faultsText } from '../platform/schema.ts';
import { marketMeant } from '../rules/markets/names.ts';
import type { BoardContext, Sport } from './context.ts';

/** What is answered at a path: a board, a further format of one, or a page. */
export interface Endpoint {
  /** Koa path; `:name` segments are parameters too. */
  path: string;
  /** All parameters by name, with defaults and bounds; see `params.ts`. */
  params: TObject;
  /**
   * The answer for parameters as a reader gave them.
   * @param sports the valid sports; undefined where they are not known, and then any sport is taken
   * @throws InvalidParams
   */
  renderable(given: GivenParams, sports: ReadonlyMap<string, Sport> | undefined): Renderable<BoardContext>;
}

interface EndpointDeclaration<P extends TObject> extends Pick<Renderable<never>, 'contentType' | 'lifetime'> {
  path: string;
  params: P;
  /** Names the release's form of the answer, where another release gives another one for the same data. */
  form?: string;
  tags(params: Static<P>): readonly string[];
  render(context: BoardContext, params: Static<P>): Promise<Output>;
}

/**
 * Makes an endpoint. The type of its parameters stays inside, so that endpoints of all kinds fit into one list.
 * @throws Error when the path has a parameter that is not declared
 */
export function endpoint<P extends TObject>(declaration: EndpointDeclaration<P>): Endpoint {
  const { path, params, form, contentType, lifetime, tags, render } = declaration;
  for (const name of namesIn(path))
    if (!Object.hasOwn(params.properties, name))
      throw new Error(`${path} has a parameter that is not declared: ${name}`);
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

/** The names of the parameters in a path. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

/** A path with its parameters filled in, followed by the others in order of their names. */
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

/** Parameters as a reader gave them: texts by name, several where a name was given several times. */
export type GivenParams = Readonly<Record<string, string | readonly string[]>>;

/** The parameters of a request. What its path names, nothing in its query replaces. */
export function givenParams(querystring: string, inPath: Readonly<Record<string, string>>): GivenParams {
  const query = new URLSearchParams(querystring);
  const given = [...new Set(query.keys())].map((name) => {
    const texts = query.getAll(name);
    return [name, texts.length === 1 ? (texts[0] as string) : texts] as const;
  });
  return { ...Object.fromEntries(given), ...inPath };
}

/** A parameter is not what its board declares; `faults` names each one as `/<name>`. */
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
 * Makes the function that reads a board's parameters from texts: unknown names are left out, an empty text counts as absent, numbers
 * above their maximum count as the maximum (without one: as the largest 32-bit integer), and what has a pattern or a list of
 * values is read without regard to case, all text in NFC. A `market` may be given in other words (docs/rules/markets.md). A name given twice is an error, for either of the two might be meant. A `sport`
 * must be one of `sports`, unless those are unknown.
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
      const text = given[name];
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
    // A text that is no number stays one, for the schema to refuse.
    if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return text;
    return Math.max(Math.min(Number(text), maximum ?? integer32), -integer32);
  }
  const normal = text.normalize('NFC');
  return pattern !== undefined || anyOf !== undefined ? normal.toLowerCase() : normal;
}

/** Reads a market in other words of the sport, or of any where none is given. */
function marketOf(text: string, sport: GivenParams[string] | undefined): string {
  const meaning = marketMeant(
    typeof sport === 'string' && sport !== '' ? sport.toLowerCase() : undefined,
    text,
  );
  return 'suggestion' in meaning ? text.toLowerCase() : meaning.market;
}

/** Text that no board can have a use for, and that PostgreSQL could not even store. */
function refusedText(text: string): string | undefined {
  if (/\p{Cc}|\p{Cs}/u.test(text)) return 'must not hold control characters';
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
