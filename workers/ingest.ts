// The ingest worker: what comes in by itself.

import { advanceDemo as advance } from '../src/demo/advance.ts';
import { advanceDemo } from '../src/jobs/ingest.ts';
import { runWorker } from '../src/jobs/process.ts';
import { handles } from '../src/jobs/worker.ts';

runWorker('ingest', (deps) => [handles(advanceDemo, () => advance(deps))]);
