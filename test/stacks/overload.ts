import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { requestService } from '../support/broker.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';
import { type Crowd, idle, type Order } from './overload/crowd.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** Milliseconds of each measurement. */
const measureMs = 8_000;

/** Answers to readers who send twenty requests a second throughout. */
interface Readers {
  accepted: number[];
  shed: number;
  /** Neither an answer nor a refusal within ten seconds, or another status. */
  wrong: string[];
}

/** A site under ten thousand idle connections, more requests than it can answer, and slow clients: what it accepts, and what it sheds. */
export async function stack(context: StackContext): Promise<string> {
  const receiver = await startReceiver();
  const database = await createDatabase({ kind: 'live' });
  const crowds: Worker[] = [];
  const crowd = (site: string) => {
    const worker = new Worker(new URL('./overload/crowd.ts', import.meta.url), { workerData: site });
    crowds.push(worker);
    return async (order: Order): Promise<Crowd> => {
      worker.postMessage(order);
      const [done] = await once(worker, 'message');
      return done;
    };
  };
  try {
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: await requestService('redis'),
      receiver,
    });
    const site = product.sites[0]!;
    const load = await startLoad(product, receiver, 200);
    await until(() => load.count() >= 40, 300_000);
    load.stop();
    const paths = ['/', '/leaderboard', '/api/leaderboard', '/c/ada', '/api/cappers/ada/picks?limit=50'];
    // The first answer is excluded from the measurement.
    for (const path of paths) await fetch(`${site}${path}`);

    const quiet = await readers(site, paths, measureMs);

    const bystanders = crowd(site);
    await bystanders('idle');
    await pause(2000);
    const amidIdle = await readers(site, paths, measureMs);
    const { open: kept } = await bystanders('leave');

    const crowding = crowd(site);
    await crowding('flood');
    await pause(1000);
    const amidFlood = await readers(site, paths, measureMs);
    const { statuses: answers } = await crowding('leave');

    await pause(10_000);
    const after = await readers(site, paths, measureMs);
    const printed: string[] = [];
    const faults: string[] = [];
    const judge = (name: string, { accepted, shed, wrong }: Readers, limit: number) => {
      const p99 = nth(accepted, 0.99);
      printed.push(
        `${name} median ${nth(accepted, 0.5).toFixed(0)}, p99 ${p99.toFixed(0)} ms of ${accepted.length} accepted, ${shed} shed`,
      );
      if (wrong.length > 0) faults.push(`${name}: ${wrong.length} wrong: ${wrong.slice(0, 5).join('; ')}`);
      if (accepted.length === 0 || p99 > limit) faults.push(`${name}: over ${limit.toFixed(0)} ms`);
    };
    const base = nth(quiet.accepted, 0.99);
    context.say(
      `  the flood was answered ${JSON.stringify(answers)}; ${kept} of ${idle} idle connections were kept`,
    );
    judge('quiet', quiet, Number.POSITIVE_INFINITY);
    judge(`amid ${idle} idle connections`, amidIdle, 5 * base);
    judge('amid a flood and slow clients', amidFlood, 5 * base);
    judge('ten seconds later', after, 2 * base);
    const unanswered = answers.timeout ?? 0;
    if (unanswered > 0)
      faults.push(`${unanswered} requests of the flood were neither answered nor refused in ten seconds`);
    if (faults.length > 0) throw new Error(`${printed.join('; ')}\n${faults.join('\n')}`);
    return `overload: ${printed.join('; ')}`;
  } finally {
    for (const worker of crowds) await worker.terminate();
    await context.supervisor.stop(3_000);
    await receiver.close();
    await dropDatabase(database);
  }
}

/** Returns a quantile. */
function nth(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

/** Requests over a fresh connection now and then, as readers do. */
async function readers(site: string, paths: readonly string[], ms: number): Promise<Readers> {
  const found: Readers = { accepted: [], shed: 0, wrong: [] };
  const running: Promise<void>[] = [];
  const end = performance.now() + ms;
  for (let turn = 0; performance.now() < end; turn += 1) {
    running.push(read(`${site}${paths[turn % paths.length]}`, found));
    await pause(50);
  }
  await Promise.all(running);
  return found;
}

function read(url: string, found: Readers): Promise<void> {
  const began = performance.now();
  return new Promise((done) => {
    // From a separate address, since the crowd uses others.
    const request = get(url, { localAddress: '127.0.0.200', timeout: 10_000 }, (response) => {
      response.resume().once('close', () => {
        const { statusCode = 0 } = response;
        if (statusCode === 200) found.accepted.push(performance.now() - began);
        else if (statusCode === 503 || statusCode === 429) found.shed += 1;
        else found.wrong.push(`${url} ${statusCode}`);
        done();
      });
    });
    request.once('timeout', () => request.destroy(new Error('no answer in ten seconds')));
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') found.shed += 1;
      else found.wrong.push(`${url} ${error.message}`);
      done();
    });
  });
}
