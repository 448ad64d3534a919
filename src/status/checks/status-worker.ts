import type { Declaration } from '../check.ts';

/** Checked by the process that shows the status, because a stopped worker cannot report itself. */
export const statusWorker: Declaration = {
  name: 'status-worker',
  about: 'How long ago the status worker last reported.',
  thresholds: { degraded: 60, down: 300 },
  unit: 'seconds',
  runbook: {
    means: 'The status worker does not report, so no checks run.',
    readers: 'The status page is out of date. The service itself may work normally.',
    lookAt: 'Whether the process runs, and its log.',
    first: 'Restart the status worker.',
  },
};
