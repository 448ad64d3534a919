import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Refusal } from './terminal.ts';

/** The values of such a file: those that are made where they are missing, and others that it may hold. */
export type Kept<Name extends string> = Record<Name, string> & { [other: string]: string | undefined };

/**
 * Values made once and kept in a JSON file (mode 600): what the file has is taken from it, what it lacks is
 * made and added.
 * @throws Refusal when the file is there and cannot be read, rather than replacing it
 */
export function keptJson<Name extends string>(file: string, makers: Record<Name, () => string>): Kept<Name> {
  const kept = readJson(file);
  const values = { ...kept };
  for (const name of Object.keys(makers) as Name[]) values[name] ??= makers[name]();
  if (Object.keys(values).length !== Object.keys(kept).length) writeJson(file, values);
  return values as Kept<Name>;
}

/** Replaces one value of such a file. */
export function keepValue(file: string, name: string, value: string): void {
  writeJson(file, { ...readJson(file), [name]: value });
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function writeJson(file: string, values: Record<string, string>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
