import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Program, Supervisor } from './supervisor.ts';
import { Refusal, type Say } from './terminal.ts';

export interface Store {
  program: Program;
  log: string;
  /** Resolves when the store answers; rejects while it does not. */
  answers(): Promise<void>;
}

/** @throws Refusal with the last lines of its log, if it ends three times or does not answer within a minute */
export async function bringUp(store: Store, supervisor: Supervisor, aborted: AbortSignal): Promise<void> {
  const { program, log } = store;
  supervisor.run(program);
  const giveUp = (message: string, isLate: boolean) => {
    if (supervisor.endings(program.name) >= 3 || isLate)
      throw new Refusal(`${program.name} does not start: ${message}\n${lastLines(log)}`);
  };
  await untilAnswered(() => store.answers(), 60_000, aborted, giveUp);
}

/** Asks until there is an answer. @param onFault may give up by throwing */
async function untilAnswered(
  ask: () => Promise<void>,
  maxWaitMs: number,
  aborted: AbortSignal,
  onFault: (message: string, isLate: boolean) => void,
): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    aborted.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      onFault((error as Error).message, Date.now() >= deadline);
    }
    await pause(50);
  }
}

/** Truncates the log, and closes it here once the process has it. A log that cannot be opened is skipped. */
export function withLog<T>(log: string, use: (descriptor: number) => T): T {
  let descriptor: number;
  try {
    descriptor = openSync(log, 'w', 0o600);
  } catch {
    descriptor = openSync('/dev/null', 'w');
  }
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(-8)
      .map((line) => `  ${line}`)
      .join('\n');
  } catch {
    return '';
  }
}

export interface ReadinessOptions {
  url: string;
  /** Processes whose repeated exits end the start. */
  names: readonly string[];
  supervisor: Supervisor;
  say: Say;
  aborted: AbortSignal;
  /** Timeout of the start, in ms; default two minutes. */
  maxWaitMs?: number;
}

const endingsAllowed = 5;

/** @throws Refusal if a process ends five times in a row, or the service is not ready in time */
export async function readyToServe(options: ReadinessOptions): Promise<void> {
  const { url, names, supervisor, say, aborted, maxWaitMs = 120_000 } = options;
  let sayNext = Date.now() + 15_000;
  const onFault = (answer: string, isLate: boolean) => {
    const failing = names.find((name) => supervisor.endings(name) >= endingsAllowed);
    if (failing !== undefined)
      throw new Refusal(`${failing} ended ${endingsAllowed} times in a row; see its output above.`);
    if (isLate)
      throw new Refusal(`Not ready after ${Math.round(maxWaitMs / 1000)} seconds: ${url} (${answer}).`);
    if (Date.now() < sayNext) return;
    say(`Still waiting for ${url} (${answer}) ...`);
    sayNext += 15_000;
  };
  await untilAnswered(() => expectReady(url), maxWaitMs, aborted, onFault);
}

async function expectReady(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(({ name }: Error) => {
    throw new Error(name === 'TimeoutError' ? 'no answer within 5 s' : 'no answer');
  });
  await response.body?.cancel();
  if (response.status !== 200) throw new Error(String(response.status));
}
