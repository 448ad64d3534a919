// `npm run stack -- <name>`: brings up an engine as people run it in production, with all processes of the service on it and a short load,
// and prints one line of what came of it. The file `<name>.ts` beside this one is the stack. What the processes said is kept in
// `.data/stacks/<name>` until its next run.

import { globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { processLogs } from '../../src/local/logs.ts';
import { Refusal } from '../../src/local/refusal.ts';
import { claim } from '../../src/local/running.ts';
import { stopRequest } from '../../src/local/stop-request.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { startBroker } from '../support/broker.ts';
import { createTestServices } from '../support/services.ts';
import type { Stack } from './stack.ts';

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal } = stopRequest();

const helpers = ['load', 'packages', 'product', 'run', 'stack'];
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

/** Runs a stack in a folder of its own, and ends all that it has started. */
async function inFolder(folder: string, stack: Stack): Promise<string> {
  const claimed = await claim(folder, say);
  for (const old of globSync('*', { cwd: folder, exclude: (entry) => entry === 'running.json' }))
    rmSync(join(folder, old), { recursive: true, force: true });
  mkdirSync(join(folder, 'work'), { mode: 0o755 });
  const supervisor = createSupervisor({
    say,
    onChange: claimed.note,
    onLine: processLogs({ folder: join(folder, 'logs'), say: () => {}, verbose: false }),
  });
  const services = await createTestServices({ root, environment: process.env, say, aborted: signal });
  const broker = await startBroker(services);
  process.env.TEST_SERVICES = broker.url;
  try {
    return await stack({
      ...{ root, supervisor, say },
      folder: join(folder, 'work'),
      packagesDir: join(root, '.data', 'packages'),
      aborted: signal,
    });
  } finally {
    await supervisor.stop();
    broker.close();
    await services.stop();
    rmSync(join(folder, 'work'), { recursive: true, force: true });
    claimed.release();
  }
}
