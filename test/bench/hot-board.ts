import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { createAnswers } from '../../src/answers/answers.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { tags } from '../../src/projections/tags.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { median, shoot, withChild } from './children.ts';
import type { Note } from './figures.ts';
import { filledAt, onSite, type Site } from './site.ts';

const path = '/api/feed/picks';
const perSecond = 20;

/**
 * A board that changes 20 times a second, alternating with the same board without changes, and the time from a change to the answer that
 * shows it.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { on = onSite, rounds = Number(process.env.BENCH_ROUNDS ?? 5), shotMs = 1500 } = {},
): Promise<void> {
  await on((site) =>
    withChild('hammer.ts', async (hammer) => {
      const writer = await openWriter(site);
      try {
        const load = { port: site.port, path, headers: { 'Accept-Encoding': 'br' }, connections: 8 };
        // The length of answers varies.
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
        const name = `${path} under ${perSecond} changes/s`;
        note({
          name,
          ours: median(hot.perSecond),
          baseline: median(quietly.perSecond),
          unit: '/s',
          aim: { atLeast: 0.7 },
        });
        note({
          name: `${name}, 99 %`,
          ours: median(hot.p99),
          baseline: median(quietly.p99),
          unit: 'ms',
          aim: { atMost: 3 },
        });
        const ages = writer.ages.toSorted((a, b) => a - b);
        note({
          name: `${name}, oldest of ${ages.length} answers`,
          ours: ages.at(-1) ?? Number.NaN,
          unit: 'ms',
          aim: { atMost: 300 },
        });
        say(
          `changes: ${writer.written()}, ${(writer.written() / ((rounds * shotMs) / 1000)).toFixed(1)} a second`,
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
  /** Milliseconds from each change to the answer that shows it. */
  ages: number[];
  close(): Promise<void>;
}

/**
 * Changes the newest pick on the board and bumps its tags, as the boards worker does, and polls the answers for each change. Other benches
 * measure the steps before the worker, which would take processor time from the readers here.
 */
async function openWriter({ database, address }: Site): Promise<Writer> {
  const redis = openRedis(process.env.REDIS_URL ?? '', quiet);
  const clock = fixedClock(filledAt);
  const cache = createAnswers({ redis, database, clock, baseUrl: '', helpLine: '', log: quiet });
  const { body } = await request(address + path);
  const { picks } = (await body.json()) as { picks: { pickUuid: string }[] };
  const uuid = picks[0]?.pickUuid ?? '';
  let written = 0;
  let running = Promise.resolve();
  let stopped = true;
  const ages: number[] = [];
  /** Changes that no answer has shown yet, the oldest first, each with its number and instant. */
  const unseen: { n: number; since: number }[] = [];

  async function change(): Promise<void> {
    const n = written++;
    await database('board_picks')
      .where({ uuid })
      .update({ pick: `hot ${n}.` });
    const changedAt = performance.now();
    await cache.bump([tags.posted, tags.pick(uuid)], Date.now() + written);
    unseen.push({ n, since: changedAt });
  }

  /** Polls every 20 ms, for all changes at once to save the readers' time, until the answers have shown all. */
  async function watch(changing: Promise<void>): Promise<void> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    changing.then(end, end);
    while (!ended || unseen.length > 0) {
      const { body } = await request(address + path);
      const shown = Number(/"hot (\d+)\."/.exec(await body.text())?.[1] ?? -1);
      const now = performance.now();
      while (unseen[0] !== undefined && (shown >= unseen[0].n || now - unseen[0].since > 10_000))
        ages.push(now - unseen.shift()!.since);
      await pause(20);
    }
  }

  async function run(): Promise<void> {
    const began = performance.now();
    for (let n = 1; !stopped; n += 1) {
      await change();
      await pause(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    }
  }

  async function changeAndWatch(): Promise<void> {
    const changing = run();
    await Promise.all([changing, watch(changing)]);
  }

  return {
    start() {
      stopped = false;
      running = changeAndWatch();
      // `stop` reports its error.
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
    },
  };
}
