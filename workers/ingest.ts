// The ingest worker: what comes in by itself.

import { advanceDemo as advance } from '../src/demo/advance.ts';
import { advanceDemo, askOddsApi, fetchSchedules } from '../src/jobs/ingest.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { handles } from '../src/jobs/runtime/worker.ts';
import { pollOddsApi } from '../src/sources/odds-api/poll.ts';
import { pollSchedules } from '../src/sources/schedules/poll.ts';

// A provider's answer need not be waited for: it is asked again later.
const closing = new AbortController();

runWorker(
  'ingest',
  (deps) => [
    handles(advanceDemo, () => advance(deps)),
    handles(askOddsApi, () => pollOddsApi({ ...deps, closing: closing.signal })),
    handles(fetchSchedules, () => pollSchedules({ ...deps, closing: closing.signal })),
  ],
  {
    // One that is slow to answer holds up neither the other nor the demo.
    concurrency: 3,
    onClosing: () => closing.abort(),
  },
);
