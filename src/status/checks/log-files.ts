import { ageCheck } from '../check.ts';
import { outletFinding } from './cdn.ts';

/** The published log in `LOG_FILES` (docs/decisions/0053-the-log-as-files.md). */
export const logFilesCheck = ageCheck({
  name: 'log-files',
  title: 'The log as files',
  about: 'How long the published log could not be written to LOG_FILES.',
  thresholds: { degraded: 60, down: 900 },
  restsOn: ['database', 'workers-sealing'],
  look: ({ database, now }) =>
    outletFinding(database, 'log-files', now, {
      ok: 'The files of the log are written.',
      failing: 'The files of the log have not been written',
    }),
});
