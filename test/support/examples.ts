import type { Endpoint } from '../../src/boards/endpoint.ts';
import type { Database } from '../../src/platform/database.ts';

/** What the `{name}` in the examples of boards stands for in a database. */
export type ExampleFacts = Readonly<Record<'uuid' | 'handle' | 'other' | 'sport' | 'game', string>>;

/** A settled pick with a closing, its capper and game, and another capper. */
export async function exampleFacts(database: Database): Promise<ExampleFacts> {
  const facts: ExampleFacts | undefined = await database('board_picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as o', 'o.id', '<>', 'c.id')
    .whereNotNull('p.result')
    .whereNotNull('p.clv_bps')
    .orderBy([{ column: 'p.uuid' }, { column: 'o.id' }])
    .first({ uuid: 'p.uuid', handle: 'c.handle', other: 'o.handle', sport: 'p.sport', game: 'g.name' });
  if (facts === undefined) throw new Error('there is no settled pick with a closing');
  return facts;
}

/** An example's parameters with everything filled in. */
export function filled(example: Record<string, string>, facts: ExampleFacts): Record<string, string> {
  const entries = Object.entries(example).map(([name, text]) => [
    name,
    text.replace(/\{(\w+)\}/g, (_, fact: string) => {
      if (!(fact in facts)) throw new Error(`an example speaks of {${fact}}, which tests know nothing about`);
      return facts[fact as keyof ExampleFacts];
    }),
  ]);
  return Object.fromEntries(entries);
}

/** The URL path, with its query, of a board or a format of it for parameters as texts. */
export function urlOf({ path }: Pick<Endpoint, 'path'>, params: Record<string, string>): string {
  const query = new URLSearchParams(params);
  const inPath = path.replace(/:(\w+)/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(params[name] ?? `:${name}`);
  });
  return query.size === 0 ? inPath : `${inPath}?${query}`;
}
