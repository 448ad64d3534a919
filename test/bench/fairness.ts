import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { answerOf, withChild } from './children.ts';
import type { Note } from './figures.ts';
import { onSite } from './site.ts';

const boards = ['/api/pod', '/api/sharp/consensus', '/api/leaderboard', '/api/cappers'];
const everyMs = 5;

/**
 * The time for answers from memory, alternating between quiet and load. The load is 50 expensive requests a second by another process from
 * one address: exports by distinct `since`, sitemaps, boards with unusual parameters, and cards.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { on = onSite, turns = 6, turnMs = 5000, settleMs = 500 } = {},
): Promise<void> {
  await on(async ({ address }) => {
    const pool = new Pool(address, { connections: 4 });
    const times = { quiet: [] as number[], loaded: [] as number[] };
    const measure = async (load: ChildProcess) => {
      for (const path of boards) await timed(pool, path);
      for (let turn = 0; turn < turns; turn += 1)
        for (const kind of ['quiet', 'loaded'] as const) {
          load.send(kind === 'loaded' ? 'start' : 'stop');
          await pause(settleMs);
          const until = performance.now() + turnMs;
          for (let n = 0; performance.now() < until; n += 1) {
            times[kind].push(await timed(pool, boards[n % boards.length] as string));
            await pause(everyMs);
          }
        }
      say(`answers to the load: ${JSON.stringify(await answerOf(load, 'end'))}`);
    };
    try {
      await withChild('load.ts', measure, [address]);
    } finally {
      await pool.close();
    }
    for (const kind of ['quiet', 'loaded'] as const) {
      const [half, most] = [0.5, 0.99].map((part) => quantile(times[kind], part).toFixed(2));
      say(`${kind.padEnd(7)} ${times[kind].length} answers   median ${half} ms   99 % ${most} ms`);
    }
    const [ours, baseline] = [quantile(times.loaded, 0.99), quantile(times.quiet, 0.99)];
    note({ name: '99 % under load, against quiet', ours, baseline, unit: 'ms', aim: { atMost: 3 } });
  });
}

async function timed(pool: Pool, path: string): Promise<number> {
  const start = performance.now();
  const { body, statusCode } = await pool.request({
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'br' },
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return performance.now() - start;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}
