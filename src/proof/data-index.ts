import { instant } from './shape.ts';
import { openNote, parseNote, type Signer, signNote } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

export interface DataFile {
  name: string;
  /** In hex. */
  sha256: string;
  bytes: number;
}

/**
 * The signed index of the data files. It is a signed note:
 *
 *     <origin>/data
 *     <the instant of signing>
 *     <SHA-256 in hex> <bytes> <name>
 *     ...
 *
 * A file never changes, so each index repeats the lines of the one before.
 */
export interface DataIndex {
  origin: string;
  at: string;
  files: DataFile[];
}

const PURPOSE = '/data';

/** Files are named after their content and month: `picks-2026-10.parquet`. */
export const dataFileName = /^[a-z]{1,20}-\d{4}-\d\d\.parquet$/;

export function signDataIndex({ origin, at, files }: DataIndex, signer: Signer): Promise<string> {
  instant(at, 'at');
  const lines = files.map(({ name, sha256, bytes }) => `${sha256} ${bytes} ${name}\n`);
  return signNote(`${origin}${PURPOSE}\n${at}\n${lines.join('')}`, [signer]);
}

/** Reads an index without its signatures. @throws SyntaxError or TypeError if it is malformed */
export function readDataIndex(note: string): DataIndex {
  const [purpose = '', at = '', ...lines] = parseNote(note).text.split('\n');
  if (!purpose.endsWith(PURPOSE) || lines.pop() !== '')
    throw new SyntaxError('the note is not an index of data files');
  instant(at, 'the instant of the index');
  const files = lines.map((line) => {
    const [, sha256, bytes, name] = /^([0-9a-f]{64}) (\d{1,15}) (\S+)$/.exec(line) ?? [];
    if (name === undefined || !dataFileName.test(name))
      throw new SyntaxError(`the index has an invalid line: ${line.slice(0, 200)}`);
    return { name, sha256: sha256!, bytes: Number(bytes) };
  });
  if (new Set(files.map(({ name }) => name)).size < files.length)
    throw new SyntaxError('the index lists a file twice');
  return { origin: purpose.slice(0, -PURPOSE.length), at, files };
}

/** Returns the name of a file that an index leaves out or changes, although the one before lists it; undefined if there is none. */
export function changedFile(before: readonly DataFile[], { files }: DataIndex): string | undefined {
  const now = new Map(files.map((file) => [file.name, file]));
  return before.find(({ name, sha256, bytes }) => {
    const file = now.get(name);
    return file?.sha256 !== sha256 || file.bytes !== bytes;
  })?.name;
}

/** Verifies an index. @throws SyntaxError, TypeError, or Error if it is malformed, not signed by the log, or of another log */
export async function openDataIndex(
  note: string,
  origin: string,
  keys: readonly VerifierKey[],
): Promise<DataIndex> {
  await openNote(
    note,
    keys.filter(({ name }) => name === origin),
  );
  const index = readDataIndex(note);
  if (index.origin !== origin) throw new Error(`the note is not an index of data files of ${origin}`);
  return index;
}
