// The ingest worker: polls providers and advances the demo.

import { advanceDemo } from '../src/demo/advance.ts';
import { jobs } from '../src/jobs/index.ts';
import { advanceDemoJob, askOddsApi, fetchSchedules } from '../src/jobs/ingest.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { pollOddsApi } from '../src/sources/odds-api/poll.ts';
import { pollSchedules } from '../src/sources/schedules/poll.ts';

// Shutdown aborts requests to providers and the demo's history: the next run continues.
const closing = new AbortController();

await runWorker(
  'ingest',
  jobs,
  (deps) => [
    handles(advanceDemoJob, () =>
      advanceDemo({ ...deps, demo: deps.config.site.demo, closing: closing.signal }),
    ),
    handles(askOddsApi, () =>
      pollOddsApi({ ...deps, config: deps.config.sources.oddsApi, closing: closing.signal }),
    ),
    handles(fetchSchedules, () =>
      pollSchedules({ ...deps, schedules: deps.config.sources.schedules, closing: closing.signal }),
    ),
  ],
  {
    // A slow provider delays neither the other one nor the demo.
    concurrency: 3,
    onClosing: () => closing.abort(),
  },
);
