import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'boards-lag';

/** Detects boards that look fresh but were rendered before the newest entries. */
export const boardsLagCheck = ageCheck({
  name,
  title: 'Board lag',
  about: 'How long sealed entries have not reached the boards.',
  thresholds: { degraded: 120, down: 900 },
  runbook: {
    means: 'The boards worker is behind the log.',
    readers: 'Boards are missing new picks and results.',
    lookAt: 'The log of `boards`, and `pg_stat_activity` for its queries.',
    first: 'Restart the boards worker. During an import, wait: it catches up automatically.',
  },
  dependsOn: ['database', 'workers-boards'],
  async measure(context) {
    const { rows }: { rows: { size: number; next: number }[] } = await context.database.raw(
      `select coalesce((select max(seq) + 1 from ledger_entries), 0)::int as size,
         coalesce((select next_seq from reader_cursors where reader = 'boards'), 0)::int as next`,
    );
    const { size, next } = rows[0]!;
    if (next >= size) return { seconds: 0, value: 0, message: 'Boards include the whole log.' };
    const held = unchangedFor(context, name, String(next));
    return {
      ...held,
      value: size - next,
      message: `${counted(size - next, 'entry', 'entries')} not on the boards yet, the oldest for ${span(held.seconds)}.`,
    };
  },
});
