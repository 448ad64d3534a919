// `npm test`: runs mocha with the given arguments, starts the PostgreSQL, Redis, and Chromium that tests request, and ends all of them. The
// last line on standard output is `N passed, N failed`.

import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcesses, markOf, type StartedProcess } from '../../src/local/processes.ts';
import { Refusal, stopRequest } from '../../src/local/terminal.ts';
import { everySetting } from '../../src/platform/config/read.ts';
import { startBroker } from './broker.ts';
import { ensureCurl } from './curl.ts';
import type { Progress } from './reporter.ts';
import { createTestServices, type TestServices } from './services.ts';

const root = resolve(import.meta.dirname, '..', '..');
const realData = resolve(root, process.env.REAL_DATA || '../shared/data');
const hasRealData = existsSync(join(realData, 'real'));
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal, requested } = stopRequest();
const progress: Progress = { passed: 0, failed: 0, ended: false };

/** The slowest files run first: a worker without files left would only wait for the one that runs them. */
const slowest = [
  'test/boards/demo-ledger',
  'test/browser/pages',
  'test/bench/',
  'test/attack/without-skill',
  'test/real/',
  'test/pages/markup',
  'test/http/conformance',
  'test/conformance/',
  'test/boards/player-season',
  'test/demo/demo',
  'test/attack/',
  'test/projections/audit',
  'test/http/fast-path',
  'test/browser/',
  'test/boards/',
  'test/platform/log-kind',
  'test/status/',
  'test/sources/odds-api/',
  'test/http/',
  'test/ledger/tampering',
  'test/cards/',
];

/** Files that wait for processes and timeouts more than they compute, in order of time. One worker runs them beside two that compute. */
const waiting = [
  'test/faults/',
  'test/docs/commands',
  'test/client/package',
  'test/shutdown-amid-work',
  'test/cli/',
  'test/telemetry/',
  'test/local/',
  'test/ledger/signer',
  'test/answers/outages',
  'test/status/worker',
];

try {
  await ensureCurl(join(root, '.data', 'packages'), say, signal);
  const services = await createTestServices({
    root,
    environment: process.env,
    say,
    aborted: signal,
    // Autovacuum would visit each of a hundred small databases every minute. Thousands of connections hash a password.
    postgresSettings: { autovacuum: 'off', scram_iterations: '1' },
  });
  const broker = await startBroker(services);
  try {
    sayRealData(process.stdout);
    process.exitCode = await runMocha(services, broker.url);
  } finally {
    broker.close();
    await services.stop();
  }
  sayRealData(process.stderr);
} catch (error) {
  process.exitCode = 1;
  if (!signal.aborted) {
    process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`);
  }
}
if (signal.aborted) {
  process.stderr.write('Stopped before the end.\n');
  process.exitCode = 130;
} else if (process.exitCode !== 0 && progress.failed === 0) {
  // mocha did not reach a test: that must not count as success.
  progress.failed = 1;
}
say(`${progress.passed} passed, ${progress.failed} failed`);
process.exit();

function sayRealData(to: NodeJS.WriteStream): void {
  if (!hasRealData) to.write(`No real data in ${realData} (REAL_DATA): its tests are skipped.\n`);
}

/** Runs mocha to its end in its own process group. Resolves to its exit status. */
async function runMocha(services: TestServices, broker: string): Promise<number> {
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const reporter = join(import.meta.dirname, 'reporter.ts');
  const child = spawn(process.execPath, [mocha, '--reporter', reporter, ...mochaArguments()], {
    cwd: root,
    env: mochaEnvironment(broker),
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<number>((settle) => {
    child.on('error', () => settle(1));
    child.on('exit', (code) => settle(code ?? 1));
  });
  const ended = new Promise<void>((settle) => {
    child.on('message', (message: Progress) => {
      Object.assign(progress, message);
      if (progress.ended) settle();
    });
  });
  const mark = child.pid === undefined ? undefined : markOf(child.pid);
  if (mark === undefined) return exited;
  const started: StartedProcess = { ...mark, name: 'mocha', signal: 'SIGTERM', store: false };
  services.watch(started);

  await Promise.race([exited, ended, requested]);
  const byItself = await Promise.race([exited, pause(progress.ended ? 5_000 : 0, undefined)]);
  if (byItself === undefined && progress.ended) {
    process.stderr.write('A test left something open: mocha did not exit, and is now ended.\n');
  }
  // Also ends processes that tests may have left behind.
  await endProcesses([started], 3_000);
  return byItself ?? (progress.ended ? Math.min(progress.failed, 255) : 1);
}

/** Returns the given arguments, with all test files if none is named. */
function mochaArguments(): string[] {
  const given = process.argv.slice(2);
  // A third worker would load all modules again, and would not save any waiting for a store.
  if (given.some((argument) => existsSync(resolve(root, argument)))) return ['--jobs', '2', ...given];
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const isWaiting = (file: string) => waiting.some((path) => file.startsWith(path));
  const inOrder = inOrderOf(
    slowest,
    files.filter((file) => !isWaiting(file)),
  );
  const beside = inOrderOf(waiting, files.filter(isWaiting));
  return [
    ...given,
    ...beside.flatMap((file, at) => [...inOrder.slice(2 * at, 2 * at + 2), file]),
    ...inOrder.slice(2 * beside.length),
  ];
}

/** Returns files in the order of the paths with which they begin; others come last. */
function inOrderOf(paths: readonly string[], files: readonly string[]): string[] {
  const rank = (file: string) => {
    const found = paths.findIndex((path) => file.startsWith(path));
    return found === -1 ? paths.length : found;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the environment without any setting of the service, so that no test can reach the caller's database. */
function mochaEnvironment(broker: string): NodeJS.ProcessEnv {
  const environment = {
    ...process.env,
    TEST_SERVICES: broker,
    REAL_DATA: realData,
  };
  for (const { env } of everySetting) Reflect.deleteProperty(environment, env);
  return environment;
}
