import { Pool } from 'undici';
import type { Note } from './figures.ts';
import { onSite } from './site.ts';

const atOnce = 16;

/** Requests of a crawler or an attacker. No two are the same. */
const paths: readonly ((n: number) => string)[] = [
  (n) => `/api/cappers?cursor=${n}`,
  (n) => `/api/cappers?cursor=${n}`,
  (n) => `/api/cappers/by-tier/elite?limit=${1 + (n % 100)}&x=${n}`,
  (n) => `/api/leaderboard/units?min_n=${n}`,
  (n) => `/api/picks/${uuid(n)}`,
  (n) => `/p/${uuid(n)}`,
  (n) => `/api/cappers/nobody-${n}/stats`,
  (n) => `/nothing/${n}`,
  (n) => `/record/export.csv?after_id=${n}&limit=50`,
  (n) => `/sitemap/picks-${1000 + (n % 900_000)}.xml`,
];

/**
 * Resident memory of a web process after more and more distinct requests, some of them for missing pages. This process sends them under
 * changing addresses.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { on = onSite, first = 2000, total = Number(process.env.MEMORY_REQUESTS ?? 200_000) } = {},
): Promise<void> {
  await on(async ({ address, resident }) => {
    const pool = new Pool(address, { connections: atOnce });
    const statuses = new Map<number, number>();
    let next = 0;
    const ask = async (until: number) => {
      while (next < until) {
        const n = next++;
        const { statusCode, body } = await pool.request({
          method: 'GET',
          path: (paths[n % paths.length] as (n: number) => string)(n),
          headers: {
            'accept-encoding': n % 3 === 0 ? 'br' : 'gzip',
            'x-forwarded-for': `198.51.${(n >> 8) % 256}.${n % 256}`,
          },
        });
        await body.dump();
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
    };
    let baseline = 0;
    for (const count of [first, ...Array.from({ length: 10 }, (_, index) => ((index + 1) * total) / 10)]) {
      const began = performance.now();
      const before = next;
      await Promise.all(Array.from({ length: atOnce }, () => ask(count)));
      const now = resident();
      if (count === first) baseline = now;
      const rate = ((next - before) / (performance.now() - began)) * 1000;
      say(
        `${String(count).padStart(7)} requests   ${(now / 2 ** 20).toFixed(0)} MB   ` +
          `${(now / baseline).toFixed(2)} times   (${rate.toFixed(0)}/s)`,
      );
    }
    say(`answered: ${JSON.stringify([...statuses])}`);
    note({
      name: `resident after ${total} requests, against ${first}`,
      ours: resident() / 2 ** 20,
      baseline: baseline / 2 ** 20,
      unit: 'MB',
      aim: { atMost: 1.3 },
    });
    await pool.close();
  });
}

function uuid(n: number): string {
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}
