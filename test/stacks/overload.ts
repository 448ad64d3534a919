import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { requestService } from '../support/broker.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** Milliseconds of each measurement. */
const measureMs = 8_000;
const idle = 10_000;
const slow = 300;
const flooding = 300;

/** Answers to readers who ask twenty times a second, whatever else goes on. */
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
  const sockets = new Set<Socket>();
  try {
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: await requestService('redis'),
      receiver,
    });
    const site = product.sites[0]!;
    const load = await startLoad(product, receiver, 200);
    await until(() => load.count() >= 40, 60_000);
    load.stop();
    const paths = ['/', '/leaderboard', '/api/leaderboard', '/c/ada', '/api/cappers/ada/picks?limit=50'];
    // Once: what is measured is not how long the first answer takes.
    for (const path of paths) await fetch(`${site}${path}`);

    const quiet = await readers(site, paths, measureMs);
    const port = Number(new URL(site).port);

    await openIdle(port, sockets);
    await pause(2000);
    const amidIdle = await readers(site, paths, measureMs);
    const kept = [...sockets].filter((socket) => !socket.destroyed).length;
    for (const socket of sockets) socket.destroy();
    sockets.clear();

    const stopped = new AbortController();
    const flood = floods(site, stopped.signal);
    startSlow(port, sockets);
    await pause(1000);
    const amidFlood = await readers(site, paths, measureMs);
    stopped.abort();
    const answers = await flood;
    for (const socket of sockets) socket.destroy();

    await pause(10_000);
    const after = await readers(site, paths, measureMs);
    const said: string[] = [];
    const faults: string[] = [];
    const judge = (name: string, { accepted, shed, wrong }: Readers, limit: number) => {
      const p99 = p99Of(accepted);
      said.push(`${name} p99 ${p99.toFixed(0)} ms of ${accepted.length} accepted, ${shed} shed`);
      if (wrong.length > 0) faults.push(`${name}: ${wrong.length} wrong: ${wrong.slice(0, 5).join('; ')}`);
      if (accepted.length === 0 || p99 > limit) faults.push(`${name}: beyond ${limit.toFixed(0)} ms`);
    };
    const base = p99Of(quiet.accepted);
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
    if (faults.length > 0) throw new Error(`${said.join('; ')}\n${faults.join('\n')}`);
    return `overload: ${said.join('; ')}`;
  } finally {
    for (const socket of sockets) socket.destroy();
    await context.supervisor.stop(3_000);
    await receiver.close();
    await dropDatabase(database);
  }
}

function p99Of(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Number.NaN;
}

/** Asks over a fresh connection now and then, as readers do. */
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
    // From an address of its own: others have theirs.
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

/** Opens connections that send nothing, from many addresses. */
async function openIdle(port: number, sockets: Set<Socket>): Promise<void> {
  for (let index = 0; index < idle; index += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${1 + (index % 50)}` });
    socket.on('error', () => {});
    sockets.add(socket);
    if (index % 200 === 199) await pause(50);
  }
}

/** Clients that send a byte a second of a request, and others that ask and do not read. */
function startSlow(port: number, sockets: Set<Socket>): void {
  for (let index = 0; index < slow; index += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.2.${1 + (index % 50)}` });
    socket.on('error', () => {});
    sockets.add(socket);
    if (index % 2 === 0) {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('x'), 1000);
      socket.once('close', () => clearInterval(timer));
    } else {
      socket.pause();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
    }
  }
}

/** Asks for what nobody asked for before, as fast as answers come, from many addresses. @returns how often each status came */
async function floods(site: string, signal: AbortSignal): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let asked = 0;
  const client = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.3.${1 + (index % 100)}` });
    while (!signal.aborted) {
      asked += 1;
      // Some are new to the service, some are in its memory.
      const path =
        asked % 2 === 0
          ? `/api/cappers/ada/picks?limit=${1 + (asked % 200)}&month=20${10 + (asked % 90)}-01`
          : '/leaderboard';
      const status = await new Promise<string>((done) => {
        const request = get(`${site}${path}`, { agent, timeout: 10_000 }, (response) => {
          response.resume().once('close', () => done(String(response.statusCode)));
        });
        request.once('timeout', () => request.destroy(new Error('timeout')));
        request.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== '200') await pause(50);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: flooding }, (_, index) => client(index)));
  return statuses;
}
