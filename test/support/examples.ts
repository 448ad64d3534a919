import { playerPath } from '../../src/boards/entities/player.ts';
import { teamPath } from '../../src/boards/entities/team.ts';
import { type ExampleValues, fillIn } from '../../src/boards/examples.ts';
import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { postPick } from './post-pick.ts';

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
  const { sport, team, player, playerSport } = values;
  return {
    ...values,
    // As in the addresses of their pages, which redirect from other spellings.
    team: nameIn(teamPath({ sport, name: team })),
    player: player && nameIn(playerPath({ sport: playerSport, name: player })),
  };
}

/** Returns the name in the address of a player or team. */
export const nameIn = (path: string): string => decodeURIComponent(path.split('/')[3]!);

/** Posts a pick on a player of the league's season, so that boards of players have an example. */
export async function postOnPlayer(database: Database, now: number): Promise<void> {
  const { name, starts_at } = await database('games')
    .where({ sport: 'nba' })
    .where('starts_at', '>', new Date(now))
    .orderBy('id')
    .first('name', 'starts_at');
  const row: PickRow = {
    capperHandle: 'cleo',
    sport: 'nba',
    game: name,
    startsAt: iso(starts_at),
    source: 'test',
    market: 'player_points',
    subject: 'Otters Guard',
    side: 'over',
    line: 20.5,
    pick: 'Guard over 20.5 points',
    oddsAmerican: 105,
    stakeUnits: 1,
  };
  const { outcome } = await postPick(database, row, undefined, now);
  if (outcome !== 'added') throw new Error(`the pick on a player was not posted: ${outcome}`);
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
