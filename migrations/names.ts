import { readdirSync } from 'node:fs';

/** The names of all migrations, without loading any of them: a process that only looks whether they have been run needs no more. */
export const migrationNames: readonly string[] = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{14}_\w+\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
