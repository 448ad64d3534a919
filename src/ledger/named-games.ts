import { findGames, type Game, gameColumns, gameKey } from '../games/game.ts';
import { namedGame } from '../games/resolve.ts';
import type { Transaction } from '../platform/database.ts';
import type { PickRow } from './pick-row.ts';

/** The games that picks name, or why there is none. They cannot be moved or end before the transaction does. */
export async function findNamedGames(
  transaction: Transaction,
  rows: readonly PickRow[],
  now: number,
): Promise<(row: PickRow) => { game?: Game; unfound?: string }> {
  const named = await findGames(transaction, rows, 'share');
  const others = await otherGames(
    transaction,
    rows.filter((row) => !named.has(gameKey(row))),
    now,
  );
  return (row) => {
    const found = named.get(gameKey(row)) ?? others.get(gameKey(row));
    if (found === undefined) return {};
    return 'refused' in found ? { unfound: found.refused } : { game: found };
  };
}

/**
 * The games that picks mean where none is announced under their name and start, by that: without a start the only one of that name that
 * has not started. In other words than the game's own it is found by its opponents.
 */
async function otherGames(
  transaction: Transaction,
  rows: readonly PickRow[],
  now: number,
): Promise<Map<string, Game | { refused: string } | undefined>> {
  const others = new Map<string, Game | { refused: string } | undefined>();
  const upcoming = await upcomingGames(
    transaction,
    rows.filter(({ startsAt }) => startsAt == null),
    now,
  );
  for (const row of rows) {
    const key = gameKey(row);
    if (others.has(key)) continue;
    const open = (row.startsAt == null ? upcoming : []).filter(
      ({ sport, name }) => sport === row.sport && name === row.game,
    );
    const found = open.length > 0 ? undefined : await namedGame(transaction, row, now);
    if (open.length > 0) others.set(key, open.length === 1 ? open[0] : undefined);
    else if (found === undefined || 'refused' in found) others.set(key, found);
    else others.set(key, (await findGames(transaction, [found.name], 'share')).get(gameKey(found.name)));
  }
  return others;
}

/** The games of these names that have not started. */
async function upcomingGames(
  transaction: Transaction,
  rows: readonly PickRow[],
  now: number,
): Promise<Game[]> {
  if (rows.length === 0) return [];
  const names = new Set(rows.map(({ sport, game }) => JSON.stringify({ sport, game })));
  return transaction('games as g')
    .whereRaw(
      `g.id = any (array(
         select f.id from json_to_recordset(?) as w (sport text, game text)
         cross join lateral (select id from games where sport = w.sport and name = w.game and starts_at > ? offset 0) f))`,
      [`[${[...names].join(',')}]`, new Date(now)],
    )
    .orderBy('g.id')
    .select(gameColumns)
    .forShare('g');
}
