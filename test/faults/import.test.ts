import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { gradeDueJob, seal } from '../../src/jobs/declared.ts';
import { openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { isDone, pendingWork } from '../../src/ledger/sealing/pending-work.ts';
import type { Database } from '../../src/platform/database.ts';
import { ingestFiles } from '../../src/sources/files.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { season } from '../support/season.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

const rows = season(120, 60);

describe('an import during faults', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let workers: WorkerProcesses;

  before(() => {
    workers = workerProcesses({ databaseUrl: stores.url, redisUrl: redis.url });
    for (const name of ['sealing', 'grading', 'boards'] as const) workers.start(name);
  });
  after(() => workers.stop());

  it('completes with a dense and sound ledger, although every worker is killed and Redis is emptied', async () => {
    const enqueue = openQueues(redis.redis, quiet);
    let chunks = 0;
    // Small files keep the workers busy while more come in.
    const files = Object.entries(rows).flatMap(([kind, list]) =>
      kind === 'picks'
        ? Array.from({ length: 12 }, (_, part) =>
            folder.write(
              `picks-${part}.ndjson`,
              list.slice((part * list.length) / 12, ((part + 1) * list.length) / 12),
            ),
          )
        : [folder.write(`${kind}.ndjson`, list)],
    );
    const trouble = (async () => {
      for (const name of ['sealing', 'grading', 'boards', 'grading', 'sealing'] as const) {
        await sleep(250);
        await workers.kill(name);
        await redis.redis.flushdb();
        workers.start(name);
      }
    })();
    for (const file of files) {
      await ingestFiles(
        stores.database,
        [file],
        { now: Date.now(), imported: true },
        {
          onRefusal: (refusal) => expect.fail(refusal.reason),
          onProgress() {},
          onChunk() {
            chunks += 1;
          },
        },
      );
      await enqueue.add(gradeDueJob, {});
      await enqueue.add(seal, {});
      await sleep(100);
    }
    await trouble;
    await enqueue.close();
    expect(chunks, 'games in two steps').to.equal(files.length + 1);
    await untilClear(stores.database, workers);

    const picks = rows.picks.length;
    const [settled] = await stores.database('settlements').count({ n: '*' });
    const [closed] = await stores.database('closings').count({ n: '*' });
    expect([settled?.n, closed?.n]).to.deep.equal([picks, picks]);
    const [counted] = await stores
      .database('daily_rollups')
      .select(
        stores.database.raw(
          'sum(posted)::int as posted, sum(wins + losses + pushes + voids)::int as settled',
        ),
      );
    expect(counted, 'counted exactly once').to.deep.equal({ posted: picks, settled: picks });
    await expectSoundLedger(stores.database);
  });

  it('lets workers shut down in order on SIGTERM', async () => {
    expect(await workers.stop()).to.deep.equal([0, 0, 0]);
  });
});

async function untilClear(database: Database, workers: WorkerProcesses): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const left = await pendingWork(database);
    if (isDone(left)) return;
    if (Date.now() > deadline) throw new Error(`left: ${JSON.stringify(left)}\n${workers.output()}`);
    await sleep(100);
  }
}
