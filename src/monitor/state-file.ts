import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { type MonitorState, newState } from './follow.ts';

/** Checks the outline of a state. Only monitors write the file; this tells it from other files. */
function isState(given: unknown): given is MonitorState {
  const state = (given ?? {}) as Partial<MonitorState>;
  const { origin, trusted, origins, seen } = state;
  return (
    state.version === 1 &&
    typeof origin === 'string' &&
    [trusted, origins].every((texts) => Array.isArray(texts) && texts.length > 0) &&
    (seen === null || (typeof seen?.checkpoint === 'string' && Array.isArray(seen.frontier))) &&
    Object.keys(newState(origin, [])).every((key) => Object.hasOwn(state, key))
  );
}

/**
 * Reads a monitor's state.
 * @returns null if the file does not exist
 * @throws Error if the file has other content, so that it is never overwritten
 */
export function readState(file: string): MonitorState | null {
  if (!existsSync(file)) return null;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as a monitor's state: ${(error as Error).message}`);
  }
  if (!isState(given)) throw new Error(`${file} is not a monitor's state`);
  return given;
}

/** Replaces the file atomically and durably: after a crash it has either the old state or the new one. */
export function writeState(file: string, state: MonitorState): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o644);
  try {
    writeSync(handle, `${JSON.stringify(state)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}
