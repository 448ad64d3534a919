import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeDurably } from '../../../../src/ledger/publishing/durable-file.ts';
import { fetchRetrying } from '../../../../src/monitor/fetch-retrying.ts';
import { type Finding, type MonitorState, newState, poll } from '../../../../src/monitor/follow.ts';
import {
  type LogClient,
  LogUnreadable,
  openLog,
  verifierKeysIn,
} from '../../../../src/monitor/log-client.ts';
import { parseCheckpoint } from '../../../../src/proof/checkpoint.ts';
import { parseNote } from '../../../../src/proof/signed-note.ts';
import { formatVerifierKey } from '../../../../src/proof/verifier-key.ts';
import { type Command, type Say, untilStopped, wholeNumber } from './command.ts';
import { VerifyError } from './verify.ts';

export interface MonitorOptions {
  /** Trusted verifier keys of the log. Default: those it publishes at the first poll. Ignored if the state file exists. */
  key: readonly string[];
  /** State file. Default: `monitor-<host>.json`. */
  state?: string;
  /** Interval between polls, in seconds. */
  every: number;
  /** Poll once and return. */
  once: boolean;
  /** Also judges entries from before the first poll. */
  history?: boolean;
  /** Files with acknowledgements that the log must keep. */
  acknowledgement?: readonly string[];
  /** Delays before each retry of a failed request, in ms. Default: those of {@link fetchRetrying}. */
  backoffMs?: readonly number[];
}

/** Longest delay between polls that a log can ask for, in ms. */
const longestPauseMs = 3_600_000;

/**
 * Follows a log from outside. Reads every new entry, and checks that the tree is append-only and that no capper's picks have gaps. Reports
 * picks sealed late, figures that do not follow, and missing settlements and acknowledged picks. Retries requests that an overloaded log or
 * the network refuses. A poll that still fails reports nothing, and the next one continues from the same entry.
 * @param signal stops it after the current poll, or while it waits
 * @returns the exit status: 0 no findings, 1 findings, 2 no findings, but the last poll could not read the log
 * @throws VerifyError if the URL is invalid, or no key of the log is known
 */
export async function runMonitor(
  base: string,
  options: MonitorOptions,
  say: Say,
  signal: AbortSignal,
): Promise<number> {
  if (!URL.canParse(base)) throw new VerifyError(`${base} is not a URL.`);
  const { backoffMs } = options;
  const note = (message: string) => say(`${new Date().toISOString()} ${message}`);
  const log = openLog(base, fetchRetrying({ onWait: note, signal, ...(backoffMs && { backoffMs }) }));
  const file = options.state ?? `monitor-${new URL(base).host.replaceAll(/[^a-z0-9.-]/g, '_')}.json`;
  const acknowledgements = (options.acknowledgement ?? []).map((path) => readFileSync(path, 'utf8'));
  let state = readState(file);
  let found = false;
  let unavailable = false;
  do {
    let pauseMs = options.every * 1000;
    try {
      state ??= await initialState(log, options.key, say);
      const result = await poll(log, state, {
        now: Date.now(),
        history: options.history ?? false,
        acknowledgements,
        onProgress(entries) {
          if (process.stdout.isTTY) process.stdout.write(`\r${entries} entries read\r`);
        },
      });
      state = result.state;
      if (state.seen !== null) writeDurably(file, `${JSON.stringify(state)}\n`);
      unavailable = false;
      found ||= result.findings.length > 0;
      report(file, result.findings, say);
      if (result.entries > 0 || options.once)
        note(`${state.origin}: ${result.size} entries, ${result.entries} new. ${verdict(result.findings)}`);
    } catch (error) {
      if (!(error instanceof LogUnreadable)) throw error;
      unavailable = true;
      pauseMs = Math.min(Math.max(pauseMs, error.retryAfterMs ?? 0), Math.max(pauseMs, longestPauseMs));
      const next =
        options.once || signal.aborted ? '' : ` The next poll is in ${Math.ceil(pauseMs / 1000)} s.`;
      note(`The log could not be read: ${error.message}. Nothing was judged.${next}`);
    }
    if (options.once) break;
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  } while (!signal.aborted);
  if (found) return 1;
  return unavailable ? 2 : 0;
}

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
function readState(file: string): MonitorState | null {
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

/** Returns the state for the first poll of a log. It fixes the trusted keys. */
async function initialState(log: LogClient, given: readonly string[], say: Say): Promise<MonitorState> {
  const { origin } = parseCheckpoint(parseNote(await log.checkpoint()).text);
  const named = given.flatMap((text) => verifierKeysIn(text));
  if (given.length > 0 && named.length === 0)
    throw new VerifyError('--key has no verifier key: <name>+<8 hex digits>+<base64>.');
  const known = named.length > 0 ? named : await log.keys();
  const keys = known.filter(({ name }) => name === origin);
  if (keys.length === 0) throw new VerifyError(`No key of the log ${origin} is known. Pass one with --key.`);
  if (named.length === 0) say(`Trusting the key that ${origin} publishes now.`);
  return newState(
    origin,
    keys.map((key) => formatVerifierKey(key)),
    // Keys of other logs: what cappers signed for a log that this one continues counts, too.
    [...new Set(known.map(({ name }) => name))].filter((name) => name !== origin),
  );
}

function verdict(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Consistent with all earlier polls.';
  return findings.length === 1 ? '1 finding.' : `${findings.length} findings.`;
}

/** Prints findings, and writes each signed note that proves a fork to its own file. */
function report(file: string, findings: readonly Finding[], say: Say): void {
  for (const { kind, seq, message, evidence = [] } of findings) {
    say(`${kind.toUpperCase()}${seq === undefined ? '' : ` at entry ${seq}`}: ${message}`);
    for (const note of evidence) {
      const name = `${file}.${createHash('sha256').update(note).digest('hex').slice(0, 12)}.checkpoint`;
      writeFileSync(name, note);
      say(`  evidence: ${name}`);
    }
  }
}

/** `monitor`: follows a log until SIGINT or SIGTERM. */
export const monitorCommand: Command = {
  argument: { name: 'address', about: 'address of the site, such as https://picks.example' },
  options: {
    key: {
      value: '<key>',
      about: 'verifier key of the log; default: those it publishes at the first poll',
      many: true,
    },
    state: { value: '<file>', about: 'state file; default: monitor-<host>.json' },
    every: { value: '<seconds>', about: 'seconds between polls', default: 60, read: wholeNumber },
    once: { about: 'poll once and exit' },
    history: { about: 'also judge entries from before the first poll' },
    acknowledgement: {
      value: '<file>',
      about: 'acknowledgement of a posted pick, which the log must keep',
      many: true,
    },
  },
  note: 'Exit status: 0 no findings, 1 findings, 2 the log could not be read, or an argument is wrong.',
  run(address, options: MonitorOptions, say) {
    const stop = new AbortController();
    void untilStopped().then(() => stop.abort());
    return runMonitor(address, options, say, stop.signal);
  },
};
