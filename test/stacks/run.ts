// `npm run stack -- <name>`: starts an engine as used in production, with all processes of the service on it and a short load. Prints one
// line with the outcome. The file `<name>.ts` in this folder is the stack. The processes' logs stay in `.data/stacks/<name>` until its next
// run.

import { globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { processLogs } from '../../src/local/logs.ts';
import type { StartedProcess } from '../../src/local/processes.ts';
import { claim } from '../../src/local/running.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { Refusal, stopRequest } from '../../src/local/terminal.ts';
import { startBroker } from '../support/broker.ts';
import { createTestServices } from '../support/services.ts';
import type { Stack } from './stack.ts';

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal, requested } = stopRequest();
const stopped = requested.then((): never => signal.throwIfAborted() as never);
stopped.catch(() => {});

const helpers = ['load', 'own-server', 'packages', 'product', 'run', 'stack'];
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => !helpers.includes(name))
  .sort();
const name = process.argv[2] ?? '';

try {
  if (!names.includes(name)) throw new Refusal(`Usage: npm run stack -- <${names.join(' | ')}>`);
  const { stack } = (await import(`./${name}.ts`)) as { stack: Stack };
  say(await inFolder(join(root, '.data', 'stacks', name), stack));
} catch (error) {
  process.exitCode = signal.aborted ? 130 : 1;
  if (!signal.aborted)
    process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`);
}
process.exit();

/** Runs a stack in its own folder, and ends everything that it has started. */
async function inFolder(folder: string, stack: Stack): Promise<string> {
  const claimed = await claim(folder, say);
  for (const old of globSync('*', { cwd: folder, exclude: (entry) => entry === 'running.json' }))
    rmSync(join(folder, old), { recursive: true, force: true });
  mkdirSync(join(folder, 'work'), { mode: 0o755 });
  const keep = processLogs({ folder: join(folder, 'logs'), say: () => {}, verbose: false });
  let running: readonly StartedProcess[] = [];
  /** Processes that have started, by name. */
  const working = new Set<string>();
  const supervisor = createSupervisor({
    // A kill by the stack is not worth a line, since the process soon returns.
    say: (line) => line.includes('(SIGKILL)') || say(line),
    maxPause: 500,
    onChange(started) {
      const before = new Set(running.map(({ pid }) => pid));
      for (const { name, pid } of started) if (!before.has(pid)) working.delete(name);
      running = started;
      claimed.note(started);
    },
    onLine(process, line) {
      keep(process, line);
      if (/"msg":"(taking jobs|listening)"/.test(line)) working.add(process);
    },
  });
  const services = await createTestServices({ root, environment: process.env, say, aborted: signal });
  const broker = await startBroker(services);
  process.env.TEST_SERVICES = broker.url;
  try {
    const outcome = stack({
      root,
      supervisor,
      say,
      running: () => new Map(running.map((one) => [one.name, one])),
      isWorking: (process) => working.has(process),
      args: process.argv.slice(3),
      folder: join(folder, 'work'),
      packagesDir: join(root, '.data', 'packages'),
      aborted: signal,
    });
    // The stack ends what it has started, or it is ended below with this process.
    outcome.catch(() => {});
    return await Promise.race([outcome, stopped]);
  } finally {
    await supervisor.stop();
    broker.close();
    await services.stop();
    rmSync(join(folder, 'work'), { recursive: true, force: true });
    claimed.release();
  }
}
