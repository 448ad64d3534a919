// The sealing worker: the one writer of `seq`, and the one who signs.

import { followLog } from '../src/jobs/boards.ts';
import { runWorker } from '../src/jobs/runtime/process.ts';
import { handles } from '../src/jobs/runtime/worker.ts';
import { publish, seal } from '../src/jobs/sealing.ts';
import { publishCheckpoint } from '../src/ledger/publish.ts';
import { PublisherRefusal } from '../src/ledger/refusals.ts';
import { sealAll } from '../src/ledger/seal.ts';

runWorker(
  'sealing',
  ({ config, log, clock, database, enqueue }) => {
    if (config.ledger.checkpointFile === undefined)
      log.warn('CHECKPOINT_FILE is not set: a restored older database would go unnoticed');
    const publisher = { ...config.site, ...config.ledger };
    return [
      handles(seal, async () => {
        const sealed = await sealAll(database, () => void enqueue.add(followLog, {}));
        if (sealed > 0) await enqueue.add(publish, {});
        return { sealed };
      }),
      handles(publish, async () => {
        try {
          return { size: await publishCheckpoint(database, publisher, clock.now(), log) };
        } catch (error) {
          // Nothing that another attempt at once would mend; it is looked at again with the next job.
          if (!(error instanceof PublisherRefusal)) throw error;
          return { refused: error.message };
        }
      }),
    ];
  },
  // Signing waits for witnesses; sealing never does.
  { concurrency: 2 },
);
