import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// More clients than a site can serve, in a separate thread, so that they do not slow down the readers in the main thread.

/** Commands to the thread, run in sequence. It posts a message when each has finished. */
export type Order = 'idle' | 'flood' | 'leave';

/** The number of idle connections, and how often the flood got each status. */
export interface Crowd {
  open: number;
  statuses: Record<string, number>;
}

export const idle = 10_000;
const slow = 300;
const flooding = 300;

const sockets = new Set<Socket>();
const statuses: Record<string, number> = {};
let isOver = false;
let flooded: Promise<void> | undefined;

parentPort?.on('message', async (order: Order) => {
  const site: string = workerData;
  const port = Number(new URL(site).port);
  if (order === 'idle') await openIdle(port);
  if (order === 'flood') {
    flooded = flood(site);
    startSlow(port);
  }
  if (order === 'leave') {
    isOver = true;
    await flooded;
  }
  const open = [...sockets].filter((socket) => !socket.destroyed).length;
  if (order === 'leave') {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  parentPort?.postMessage({ open, statuses } satisfies Crowd);
});

/** Opens connections that send nothing, from many addresses. */
async function openIdle(port: number): Promise<void> {
  for (let index = 0; index < idle; index += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${1 + (index % 50)}` });
    socket.on('error', () => {});
    sockets.add(socket);
    if (index % 200 === 199) await pause(50);
  }
}

/** Starts clients that send a request at a byte per second, and others that never read the answer. */
function startSlow(port: number): void {
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

/** Sends new requests as fast as answers come, from many addresses. */
async function flood(site: string): Promise<void> {
  let asked = 0;
  const client = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.3.${1 + (index % 100)}` });
    while (!isOver) {
      asked += 1;
      // Some answers are new to the service, and some are in its memory.
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
}
