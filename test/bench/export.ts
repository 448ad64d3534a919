import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { request } from 'undici';
import { openRedis } from '../../src/platform/redis.ts';
import { startApi } from '../support/api.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import type { Note } from './figures.ts';
import { fill, filledAt } from './site.ts';

const rows = 5000;

/** The least size of an answer with the rows of a season, even a short one. */
const leastBytes = 4_000;

/**
 * The record export of 5,000 rows over HTTP, JSON, CSV, and Parquet, each first computed and then cached, against COPY of the same rows to the
 * client. Alternates both, and reports the median of many rounds.
 */
export async function bench(
  _say: (line: string) => void,
  note: Note,
  { warmUps = 5, rounds = 25, games }: { warmUps?: number; rounds?: number; games?: number } = {},
): Promise<void> {
  const database = await createDatabase();
  const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
  try {
    await fill(database, games);
    const clock = fixedClock(filledAt);
    const stores = {
      database,
      redis: { redis, url: '', open: () => redis, openWaiting: () => redis },
    };
    const site = await startApi(stores, { clock, memory: false });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const times = {
        copy: [] as number[],
        json: [] as number[],
        csv: [] as number[],
        parquet: [] as number[],
        kept: [] as number[],
      };
      for (let round = 0; round < warmUps + rounds; round += 1) {
        // An export with another limit is not cached yet.
        const limit = rows - round;
        const taken = {
          copy: await timed(() => copy(client, limit)),
          json: await timed(() => get(`${site.address}/record/export.json?limit=${limit}`)),
          csv: await timed(() => get(`${site.address}/record/export.csv?limit=${limit}`)),
          parquet: await timed(() => get(`${site.address}/record/export.parquet?limit=${limit}`)),
        };
        // An export is cached on its second request.
        await get(`${site.address}/record/export.json?limit=${limit}`);
        const kept = await timed(() => get(`${site.address}/record/export.json?limit=${limit}`));
        if (round < warmUps) continue;
        for (const name of ['copy', 'json', 'csv', 'parquet', 'kept'] as const)
          times[name].push({ ...taken, kept }[name]);
      }
      const baseline = median(times.copy);
      for (const [name, label, atMost] of [
        ['json', '/record/export.json, first time', 2],
        ['csv', '/record/export.csv, first time', 1.5],
        ['parquet', '/record/export.parquet, first time', 3],
        ['kept', '/record/export.json, repeated', 1],
      ] as const)
        note({ name: label, ours: median(times[name]), baseline, unit: 'ms', aim: { atMost } });
    } finally {
      await client.end();
      await site.close();
    }
  } finally {
    redis.disconnect();
    await dropDatabase(database);
  }
}

/** Does what `psql -c "copy ... to stdout"` does, with the rows and columns of the export. */
async function copy(client: pg.Client, limit: number): Promise<number> {
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done();
    },
  });
  const query = `select p.pick_id, p.sport, g.name, p.market, p.pick, p.odds_american, p.closing_odds, p.clv_bps, p.stake_e4,
      coalesce(p.result, 'pending'), p.posted_at, p.settled_at, p.source
    from board_picks p join games g on g.id = p.game_id order by p.posted_at desc, p.pick_id desc limit ${limit}`;
  await pipeline(client.query(copyTo(`copy (${query}) to stdout with (format csv, header)`)), sink);
  return bytes;
}

async function get(url: string): Promise<number> {
  const { statusCode, body } = await request(url, { headers: { 'accept-encoding': 'identity' } });
  const bytes = (await body.arrayBuffer()).byteLength;
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  return bytes;
}

async function timed(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  if ((await work()) < leastBytes) throw new Error('these are the wrong rows');
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
