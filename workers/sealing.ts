// The sealing worker: the only writer of `seq`, and the signer of checkpoints.

import { readProgress } from '../src/demo/progress.ts';
import { followLogJob, publish, seal, writeDataFilesJob, writeLogFiles } from '../src/jobs/declared.ts';
import { cancelled, failed, ok, snoozed } from '../src/jobs/job.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { worker } from '../src/jobs/runtime/process.ts';
import { decisionTime, signingTime } from '../src/ledger/log-kind.ts';
import { checkpointStore } from '../src/ledger/publishing/checkpoint-store/open.ts';
import { configuredStorage } from '../src/ledger/publishing/log-files/configured.ts';
import { openLogFiles } from '../src/ledger/publishing/log-files/log-files.ts';
import { publishCheckpoint } from '../src/ledger/publishing/publish.ts';
import { PublisherRefusal } from '../src/ledger/publishing/refusals.ts';
import { pricesEveryMs } from '../src/ledger/sealing/number-prices.ts';
import { type SealingWork, sealingWork } from '../src/ledger/sealing/pending-work.ts';
import { sealAll } from '../src/ledger/sealing/seal.ts';
import { singleFlight } from '../src/platform/once.ts';
import { writeDataFiles } from '../src/record/data-files.ts';
import { run } from '../src/workers.ts';

const minute = 60_000;
const retryMs = 2000;
/** Pause before a refused checkpoint is tried again, in ms: it asks the signer, the store, and the witnesses again. */
const refusedMs = 15_000;

/**
 * Minimum pause between checkpoints, in ms. A checkpoint for each sealed batch would cost more than sealing, and each stays in the
 * database. A demo has no pause, because it waits for each checkpoint.
 */
const liveRestMs = 1000;

export const sealingWorker = worker(
  'sealing',
  ({ config, log, clock, database, enqueue, closing, beforeClose }) => {
    const { checkpointStore: address } = config.ledger;
    if (address === undefined)
      log.warn(
        'CHECKPOINT_STORE is not set, so a restore of an older database would go unnoticed: set it to a file or a separate database',
      );
    const store = address === undefined ? undefined : checkpointStore(address);
    const { demo } = config.site;
    const restMs = demo ? 0 : liveRestMs;
    let publishedAt = Number.NEGATIVE_INFINITY;
    let nextAt = Number.NEGATIVE_INFINITY;
    const publisher = { ...config.site, ...config.ledger, store };
    const storage = configuredStorage(config.ledger);
    const logFiles = storage === undefined ? undefined : openLogFiles(database, storage, config.ledger);
    beforeClose(async () => logFiles?.close());
    const polling = singleFlight<SealingWork>();
    // Both jobs poll for work at the same time, and share one query.
    const work = () => polling('', () => sealingWork(database));
    return [
      handles(
        seal,
        async () => {
          const sealed = await sealAll(database, {
            closing,
            pricesEveryMs,
            onBatch: () => void enqueue.add(followLogJob, {}),
            onSetAside: (events) => {
              for (const event of events) log.error(event, 'set aside an event that cannot be sealed');
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
            const now = await signingTime(database, clock);
            const size = await publishCheckpoint(database, publisher, now, log);
            if (size !== null) {
              nextAt = performance.now() + restMs;
              await enqueue.add(followLogJob, {});
            }
            if (logFiles !== undefined) await enqueue.add(writeLogFiles, {});
            return ok({ size });
          } catch (error) {
            if (!(error instanceof PublisherRefusal)) throw error;
            // A restarting signer is back soon. A refusal of the log itself stays, so it waits for the next job.
            return error.cause === undefined
              ? cancelled(error.message)
              : snoozed(retryMs, { reason: error.message });
          }
        },
        {
          // A second run would sign a checkpoint only to drop it.
          serial: true,
          async due() {
            const sinceMs = performance.now() - publishedAt;
            // Only publishing detects a restored database, so it runs at least once a minute.
            if (sinceMs > minute) return true;
            const { refused, unpublished } = await work();
            return refused ? sinceMs > refusedMs : unpublished;
          },
        },
      ),
      handles(
        writeLogFiles,
        async () => {
          if (logFiles === undefined) return cancelled('LOG_FILES is not set');
          const size = await logFiles.update().catch((error: Error) => error);
          return size instanceof Error ? failed(`cannot write to LOG_FILES: ${size.message}`) : ok({ size });
        },
        { on: logFiles !== undefined },
      ),
      handles(writeDataFilesJob, async () => {
        const { dataFiles } = config.ledger;
        if (dataFiles === undefined) return cancelled('DATA_FILES is not set');
        const now = await decisionTime(database, clock);
        const names = await writeDataFiles(
          database,
          { ...config.ledger, baseUrl: config.site.baseUrl, dataFiles, storage },
          now,
        );
        if (names.length > 0) {
          log.info({ names }, 'wrote data files');
          await enqueue.add(seal, {});
        }
        return ok({ files: names.length });
      }),
    ];
  },
  // Sealing waits neither for a signature or witnesses nor for files.
  { concurrency: 4 },
);

if (import.meta.main) await run([sealingWorker]);
