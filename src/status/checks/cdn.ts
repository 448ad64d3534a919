import type { Database } from '../../platform/database.ts';
import { type Aged, ageCheck } from '../check.ts';
import type { Outlet } from '../outlets.ts';
import { span } from '../span.ts';

/** Caches in front of the service, which must hear what changed (docs/decisions/0052-caches-in-front.md). */
export const cdnCheck = ageCheck({
  name: 'cdn',
  title: 'Caches in front',
  about: 'How long a cache in front has not taken purges.',
  thresholds: { degraded: 60, down: 900 },
  restsOn: ['database', 'workers-boards'],
  look: ({ database, now }) =>
    outletFinding(database, 'cdn', now, {
      ok: 'The caches in front take purges.',
      failing: 'A cache in front has not been purged',
    }),
});

/** Judges what {@link openOutlet} recorded: since when an outlet cannot be brought up to date. */
export async function outletFinding(
  database: Database,
  outlet: Outlet,
  now: number,
  words: { ok: string; failing: string },
): Promise<Aged> {
  const row: { failing_since: number | null } | undefined = await database('outlets')
    .where('name', outlet)
    .first('failing_since');
  if (row === undefined) return { seconds: null, message: 'Not set up.' };
  if (row.failing_since === null) return { seconds: 0, message: words.ok };
  const seconds = (now - row.failing_since) / 1000;
  return { seconds, message: `${words.failing} for ${span(seconds)}.` };
}
