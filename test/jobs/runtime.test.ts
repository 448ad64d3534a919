import { Worker } from 'bullmq';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { jobs } from '../../src/jobs/index.ts';
import {
  cancelled,
  failed,
  type Job,
  job,
  type Outcome,
  ok,
  queueNames,
  snoozed,
} from '../../src/jobs/job.ts';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { createFallback } from '../../src/jobs/runtime/fallback.ts';
import { checkHandlers, type Handler, handles } from '../../src/jobs/runtime/handlers.ts';
import { type RunningWorker, startWorker } from '../../src/jobs/runtime/worker.ts';
import { Type } from '../../src/platform/type.ts';
import { createGate } from '../support/gate.ts';
import { logLines } from '../support/log-lines.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const task = job({
  name: 'task',
  queue: 'ingest',
  about: 'Stands in for a job.',
  payload: Type.Object({ number: Type.Integer() }),
  attempts: 2,
  retryEveryMs: 1,
});
const other = job({ ...task, name: 'other' });
const awaited = job({ ...task, name: 'awaited', attempts: 4, retryEveryMs: 60_000 });
const elsewhere = job({ ...task, name: 'elsewhere', queue: 'boards' });
const handled = (each: Job<(typeof task)['payload']>) => handles(each, async () => ok());

describe('handlers', () => {
  const check = (declared: readonly Job[], handlers: readonly Handler[]) => () =>
    checkHandlers(['ingest'], declared, handlers);
  const all = [task, other, elsewhere] as unknown as readonly Job[];

  it('match the jobs of the queues one to one', () => {
    check(all, [handled(task), handled(other)])();
  });

  it('are refused if one is missing, duplicate, foreign, or undeclared', () => {
    expect(check(all, [handled(task)])).to.throw('job other has no handler');
    expect(check(all, [handled(task), handled(task)])).to.throw('job task has two handlers');
    expect(check(all, [handled(elsewhere)])).to.throw(
      'job elsewhere belongs to the queue boards, not to ingest',
    );
    expect(check(all.slice(1), [handled(task)])).to.throw('job task is not declared');
    expect(check([...all, job({ ...task }) as unknown as Job], [handled(task), handled(other)])).to.throw(
      'two jobs are named task',
    );
  });
});

describe('a serial handler', () => {
  it('waits for its previous run, even if that one fails', async () => {
    let running = 0;
    let most = 0;
    const handler = handles(
      task,
      async ({ number }) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        if (number === 1) throw new Error('a surprise');
        return ok();
      },
      { serial: true },
    );
    const settled = await Promise.allSettled([1, 2, 3].map((number) => handler.handle({ number })));
    expect(settled.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled']);
    expect(most).to.equal(1);
  });
});

describe('the declared jobs', () => {
  it('have unique names, and cover every queue', () => {
    checkHandlers([], jobs, []);
    expect(new Set(jobs.map(({ queue }) => queue))).to.deep.equal(new Set(queueNames));
  });
});

describe('the outcome of a job', () => {
  const redis = withRedis();
  let enqueue: Enqueue;
  let worker: RunningWorker;
  let waiting: ReturnType<typeof redis.openWaiting>;
  let metrics: Registry;
  let answers: (() => Promise<Outcome>)[];
  let calls: number;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    const logged = logLines('warn');
    lines = logged.lines;
    waiting = redis.openWaiting();
    enqueue = openQueues(redis.redis, quiet);
    metrics = new Registry();
    calls = 0;
    const handle = async () => {
      calls += 1;
      return answers.shift()!();
    };
    worker = startWorker('ingest', [handles(task, handle), handles(awaited, handle)], {
      redis: waiting,
      enqueue,
      log: logged.log,
      metrics,
    });
  });
  afterEach(async () => {
    await worker.close();
    await enqueue.queues.get('ingest')!.obliterate({ force: true });
    await enqueue.close();
  });

  const queue = () => enqueue.queues.get('ingest')!;
  const run = async (...given: (() => Promise<Outcome>)[]) => {
    answers = given;
    await enqueue.add(task, { number: 1 });
  };
  const only = async (state: 'completed' | 'failed' | 'delayed') => {
    await until(async () => (await queue().getJobCounts(state))[state] === 1);
    return (await queue().getJobs([state]))[0]!;
  };
  const count = async (outcome: string) => {
    const text = await metrics.metrics();
    const line = text
      .split('\n')
      .find((each) => each.startsWith('public_picks_job_seconds_count') && each.includes(`"${outcome}"`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  it('completes it with its figures if ok', async () => {
    await run(async () => ok({ sealed: 3 }));
    expect((await only('completed')).returnvalue).to.deep.equal({ outcome: 'ok', sealed: 3 });
    expect(await count('ok')).to.equal(1);
  });

  it('completes it with the reason and without further attempts if cancelled', async () => {
    await run(async () => cancelled('nothing to do', { looked: 2 }));
    expect((await only('completed')).returnvalue).to.deep.equal({
      outcome: 'cancelled',
      reason: 'nothing to do',
      looked: 2,
    });
    expect([calls, await count('cancelled')]).to.deep.equal([1, 1]);
  });

  it('repeats it any number of times, without counting attempts, if snoozed', async () => {
    const early = async () => snoozed(1, { early: true });
    await run(early, early, early, async () => ok());
    const done = await only('completed');
    expect([calls, done.attemptsMade, await count('snoozed')]).to.deep.equal([4, 1, 3]);
    expect(done.progress).to.deep.equal({ outcome: 'snoozed', early: true });
  });

  it('delays it until its time if snoozed', async () => {
    const before = Date.now();
    await run(async () => snoozed(60_000));
    const { delay, timestamp } = await only('delayed');
    expect(timestamp).to.be.at.least(before);
    expect(delay).to.be.within(59_000, 60_000);
    expect(calls).to.equal(1);
  });

  it('retries it if failed, and keeps it with the reason after the last attempt', async () => {
    const refuse = async () => failed('the provider refuses', { asked: 1 });
    await run(refuse, refuse);
    const kept = await only('failed');
    expect([kept.failedReason, kept.attemptsMade]).to.deep.equal(['the provider refuses', 2]);
    expect(kept.progress).to.deep.equal({ outcome: 'failed', asked: 1 });
    expect(await count('failed')).to.equal(2);
  });

  it('retries it at a constant interval if failed while readers wait for it', async () => {
    answers = Array.from({ length: 3 }, () => async () => failed('the database is away'));
    await enqueue.add(awaited, { number: 1 });
    for (const attempt of [1, 2, 3]) {
      await until(async () => (await only('delayed')).attemptsMade === attempt);
      const job = await only('delayed');
      expect(job.delay).to.equal(60_000);
      if (attempt < 3) await job.promote();
    }
  });

  it('is logged as an error if failed, and with one warning while PostgreSQL takes no writes', async () => {
    const full = () => Promise.reject(Object.assign(new Error('no space left'), { code: '53100' }));
    await run(full, full);
    await only('failed');
    answers = [() => Promise.reject(new Error('a surprise')), async () => ok()];
    await enqueue.add(task, { number: 2 });
    await only('completed');
    await until(() => lines.length === 2);
    expect(lines.map(({ level, msg }) => [level, msg])).to.deep.equal([
      ['warn', 'jobs stop: postgresql is unavailable or takes no writes'],
      ['error', 'job failed'],
    ]);
  });

  it('is failed if the handler throws', async () => {
    await run(
      () => Promise.reject(new Error('a surprise')),
      async () => ok(),
    );
    await only('completed');
    expect([await count('failed'), await count('ok')]).to.deep.equal([1, 1]);
  });

  it('is failed without an attempt if the payload is invalid', async () => {
    await queue().add('task', { number: 'one' }, { attempts: 5 });
    expect((await only('failed')).failedReason).to.match(/^payload of task: /);
    expect(calls).to.equal(0);
  });
});

describe('the job of a killed process', () => {
  const redis = withRedis();

  it('is done by the next worker that polls', async () => {
    const waiting = redis.openWaiting();
    const enqueue = openQueues(redis.redis, quiet);
    const killed = new Worker('ingest', null, {
      connection: waiting,
      autorun: false,
      lockDuration: 50,
      stalledInterval: 50,
    });
    let worker: RunningWorker | undefined;
    try {
      await enqueue.add(task, { number: 7 });
      // The killed worker has the job, never extends its lock, and one check has seen it active.
      const taken = await killed.getNextJob('token');
      await killed.backend.moveStalledJobsToWait();
      await until(
        async () =>
          (await redis.redis.exists(killed.toKey(`${taken!.id}:lock`), killed.toKey('stalled-check'))) === 0,
      );
      const done: unknown[] = [];
      const handler = handles(task, async (payload) => {
        done.push(payload);
        return ok();
      });
      worker = startWorker('ingest', [handler], { redis: waiting, enqueue, log: quiet });
      await until(() => done.length > 0);
      expect(done).to.deep.equal([{ number: 7 }]);
    } finally {
      await worker?.close();
      await killed.close();
      await enqueue.queues.get('ingest')!.obliterate({ force: true });
      await enqueue.close();
      waiting.disconnect();
    }
  });
});

describe('a recurring job', () => {
  const redis = withRedis();

  it('is enqueued at the start, and then only if its handler reports it due', async () => {
    const waiting = redis.openWaiting();
    const enqueue = openQueues(redis.redis, quiet);
    const about = 'Stands in for a job that recurs.';
    const recurring = job({
      name: 'recurring',
      queue: 'ingest',
      about,
      payload: Type.Object({}),
      everyMs: 5,
    });
    let looks = 0;
    let runs = 0;
    let due: () => Promise<boolean> = async () => false;
    const handler = handles(
      recurring,
      async () => {
        runs += 1;
        return ok();
      },
      {
        due: () => {
          looks += 1;
          return due();
        },
      },
    );
    const worker = startWorker('ingest', [handler], { redis: waiting, enqueue, log: quiet });
    try {
      await until(() => runs === 1 && looks > 10);
      expect(runs).to.equal(1);
      due = async () => true;
      await until(() => runs > 3);
      due = () => Promise.reject(new Error('away'));
      const before = runs;
      await until(() => runs > before + 3);
    } finally {
      await worker.close();
      await enqueue.queues.get('ingest')!.obliterate({ force: true });
      await enqueue.close();
      waiting.disconnect();
    }
  });
});

describe('the first jobs of a worker', () => {
  const redis = withRedis();

  it('are added although the connection for adding opens later', async () => {
    const waiting = redis.openWaiting();
    await waiting.ping();
    const late = redis.open();
    const enqueue = openQueues(late, quiet);
    let runs = 0;
    const handle = async () => {
      runs += 1;
      return ok();
    };
    const declared = {
      name: 'first',
      queue: 'ingest',
      about: 'Stands in for a job.',
      exclusive: true,
    } as const;
    const handler = handles(job({ ...declared, everyMs: 600_000 }), handle);
    const worker = startWorker('ingest', [handler], { redis: waiting, enqueue, log: quiet });
    try {
      await until(() => runs === 1);
    } finally {
      await worker.close();
      await enqueue.queues.get('ingest')!.obliterate({ force: true });
      await enqueue.close();
      for (const connection of [waiting, late]) connection.disconnect();
    }
  });
});

describe('work that Redis does not deliver', () => {
  const redis = withRedis();
  const own = job({
    name: 'own',
    queue: 'ingest',
    about: 'Stands in for a job whose work the worker finds.',
    payload: Type.Object({}),
    dedupKey: () => 'own',
    everyMs: 600_000,
    polled: true,
  });
  let waiting: ReturnType<typeof redis.openWaiting>;
  let enqueue: Enqueue;
  let fallback: ReturnType<typeof createFallback>;
  let worker: RunningWorker | undefined;

  beforeEach(() => {
    waiting = redis.openWaiting();
    enqueue = openQueues(redis.redis, quiet);
    fallback = createFallback(quiet);
  });
  afterEach(async () => {
    await worker?.close();
    await fallback.close();
    await enqueue.queues.get('ingest')!.obliterate({ force: true });
    await enqueue.close();
    waiting.disconnect();
  });

  const start = (...handlers: Handler[]) => {
    worker = startWorker('ingest', handlers, { redis: waiting, enqueue, log: quiet, fallback });
  };
  const active = () => redis.redis.lrange('bull:ingest:active', 0, -1);

  it('is done although a job that lost its lock keeps equal ones from starting', async () => {
    const gate = createGate();
    const release = gate.hold();
    let isDue = false;
    let runs = 0;
    const handle = async () => {
      runs += 1;
      isDue = false;
      if (runs === 1) await gate.passed();
      return ok();
    };
    try {
      start(handles(own, handle, { due: async () => isDue }));
      await until(() => runs === 1);
      // As after an outage longer than a job's lock: the job stays active, and nobody runs it.
      const left = await active();
      await redis.redis.del(left.map((id) => `bull:ingest:${id}:lock`));
      release();
      isDue = true;
      expect(await enqueue.add(own, {})).to.equal(true);
      await until(() => runs >= 2);
      expect(await active()).to.deep.equal(left);
    } finally {
      release();
    }
  });

  it('is logged if it fails', async () => {
    const { log, lines } = logLines('warn');
    fallback = createFallback(log);
    let runs = 0;
    const handle = async () => {
      runs += 1;
      return failed('the provider refuses');
    };
    start(handles(job({ ...own, attempts: 1 }), handle, { due: async () => runs < 2 }));
    await until(() => lines.length > 0);
    expect(lines[0]).to.deep.include({ msg: 'job failed', job: 'own' });
    expect((lines[0]!.err as { message: string }).message).to.equal('the provider refuses');
  });

  it('is done although a killed worker has the job', async () => {
    const killed = new Worker('ingest', null, { connection: waiting, autorun: false });
    try {
      await enqueue.add(own, {});
      expect((await killed.getNextJob('token'))?.name).to.equal('own');
      let runs = 0;
      const handle = async () => {
        runs += 1;
        return ok();
      };
      start(handles(own, handle, { due: async () => runs === 0 }));
      await until(() => runs >= 1);
    } finally {
      await killed.close();
    }
  });

  it('waits while the queue is paused, and is not begun again while it is being done', async () => {
    const gate = createGate();
    const release = gate.hold();
    let turns = 0;
    let runs = 0;
    const handle = async () => {
      runs += 1;
      await gate.passed();
      return ok();
    };
    const idle = async () => {
      turns += 1;
      return false;
    };
    const queue = enqueue.queues.get('ingest')!;
    try {
      await queue.pause();
      const counting = handles(
        job({ ...own, name: 'counting', dedupKey: () => 'counting' }),
        async () => ok(),
        { due: idle },
      );
      start(handles(own, handle, { due: async () => true }), counting);
      await until(async () => turns > 5 && (await queue.getWaitingCount()) === 2);
      expect(runs).to.equal(0);
      // Else BullMQ would run the jobs that the worker added at its start.
      await queue.drain();
      await queue.resume();
      await until(() => runs === 1);
      const before = turns;
      await until(() => turns > before + 5);
      expect(runs).to.equal(1);
    } finally {
      release();
    }
  });
});
