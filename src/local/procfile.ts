import { spawn } from 'node:child_process';
import { Refusal } from './refusal.ts';
import type { Program } from './supervisor.ts';

/** One line of a Procfile. */
export interface ProcfileEntry {
  name: string;
  /** A shell command. */
  command: string;
}

/**
 * Reads a Procfile: lines `name: command`; blank lines and those that begin with `#` are skipped.
 * @throws Refusal on any other line, and on a name that comes twice
 */
export function parseProcfile(text: string): ProcfileEntry[] {
  const entries: ProcfileEntry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, command] = /^([A-Za-z0-9_-]+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || command === undefined) {
      throw new Refusal(
        `Procfile, line ${index + 1}: expected "name: command", found ${JSON.stringify(line)}`,
      );
    }
    if (entries.some((entry) => entry.name === name)) {
      throw new Refusal(`Procfile, line ${index + 1}: there are two processes named ${name}`);
    }
    entries.push({ name, command });
  }
  return entries;
}

/** The program of a Procfile's line, run in `folder` with exactly this environment. */
export function procfileProgram(
  entry: ProcfileEntry,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Program {
  return {
    name: entry.name,
    signal: 'SIGTERM',
    store: false,
    launch: () =>
      spawn('/bin/sh', ['-c', entry.command], {
        cwd: folder,
        env: environment,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}
