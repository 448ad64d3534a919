import { v4, v5 } from 'uuid';
import { importNamespace } from '../../src/ledger/import-picks.ts';
import { sealAll } from '../../src/ledger/seal.ts';
import { storePicks } from '../../src/ledger/store-picks.ts';
import type { Database } from '../../src/platform/database.ts';

/** Cappers and games that tests post picks on. */
export interface Stage {
  /** By handle. */
  cappers: Map<string, number>;
  /** A game by sport. */
  games: Map<string, number>;
}

const start = Date.parse('2030-01-01T18:00:00Z');

/** Makes cappers, and one game far ahead for each sport. */
export async function stage(database: Database, handles: string[], sports: string[]): Promise<Stage> {
  const cappers: { id: number; handle: string }[] = await database('cappers')
    .insert(
      handles.map((handle) => ({
        handle,
        tier: 'elite',
        verified: true,
        created_at: new Date(start - 1e10),
      })),
    )
    .returning(['id', 'handle']);
  const games: { id: number; sport: string }[] = await database('games')
    .insert(
      sports.map((sport) => ({
        sport,
        name: `Away ${sport} @ Home ${sport}`,
        announced_start: new Date(start),
        starts_at: new Date(start),
      })),
    )
    .returning(['id', 'sport']);
  return {
    cappers: new Map(cappers.map(({ id, handle }) => [handle, id])),
    games: new Map(games.map(({ id, sport }) => [sport, id])),
  };
}

/** What a test's pick may differ in. */
export interface Posted {
  capper?: string;
  sport?: string;
  pick?: string;
  oddsAmerican?: number;
  /** Whether it comes from a file of the past; default no. */
  imported?: boolean;
}

/**
 * Posts picks, each on a game of its own, since the first result of a game stands; and seals them.
 * @returns their uuids, in order
 */
export async function post(
  database: Database,
  stage: Stage,
  picks: readonly Posted[],
  at: number,
): Promise<string[]> {
  const [firstCapper] = stage.cappers.keys();
  const [firstSport] = stage.games.keys();
  const played = await nextGames(
    database,
    picks.map(({ sport = firstSport! }) => sport),
  );
  const rows = picks.map(({ capper = firstCapper!, pick, oddsAmerican = -110, imported }, index) => ({
    uuid: imported === true ? v5(`${at} ${index}`, importNamespace) : v4(),
    capperId: stage.cappers.get(capper)!,
    tier: 'elite',
    gameId: played[index]!.id,
    startsAt: imported === true ? played[index]!.announced : start,
    market: 'moneyline',
    side: 'home',
    lineE3: null,
    pick: pick ?? `Pick ${index}`,
    oddsAmerican,
    stakeE4: 15_000,
    book: null,
    source: imported === true ? 'import' : 'operator',
    provenance: imported === true ? ('imported' as const) : ('live' as const),
    postedAt: at,
  }));
  await storePicks(database, rows);
  await sealAll(database);
  return rows.map(({ uuid }) => uuid);
}

let announced = start;

/** A game for each pick: of one sport all have one name, and first announced starts of their own. */
async function nextGames(
  database: Database,
  sports: readonly string[],
): Promise<{ id: number; announced: number }[]> {
  const games = sports.map((sport) => {
    announced -= 1000;
    return { sport, announced };
  });
  if (games.length === 0) return [];
  const stored: { id: number; announced: number }[] = await database('games')
    .insert(
      games.map(({ sport, announced }) => ({
        sport,
        name: `Away ${sport} @ Home ${sport}`,
        announced_start: new Date(announced),
        starts_at: new Date(start),
      })),
    )
    .returning(['id', 'announced_start as announced']);
  return stored.sort((one, other) => other.announced - one.announced);
}

/** Settles picks as won, with a closing price where one is given, and seals that. */
export async function settle(
  database: Database,
  uuids: readonly string[],
  at: number,
  closingOdds: number | null = null,
): Promise<void> {
  // The game starts no later than it ends, for as long as this takes.
  await database.raw(
    `update games set starts_at = least(starts_at, ?) where id in (select game_id from picks where uuid = any(?::uuid[]))`,
    [new Date(at), [...uuids]],
  );
  if (closingOdds !== null)
    await database.raw(
      `with closed as (
         select p.*, g.starts_at as closed_at from picks p join games g on g.id = p.game_id where uuid = any(cast(:uuids as uuid[]))
       ), priced as (
         insert into lines (game_id, market, side, line_e3, odds_american, captured_at, closing, book)
         select distinct game_id, market, side, line_e3, cast(:odds as int), closed_at, true, 'north' from closed on conflict do nothing
       )
       insert into closings (pick_id, closed_at, odds_american, captured_at, prices, clv_bps)
       select id, closed_at, :odds, closed_at, jsonb_build_array(jsonb_build_object('side', side, 'odds_american', cast(:odds as int))),
         clv(odds_american, american_num(:odds), american_den(:odds)) from closed`,
      { odds: closingOdds, uuids },
    );
  await database.raw(
    `insert into results (game_id, market, side, line_e3, result, final_at)
     select distinct game_id, market, side, line_e3, 'win', cast(? as timestamptz) from picks where uuid = any(?::uuid[])
     on conflict do nothing`,
    [new Date(at), [...uuids]],
  );
  await database.raw(
    `insert into settlements (pick_id, result, settled_at, net_units_e4, grader)
     select id, 'win', ?, net_units('win', stake_e4, odds_american), 'result' from picks where uuid = any(?::uuid[]) order by array_position(?::uuid[], uuid)`,
    [new Date(at), [...uuids], [...uuids]],
  );
  await database.raw(
    'update games g set starts_at = ? from picks p where p.game_id = g.id and p.uuid = any(?::uuid[])',
    [new Date(start), [...uuids]],
  );
  await sealAll(database);
}
