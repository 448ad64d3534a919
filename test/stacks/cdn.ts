import { spawn } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { anyFreePort } from '../../src/local/ports.ts';
import { runCommand } from '../../src/local/processes.ts';
import { libraryPath } from '../../src/local/system-packages.ts';
import type { Database } from '../../src/platform/database.ts';
import { openIncidents } from '../../src/status/state.ts';
import { requestService } from '../support/broker.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { packagedProgram } from './packages.ts';
import { type Product, startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** The games, of which one settles every `settleEveryMs`. Similar names would open an incident about games stored twice. */
const fixtures = [
  'Hawks @ Otters',
  'Bear Creek @ Fairhollow',
  'Dunmore @ Eastmarch',
  'Gull Harbor @ Cinder Falls',
  'Alder Bay @ Ironvale',
];
const settleEveryMs = 4000;
/** Milliseconds within which a settlement visible at the origin must be visible through Varnish. */
const visibleWithinMs = 2000;
/** Reader requests for each one that may reach the origin. */
const fewerTimes = 50;

const boards = ['/', '/c/ada', '/sharp', '/api/leaderboard', '/api/cappers/ada/picks', '/api/record/windows'];

/** A Varnish in front of the public port, with `deploy/varnish/default.vcl`, purged by the boards and status workers. */
export async function stack(context: StackContext): Promise<string> {
  const database = await createDatabase({ kind: 'live' });
  const receiver = await startReceiver();
  try {
    const port = await anyFreePort();
    const redisUrl = await requestService('redis');
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl,
      settings: { TRUST_PROXY: '1', CDN_PURGE_URL: `http://127.0.0.1:${port}/purge` },
      receiver,
    });
    const varnish = await startVarnish(context, port, product.sites[0] as string);
    const settled = await drive(product, varnish);
    return `${settled}; ${await haveTrouble(product, varnish, database.database, redisUrl)}`;
  } finally {
    await context.supervisor.stop();
    await receiver.close();
    await dropDatabase(database);
  }
}

interface Varnish {
  url: string;
  /** Requests of clients, and those passed on to the origin, so far. */
  counts(): Promise<{ asked: number; passedOn: number }>;
}

async function startVarnish(context: StackContext, port: number, origin: string): Promise<Varnish> {
  const { root, folder, supervisor } = context;
  const paths = ['usr/sbin/varnishd'];
  const program = await packagedProgram(
    'varnishd',
    { packages: ['varnish', 'varnish-modules', 'gcc', 'libc6-dev'], paths },
    context,
  );
  const unpacked = program.command.slice(0, -'/usr/sbin/varnishd'.length);
  const [modules = ''] = globSync(`${unpacked}/usr/lib/*/varnish/vmods`);
  const config = join(folder, 'varnish.vcl');
  const originPort = new URL(origin).port;
  const text = readFileSync(join(root, 'deploy', 'varnish', 'default.vcl'), 'utf8');
  writeFileSync(config, text.replace('.port = "3000"', `.port = "${originPort}"`));
  const state = join(folder, 'varnish');
  const env = {
    ...process.env,
    PATH: [process.env.PATH, join(unpacked, 'usr/bin')].join(delimiter),
    ...libraryPath(program),
  };
  const given = [
    '-F',
    '-a',
    `127.0.0.1:${port}`,
    '-f',
    config,
    '-s',
    'malloc,64m',
    '-n',
    state,
    '-j',
    'none',
  ];
  supervisor.run({
    name: 'varnish',
    signal: 'SIGTERM',
    store: false,
    launch: () =>
      spawn(program.command, [...given, '-p', `vmod_path=${modules}`], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, 60_000);
  return {
    url,
    async counts() {
      const fields = ['MAIN.client_req', 'MAIN.backend_req'];
      const given = ['-n', state, '-1', '-j', ...fields.flatMap((field) => ['-f', field])];
      const { counters } = JSON.parse(
        await runCommand(join(unpacked, 'usr/bin/varnishstat'), given, { env }),
      );
      const [asked, passedOn] = fields.map((field) => counters[field].value as number);
      return { asked: asked as number, passedOn: passedOn as number };
    },
  };
}

async function drive({ sites, operator, token }: Product, varnish: Varnish): Promise<string> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${operator}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${JSON.stringify(answer)}`);
    return answer as { rows: { pickUuid: string }[] };
  };

  await post('/cappers', { handle: 'ada', tier: 'elite', verified: true });
  const startsAt = new Date(Date.now() + 8000).toISOString();
  const matches = fixtures.map((game) => ({ sport: 'soccer', game, startsAt }));
  const uuids: string[] = [];
  for (const match of matches) {
    await post('/games', { ...match, status: 'scheduled' });
    const terms = { market: 'moneyline', side: 'home', pick: 'Otters', oddsAmerican: -110, stakeUnits: 1 };
    const { rows } = await post('/picks', { capperHandle: 'ada', ...match, ...terms });
    uuids.push(rows[0]?.pickUuid as string);
  }
  await until(() => Date.now() > Date.parse(startsAt) + 1000, 100_000);

  const before = await varnish.counts();
  const stopped = new AbortController();
  const picks = uuids.map((uuid) => `/api/picks/${uuid}`);
  const readers = readAlong(varnish.url, [...boards, ...picks], stopped.signal);
  readers.catch(() => {});
  const longest = { atOrigin: 0, throughVarnish: 0, later: 0 };
  for (const [n, match] of matches.entries()) {
    await pause(settleEveryMs);
    await post('/games', { ...match, status: 'final', homeScore: 2, awayScore: 1 });
    const from = performance.now();
    const path = `/api/picks/${uuids[n]}`;
    const shownAt = async (site: string) => {
      await until(async () => (await (await fetch(site + path)).text()).includes('"win"'));
      return performance.now() - from;
    };
    const [atOrigin, throughVarnish] = await Promise.all([shownAt(sites[0] as string), shownAt(varnish.url)]);
    longest.atOrigin = Math.max(longest.atOrigin, atOrigin);
    longest.throughVarnish = Math.max(longest.throughVarnish, throughVarnish);
    longest.later = Math.max(longest.later, throughVarnish - atOrigin);
  }
  stopped.abort();
  await readers;
  const after = await varnish.counts();
  const [asked, passedOn] = [after.asked - before.asked, after.passedOn - before.passedOn];
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const { atOrigin, throughVarnish, later } = longest;
  const line =
    `cdn: ${fixtures.length} settlements visible through Varnish within ${seconds(throughVarnish)} of the score (at the origin within ` +
    `${seconds(atOrigin)}); of ${asked} requests the origin saw ${passedOn} (1 in ${Math.round(asked / passedOn)})`;
  if (later > visibleWithinMs) throw new Error(`${line}: ${seconds(later)} later than at the origin`);
  if (asked < passedOn * fewerTimes) throw new Error(`${line}: fewer than 1 in ${fewerTimes} were expected`);
  return line;
}

/**
 * Opens an incident and closes it, by an eviction policy that the check of Redis warns of. Pages cached in Varnish must get the banner,
 * and lose it, soon after the status worker has stored the incident.
 */
async function haveTrouble(
  { sites }: Product,
  varnish: Varnish,
  database: Database,
  redisUrl: string,
): Promise<string> {
  const pages = ['/', '/c/ada', '/sharp'];
  const origin = sites[0] as string;
  const redis = new Redis(redisUrl);
  let longest = 0;
  try {
    for (const [policy, hasBanner] of [
      ['allkeys-lru', true],
      ['noeviction', false],
    ] as const) {
      const shows = async (site: string, page: string) =>
        (await (await fetch(site + page)).text()).includes('<aside class="trouble') === hasBanner;
      for (const page of pages)
        if (await shows(varnish.url, page))
          throw new Error(`${page} shows trouble without an incident, or lacks it with one`);
      await redis.config('SET', 'maxmemory-policy', policy);
      await until(async () => (await openIncidents(database)).length > 0 === hasBanner, 450_000);
      const from = performance.now();
      const visible = (site: string) =>
        Promise.all(pages.map((page) => until(() => shows(site, page), 60_000)));
      await Promise.all([visible(origin), visible(varnish.url)]);
      longest = Math.max(longest, performance.now() - from);
    }
  } finally {
    redis.disconnect();
  }
  const line = `an incident is on ${pages.length} pages through Varnish, and off them, within ${(longest / 1000).toFixed(2)} s`;
  if (longest > visibleWithinMs) throw new Error(line);
  return line;
}

/** Reads paths in turn, over a few connections, until stopped. */
async function readAlong(url: string, paths: readonly string[], stopped: AbortSignal): Promise<void> {
  const pool = new Pool(url, { connections: 16 });
  const reader = async (first: number) => {
    for (let turn = first; !stopped.aborted; turn += 1) {
      const path = paths[turn % paths.length] as string;
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} answers ${statusCode} through Varnish`);
    }
  };
  try {
    await Promise.all(Array.from({ length: 16 }, (_, first) => reader(first)));
  } finally {
    await pool.close();
  }
}
