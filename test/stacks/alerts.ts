import { join } from 'node:path';
import { runCommand } from '../../src/local/processes.ts';
import { libraryPath } from '../../src/local/system-packages.ts';
import { packagedProgram } from './packages.ts';
import type { StackContext } from './stack.ts';

/** Checks the rules of `deploy/prometheus` and runs their tests, with the promtool of Debian's Prometheus. */
export async function stack(context: StackContext): Promise<string> {
  const program = await packagedProgram(
    'promtool',
    { packages: ['prometheus'], paths: ['usr/bin/promtool'] },
    context,
  );
  const rules = join(context.root, 'deploy', 'prometheus');
  const env = { ...process.env, ...libraryPath(program) };
  const run = (...given: string[]) => runCommand(program.command, given, { env });
  const checked = await run('check', 'rules', join(rules, 'alerts.yaml'));
  await run('check', 'config', '--syntax-only', join(rules, 'prometheus.yaml'));
  await run('test', 'rules', join(rules, 'alerts.test.yaml'));
  return `alerts: ${/\d+ rules/.exec(checked)?.[0]} found, and their tests pass`;
}
