import type { Database, Transaction } from '../platform/database.ts';

/** Picks of a capper in a row of `capper_games`: the place of a side among those of so many picks fits in a byte. */
export const picksPerRow = 256;

/**
 * A number, as SQL that writes it: a character from `!` on; one beyond 92 as `~` and eight hexadecimal digits. Characters of ASCII are sent
 * and read as they are, where bytes would be as hexadecimal digits.
 */
function written(number: string): string {
  return `case when ${number} < 93 then chr(33 + (${number})::int) else '~' || lpad(to_hex(${number}), 8, '0') end`;
}

/**
 * The rows of `capper_games` for some picks, as a query. Block 0 has the first 256 picks of a capper's chain.
 * @param posted a condition on the entries `e` by which they were posted, and their rows of `board_picks`, `b`
 */
function packed(posted: string): string {
  return `select capper_id, block, string_agg(distinct side, E'\\n' order by side) as sides, max(game_id) as last_game,
      string_agg(${written('step')} || ${written('place')}, '' order by n) as picks,
      min(posted_at) as first_posted_at, max(posted_at) as last_posted_at
    from (
      select capper_id, block, game_id, side, posted_at, row_number() over latest_first as n,
        coalesce(lag(game_id) over latest_first - game_id, 0) as step,
        dense_rank() over (partition by capper_id, block order by side) - 1 as place
      from (
        select b.capper_id, (e.capper_seq - 1) / ${picksPerRow} as block, b.game_id, concat_ws('/', b.market, b.side, b.subject) collate "C" as side,
          b.posted_at, b.uuid
        from ledger_entries e join board_picks b on b.pick_id = e.pick_id
        where e.kind = 'posted' and ${posted}
      ) p
      window latest_first as (partition by capper_id, block order by game_id desc, posted_at desc, uuid desc)
    ) q
    group by capper_id, block`;
}

/** The rows of `capper_games` as far as the boards' reader is, as a query with `:read`. @param picks a condition on `board_picks b` */
export function capperGamesOf(picks: string): string {
  return `${packed(`e.seq < :read and ${picks}`)} having count(*) = ${picksPerRow}`;
}

/** Adds the blocks to `capper_games` that the entries from `from` up to, not including, `to` make full. */
export async function extendCapperGames(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `insert into capper_games (capper_id, block, sides, last_game, picks, first_posted_at, last_posted_at)
     select p.*
     from (
       select capper, min(capper_seq) - ${picksPerRow} as before, max(capper_seq) as last from ledger_entries
       where seq >= :from and seq < :to and kind = 'posted' and capper_seq % ${picksPerRow} = 0 group by capper
     ) f
     cross join lateral (
       ${packed('e.capper = f.capper and e.capper_seq > f.before and e.capper_seq <= f.last')}
     ) p`,
    { from, to },
  );
}

/** Some picks of a capper. */
export interface PickedGames {
  /** Each `market/side` or `market/side/subject` once, a line each. */
  sides: string;
  lastGame: number;
  /** What {@link readPicks} reads. */
  picks: string;
  /** When the first and the last of them was posted, in epoch milliseconds. */
  from: number;
  to: number;
}

/**
 * The picks of two cappers that boards show: full blocks, and the last ones of each, fewer than a block, from the log. In no order.
 */
export async function pickedGames(
  database: Database,
  leftId: number,
  rightId: number,
): Promise<[left: PickedGames[], right: PickedGames[]]> {
  // To read an instant as text takes longer than all else of a row.
  const ms = (instant: string) => `(1000 * date_part('epoch', ${instant}))::bigint`;
  const columns = `capper_id as "capperId", sides, last_game as "lastGame", picks, ${ms('first_posted_at')} as "from", ${ms('last_posted_at')} as "to"`;
  const { rows }: { rows: (PickedGames & { capperId: number })[] } = await database.raw(
    `with chosen as (
       select c.id, c.handle, (select coalesce(max(block) + 1, 0) from capper_games where capper_id = c.id) as blocks
       from cappers c where c.id in (:leftId, :rightId)
     )
     select ${columns} from capper_games where capper_id in (:leftId, :rightId)
     union all
     select ${columns} from chosen cross join lateral (
       ${packed(`e.capper = chosen.handle and e.capper_seq > ${picksPerRow} * chosen.blocks`)}
     ) p`,
    { leftId, rightId },
  );
  const of = (id: number) => rows.filter(({ capperId }) => capperId === id);
  return [of(leftId), of(rightId)];
}

/**
 * Reads the picks of a row, those on its last game first, and of those on one game the latest first. A function called for each of tens of
 * thousands would cost as much as all else.
 * @param games of each pick, is written
 * @param places of the side of each pick among those of the row, is written
 * @returns how many there are, {@link picksPerRow} at most
 */
export function readPicks({ lastGame, picks }: PickedGames, games: Int32Array, places: Uint8Array): number {
  let game = lastGame;
  let count = 0;
  for (let at = 0; at < picks.length; count += 1) {
    let step = picks.charCodeAt(at) - 33;
    at += 1;
    if (step === 93) {
      step = longNumber(picks, at);
      at += 8;
    }
    let place = picks.charCodeAt(at) - 33;
    at += 1;
    if (place === 93) {
      place = longNumber(picks, at);
      at += 8;
    }
    game -= step;
    games[count] = game;
    places[count] = place;
  }
  return count;
}

function longNumber(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + 8), 16);
}
