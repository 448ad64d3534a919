// Sends 50 expensive requests a second from one address: `fork('load.ts', [address])`, then `start`, `stop`, and `end`.

import { Pool } from 'undici';

const perSecond = 50;
const pool = new Pool(process.argv[2] ?? '', { connections: 200 });
const statuses: Record<number, number> = {};
let timer: NodeJS.Timeout | undefined;
let n = 0;

const paths: readonly ((n: number) => string)[] = [
  (each) =>
    `/record/export.json?since=2024-01-01T00:00:${String(each % 60).padStart(2, '0')}.${String(each % 1000).padStart(3, '0')}Z&limit=5000`,
  (each) => `/record/export.csv?since=2024-01-02&after_id=${each}`,
  (each) => `/record/export.json?since=2024-01-03&after_id=${each}`,
  (each) => `/api/leaderboard?window=all&limit=${1 + (each % 500)}&tier=${['elite', 'listed'][each % 2]}`,
  (each) => `/sitemap/picks-${1 + (each % 900)}.xml`,
];

async function ask(): Promise<void> {
  const path = (paths[n % paths.length] as (n: number) => string)(n++);
  try {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path,
      headers: { 'accept-encoding': 'gzip', 'x-forwarded-for': '203.0.113.7' },
    });
    await body.dump();
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
  } catch {
    statuses[0] = (statuses[0] ?? 0) + 1;
  }
}

process.on('message', (message) => {
  clearInterval(timer);
  if (message === 'start') timer = setInterval(() => void ask(), 1000 / perSecond);
  if (message === 'end') process.send?.(statuses);
});
