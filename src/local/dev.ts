import type { ProcfileEntry } from './procfile.ts';
import { Refusal } from './refusal.ts';

/** What `npm run dev` adds to `npm start`. */
export interface Dev {
  /** Processes that open a debugger's port, in order from {@link firstInspectorPort} up. */
  inspect: readonly string[];
}

const firstInspectorPort = 9229;

/** The options of `npm run dev`, for `parseArgs`. */
export const devOptions = {
  watch: { type: 'boolean', default: false },
  inspect: { type: 'string', default: '' },
} as const;

/** @param inspect names, separated by commas */
export function devOf({ watch, inspect }: { watch: boolean; inspect: string }): Dev | undefined {
  return watch ? { inspect: inspect.split(',').filter((name) => name !== '') } : undefined;
}

/**
 * The Procfile's processes under `node --watch`, which restarts each one when a module that it imports changes.
 * @throws Refusal when a process to inspect is not in the Procfile
 */
export function watched(entries: readonly ProcfileEntry[], { inspect }: Dev): ProcfileEntry[] {
  const names = entries.map(({ name }) => name);
  const unknown = inspect.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Refusal(`There is no process ${unknown} to inspect; there are ${names.join(', ')}.`);
  return entries.map(({ name, command }) => {
    const flags = ['--watch', '--watch-preserve-output'];
    if (inspect.includes(name))
      flags.push(`--inspect=127.0.0.1:${firstInspectorPort + inspect.indexOf(name)}`);
    return { name, command: command.replace(/^node /, `node ${flags.join(' ')} `) };
  });
}
