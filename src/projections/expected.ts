import { coveringTimes, timesBound, timesSql } from '../ledger/publishing/signed-checkpoints.ts';
import type { Database } from '../platform/database.ts';
import { boardPickColumns, edgesOf, firstTimes, priceColumns } from './extend-board-picks.ts';
import { followerDaysOf, followerPricesOf } from './followers.ts';
import { blockLength, blocksOf } from './pick-blocks.ts';
import { foundChecks, provisionalChecks } from './price-checks.ts';
import { rollups, rollupsOf, totalsOf } from './rollups.ts';
import { verdictsOf } from './verdicts.ts';

/** Sources of ranges: a column, and the number of its values that are compared together. */
const rangesOf = {
  picks: { table: 'picks', column: 'id', atOnce: 5_000 },
  cappers: { table: 'cappers', column: 'id', atOnce: 10 },
  blocks: { table: 'pick_blocks', column: 'block', atOnce: 5 },
} as const;

/** A table that the boards' reader fills, and the rows that it should have. */
export interface Projection {
  table: 'board_picks' | 'follower_prices' | keyof typeof rollups | 'capper_verdicts' | 'pick_blocks';
  keys: readonly string[];
  ranges: { key: string; of: keyof typeof rangesOf };
  expected(
    database: Database,
    range: Range,
    readers: Readers,
  ): Promise<{ sql: string; bindings?: Record<string, unknown> }>;
}

const ofCappers = <Table extends Projection['table']>(table: Table, keys: readonly string[]) => ({
  table,
  keys,
  ranges: { key: 'capper_id', of: 'cappers' } as const,
});

/** The projections. Each depends only on the log and on earlier ones. */
export const projections: readonly Projection[] = [
  {
    table: 'board_picks',
    keys: ['pick_id'],
    ranges: { key: 'pick_id', of: 'picks' },
    async expected(database, range, { read, covered }) {
      const edges = await edgesOf(database, within(range, 'k.pick_id'));
      const checks = await provisionalChecks(database, within(range, 'p.id'), read);
      const columns = [
        ...selected(boardPickColumns.posted, (source) => source),
        ...selected(
          boardPickColumns.closed,
          (source) => `case when k.pick_id is not null then ${source} end`,
        ),
        ...selected(boardPickColumns.settled, (source, column) =>
          column in priceColumns
            ? `case when s.pick_id is not null then ${source} when c.pick_id is not null then c.${column}
                 when p.provenance = 'live' then b.${column} end`
            : source,
        ),
        ...selected(boardPickColumns.priced, (source) => source),
        ...selected(boardPickColumns.covered, (source) => `case when t.size is not null then ${source} end`),
      ];
      const sql = `with times as materialized (${timesSql})
        select ${columns.join(', ')}
        from picks p
        join games g on g.id = p.game_id
        join ledger_entries e on e.pick_id = p.id and e.kind = 'posted' and e.seq < :read
        left join (closings k join ledger_entries ke on ke.pick_id = k.pick_id and ke.kind = 'closed' and ke.seq < :read)
          on k.pick_id = p.id
        left join (settlements s join ledger_entries se on se.pick_id = s.pick_id and se.kind = 'settled' and se.seq < :read)
          on s.pick_id = p.id
        left join lateral (select * from (${firstTimes}) f where e.seq < :covered) t on true
        left join board_picks b on b.pick_id = p.id
        left join ${foundChecks} on c.pick_id = p.id
        where ${within(range, 'p.id')}`;
      const times = await timesOver(database, within(range, 'e.pick_id'));
      return { sql, bindings: { read, covered, edges, checks, times } };
    },
  },
  {
    table: 'follower_prices',
    keys: ['pick_id', 'delay'],
    ranges: { key: 'pick_id', of: 'picks' },
    expected: (database, range) => followerPricesOf(database, within(range, 'b.pick_id')),
  },
  {
    ...ofCappers('daily_rollups', rollups.daily_rollups),
    expected: (database, range) => rollupsOf(database, within(range, 'b.capper_id')),
  },
  {
    ...ofCappers('capper_totals', rollups.capper_totals),
    expected: async (_database, range) => ({ sql: totalsOf('daily_rollups', within(range, 'capper_id')) }),
  },
  {
    ...ofCappers('follower_days', rollups.follower_days),
    expected: (database, range) => followerDaysOf(database, within(range, 'b.capper_id')),
  },
  {
    ...ofCappers('follower_totals', rollups.follower_totals),
    expected: async (_database, range) => ({ sql: totalsOf('follower_days', within(range, 'capper_id')) }),
  },
  {
    ...ofCappers('capper_verdicts', ['capper_id', 'sport', 'market']),
    expected: (database, range, { judged }) => verdictsOf(database, within(range, 'b.capper_id'), judged),
  },
  {
    table: 'pick_blocks',
    keys: ['block'],
    ranges: { key: 'block', of: 'blocks' },
    expected: async (_database, { from, to }) => {
      const firstId = (block: Range['from']) => (block === null ? null : block * blockLength + 1);
      const ids = { from: firstId(from), to: firstId(to) };
      return { sql: blocksOf(within(ids, 'b.pick_id')) };
    },
  },
];

/** Returns the times of the checkpoints that can be the first over entries `e`, as JSON. */
async function timesOver(database: Database, entries: string): Promise<string> {
  const { rows }: { rows: { first: number | null; last: number | null }[] } = await database.raw(
    `select min(e.seq) as first, max(e.seq) as last from ledger_entries e where e.kind = 'posted' and ${entries}`,
  );
  const { first, last } = rows[0]!;
  return timesBound(first === null ? [] : await coveringTimes(database, first, last! + 1));
}

function selected(
  sources: Readonly<Record<string, string>>,
  expression: (source: string, column: string) => string,
): string[] {
  return Object.entries(sources).map(([column, source]) => `${expression(source, column)} as ${column}`);
}

/** A query over `reader_cursors` for the limit of a reader: the size of the log, or of its newest checkpoint. */
export const readableSize = `select case reader
  when 'checkpoints' then coalesce((select max(size) from checkpoints), 0)
  else coalesce((select max(seq) + 1 from ledger_entries), 0) end as size`;

export interface Readers {
  read: number;
  covered: number;
  judged: number;
}

export async function readReaders(database: Database): Promise<Readers> {
  const { rows }: { rows: [Readers] } = await database.raw(
    `select coalesce((select next_seq from reader_cursors where reader = 'boards'), 0) as read,
       coalesce((select next_seq from reader_cursors where reader = 'checkpoints'), 0) as covered,
       coalesce((select next_seq from reader_cursors where reader = 'verdicts'), 0) as judged`,
  );
  return rows[0];
}

/** A range of a column's values. The ranges cover all values, so that orphan rows are found too. */
export interface Range {
  /** Inclusive; null without a lower limit. */
  from: number | null;
  /** Exclusive; null without an upper limit. */
  to: number | null;
}

export async function* rangesIn(database: Database, of: keyof typeof rangesOf): AsyncGenerator<Range> {
  const { table, column, atOnce } = rangesOf[of];
  for (let from: Range['from'] = null; ; ) {
    const next: { value: number } | undefined = await database(table)
      .distinct(column)
      .modify((query) => from !== null && query.where(column, '>=', from))
      .orderBy(column)
      .offset(atOnce)
      .first({ value: column });
    const to: Range['to'] = next?.value ?? null;
    yield { from, to };
    if (to === null) return;
    from = to;
  }
}

export interface DifferingRow {
  expected: Record<string, unknown> | null;
  stored: Record<string, unknown> | null;
}

/** Columns of `board_picks` that PostgreSQL generates. */
const generated = ['counted_odds', 'clv_counted_bps'];

export function keptColumns(database: Database, table: Projection['table']): Promise<string[]> {
  return database('pg_attribute')
    .whereRaw('attrelid = ?::regclass and attnum > 0 and not attisdropped', [table])
    .whereNotIn('attname', generated)
    .orderBy('attnum')
    .pluck('attname');
}

export async function differingRows(
  database: Database,
  { table, keys, ranges, expected }: Projection,
  range: Range,
  readers: Readers,
): Promise<DifferingRow[]> {
  const columns = await keptColumns(database, table);
  const row = (of: string) => `(${columns.map((column) => `${of}."${column}"`).join(', ')})`;
  const { sql, bindings = {} } = await expected(database, range, readers);
  const { rows }: { rows: DifferingRow[] } = await database.raw(
    `with expected as (${sql}), stored as (select * from ${table} where ${within(range, ranges.key)})
     select to_jsonb(e) as expected, to_jsonb(s) as stored
     from expected e full join stored s using (${keys.join(', ')})
     where ${row('e')} is distinct from ${row('s')}
     order by ${keys.join(', ')}`,
    bindings,
  );
  return rows;
}

function within({ from, to }: Range, column: string): string {
  return [
    ...(from === null ? [] : [`${column} >= ${from}`]),
    ...(to === null ? [] : [`${column} < ${to}`]),
    'true',
  ].join(' and ');
}
