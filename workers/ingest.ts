// The ingest worker: polls providers and advances the demo.

import { advanceDemo, catchUp } from '../src/demo/advance.ts';
import { advanceDemoJob, applyImportsJob, settleScores } from '../src/jobs/declared.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { worker } from '../src/jobs/runtime/process.ts';
import { faultsMessage } from '../src/platform/config/read.ts';
import { sources } from '../src/sources/index.ts';
import { leagueFaults } from '../src/sources/league-faults.ts';
import { polled } from '../src/sources/polls.ts';
import { settle } from '../src/sources/source-scores.ts';
import { applyImports } from '../src/sources/waiting-imports.ts';
import { run } from '../src/workers.ts';

export const ingestWorker = worker(
  'ingest',
  (deps) => {
    const faults = leagueFaults(deps.config.sources);
    if (faults.length > 0) {
      process.stderr.write(`${faultsMessage(faults)}\n`);
      process.exit(1);
    }
    return [
      handles(
        advanceDemoJob,
        () => advanceDemo({ ...deps, demo: deps.config.site.demo, catchUp: () => catchUp(deps) }),
        { on: deps.config.site.demo },
      ),
      handles(applyImportsJob, () => applyImports(deps), {
        due: async () => (await deps.database('waiting_imports').first('id')) !== undefined,
      }),
      handles(settleScores, () => settle(deps), {
        due: async () => (await deps.database('source_scores').first('said_at')) !== undefined,
      }),
      ...sources.map(({ name, job }) =>
        handles(
          job,
          () => {
            const { sources: config, site } = deps.config;
            return polled[name].poll({ ...deps, config, demo: site.demo });
          },
          { due: async () => polled[name].isOn(deps.config.sources) },
        ),
      ),
    ];
  },
  {
    // A slow provider delays neither the others nor the demo.
    concurrency: sources.length + 2,
  },
);

if (import.meta.main) await run([ingestWorker]);
