import { ageCheck, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'boards-lag';

/** Entries of the log that the boards have not read: boards rendered meanwhile look fresh and are not. */
export const boardsLagCheck = ageCheck({
  name,
  title: 'Boards behind the log',
  about: 'How long sealed events have not been read by the boards.',
  thresholds: { degraded: 120, down: 900 },
  restsOn: ['database', 'workers-boards'],
  async look(context) {
    const { rows }: { rows: { size: number; next: number }[] } = await context.database.raw(
      `select coalesce((select max(seq) + 1 from ledger_entries), 0)::int as size,
         coalesce((select next_seq from reader_cursors where reader = 'boards'), 0)::int as next`,
    );
    const { size, next } = rows[0]!;
    if (next >= size) return { seconds: 0, value: 0, message: 'The boards have read the whole log.' };
    const held = unchangedFor(context, name, String(next));
    return {
      ...held,
      value: size - next,
      message: `${counted(size - next, 'event')} not on the boards yet, for ${span(held.seconds)}.`,
    };
  },
});
