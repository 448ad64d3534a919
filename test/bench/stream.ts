import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { changesChannel } from '../../src/answers/changes.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { post, stage } from '../support/announcements.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { type EventStream, eventStream } from '../support/event-stream.ts';
import { quiet } from '../support/quiet.ts';
import { median } from './children.ts';
import type { Note } from './figures.ts';
import { startWeb } from './site.ts';

const picksPerRound = 5;
/** Rounds after which the process is killed or terminated. */
const kills: Readonly<Record<number, NodeJS.Signals>> = { 4: 'SIGKILL', 8: 'SIGTERM' };

/** Many clients on one process that is killed and restarted while picks are posted. None may miss an event or get one twice. */
export async function bench(
  say: (line: string) => void,
  note: Note,
  {
    clients = Number(process.env.BENCH_CLIENTS ?? 5_000),
    rounds = Number(process.env.BENCH_ROUNDS ?? 12),
  } = {},
): Promise<void> {
  const database = await createDatabase();
  const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
  const port = await anyFreePort();
  const crowd = createCrowd(port);
  let web = await startWeb(database.url, port);
  try {
    const set = await stage(database.database, ['ada', 'bram'], ['nba', 'nfl']);
    const began = performance.now();
    await crowd.open(clients);
    note({ name: `${clients} clients connected`, ours: performance.now() - began, unit: 'ms' });
    const delays: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const picks = Array.from({ length: picksPerRound }, (_, index) => ({
        capper: index % 2 === 0 ? 'ada' : 'bram',
        sport: index % 3 === 0 ? 'nba' : 'nfl',
      }));
      await post(database.database, set, picks, Date.now());
      await redis.publish(changesChannel(redis), '*');
      const posted = performance.now();
      const signal = kills[round];
      if (signal !== undefined) {
        // In the middle of sending.
        await pause(20);
        const ended = once(web, 'exit');
        web.kill(signal);
        await ended;
        await post(database.database, set, picks, Date.now());
        web = await startWeb(database.url, port);
      }
      await crowd.settled(await lastSeq(database.database));
      delays.push(performance.now() - posted);
    }
    const { rows }: { rows: { seq: number }[] } = await database.database.raw(
      "select seq from ledger_entries where kind = 'posted' order by seq",
    );
    const faults = crowd.compare(rows.map(({ seq }) => String(seq)));
    note({ name: 'events missed', ours: faults.missed, unit: '', aim: { atMost: 0 } });
    note({ name: 'events repeated', ours: faults.doubled, unit: '', aim: { atMost: 0 } });
    note({ name: `${picksPerRound} picks to all clients, median`, ours: median(delays), unit: 'ms' });
    note({ name: 'connections made', ours: crowd.connections(), unit: '' });
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${web.pid}/status`, 'utf8')) ?? [];
    note({ name: `resident with ${clients} clients`, ours: Number(kilobytes) / 1024, unit: 'MiB' });
    say(`${rounds * picksPerRound} picks and ${Object.keys(kills).length} process exits`);
  } finally {
    crowd.close();
    const ended = web.exitCode === null && web.signalCode === null ? once(web, 'exit') : undefined;
    web.kill();
    await ended;
    redis.disconnect();
    await dropDatabase(database);
  }
}

async function lastSeq(database: Awaited<ReturnType<typeof createDatabase>>['database']): Promise<string> {
  const [row] = await database('ledger_entries').max({ seq: 'seq' });
  return String(row?.seq);
}

/** Creates clients that behave like browsers: they reconnect with the last id after the delay that the service named. */
function createCrowd(port: number) {
  const reads: EventStream[] = [];
  let made = 0;
  let closed = false;
  const responses = new Set<IncomingMessage>();

  function connect(index: number): Promise<void> {
    made += 1;
    const read = reads[index] as EventStream;
    const lastId = read.lastId();
    return new Promise((opened) => {
      const again = () => {
        if (closed) return;
        setTimeout(() => void connect(index).then(opened), (read.retry() ?? 500) * Math.random());
      };
      let answered = false;
      const request = get(
        {
          host: '127.0.0.1',
          port,
          path: '/api/stream',
          agent: false,
          headers: {
            // From many addresses, as a proxy names them.
            'X-Forwarded-For': `10.0.${Math.floor(index / 2500)}.${index % 250}`,
            ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }),
          },
        },
        (response) => {
          answered = true;
          if (response.statusCode !== 200) {
            response.resume();
            again();
            return;
          }
          responses.add(response);
          response.on('data', (chunk: Buffer) => {
            read.write(chunk.toString());
            opened();
          });
          response.on('error', () => {});
          response.once('close', () => {
            responses.delete(response);
            read.cut();
            again();
          });
        },
      );
      request.on('error', () => {
        if (!answered) again();
      });
    });
  }

  return {
    async open(count: number): Promise<void> {
      for (let index = 0; index < count; index += 1) reads.push(eventStream());
      for (let from = 0; from < count; from += 250)
        await Promise.all(reads.slice(from, from + 250).map((_, offset) => connect(from + offset)));
    },
    /** Waits until every client has everything up to an entry. */
    async settled(seq: string): Promise<void> {
      const deadline = Date.now() + 60_000;
      while (reads.some((read) => read.lastId() !== seq)) {
        if (Date.now() > deadline) {
          const behind = reads.filter((read) => read.lastId() !== seq).length;
          throw new Error(`${behind} clients are still behind entry ${seq} after a minute`);
        }
        await pause(5);
      }
    },
    compare(expected: readonly string[]) {
      let missed = 0;
      let doubled = 0;
      for (const { events } of reads) {
        const got = new Set(events.map(({ id }) => id));
        doubled += events.length - got.size;
        missed += expected.filter((id) => !got.has(id)).length;
      }
      return { missed, doubled };
    },
    connections: () => made,
    close() {
      closed = true;
      for (const response of responses) response.destroy();
    },
  };
}
