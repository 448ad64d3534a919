// Runs all workers in one process for `npm start`, which replaces the workers of the Procfile. The launcher provides the settings of all
// workers, and the database URL of each login as DATABASE_URL_SEALING and so on.

import { run } from '../src/workers.ts';
import { boardsWorker } from './boards.ts';
import { gradingWorker } from './grading.ts';
import { ingestWorker } from './ingest.ts';
import { sealingWorker } from './sealing.ts';
import { statusWorker } from './status.ts';
import { webhooksWorker } from './webhooks.ts';

const workers = [ingestWorker, sealingWorker, gradingWorker, boardsWorker, webhooksWorker, statusWorker];

await run(workers, (name) => ({
  ...process.env,
  DATABASE_URL: process.env[`DATABASE_URL_${name.toUpperCase()}`],
}));
