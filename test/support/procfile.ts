import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the commands of the Procfile, by process. */
export function procfile(): Record<string, string> {
  const text = readFileSync(resolve(import.meta.dirname, '..', '..', 'Procfile'), 'utf8');
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
}
