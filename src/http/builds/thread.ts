// A thread of `builds.ts`.

import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type Database, openDatabase } from '../../platform/database.ts';
import { dropCompiledCode } from '../../platform/process-memory.ts';
import { openReplica } from '../../platform/replica.ts';
import { ByteWriter } from '../../record/byte-writer.ts';
import { type Build, build } from './build.ts';
import type { ThreadResult, ThreadSettings } from './builds.ts';

const { databaseUrl, replicaUrl, baseUrl } = workerData as ThreadSettings;
const database = openDatabase(databaseUrl, {
  name: 'public-picks web builds',
  connections: 2,
});
// Nothing is logged: what a standby does not answer is built from the database.
const replica =
  replicaUrl === undefined
    ? undefined
    : openReplica(
        replicaUrl,
        { debug() {} },
        { name: 'public-picks web builds', connections: 2, workMs: 60_000 },
      );
/** What exports are written to: its megabytes serve again. */
let spare: ByteWriter | undefined;

dropCompiledCode();

export default async function run(task: Build): Promise<ThreadResult> {
  try {
    // What a standby is given too long for still runs while the database is read: each has room of its own.
    const work = async (given: Database) => {
      const out = spare ?? new ByteWriter();
      spare = undefined;
      const built = await build(given, baseUrl, task, out);
      spare = out;
      return built;
    };
    const built = await (replica === undefined ? work(database) : replica.read(work, database));
    if (built === undefined) return { built };
    // The bytes are moved, not copied.
    return move({ [transferableSymbol]: [built.bytes.buffer], [valueSymbol]: { built } }) as never;
  } catch (error) {
    const { name, message, code } = error as { name: string; message: string; code?: string };
    return { error: { name, message, code } };
  }
}
