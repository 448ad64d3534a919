import type { Static, TObject } from 'typebox';
import type { Output, Renderable } from '../cache/renderable.ts';
import type { BoardContext, Sport } from './context.ts';
import { type GivenParams, paramsReader } from './read-params.ts';

/** What is answered at a path: a board, a further format of one, or a page. */
export interface Endpoint {
  /** Koa path; `:name` segments are parameters too. */
  path: string;
  /** All parameters by name, with defaults and bounds; see `params.ts`. */
  params: TObject;
  /** How often a minute one client address may ask a process; default: as often as it likes. */
  perMinute?: number | undefined;
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
  perMinute?: number | undefined;
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
  const { path, params, perMinute, form, contentType, lifetime, tags, render } = declaration;
  for (const name of namesIn(path))
    if (!Object.hasOwn(params.properties, name))
      throw new Error(`${path} has a parameter that is not declared: ${name}`);
  const read = paramsReader(params);
  const keyPath = form === undefined ? path : `${path}#${form}`;
  return {
    path,
    params,
    perMinute,
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
