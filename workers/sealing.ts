// The sealing worker: the only writer of `seq`, and the signer of checkpoints.

import { readProgress } from '../src/demo/progress.ts';
import { followLogJob } from '../src/jobs/boards.ts';
import { cancelled, ok, snoozed } from '../src/jobs/job.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { worker } from '../src/jobs/runtime/process.ts';
import { publish, seal } from '../src/jobs/sealing.ts';
import { presentOf } from '../src/ledger/log-kind.ts';
import { checkpointStore } from '../src/ledger/publishing/checkpoint-store/open.ts';
import { configuredPlace } from '../src/ledger/publishing/log-files/configured.ts';
import { type LogFiles, openLogFiles } from '../src/ledger/publishing/log-files/log-files.ts';
import { publishCheckpoint } from '../src/ledger/publishing/publish.ts';
import { PublisherRefusal } from '../src/ledger/publishing/refusals.ts';
import { type SealingWork, sealingWork } from '../src/ledger/sealing/pending-work.ts';
import { sealAll } from '../src/ledger/sealing/seal.ts';
import { singleFlight } from '../src/platform/once.ts';
import { type OutletRecord, openOutlet } from '../src/status/outlets.ts';
import { run } from '../src/workers.ts';

const minute = 60_000;
/** How soon publishing is tried again where the signer or the checkpoint store is away, in milliseconds. */
const againMs = 2000;

/**
 * Milliseconds from a checkpoint to the next. While picks keep coming in, one for each batch that is sealed would cost more than sealing,
 * and each stays in the database for ever. A demo waits for each checkpoint.
 */
const liveRestMs = 1000;

let files: { log: LogFiles | undefined; record: OutletRecord } | undefined;

export const sealingWorker = worker(
  'sealing',
  ({ config, log, clock, database, enqueue, closing }) => {
    const { checkpointStore: address } = config.ledger;
    if (address === undefined)
      log.warn('CHECKPOINT_STORE is not set: a restored older database would go unnoticed');
    const store = address === undefined ? undefined : checkpointStore(address);
    const { demo } = config.site;
    const restMs = demo ? 0 : liveRestMs;
    let publishedAt = Number.NEGATIVE_INFINITY;
    let nextAt = Number.NEGATIVE_INFINITY;
    const publisher = { ...config.site, ...config.ledger, store };
    const place = configuredPlace(config.ledger);
    const record = openOutlet(database, 'log-files', clock, log, place !== undefined);
    const logFiles = place === undefined ? undefined : openLogFiles(database, place);
    files = { log: logFiles, record };
    // Nothing waits for it: the first time it writes the whole log.
    const writeFiles = () =>
      void logFiles?.update().then(
        () => record.note(undefined),
        (error: Error) => {
          log.warn({ err: error.message }, 'files of the log not written');
          record.note(error.message);
        },
      );
    const looking = singleFlight<SealingWork>();
    // Both jobs are looked for at the same instant: they share the look.
    const work = () => looking('', () => sealingWork(database));
    return [
      handles(
        seal,
        async () => {
          const sealed = await sealAll(database, {
            closing,
            onBatch: () => void enqueue.add(followLogJob, {}),
            onSetAside: (events) => {
              for (const event of events) log.error(event, 'set an event aside that cannot be sealed');
            },
          });
          if (sealed > 0) await enqueue.add(publish, {});
          return ok({ sealed });
        },
        { due: async () => (await work()).unsealed },
      ),
      handles(
        publish,
        async () => {
          const began = performance.now();
          if (began < nextAt) return snoozed(Math.ceil(nextAt - began));
          publishedAt = began;
          if (demo && (await readProgress(database)) === undefined)
            return cancelled('the demo has not begun');
          try {
            const now = await presentOf(database, clock);
            const size = await publishCheckpoint(database, publisher, now, log);
            if (size !== null) {
              nextAt = performance.now() + restMs;
              await enqueue.add(followLogJob, {});
            }
            writeFiles();
            return ok({ size });
          } catch (error) {
            if (!(error instanceof PublisherRefusal)) throw error;
            // A signer that restarts is back in a moment. A log that is refused stays so: the next job tries again.
            return error.cause === undefined
              ? cancelled(error.message)
              : snoozed(againMs, { reason: error.message });
          }
        },
        {
          // A database that was restored is found by publishing alone.
          due: async () => performance.now() - publishedAt > minute || (await work()).unpublished,
        },
      ),
    ];
  },
  // Signing waits for witnesses; sealing must not wait for signing.
  {
    concurrency: 2,
    async beforeClose() {
      await files?.log?.close();
      await files?.record.close();
    },
  },
);

if (import.meta.main) await run([sealingWorker]);
