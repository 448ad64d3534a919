import { ageCheck } from '../check.ts';
import { outletFinding } from './cdn.ts';

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
  measure: ({ database, now }) =>
    outletFinding(database, 'log-files', now, {
      ok: 'Log files are up to date.',
      failing: 'Log files could not be written',
    }),
});
