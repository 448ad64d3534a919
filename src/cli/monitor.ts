import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type Finding, look, type MonitorState, newState } from '../monitor/follow.ts';
import { type LogClient, LogUnreadable, openLog, verifierKeysIn } from '../monitor/log-client.ts';
import { readState, writeState } from '../monitor/state-file.ts';
import { parseCheckpoint } from '../proof/checkpoint.ts';
import { parseNote } from '../proof/signed-note.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import { collect, type Say, untilStopped, type Verb, wholeNumber } from './verb.ts';
import { VerifyError } from './verify.ts';

export interface MonitorOptions {
  /** Verifier keys of the log that are trusted; by default those it shows at the first look. */
  key: readonly string[];
  /** The file that keeps the state. */
  state?: string;
  /** Seconds between two looks. */
  every: number;
  once: boolean;
}

/**
 * Follows a log as an outsider: reads every new entry, checks that the tree only grew, and that no capper's picks have gaps.
 * @param signal ends it after the look under way
 * @returns the exit status: 0 nothing found, 1 something was found, 2 the log could not be read (with `once`)
 * @throws VerifyError when there is no key, or the state is of another log
 */
export async function runMonitor(
  base: string,
  options: MonitorOptions,
  say: Say,
  signal: AbortSignal,
): Promise<number> {
  if (!URL.canParse(base)) throw new VerifyError(`${base} is not an address.`);
  const log = openLog(base);
  const file = options.state ?? `monitor-${new URL(base).host.replaceAll(/[^a-z0-9.-]/g, '_')}.json`;
  let state = readState(file);
  let found = false;
  let away = false;
  do {
    try {
      state ??= await begin(log, options.key, say);
      const looked = await look(log, state, (entries) => {
        if (process.stdout.isTTY) process.stdout.write(`\r${entries} entries read\r`);
      });
      state = looked.state;
      if (state.seen !== null) writeState(file, state);
      away = false;
      found ||= looked.findings.length > 0;
      report(file, looked.findings, say);
      if (looked.entries > 0 || options.once)
        say(
          `${new Date().toISOString()} ${state.origin}: ${looked.size} entries, ${looked.entries} new. ${verdict(looked.findings)}`,
        );
    } catch (error) {
      if (!(error instanceof LogUnreadable)) throw error;
      away = true;
      say(`${new Date().toISOString()} ${error.message}`);
    }
    if (options.once) return found ? 1 : away ? 2 : 0;
    await sleep(options.every * 1000, undefined, { signal }).catch(() => {});
  } while (!signal.aborted);
  return found ? 1 : 0;
}

async function begin(log: LogClient, given: readonly string[], say: Say): Promise<MonitorState> {
  const { origin } = parseCheckpoint(parseNote(await log.checkpoint()).text);
  const named = given.flatMap((text) => verifierKeysIn(text));
  if (given.length > 0 && named.length === 0)
    throw new VerifyError('--key names no verifier key: <name>+<8 hex digits>+<base64>.');
  const keys = (named.length > 0 ? named : await log.keys()).filter(({ name }) => name === origin);
  if (keys.length === 0) throw new VerifyError(`There is no key of the log ${origin}. Name one with --key.`);
  if (named.length === 0) say(`Trusting the key that ${origin} shows today, from now on.`);
  return newState(
    origin,
    keys.map((key) => formatVerifierKey(key)),
  );
}

function verdict(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'All of it is consistent with what was seen before.';
  return `${findings.length} findings.`;
}

/** Tells what was found; the signed notes that prove a fork are kept in a file each. */
function report(file: string, findings: readonly Finding[], say: Say): void {
  for (const { kind, seq, message, evidence = [] } of findings) {
    say(`${kind.toUpperCase()}${seq === undefined ? '' : ` at entry ${seq}`}: ${message}`);
    for (const note of evidence) {
      const name = `${file}.${createHash('sha256').update(note).digest('hex').slice(0, 12)}.checkpoint`;
      writeFileSync(name, note);
      say(`  kept as evidence: ${name}`);
    }
  }
}

/** `monitor`: follows a log until it is told to end. */
export const monitorVerb: Verb = (_config, say) =>
  new Command('monitor')
    .description('follows a log as an outsider, and reports forks and gaps')
    .argument('<address>', 'the address of the site, such as https://picks.example')
    .option(
      '--key <key>',
      'a verifier key of the log; default: the one it shows at the first look',
      collect,
      [],
    )
    .option('--state <file>', 'where to keep how far it has come; default: monitor-<host>.json')
    .option('--every <seconds>', 'between two looks', wholeNumber, 60)
    .option('--once', 'look once', false)
    .action(async (address: string, options: MonitorOptions) => {
      const stop = new AbortController();
      void untilStopped().then(() => stop.abort());
      process.exitCode = await runMonitor(address, options, say, stop.signal);
    });
