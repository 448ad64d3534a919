import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database } from '../../src/platform/database.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { type Batch, ingestFiles, type Refusal } from '../../src/sources/files.ts';

/** Imports files as the verb does. */
export async function ingest(
  database: Database,
  paths: string | readonly string[],
  now: number,
): Promise<Batch & { refusals: Refusal[] }> {
  const refusals: Refusal[] = [];
  const batch = await ingestFiles(
    database,
    typeof paths === 'string' ? [paths] : paths,
    { now, imported: true },
    { onRefusal: (refusal) => refusals.push(refusal), onProgress() {}, onChunk() {} },
  );
  return { ...batch, refusals };
}

/** Runs the grading, sealing, and boards workers once, in this process. */
export async function runPipeline(database: Database, now: number): Promise<void> {
  await gradeDue(database, now);
  await sealAll(database);
  await updateProjections(database);
}
