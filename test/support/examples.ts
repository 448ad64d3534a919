import { type ExampleValues, fillIn } from '../../src/boards/examples.ts';
import type { Database } from '../../src/platform/database.ts';

const ofPlayer = (column: string) =>
  `select ${column} from board_picks where market ~ '^(player|batter|pitcher)_' order by pick_id limit 1`;

/** Returns a settled pick with a closing, its capper and game, another capper, and a player. */
export async function exampleValues(database: Database): Promise<ExampleValues> {
  const values: ExampleValues | undefined = await database('board_picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as o', 'o.id', '<>', 'c.id')
    .whereNotNull('p.result')
    .whereNotNull('p.clv_bps')
    .orderBy([{ column: 'p.uuid' }, { column: 'o.id' }])
    .first({
      uuid: 'p.uuid',
      handle: 'c.handle',
      other: 'o.handle',
      sport: 'p.sport',
      game: 'g.name',
      team: database.raw(`split_part(g.name, ' @ ', 2)`),
      market: 'p.market',
      playerSport: database.raw(`(${ofPlayer('sport')})`),
      player: database.raw(`(${ofPlayer('subject')})`),
    });
  if (values === undefined) throw new Error('there is no settled pick with a closing');
  return values;
}

/**
 * Returns an example's parameters with each `{name}` replaced.
 * @throws Error for an unknown name
 */
export function filled(
  example: Readonly<Record<string, string>>,
  values: ExampleValues,
): Record<string, string> {
  const params = fillIn(example, values);
  if (params === undefined)
    throw new Error(`an example refers to a fact that tests lack: ${JSON.stringify(example)}`);
  return params;
}

/** Returns the URL path, with its query, of a board or format. */
export function urlOf({ path }: { path: string }, params: Record<string, string>): string {
  const query = new URLSearchParams(params);
  const inPath = path.replace(/([:*])(\w+)/g, (_, kind: string, name: string) => {
    query.delete(name);
    const value = params[name] ?? `:${name}`;
    return kind === '*' ? value : encodeURIComponent(value);
  });
  return query.size === 0 ? inPath : `${inPath}?${query}`;
}
