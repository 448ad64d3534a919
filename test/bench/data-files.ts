import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { runIngest } from '../../src/cli/ingest.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Note } from './figures.ts';
import { seasonFiles } from './import.ts';
import { type RunningService, serviceFolder } from './service.ts';

/**
 * Imports 48,000 picks a month ago, and measures the processes of `npm start` while it writes their data files, and for as long after another
 * start, when nothing is left to write. Linux only.
 */
export async function bench(say: (line: string) => void, note: Note): Promise<void> {
  const folder = await serviceFolder();
  const files = seasonFiles();
  const lastMonth = new Date();
  lastMonth.setUTCDate(0);
  const running = async <T>(clock: string, work: (service: RunningService) => Promise<T>): Promise<T> => {
    const service = await folder.start({ SERVICE_CLOCK: clock });
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };
  try {
    await running(lastMonth.toISOString(), async ({ environment }) => {
      await runIngest(readConfig(environment), [files.folder], { wait: true }, { say() {}, warn() {} });
      await published(environment.DATABASE_URL!);
    });
    const began = performance.now();
    const writing = await running('', async (service) => {
      const index = `http://127.0.0.1:${service.environment.PORT}/data/index`;
      const peaks = await peaksOf(service, async () => (await fetch(index)).status === 200);
      const listed = await (await fetch(index)).text();
      const bytes = [...listed.matchAll(/^[0-9a-f]{64} (\d+) /gm)].reduce(
        (sum, [, each]) => sum + Number(each),
        0,
      );
      say(`  ${(bytes / 2 ** 20).toFixed(1)} MB of files`);
      return peaks;
    });
    const end = performance.now() + (performance.now() - began);
    const idle = await running('', (service) => peaksOf(service, async () => performance.now() > end));
    for (const [name, bytes] of writing)
      note({
        name: `resident at most while data files are written: ${name}`,
        ours: bytes / 2 ** 20,
        baseline: idle.get(name)! / 2 ** 20,
        unit: 'MB',
      });
  } finally {
    files.remove();
    folder.remove();
  }
}

/** Returns the highest resident memory of each process until something is true, in bytes. */
async function peaksOf(service: RunningService, until: () => Promise<boolean>): Promise<Map<string, number>> {
  const peaks = new Map<string, number>();
  for (let ask = 1; ; ask += 1) {
    for (const [name, bytes] of service.resident()) peaks.set(name, Math.max(bytes, peaks.get(name) ?? 0));
    if (ask % 10 === 0 && (await until())) return peaks;
    await pause(100);
  }
}

/** Waits until a checkpoint covers the whole log. */
async function published(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const covered = `select (select max(size) from checkpoints) = (select max(seq) + 1 from ledger_entries) as covered`;
    while ((await client.query(covered)).rows[0].covered !== true) await pause(500);
  } finally {
    await client.end();
  }
}
