import { type Publisher, publishCheckpoint } from '../../../src/ledger/publishing/publish.ts';
import type { Database } from '../../../src/platform/database.ts';
import { projections, rangesIn, readReaders } from '../../../src/projections/expected.ts';

export const publisher: Publisher = {
  baseUrl: 'https://picks.example',
  demo: false,
  key: Buffer.alloc(32, 2).toString('base64'),
};

/** Publishes the log and fills its projections with the rows that an audit expects. */
export async function fillProjections(owner: Database, now: number): Promise<void> {
  await publishCheckpoint(owner, publisher, now);
  await owner.raw(
    `insert into reader_cursors (reader, next_seq)
     select reader, (select max(seq) + 1 from ledger_entries) from unnest(array['boards', 'checkpoints', 'verdicts']) as r (reader)
     on conflict (reader) do update set next_seq = excluded.next_seq`,
  );
  const readers = await readReaders(owner);
  for (const { table, ranges, expected } of projections) {
    const { rows: indexes }: { rows: { name: string; definition: string }[] } = await owner.raw(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = ?::regclass and not indisunique`,
      [table],
    );
    for (const { name } of indexes) await owner.raw(`drop index ${name}`);
    const columns: string[] = await owner('pg_attribute')
      .whereRaw("attrelid = ?::regclass and attnum > 0 and not attisdropped and attgenerated = ''", [table])
      .orderBy('attnum')
      .pluck('attname');
    const list = columns.map((column) => `"${column}"`).join(', ');
    for await (const range of rangesIn(owner, ranges.of)) {
      const { sql, bindings = {} } = await expected(owner, range, readers);
      await owner.raw(`insert into ${table} (${list}) select ${list} from (${sql}) as e`, bindings);
    }
    for (const { definition } of indexes) await owner.raw(definition);
    // In reality, days arrive one after the other, for all cappers.
    if (table === 'daily_rollups') await owner.raw('cluster daily_rollups using daily_rollups_by_day');
    await owner.raw(`vacuum (analyze) ${table}`);
  }
}
