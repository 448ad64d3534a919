import { type Aged, ageCheck, type CheckContext } from '../check.ts';
import type { Outlet } from '../outlets.ts';
import { span } from '../span.ts';

/** Caches in front of the service (docs/operations.md#caches-in-front). */
export const cdnCheck = ageCheck({
  name: 'cdn',
  title: 'CDN',
  about: 'How long a cache in front has not accepted purges.',
  thresholds: { degraded: 60, down: 900 },
  runbook: {
    means: 'A cache in front of the site does not accept purges.',
    readers: 'New picks and results may appear a few minutes late.',
    lookAt: 'The log of `boards`, which names the host and its answer, and the table `outlets`.',
    first:
      'Check `CDN_PURGE_URL`, `CDN_PURGE_HEADER`, and which addresses the cache allows. Missed purges are sent once it answers.',
  },
  dependsOn: ['database', 'workers-boards'],
  measure: (context) => measured('cdn', context, 'Caches accept purges.', 'A cache has refused purges'),
});

/** Judges what `openOutlet` recorded: since when updates of an outlet have failed. */
async function measured(
  outlet: Outlet,
  { database, now }: CheckContext,
  ok: string,
  failing: string,
): Promise<Aged> {
  const row: { failing_since: number | null } | undefined = await database('outlets')
    .where('name', outlet)
    .first('failing_since');
  if (row === undefined) return { seconds: null, message: 'Not configured.' };
  if (row.failing_since === null) return { seconds: 0, message: ok };
  const seconds = (now - row.failing_since) / 1000;
  return { seconds, message: `${failing} for ${span(seconds)}.` };
}

/** The published log in `LOG_FILES` (docs/operations.md#the-log-as-files). */
export const logFilesCheck = ageCheck({
  name: 'log-files',
  title: 'Log files',
  about: 'How long the published log could not be written to `LOG_FILES`.',
  thresholds: { degraded: 60, down: 900 },
  runbook: {
    means: 'The published log cannot be written to `LOG_FILES`.',
    readers: 'The published copy of the log is out of date.',
    lookAt:
      'The log of `sealing`, and the table `outlets`: full disk, permissions, an unreachable bucket, or files of another log.',
    first:
      'Free disk space or fix the permissions; writing resumes automatically. If the files belong to another log, empty the folder or prefix.',
  },
  dependsOn: ['database', 'workers-sealing'],
  measure: (context) =>
    measured('log-files', context, 'Log files are up to date.', 'Log files could not be written'),
});
