import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bringUp } from './bring-up.ts';
import { preparePostgres } from './postgres.ts';
import { claim } from './running.ts';
import { createSupervisor } from './supervisor.ts';
import type { Say } from './terminal.ts';

/**
 * Runs work on a new database of an embedded PostgreSQL in `<folder>/database`, and stops it afterwards. A database of an earlier call is
 * removed first.
 * @param work gets the URL of the superuser
 */
export async function withOwnPostgres<T>(
  folder: string,
  say: Say,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(join(folder, 'database'));
  rmSync(dataDir, { recursive: true, force: true });
  const claimed = await claim(dataDir, say);
  const supervisor = createSupervisor({ say, onChange: claimed.note });
  const aborted = new AbortController().signal;
  try {
    const postgres = await preparePostgres({ dataDir, say, aborted, databases: ['picks'] });
    await bringUp(postgres, supervisor, aborted);
    return await work(postgres.superuserUrl('picks'));
  } finally {
    await supervisor.stop();
    claimed.release();
  }
}
