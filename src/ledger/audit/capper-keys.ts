import type { Database } from '../../platform/database.ts';
import type { Difference } from '../difference.ts';
import { capperKeyFaults } from '../sealing/recompute/authors.ts';
import { findBodies } from '../sealing/stored-events.ts';

const batch = 1_000;

export async function* auditCapperKeys(database: Database): AsyncGenerator<Difference> {
  for (let after = -1; ; ) {
    const rows: { seq: number; id: number }[] = await database('ledger_entries')
      .where({ kind: 'capper_key' })
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(batch)
      .select({ seq: 'seq', id: 'capper_key_id' });
    const events = await findBodies(
      database,
      rows.map(({ id }) => ({ kind: 'capper_key', subjectId: id })),
    );
    yield* (
      await capperKeyFaults(
        database,
        events.filter((event) => event?.kind === 'capper_key'),
      )
    ).values();
    if (rows.length < batch) return;
    after = rows.at(-1)!.seq;
  }
}
