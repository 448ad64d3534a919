import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { createBoardCache } from '../../src/boards/board-cache.ts';
import { sealAll } from '../../src/ledger/seal.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { ingest } from '../support/whole-way.ts';
import { median, shoot, withChild } from './children.ts';
import type { Note } from './figures.ts';
import { filledAt, onSite, type Site } from './site.ts';

const path = '/api/feed/picks';
const perSecond = 20;
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const shotMs = 1500;

/**
 * A board while 20 picks a second change it, against itself in quiet, in turns; and how long a pick takes from the change to the answer.
 */
export async function bench(say: (line: string) => void, note: Note): Promise<void> {
  await onSite(40_000 + (process.pid % 9000), (site) =>
    withChild('hammer.ts', async (hammer) => {
      const writer = await openWriter(site);
      try {
        const load = { port: site.port, path, headers: { 'Accept-Encoding': 'br' }, connections: 8 };
        // The length of answers differs from one to the next.
        const shot = () => shoot(hammer, { ...load, ms: shotMs, uneven: true });
        await shot();
        const quietly = { perSecond: [] as number[], p99: [] as number[] };
        const hot = { perSecond: [] as number[], p99: [] as number[] };
        for (let round = 0; round < rounds; round += 1) {
          const before = await shot();
          writer.start();
          const meanwhile = await shot();
          await writer.stop();
          quietly.perSecond.push(before.perSecond);
          quietly.p99.push(before.p99);
          hot.perSecond.push(meanwhile.perSecond);
          hot.p99.push(meanwhile.p99);
        }
        const name = `${path} under ${perSecond} picks/s`;
        note({
          ...{ name, ours: median(hot.perSecond), yardstick: median(quietly.perSecond), unit: '/s' },
          aim: { atLeast: 0.7 },
        });
        note({
          ...{ name: `${name}, 99 %`, ours: median(hot.p99), yardstick: median(quietly.p99), unit: 'ms' },
          aim: { atMost: 3 },
        });
        const ages = writer.ages.toSorted((a, b) => a - b);
        note({
          name: `${name}, oldest of ${ages.length} answers`,
          ...{ ours: ages.at(-1) ?? Number.NaN, unit: 'ms', aim: { atMost: 300 } },
        });
        say(
          `picks written: ${writer.written()}, ${(writer.written() / ((rounds * shotMs) / 1000)).toFixed(1)} a second`,
        );
      } finally {
        await writer.close();
      }
    }),
  );
}

interface Writer {
  start(): void;
  stop(): Promise<void>;
  written(): number;
  /** Milliseconds from the bump for each pick to the answer that shows it. */
  ages: number[];
  close(): Promise<void>;
}

/** Posts picks as the workers do, in this process, and looks for each in the board. */
async function openWriter({ database, address }: Site): Promise<Writer> {
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-hot-'));
  const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
  const now = Date.parse(filledAt);
  const clock = fixedClock(filledAt);
  const cache = createBoardCache({ redis, database, clock, baseUrl: '', helpLine: '', log: quiet });
  const write = async (kind: string, rows: object[]) => {
    const file = join(folder, `${kind}.ndjson`);
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { refusals } = await ingest(database, file, now);
    if (refusals.length > 0) throw new Error(JSON.stringify(refusals[0]));
  };
  const game = (n: number) => ({
    sport: 'nba',
    game: `Hot ${n} @ Home ${n}`,
    startsAt: '2026-03-02T18:00:00Z',
  });
  await write(
    'games',
    Array.from({ length: 1000 }, (_, n) => ({ ...game(n), status: 'scheduled' })),
  );
  await write(
    'cappers',
    Array.from({ length: 10 }, (_, n) => ({ handle: `hot-${n}`, tier: 'listed', verified: true })),
  );
  let written = 0;
  let running = Promise.resolve();
  let stopped = true;
  const ages: number[] = [];

  async function post(): Promise<void> {
    const n = written++;
    const about = { capperHandle: `hot-${n % 10}`, ...game(n % 1000), market: 'moneyline', side: 'home' };
    await write('picks', [
      {
        ...about,
        pick: `hot ${n}`,
        oddsAmerican: -110,
        stakeUnits: 1,
        postedAt: new Date(now - 1000).toISOString(),
      },
    ]);
    await sealAll(database);
    let bumped = performance.now();
    await updateProjections(database, async (tags) => {
      await cache.bump(tags, Date.now() + n);
      bumped = performance.now();
    });
    void look(`"hot ${n}"`, bumped);
  }

  async function look(text: string, since: number): Promise<void> {
    for (;;) {
      const { body } = await request(address + path);
      const found = (await body.text()).includes(text);
      const age = performance.now() - since;
      if (found || age > 10_000) {
        ages.push(age);
        return;
      }
      await pause(10);
    }
  }

  async function run(): Promise<void> {
    const began = performance.now();
    for (let n = 1; !stopped; n += 1) {
      await post();
      await pause(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    }
  }

  return {
    start() {
      stopped = false;
      running = run();
      // It is awaited when it is stopped.
      running.catch(() => {});
    },
    async stop() {
      stopped = true;
      await running;
    },
    written: () => written,
    ages,
    async close() {
      cache.close();
      redis.disconnect();
      rmSync(folder, { recursive: true });
    },
  };
}
