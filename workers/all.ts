// Every worker in one process: what `npm start` runs in place of the Procfile's workers. The launcher gives it the settings of all of
// them, and the database under the login of each as DATABASE_URL_SEALING and the like.

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
