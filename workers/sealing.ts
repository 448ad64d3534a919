// The sealing worker: the one writer of `seq`.

import { followLog } from '../src/jobs/boards.ts';
import { runWorker } from '../src/jobs/process.ts';
import { seal } from '../src/jobs/sealing.ts';
import { handles } from '../src/jobs/worker.ts';
import { sealAll } from '../src/ledger/seal.ts';

runWorker('sealing', ({ database, enqueue }) => [
  handles(seal, async () => ({
    sealed: await sealAll(database, () => void enqueue.add(followLog, {})),
  })),
]);
