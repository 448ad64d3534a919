import { readdirSync } from 'node:fs';
import { playerPath } from '../../src/boards/entities/player.ts';
import { teamPath } from '../../src/boards/entities/team.ts';
import { pages } from '../../src/pages/index.ts';
import type { Database } from '../../src/platform/database.ts';
import { nameIn } from './examples.ts';

/** The paths of the rules, one for each document of `docs/rules`. */
export const rulePaths = readdirSync(new URL('../../docs/rules', import.meta.url))
  .filter((name) => name !== 'README.md')
  .map((name) => `/rules/${name.replace(/\.md$/, '')}`);

/** Pages that look alike over every ledger, and one that does not exist. */
export const fixedPaths = [
  '/record/export',
  '/docs',
  '/problems',
  '/problems/not-found',
  '/webhooks/manage',
  '/ledger',
  '/verify',
  '/join',
  '/post',
  '/ops',
  '/privacy',
  '/rules',
  ...rulePaths,
  '/no/such/page',
];

/** Returns the paths of every page over a ledger, for several picks and cappers if it has them. */
export async function pagePaths(database: Database): Promise<string[]> {
  const picks: Record<string, string | number>[] = await database('board_picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .distinctOn('p.market', 'p.result')
    .orderByRaw('p.market, p.result, p.pick_id')
    .limit(2)
    .select({
      uuid: 'p.uuid',
      id: 'p.pick_id',
      handle: 'c.handle',
      sport: 'p.sport',
      team: database.raw(`split_part(g.name, ' @ ', 2)`),
      market: 'p.market',
    });
  const [{ name, sport } = { name: 'Rory Finch', sport: 'nfl' }]: { name: string; sport: string }[] =
    await database('board_picks')
      .whereRaw(`market ~ '^(player|batter|pitcher)_'`)
      .orderBy('pick_id')
      .limit(1)
      .select({ name: 'subject', sport: 'sport' });
  const onPlayer = { player: nameIn(playerPath({ name, sport })), playerSport: sport };
  const facts: Record<string, string | number>[] =
    picks.length > 0
      ? picks.map((pick, at) => ({
          ...pick,
          team: nameIn(teamPath({ sport: String(pick.sport), name: String(pick.team) })),
          ...onPlayer,
          other: picks.at(at - 1)!.handle!,
        }))
      : [
          {
            uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
            id: 1,
            handle: 'nobody',
            other: 'no-one',
            sport: 'nfl',
            team: 'Foxes',
            market: 'spread',
            ...onPlayer,
          },
        ];
  const paths = pages.flatMap(({ path, examples }) =>
    examples.flatMap((example) => facts.map((fact) => filled(path, example, fact))),
  );
  return [...new Set(paths)];
}

/** Returns the first path of each kind of page. */
export function oneOfEachKind(paths: readonly string[]): string[] {
  const kindOf = (path: string) =>
    path
      .replace(/\?.*/, '')
      .replace(/^\/(c|docs|game|market|p|player|rules|sport|team|vs)\/[^/]+/, '/$1/*')
      .replace(/^\/record\/\d+/, '/record/*');
  return [...new Map(paths.toReversed().map((path) => [kindOf(path), path])).values()];
}

function filled(
  path: string,
  example: Record<string, string>,
  fact: Record<string, string | number>,
): string {
  const query = new URLSearchParams();
  let inPath = path;
  for (const [name, text] of Object.entries(example)) {
    const value =
      name === 'id' ? String(fact.id) : text.replace(/\{(\w+)\}/g, (_, key: string) => String(fact[key]));
    if (inPath.includes(`:${name}`)) inPath = inPath.replace(`:${name}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  return query.size === 0 ? inPath : `${inPath}?${query}`;
}
