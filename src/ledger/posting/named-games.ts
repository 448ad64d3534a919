import { findGames, type Game, type GameName, gameColumns, gameKey } from '../../games/game.ts';
import { swappedRow } from '../../games/home-team.ts';
import { namedGame } from '../../games/resolve.ts';
import type { Transaction } from '../../platform/database.ts';

/** The game that a row names, and the row with sides that fit that game. `unknown` is the reason if no game was found. */
export interface NamedGame<Row> {
  row: Row;
  game?: Game | undefined;
  unknown?: string | undefined;
  /** Tells the sender that home and away are swapped. */
  note?: string | undefined;
}

type Other = Omit<NamedGame<never>, 'row'>;

type Row = GameName & { side: string };

/**
 * Finds the games that live picks name and locks them until the transaction ends. A pick without a start means the only upcoming game of
 * that name.
 * @param now epoch milliseconds
 */
export async function lockNamedGames<R extends Row>(
  transaction: Transaction,
  rows: readonly R[],
  now: number,
): Promise<(row: R) => NamedGame<R>> {
  const exact = await findGames(transaction, rows, 'share');
  const others = await otherGames(
    transaction,
    rows.filter((row) => !exact.has(gameKey(row))),
    new Set([...exact.values()].map(({ id }) => id)),
    now,
  );
  return (row) => {
    const key = gameKey(row);
    const { game, unknown, note } = others.get(key) ?? { game: exact.get(key) };
    return { row: note === undefined ? row : swappedRow(row), game, unknown, note };
  };
}

/**
 * Finds games for picks whose exact name and start are not announced: the only upcoming game of that name, else a game of the same
 * opponents.
 * @param exact ids of games that other picks name exactly
 * @returns by {@link gameKey}
 */
async function otherGames(
  transaction: Transaction,
  rows: readonly GameName[],
  exact: ReadonlySet<number>,
  now: number,
): Promise<Map<string, Other>> {
  const others = new Map<string, Other>();
  const upcoming = await upcomingGames(
    transaction,
    rows.filter(({ startsAt }) => startsAt == null),
    now,
  );
  // These games keep their names, because a pick refers to one of their sides.
  const kept = new Set([...exact, ...upcoming.map(({ id }) => id)]);
  for (const row of new Map(rows.map((each) => [gameKey(each), each])).values()) {
    const open =
      row.startsAt == null
        ? upcoming.filter(({ sport, name }) => sport === row.sport && name === row.game)
        : [];
    if (open.length > 1) continue;
    const other =
      open[0] === undefined ? await gameOfOpponents(transaction, row, kept, now) : { game: open[0] };
    if (other === undefined) continue;
    others.set(gameKey(row), other);
    if (other.game !== undefined) kept.add(other.game.id);
  }
  return others;
}

async function gameOfOpponents(
  transaction: Transaction,
  row: GameName,
  kept: ReadonlySet<number>,
  now: number,
): Promise<Other | undefined> {
  const found = await namedGame(transaction, row, now, kept);
  if (found === undefined) return undefined;
  if ('refused' in found) return { unknown: found.refused };
  const game = (await findGames(transaction, [found.name], 'share')).get(gameKey(found.name));
  if (game === undefined) return undefined;
  return { game, note: found.swapped === true ? found.note : undefined };
}

/** Finds upcoming games by name and locks them. */
async function upcomingGames(
  transaction: Transaction,
  rows: readonly GameName[],
  now: number,
): Promise<Game[]> {
  if (rows.length === 0) return [];
  const names = new Map(rows.map(({ sport, game }) => [`${sport}\n${game}`, { sport, game }]));
  return transaction('games as g')
    .whereRaw(
      `g.id = any (array(
         select f.id from json_to_recordset(?) as w (sport text, game text)
         cross join lateral (select id from games where sport = w.sport and name = w.game and starts_at > ? offset 0) f))`,
      [JSON.stringify([...names.values()]), new Date(now)],
    )
    .orderBy('g.id')
    .forShare('g')
    .select(gameColumns);
}
