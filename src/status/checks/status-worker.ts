import type { Declaration } from '../check.ts';

/** Judged by whoever shows the status: a worker that has stopped cannot report itself. */
export const statusWorker: Declaration = {
  name: 'status-worker',
  about: 'How long ago the status worker finished its last round.',
  thresholds: { degraded: 60, down: 300 },
  unit: 'seconds',
};
