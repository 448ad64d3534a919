import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { oneOf, type Random, whole } from '../../../src/demo/random.ts';
import type { Outage } from '../../support/outage.ts';
import type { OwnNames } from '../../support/own-names.ts';
import type { OwnRedis } from '../../support/own-redis.ts';
import type { Receiver } from '../../support/receivers.ts';
import { status } from '../../support/receivers.ts';
import { ask, type Pair } from '../../support/standby.ts';
import { until } from '../../support/until.ts';
import type { StackContext } from '../stack.ts';
import { bad, type Provider } from './provider.ts';

/** The environment in which faults happen. */
export interface Field {
  context: StackContext;
  names: readonly string[];
  random: Random;
  redis: OwnRedis;
  /** Another, empty Redis. */
  otherRedis: OwnRedis;
  pair: Pair;
  /** The proxies in front of Redis, each PostgreSQL, signer, and witness. */
  links: { redis: Outage; postgres: readonly Outage[]; signer: Outage; witness: Outage };
  provider: Provider;
  /** URL of the database that is written, as its owner. */
  owner(): string;
  /** The resolver that all processes ask; undefined if none could be made. */
  resolver: OwnNames | undefined;
  receivers: readonly Receiver[];
  /** A URL of the database under a login that is not the owner's. */
  plainUrl: string;
  /** The small file system under PostgreSQL; undefined if none could be made. */
  disk: string | undefined;
  /** The library that shifts a process's clock; undefined without one. */
  faketime: string | undefined;
  /** Environment variables for each process. */
  variables: Map<string, Record<string, string>>;
}

export interface Kind {
  name: string;
  /** Its share of the run's time, relative to the others. */
  share: number;
  /** How often it happens in the whole form. */
  times: number;
  /** Whether nothing but other parties are at fault, so that posting and reading continue. */
  isOutside?: true;
  /** Returns why it cannot happen here. */
  skipped?(field: Field): string | undefined;
  /** Causes it once and repairs it. */
  once?(field: Field): Promise<void>;
  /** Causes it in a process. All processes suffer it concurrently, each as often as `times` says. */
  toProcess?(field: Field, name: string): Promise<void>;
}

/** Returns the running process of a name, once there is one other than `before`. */
async function runs({ context }: Field, name: string, before?: number): Promise<number> {
  let pid: number | undefined;
  await until(() => {
    context.aborted.throwIfAborted();
    pid = context.running().get(name)?.pid;
    return pid !== undefined && pid !== before;
  }, 60_000);
  return pid!;
}

/** Waits until a process has started. */
async function works({ context }: Field, name: string): Promise<void> {
  await until(() => {
    context.aborted.throwIfAborted();
    return context.isWorking(name);
  }, 300_000);
}

/** Signals a process and its descendants. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has just ended.
  }
}

async function restart(field: Field, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const pid = await runs(field, name);
      send(pid, 'SIGKILL');
      await runs(field, name, pid);
    }),
  );
}

/** Waits for the length of an outage, in milliseconds. */
const while_ = ({ random }: Field) => pause(whole(random, 500, 9_000));

/** Stops processes with SIGSTOP, and continues them. */
async function freeze({ random }: Field, pids: readonly number[]): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, name);
      } catch {
        // The session has ended.
      }
  };
  signal('SIGSTOP');
  await pause(whole(random, 1_000, 20_000));
  signal('SIGCONT');
}

/** Makes the provider's polls due, as if hours had passed. */
const makePollsDue = ({ owner }: Field) =>
  ask(owner(), 'with requests as (delete from source_requests) delete from source_runs');

/** Waits until the provider has been polled again. @param failure what the polls' message says; undefined: they succeed */
async function pollsEnd(field: Field, failure?: string): Promise<void> {
  await makePollsDue(field);
  await until(async () => {
    field.context.aborted.throwIfAborted();
    const runs = await ask(
      field.owner(),
      `select ok, message from source_runs where source like 'espn/%/schedule'`,
    );
    return runs.some(({ ok, message }) =>
      failure === undefined ? ok && message !== 'Not polled yet.' : !ok && String(message).includes(failure),
    );
  }, 60_000);
}

export const kinds: readonly Kind[] = [
  {
    name: 'process killed',
    share: 40,
    times: 200,
    async toProcess(field, name) {
      // Sometimes the process is killed during its start.
      if (field.random() < 0.85) await works(field, name);
      await pause(whole(field.random, 0, 3_000));
      const pid = await runs(field, name);
      send(pid, 'SIGKILL');
      await runs(field, name, pid);
    },
  },
  {
    name: 'process frozen',
    share: 25,
    times: 200,
    async toProcess(field, name) {
      await pause(whole(field.random, 0, 1_000));
      const pid = await runs(field, name);
      send(pid, 'SIGSTOP');
      // Sometimes it exceeds the leases and idle timeouts of 15 s.
      await pause(field.random() < 0.03 ? 18_000 : whole(field.random, 50, 4_000));
      send(pid, 'SIGCONT');
    },
  },
  {
    name: 'redis emptied',
    share: 3,
    times: 10,
    async once({ redis }) {
      await redis.admin.flushall();
    },
  },
  {
    name: 'redis killed',
    share: 4,
    times: 10,
    async once(field) {
      await field.redis.kill();
      await while_(field);
      await field.redis.start();
    },
  },
  {
    name: 'redis silent',
    share: 4,
    times: 10,
    async once(field) {
      field.redis.freeze();
      await while_(field);
      field.redis.thaw();
    },
  },
  {
    name: 'redis a replica',
    share: 4,
    times: 10,
    async once(field) {
      await field.redis.admin.replicaof('127.0.0.1', field.otherRedis.port);
      await while_(field);
      await field.redis.admin.replicaof('NO', 'ONE');
    },
  },
  {
    name: 'redis full',
    share: 4,
    times: 10,
    async once(field) {
      await field.redis.admin.config('SET', 'maxmemory', '1');
      await while_(field);
      await field.redis.admin.config('SET', 'maxmemory', '0');
    },
  },
  {
    name: 'postgresql stopped',
    share: 4,
    times: 10,
    async once(field) {
      const server = field.pair.primary();
      await server.end(oneOf(field.random, ['SIGINT', 'SIGKILL']));
      await while_(field);
      await server.start();
    },
  },
  {
    name: 'postgresql silent',
    share: 4,
    times: 5,
    async once(field) {
      for (const link of field.links.postgres) link.freeze();
      await pause(whole(field.random, 1_000, 20_000));
      // Bytes sent during the silence never arrive.
      for (const link of field.links.postgres) await link.cut();
      for (const link of field.links.postgres) await link.restore();
    },
  },
  {
    name: 'postgresql frozen',
    share: 4,
    times: 5,
    once: (field) => freeze(field, field.pair.primary().pids()),
  },
  {
    name: "postgresql's sessions frozen",
    share: 4,
    times: 5,
    async once(field) {
      const sessions = await ask(
        field.pair.primary().url,
        `select pid from pg_stat_activity where datname = 'picks' and backend_type = 'client backend'`,
      );
      await freeze(
        field,
        sessions.map(({ pid }) => Number(pid)),
      );
    },
  },
  {
    name: 'postgresql failed over',
    share: 5,
    times: 4,
    async once({ pair }) {
      await pair.primary().end();
      await pause(1_000);
      await pair.promote();
      await pause(3_000);
      await pair.repair();
    },
  },
  {
    name: 'out of connections',
    share: 4,
    times: 5,
    async once(field) {
      const clients: pg.Client[] = [];
      try {
        for (;;) {
          const client = new pg.Client({ connectionString: field.plainUrl, connectionTimeoutMillis: 5_000 });
          client.on('error', () => {});
          await client.connect();
          clients.push(client);
        }
      } catch (error) {
        if ((error as { code?: string }).code !== '53300') throw error;
        // A process that starts now gets no connection.
        await restart(field, [oneOf(field.random, field.names)]);
        await while_(field);
      } finally {
        await Promise.all(clients.map((client) => client.end().catch(() => {})));
      }
    },
  },
  {
    name: 'disk full',
    share: 4,
    times: 5,
    skipped: ({ disk }) => (disk === undefined ? 'no file system can be mounted here (not root)' : undefined),
    async once(field) {
      const disk = field.disk!;
      try {
        // PostgreSQL itself takes the last pages.
        for (let part = 0; ; part += 1) {
          const { bavail, bsize } = await statfs(disk);
          const free = bavail * bsize;
          if (free < 65_536) break;
          await writeFile(join(disk, 'ballast'), Buffer.alloc(Math.min(free, 64 * 2 ** 20)), {
            flag: 'a',
          }).catch(() => {});
          if (part > 100) break;
        }
        await pause(whole(field.random, 4_000, 9_000));
      } finally {
        await rm(join(disk, 'ballast'), { force: true });
      }
      // The lack of space may have ended a server.
      for (const server of field.pair.servers) await server.start();
    },
  },
  {
    name: 'connections cut',
    share: 4,
    times: 50,
    async once({ links, random }) {
      const link = oneOf(random, [links.redis, ...links.postgres]);
      await link.cut();
      await pause(whole(random, 0, 300));
      await link.restore();
      await pause(whole(random, 0, 1_000));
    },
  },
  {
    name: 'slow network',
    share: 4,
    times: 5,
    async once(field) {
      const all = [field.links.redis, ...field.links.postgres];
      for (const link of all) link.delay(whole(field.random, 20, 150));
      await pause(whole(field.random, 5_000, 15_000));
      for (const link of all) link.delay(0);
    },
  },
  {
    name: 'clocks a minute apart',
    share: 6,
    times: 3,
    skipped: ({ faketime }) => (faketime === undefined ? 'there is no libfaketime here' : undefined),
    async once(field) {
      const shifted = (by: string) => ({
        LD_PRELOAD: field.faketime!,
        FAKETIME: by,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_NO_CACHE: '1',
      });
      for (const name of field.names)
        field.variables.set(name, shifted(field.random() < 0.5 ? '+30s' : '-30s'));
      await restart(field, field.names);
      await pause(whole(field.random, 15_000, 25_000));
      field.variables.clear();
      await restart(field, field.names);
    },
  },
  {
    name: 'provider misbehaves',
    share: 3,
    times: 10,
    async once(field) {
      field.provider.manner = oneOf(field.random, bad);
      await makePollsDue(field);
      await while_(field);
      field.provider.manner = 'well';
    },
  },
  {
    name: 'provider silent',
    share: 4,
    times: 5,
    isOutside: true,
    async once(field) {
      field.provider.manner = oneOf(field.random, ['silent', 'stall']);
      await pollsEnd(field, 'no answer within 15 s');
      field.provider.manner = 'well';
      await pollsEnd(field);
    },
  },
  {
    name: 'names unanswered',
    share: 4,
    times: 5,
    isOutside: true,
    skipped: ({ resolver }) =>
      resolver === undefined ? 'no resolver of its own can be mounted here (not root)' : undefined,
    async once(field) {
      field.resolver!.silent = true;
      await pollsEnd(field, 'its name was not resolved');
      await while_(field);
      field.resolver!.silent = false;
      await pollsEnd(field);
    },
  },
  {
    name: 'signer and witness silent',
    share: 4,
    times: 5,
    async once(field) {
      const { signer, witness } = field.links;
      for (const link of oneOf(field.random, [[signer], [witness], [signer, witness]])) link.freeze();
      await while_(field);
      for (const link of [signer, witness]) await link.restore();
    },
  },
  {
    name: 'receivers misbehave',
    share: 4,
    times: 4,
    async once(field) {
      const well = status(204);
      for (const receiver of field.receivers) {
        const manner = oneOf(field.random, bad);
        receiver.answer = (response) => {
          if (manner === 'error') response.writeHead(500).end();
          else if (manner === 'garbage') response.socket?.end('garbage\r\n\r\n');
          else if (manner === 'reset') response.socket?.destroy();
          else if (manner === 'stall') response.writeHead(200).write('{');
          // 'silent': no answer at all.
        };
      }
      await pause(whole(field.random, 10_000, 40_000));
      for (const receiver of field.receivers) receiver.answer = well;
    },
  },
];
