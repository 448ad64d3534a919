import { viewOf } from '../platform/bytes.ts';
import type { Database, Transaction } from '../platform/database.ts';

/** Picks of a capper in a row of `capper_sides`. As many places fit in a byte. */
export const picksPerRow = 256;

/** Bytes of a pick there: four of its game, and the place of its side. */
const pickLength = 5;

/**
 * The rows of `capper_sides` for some picks, as a query. Block 0 has the first 256 picks of a capper's chain.
 * @param posted a condition on the entries `e` by which they were posted, and their rows of `board_picks`, `b`
 */
function packed(posted: string): string {
  return `select capper_id, block, string_agg(distinct side, ' ' order by side) as sides,
      string_agg(int4send(game_id::int) || set_byte('\\x00', 0, place::int), '' order by capper_seq) as picks
    from (
      select capper_id, block, capper_seq, game_id, side, dense_rank() over (partition by capper_id, block order by side) - 1 as place
      from (
        select b.capper_id, (e.capper_seq - 1) / ${picksPerRow} as block, e.capper_seq, b.game_id, (b.market || '/' || b.side) collate "C" as side
        from ledger_entries e join board_picks b on b.pick_id = e.pick_id
        where e.kind = 'posted' and ${posted}
      ) p
    ) q
    group by capper_id, block`;
}

/** The rows of `capper_sides` as far as the boards' reader is, as a query with `:read`. @param picks a condition on `board_picks b` */
export function capperSidesOf(picks: string): string {
  return `${packed(`e.seq < :read and ${picks}`)} having count(*) = ${picksPerRow}`;
}

/**
 * Adds to `capper_sides` what the entries from `from` up to, not including, `to` make full. Blocks of a capper come in order: one that a
 * release without this table passed over is made up for here.
 */
export async function extendCapperSides(transaction: Transaction, from: number, to: number): Promise<void> {
  await transaction.raw(
    `insert into capper_sides (capper_id, block, sides, picks)
     select p.*
     from (
       select capper, max(capper_seq) as last from ledger_entries
       where seq >= :from and seq < :to and kind = 'posted' and capper_seq % ${picksPerRow} = 0 group by capper
     ) f
     join cappers c on c.handle = f.capper
     cross join lateral (select coalesce(max(block) + 1, 0) as block from capper_sides where capper_id = c.id) s
     cross join lateral (
       ${packed(`e.capper = f.capper and e.capper_seq > ${picksPerRow} * s.block and e.capper_seq <= f.last`)}
     ) p`,
    { from, to },
  );
}

/** Picks of a capper: two lists of one length, since an object for each of tens of thousands would cost most. */
export interface SidePicks {
  games: Int32Array;
  /** Places in the list of all sides. */
  sides: Int32Array;
}

interface Row {
  capperId: number;
  sides: string;
  picks: Buffer;
}

/**
 * The picks of two cappers that boards show: from full blocks, and the last ones of each, fewer than a block, from the log.
 * @returns with the sides that are named in them, as `market/side`, each once
 */
export async function sidePicks(
  database: Database,
  leftId: number,
  rightId: number,
): Promise<{ sides: string[]; left: SidePicks; right: SidePicks }> {
  const { rows }: { rows: Row[] } = await database.raw(
    `with chosen as (
       select c.id, c.handle, (select coalesce(max(block) + 1, 0) from capper_sides where capper_id = c.id) as blocks
       from cappers c where c.id in (:leftId, :rightId)
     )
     select capper_id as "capperId", sides, picks from capper_sides where capper_id in (:leftId, :rightId)
     union all
     select p.capper_id, p.sides, p.picks from chosen cross join lateral (
       ${packed(`e.capper = chosen.handle and e.capper_seq > ${picksPerRow} * chosen.blocks`)}
     ) p`,
    { leftId, rightId },
  );
  const places = new Map<string, number>();
  const placeOf = (side: string) => {
    const place = places.get(side);
    if (place === undefined) places.set(side, places.size);
    return place ?? places.size - 1;
  };
  const [left, right] = [leftId, rightId].map((id) =>
    unpacked(
      rows.filter(({ capperId }) => capperId === id),
      placeOf,
    ),
  ) as [SidePicks, SidePicks];
  return { sides: [...places.keys()], left, right };
}

function unpacked(rows: readonly Row[], placeOf: (side: string) => number): SidePicks {
  const length = rows.reduce((sum, { picks }) => sum + picks.length, 0) / pickLength;
  const games = new Int32Array(length);
  const sides = new Int32Array(length);
  let next = 0;
  for (const { sides: names, picks } of rows) {
    const places = names.split(' ').map(placeOf);
    const view = viewOf(picks);
    for (let at = 0; at < picks.length; at += pickLength) {
      games[next] = view.getInt32(at);
      sides[next] = places[picks[at + 4]!]!;
      next += 1;
    }
  }
  return { games, sides };
}
