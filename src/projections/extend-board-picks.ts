import { copiedFields } from '../ledger/events.ts';
import { copiedColumns } from '../ledger/pick-forms.ts';
import {
  type CheckpointTimes,
  coveringTimes,
  timesBound,
  timesSql,
} from '../ledger/publishing/signed-checkpoints.ts';
import { lockCursor } from '../ledger/sealing/advance-cursor.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Kind } from '../proof/bodies.ts';
import { edgeBps } from '../rules/edge.ts';
import { addLateFollowers } from './followers.ts';
import type { NamedPick } from './price-checks.ts';
import { addLate } from './rollups.ts';

/** SQL expression: the edge of a pick. Binds the result of {@link edgesOf} as `edges`, and stays a lookup under any join. */
const edgeOf = (pickId: string) => `(cast(:edges as jsonb) ->> ${pickId}::text)::int`;

const postedColumns = Object.fromEntries(copiedColumns.map((column) => [column, `p.${column}`]));

const sourcesOf = (event: keyof typeof copiedFields) =>
  Object.fromEntries(copiedFields[event].map(({ column, source }) => [column, source]));

/** Columns of the price check. For a pending pick these hold the provisional verdict: see `price-checks.ts`. */
export const priceColumns = Object.fromEntries(
  Object.entries(sourcesOf('settled')).filter(([column]) => column.startsWith('price_')),
);

/**
 * The source of each column of `board_picks`, by the event that fills it. `p` is the pick (`picks` or `board_picks`), `g` its game, `k` its
 * closing, `s` its settlement, and `t` the first checkpoint that covers it.
 */
export const boardPickColumns = {
  posted: {
    pick_id: 'p.id',
    ...postedColumns,
    sport: 'g.sport',
    // The game that its game was joined into by the entries before `:read`.
    game_id:
      'coalesce((select joined_game(j.from_game, :read) from game_joins j where j.from_game = p.game_id), p.game_id)',
  },
  closed: {
    ...sourcesOf('closed'),
    same_line: 'k.line_e3 is not distinct from p.line_e3',
  },
  settled: sourcesOf('settled'),
  // At the counted odds, which are known once the pick settles.
  priced: { edge_bps: edgeOf('p.id') },
  // Witnesses' timestamps have whole seconds, so the second of the start is already too late (docs/rules/provenance.md#sealed-in-time).
  covered: {
    sealed_at: 't.signed_at',
    sealed_in_time: `case
      when p.provenance = 'imported' or p.starts_at is null then null
      when t.witnessed_at < date_trunc('second', p.starts_at) then 'witnessed'
      when t.signed_at < p.starts_at then 'signed'
      else 'late' end`,
  },
} as const;

/**
 * Adds the entries from `from` up to, but not including, `to` to `board_picks`. Writes each pick once, even if several of its events are
 * among them, because each version of a row is added to all indexes of the table.
 * @param kinds the kinds of these entries
 */
export async function extendBoardPicks(
  transaction: Transaction,
  from: number,
  to: number,
  kinds: ReadonlySet<Kind>,
): Promise<void> {
  const changed = `select pick_id from ledger_entries where seq >= :from and seq < :to and kind in ('closed', 'settled')`;
  const edges =
    kinds.has('closed') || kinds.has('settled')
      ? await edgesOf(transaction, `k.pick_id in (${changed})`, { from, to })
      : '{}';
  const bindings = { from, to, read: to, edges };
  if (kinds.has('game_joined'))
    await transaction.raw(
      `update board_picks b set game_id = joined_game(b.game_id, :to) where b.game_id in (
         select j.from_game from ledger_entries e join game_joins j on j.id = e.join_id where e.seq >= :from and e.seq < :to)`,
      { from, to },
    );
  if (kinds.has('posted')) await addPosted(transaction, bindings);
  if (kinds.has('closed') || kinds.has('settled')) await changePosted(transaction, bindings);
}

/**
 * Picks of the entries. `e.seq` is the pick's posting among them, or null if it was posted earlier; `k` and `s` are its closing and
 * settlement among them.
 */
const picksOfEntries = `(
    select pick_id, min(seq) filter (where kind = 'posted') as seq, bool_or(kind = 'closed') as closed, bool_or(kind = 'settled') as settled
    from ledger_entries where seq >= :from and seq < :to and pick_id is not null group by pick_id) e
  left join closings k on e.closed and k.pick_id = e.pick_id
  left join settlements s on e.settled and s.pick_id = e.pick_id`;

interface Bindings {
  from: number;
  to: number;
  read: number;
  /** See {@link edgesOf}. */
  edges: string;
}

/** Adds newly posted picks. {@link extendSealedInTime} fills in the checkpoint later. */
async function addPosted(transaction: Transaction, bindings: Bindings): Promise<void> {
  const { posted, closed, settled, priced } = boardPickColumns;
  const sources = [
    ...Object.values(posted),
    ...Object.values(closed).map((source) => `case when k.pick_id is not null then ${source} end`),
    ...Object.values(settled),
    ...Object.values(priced),
  ];
  await transaction.raw(
    `insert into board_picks (${Object.keys({ ...posted, ...closed, ...settled, ...priced }).join(', ')})
     select ${sources.join(', ')}
     from ${picksOfEntries}
     join picks p on p.id = e.pick_id
     join games g on g.id = p.game_id
     where e.seq is not null`,
    { ...bindings },
  );
}

async function changePosted(transaction: Transaction, bindings: Bindings): Promise<void> {
  const changes = (by: string, columns: Readonly<Record<string, string>>) =>
    Object.entries(columns).map(
      ([column, source]) => `${column} = case when ${by}.pick_id is null then p.${column} else ${source} end`,
    );
  const { closed, settled } = boardPickColumns;
  await transaction.raw(
    `update board_picks p set ${[...changes('k', closed), ...changes('s', settled)].join(', ')},
       edge_bps = coalesce(${edgeOf('p.pick_id')}, p.edge_bps)
     from ${picksOfEntries}
     where e.seq is null and p.pick_id = e.pick_id`,
    { ...bindings },
  );
}

/**
 * A query of the times of the first checkpoint over entry `e` of pick `p`. An earlier log's checkpoint counts if it covered the pick.
 * `times` is {@link timesSql}.
 */
export const firstTimes = `select size, signed_at, witnessed_at from (
    select 0 as size, signed_at, witnessed_at from earlier_seals where pick_id = p.id
    union all select size, signed_at, witnessed_at from times where size > e.seq) u
  order by size limit 1`;

const batchSize = 5_000;
const reader = 'checkpoints';

export interface CoveredPick extends NamedPick {
  settled: boolean;
}

/**
 * Fills in, from signed notes, which checkpoint first covered each pick in `board_picks`, and whether that was before the start that the
 * pick names (docs/rules/provenance.md#sealed-in-time). It has its own cursor, and reads as far as both the checkpoints and the boards'
 * reader are.
 * @returns the picks of this batch, and whether there may be more
 */
export async function extendSealedInTime(
  transaction: Transaction,
): Promise<{ covered: CoveredPick[]; more: boolean }> {
  const from = await lockCursor(transaction, reader);
  const [boards]: { next: number }[] = await transaction('reader_cursors')
    .where({ reader: 'boards' })
    .select({ next: 'next_seq' });
  const times = await coveringTimes(transaction, from, Math.min(from + batchSize, boards!.next));
  const to = Math.min(from + batchSize, boards!.next, times.at(-1)?.size ?? 0);
  if (to <= from) return { covered: [], more: false };
  await transaction('reader_cursors').where({ reader }).update({ next_seq: to });
  const covered = await coverPicks(transaction, from, to, times);
  return { covered, more: to === from + batchSize };
}

/**
 * Records the first checkpoint over picks, even if a new log began later. Adds late picks that have already settled to the sums; others are
 * counted when they settle.
 */
async function coverPicks(
  transaction: Transaction,
  from: number,
  to: number,
  times: readonly CheckpointTimes[],
): Promise<CoveredPick[]> {
  const assignments = Object.entries(boardPickColumns.covered).map(
    ([column, source]) => `${column} = ${source}`,
  );
  const { rows }: { rows: (CoveredPick & { pickId: number })[] } = await transaction.raw(
    `with times as materialized (${timesSql}), covered as (
       update board_picks b set ${assignments.join(', ')}
       from ledger_entries e join picks p on p.id = e.pick_id
       cross join lateral (${firstTimes}) t
       where e.seq >= :from and e.seq < :to and e.kind = 'posted' and b.pick_id = e.pick_id and b.sealed_at is null
       returning b.*
     )
     select b.pick_id as "pickId", b.uuid, c.handle, b.sport, g.name as game, b.result is not null as settled
     from covered b join cappers c on c.id = b.capper_id join games g on g.id = b.game_id`,
    { from, to, times: timesBound(times) },
  );
  const settled = rows.filter((pick) => pick.settled).map(({ pickId }) => pickId);
  if (settled.length > 0) {
    await addLate(transaction, settled);
    await addLateFollowers(transaction, settled);
  }
  return rows;
}

/**
 * In basis points by pick id, as JSON for {@link edgeOf}, without picks that have none.
 * @param closings a SQL condition on `closings as k`
 */
export async function edgesOf(
  database: Database,
  closings: string,
  bindings: Record<string, number> = {},
): Promise<string> {
  const { rows }: { rows: { pickId: number; oddsAmerican: number; chanceE9: number }[] } = await database.raw(
    `select p.id as "pickId", coalesce(s.price_counted, p.odds_american) as "oddsAmerican", k.fair_e9 as "chanceE9"
     from closings k join picks p on p.id = k.pick_id left join settlements s on s.pick_id = k.pick_id
     where k.fair_e9 is not null and ${closings}`,
    bindings,
  );
  return JSON.stringify(
    Object.fromEntries(
      rows.map(({ pickId, oddsAmerican, chanceE9 }) => [pickId, edgeBps(oddsAmerican, chanceE9)]),
    ),
  );
}
