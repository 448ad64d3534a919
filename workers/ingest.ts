// The ingest worker: what comes in by itself.

import { advanceDemo } from '../src/demo/advance.ts';
import { jobs } from '../src/jobs/index.ts';
import { advanceDemoJob, askOddsApi, fetchSchedules } from '../src/jobs/ingest.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { pollOddsApi } from '../src/sources/odds-api/poll.ts';
import { pollSchedules } from '../src/sources/schedules/poll.ts';

// Neither a provider's answer nor the demo's history is waited for: the next run goes on.
const closing = new AbortController();

runWorker(
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
    // One that is slow to answer holds up neither the other nor the demo.
    concurrency: 3,
    onClosing: () => closing.abort(),
  },
);
