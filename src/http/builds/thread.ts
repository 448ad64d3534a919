// A thread of `builds.ts`.

import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { openDatabase } from '../../platform/database.ts';
import { type Build, build } from './build.ts';
import type { ThreadResult, ThreadSettings } from './builds.ts';

const { databaseUrl, site } = workerData as ThreadSettings;
const database = openDatabase(databaseUrl, {
  name: 'public-picks web builds',
  connections: 2,
});

export default async function run(task: Build): Promise<ThreadResult> {
  try {
    const built = await build(database, site, task);
    if (built === undefined) return { built };
    // The bytes are moved, not copied.
    return move({ [transferableSymbol]: [built.bytes.buffer], [valueSymbol]: { built } }) as never;
  } catch (error) {
    const { name, message, code } = error as { name: string; message: string; code?: string };
    return { error: { name, message, code } };
  }
}
