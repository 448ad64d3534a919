// The sealing worker: the one writer of `seq`, and the one who signs.

import { followLog } from '../src/jobs/boards.ts';
import { runWorker } from '../src/jobs/process.ts';
import { publish, seal } from '../src/jobs/sealing.ts';
import { handles } from '../src/jobs/worker.ts';
import { publishCheckpoint } from '../src/ledger/publish.ts';
import { sealAll } from '../src/ledger/seal.ts';

runWorker('sealing', ({ settings, clock, database, enqueue }) => [
  handles(seal, async () => {
    const sealed = await sealAll(database, () => void enqueue.add(followLog, {}));
    if (sealed > 0) await enqueue.add(publish, {});
    return { sealed };
  }),
  handles(publish, async () => ({ size: await publishCheckpoint(database, settings, clock.now()) })),
]);
