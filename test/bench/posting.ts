import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import { asLogin, createDatabase, dropDatabase, type TestDatabase } from '../support/database.ts';
import { tether } from '../support/tether.ts';
import { until } from '../support/until.ts';
import { workerProcesses } from '../support/worker-processes.ts';
import { answerOf } from './children.ts';
import type { Note } from './figures.ts';
import type { Asked, Measured } from './posting-load.ts';

const root = resolve(import.meta.dirname, '..', '..');
const token = 'a-token-for-benches';
/** The games and cappers of a busy evening. */
const games = 500;
const cappers = 400;

/**
 * Live picks over HTTP: one per request, eight concurrent requests, against bare INSERTs of the same rows by the same driver without
 * triggers or look-ups. Then arrays of 100, and the time from posting to a published board under 500 picks/s. The load and every server
 * run in their own processes. Ours and the baseline alternate, and the best round of each counts.
 * @param options.finished games that have ended, which a look-up must not read
 */
export async function bench(
  _say: (line: string) => void,
  note: Note,
  { rounds = 3, seconds = 4, visibleSeconds = 15, finished = 20_000 } = {},
): Promise<void> {
  const stores = await createDatabase({ kind: 'live' });
  const redisUrl = process.env.REDIS_URL ?? '';
  const workers = workerProcesses({ databaseUrl: stores.ownerUrl, redisUrl });
  let operator: ChildProcess | undefined;
  const load = fork(join(import.meta.dirname, 'posting-load.ts'), { stdio: 'inherit' });
  tether(load);
  const ask = (asked: Asked) => answerOf<Measured>(load, asked);
  try {
    const startsAt = await fill(stores, finished);
    const port = await anyFreePort();
    operator = startOperator(stores, redisUrl, port);
    await answering(`http://127.0.0.1:${port}/livez`);
    const http = { address: `http://127.0.0.1:${port}`, token, games, cappers, startsAt };
    const ours: number[] = [];
    const bare: number[] = [];
    const arrays: number[] = [];
    await ask({ ...http, kind: 'posts', rows: 1, atOnce: 8, seconds: seconds / 2 });
    for (let round = 0; round < rounds; round += 1) {
      ours.push((await ask({ ...http, kind: 'posts', rows: 1, atOnce: 8, seconds })).perSecond);
      bare.push(await bareInserts(stores, seconds));
      arrays.push((await ask({ ...http, kind: 'posts', rows: 100, atOnce: 8, seconds })).perSecond);
    }
    const [mine, theirs, many] = [Math.max(...ours), Math.max(...bare), Math.max(...arrays)];
    note({
      name: 'one pick per request, 8 concurrent, against INSERTs',
      ours: mine,
      baseline: theirs,
      unit: 'picks/s',
      aim: { atLeast: 0.35 },
    });
    note({ name: 'arrays of 100, 8 concurrent', ours: many, unit: 'picks/s', aim: { atLeast: 3000 } });

    for (const name of ['sealing', 'boards'] as const) workers.start(name);
    await until(async () => (await unread(stores)) === 0, 600_000);
    const visible = await ask({
      ...http,
      kind: 'visible',
      database: stores.ownerUrl,
      perSecond: 500,
      seconds: visibleSeconds,
    });
    note({ name: 'incoming picks, in arrays of 50', ours: visible.perSecond, unit: 'picks/s' });
    note({ name: 'post to visible under that load, median', ours: visible.p50, unit: 'ms' });
    note({
      name: 'post to visible under that load, p99',
      ours: visible.p99,
      unit: 'ms',
      aim: { atMost: 1000 },
    });
  } finally {
    load.kill();
    if (operator !== undefined && operator.exitCode === null) {
      const ended = once(operator, 'exit');
      operator.kill();
      await ended;
    }
    await workers.stop();
    await dropDatabase(stores);
  }
}

/** @returns when the games start */
async function fill({ database, owner }: TestDatabase, finished: number): Promise<string> {
  const now = Date.now();
  const intake = { now, imported: false };
  const startsAt = new Date(Math.floor(now / 1000) * 1000 + 6 * 3_600_000).toISOString();
  await database.transaction(async (transaction) => {
    await applyCappers(
      transaction,
      Array.from({ length: cappers }, (_, index) => ({
        handle: `capper-${index}`,
        tier: 'listed',
        verified: true,
      })),
      intake,
    );
    await applyGames(
      transaction,
      Array.from({ length: games }, (_, index) => ({
        sport: 'nba',
        game: `Away ${index} @ Home`,
        startsAt,
        status: 'scheduled',
      })),
      intake,
    );
  });
  await owner.raw(
    `insert into games (sport, name, announced_start, starts_at, status, home_score, away_score, final_at)
     select 'nba', 'Away ' || n % 400 || ' @ Home', t, t, 'final', 100, 90, t + interval '3 hours'
     from generate_series(1, ?::int) n, lateral (select date_trunc('day', now()) - n * interval '1 hour' as t) s`,
    [finished],
  );
  await owner.raw('analyze');
  return startsAt;
}

function startOperator(stores: TestDatabase, redisUrl: string, port: number): ChildProcess {
  const child = spawn(join(root, 'bin', 'run'), ['operator'], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: asLogin(stores.ownerUrl, 'operator'),
      REDIS_URL: redisUrl,
      OPERATOR_TOKEN: token,
      OPERATOR_PORT: String(port),
      LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
      LOG_LEVEL: 'warn',
      ...(process.env.BENCH_NODE_OPTIONS === undefined
        ? {}
        : { NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  tether(child);
  return child;
}

async function answering(url: string): Promise<void> {
  await until(async () => (await fetch(url).catch(() => undefined))?.status === 200, 150_000);
}

/** Measures rows per second into a table with the columns and keys of `picks`, one per statement, over eight connections. */
async function bareInserts({ owner, ownerUrl }: TestDatabase, seconds: number): Promise<number> {
  await owner.raw('drop table if exists bare_picks; create table bare_picks (like picks including all)');
  const clients = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const client = new pg.Client({ connectionString: ownerUrl });
      await client.connect();
      return client;
    }),
  );
  const { rows } = await owner.raw('select min(id)::int as game from games');
  const start = performance.now();
  const end = start + 1000 * seconds;
  let count = 0;
  try {
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < end) {
          await client.query(
            `insert into bare_picks (uuid, capper_id, tier, game_id, market, side, pick, odds_american, stake_e4, source, provenance, posted_at)
             values (gen_random_uuid(), 1, 'listed', $1, 'moneyline', 'home', 'Home', -110, 10000, 'operator', 'live',
               date_trunc('milliseconds', clock_timestamp()))`,
            [rows[0].game],
          );
          count += 1;
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  return (count / (performance.now() - start)) * 1000;
}

async function unread({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.raw(
    `select (select count(*)::int from picks) - (select count(*)::int from board_picks) as count`,
  );
  return rows[0].count;
}
