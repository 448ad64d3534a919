import {
  type ClosablePick,
  closable,
  closableBy,
  closableColumns,
  closableWith,
} from '../../ledger/closing/closable.ts';
import type { Database } from '../../platform/database.ts';
import { ageCheck, stuckFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'closings';

/** Grading closes picks within moments of their game's start. */
export const closingsCheck = ageCheck({
  name,
  title: 'Overdue closings',
  about: 'How long after the start of its game a pick with known closing odds has not closed.',
  thresholds: { degraded: 120, down: 600 },
  runbook: {
    means: 'A game has started and its closing odds are known, but its picks have not closed.',
    readers: 'Closing odds and CLV are missing.',
    lookAt: 'The log of `grading` and its queue.',
    first: 'Restart the grading worker.',
  },
  dependsOn: ['database', 'workers-grading'],
  async measure(context) {
    const { database, now } = context;
    const overdue = await overdueStarts(database, now);
    if (overdue.length === 0) return { seconds: 0, value: 0, message: 'No closings are overdue.' };
    const oldest = overdue.reduce((one, other) => Math.min(one, other));
    // A price may arrive long after the start, and imported picks started long ago.
    const { waited, ...held } = stuckFor(context, name, String(oldest), overdue.length);
    const sinceStart = (now - oldest) / 1000;
    return {
      ...held,
      seconds: Math.min(held.seconds, sinceStart),
      value: overdue.length,
      message: `${counted(overdue.length, 'pick')} not closed although closing odds are known, the oldest for ${span(Math.min(waited, sinceStart))}.`,
    };
  },
});

/**
 * Returns the starts of picks that the closing rule would close now, without imported ones during an import. The query leaves few
 * candidates.
 */
async function overdueStarts(database: Database, now: number): Promise<number[]> {
  const { rows }: { rows: ClosablePick[] } = await database.raw(
    `select ${closableColumns}
     from pending_picks q
     join games g on g.id = q.game_id
     join picks p on p.id = q.pick_id
     where not q.closed and g.starts_at <= :now
       and (p.provenance = 'live' or not exists (select from open_imports where until > clock_timestamp()))
       and exists (select from lines l where ${closableBy})`,
    { now: new Date(now), ...closableWith },
  );
  return (await closable(database, rows)).map(({ startsAt }) => startsAt);
}
