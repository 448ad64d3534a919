import { Queue } from 'bullmq';
import { expect } from 'chai';
import { writeLogFiles } from '../../src/jobs/declared.ts';
import { jobs } from '../../src/jobs/index.ts';
import { type Job, queueNames } from '../../src/jobs/job.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { workerNames, workerProcesses } from '../support/worker-processes.ts';

const namesOf = (list: readonly Job[]) => list.map(({ name }) => name).sort();

describe('the list of jobs', () => {
  it('contains no name twice', () => {
    expect(namesOf(jobs)).to.deep.equal([...new Set(namesOf(jobs))]);
  });

  it('has a job for every queue', () => {
    expect([...new Set(jobs.map(({ queue }) => queue))].sort()).to.deep.equal([...queueNames].sort());
  });

  describe('with every worker running in one process', () => {
    const stores = withDatabase();
    const redis = withRedis();

    it('has a handler for every job', async () => {
      const workers = workerProcesses(
        { databaseUrl: stores.url, redisUrl: redis.url },
        { LOG_LEVEL: 'info' },
      );
      const handled = new Map<string, string>();
      const note = () => {
        for (const [line] of workers.output().matchAll(/\{.*"msg":"taking jobs".*$/gm)) {
          const entry = JSON.parse(line) as { name: string; jobs: string[] };
          for (const job of entry.jobs) handled.set(job, entry.name);
        }
      };
      workers.start('workers');
      let ended: (number | null)[] = [];
      try {
        // A worker that refuses to start shows below, by its missing jobs.
        await until(() => {
          note();
          return handled.size === jobs.length;
        }, 100_000).catch(() => {});
      } finally {
        ended = await workers.stop();
      }
      expect([...handled.keys()].sort(), workers.output()).to.deep.equal(namesOf(jobs));
      expect([...new Set(handled.values())]).to.have.members(workerNames);
      // Each worker has its own login: a query under another one would fail.
      expect(workers.output()).to.not.include('"level":"error"');
      expect(ended).to.deep.equal([0]);
    });
  });

  describe('with copies outside the service that cannot be renewed', () => {
    const stores = withDatabase();
    const redis = withRedis();
    const folder = withFolder();

    it('has a job that fails and says why', async () => {
      const file = folder.write('taken', ['not a folder']);
      const workers = workerProcesses(
        { databaseUrl: stores.url, redisUrl: redis.url },
        { LOG_FILES: `${file}/log` },
      );
      const queue = new Queue('sealing', { connection: redis.redis });
      workers.start('sealing');
      try {
        const reasons = async () =>
          (await queue.getJobs(['delayed', 'failed']))
            .filter(({ name }) => name === writeLogFiles.name)
            .map(({ failedReason }) => failedReason);
        await until(async () => /^cannot write to LOG_FILES: .*ENOTDIR/.test((await reasons()).join()));
      } finally {
        await workers.stop();
        await queue.close();
      }
    });
  });
});
