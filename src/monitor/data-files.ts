import { changedFile, type DataFile, openDataIndex } from '../proof/data-index.ts';
import { hex } from '../proof/encoding.ts';
import type { Entry } from '../proof/entry.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import type { LogClient } from './log-client.ts';
import { sealed } from './sealed.ts';
import { sha256 } from './sha256.ts';

/** A violation: an index of data files that changes a file of an earlier one, or a file that is not the listed one. */
export interface DataFinding {
  kind: 'data';
  seq?: number;
  message: string;
}

/**
 * @param known the files listed so far, none of which can change
 * @throws Error if the index is not the sealed one, not signed by the log, or changes a known file
 */
export async function listedFiles(
  { hash }: Entry,
  body: unknown,
  { origin, keys, known }: { origin: string; keys: readonly VerifierKey[]; known: readonly DataFile[] },
): Promise<DataFile[]> {
  const index = await openDataIndex(sealed('data', body, hash).note, origin, keys);
  const changed = changedFile(known, index);
  if (changed !== undefined)
    throw new Error(`the index changes or leaves out ${changed}, which it listed before`);
  return index.files;
}

export async function judgeFiles(log: LogClient, files: readonly DataFile[]): Promise<DataFinding[]> {
  const findings: DataFinding[] = [];
  for (const file of files) {
    const bytes = await log.dataFile(file);
    const found = bytes === undefined ? 'not served' : `served with the SHA-256 ${hex(sha256(bytes))}`;
    if (bytes === undefined || hex(sha256(bytes)) !== file.sha256)
      findings.push({
        kind: 'data',
        message: `the data file ${file.name} is ${found}, but the log lists ${file.sha256}`,
      });
  }
  return findings;
}
