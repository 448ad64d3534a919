import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { textOf } from '../docs/documents.ts';
import { until } from './until.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Returns a document's shell blocks, by the heading above them. */
export function commandsOf(path: string): Map<string, string[]> {
  const commands = new Map<string, string[]>();
  let heading = '';
  for (const [, title, block] of textOf(path).matchAll(/^#+ ([^\n]+)$|^```sh\n(.*?)^```/gms)) {
    if (title !== undefined) heading = title;
    else commands.set(heading, [...(commands.get(heading) ?? []), block!]);
  }
  return commands;
}

/** A reader's environment, with the test's ports, folders, and hosts instead of the document's. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** Texts of the document, each with its replacement. */
  replaced: Readonly<Record<string, string>>;
}

export const surroundings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  ...environment,
});

/** A terminal in the project's folder. */
export interface Terminal {
  /** Pastes commands. @returns their output and status */
  paste(block: string): Promise<{ output: string; status: number }>;
  /** Pastes commands of which the last keeps running, and waits until it prints how to stop it. */
  start(block: string): Promise<void>;
  /** Presses Ctrl-C, and waits until the running command exits. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

export function openTerminal({ environment, replaced }: Surroundings): Terminal {
  const shell = spawn('bash', [], { cwd: root, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let started: { child: ChildProcess; ended: Promise<unknown> } | undefined;

  const adapted = (block: string) =>
    Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), block);

  async function paste(block: string): Promise<{ output: string; status: number }> {
    let output = '';
    const done = new Promise<{ output: string; status: number }>((settle) => {
      const read = (chunk: Buffer) => {
        output += chunk;
        const [, text, status] = /^(.*)\n== (\d+)\n$/s.exec(output) ?? [];
        if (text === undefined) return;
        shell.stdout.off('data', read);
        settle({ output: text, status: Number(status) });
      };
      shell.stdout.on('data', read);
    });
    shell.stdin.write(`{ ${adapted(block)}\n} < /dev/null 2>&1; printf '\\n== %s\\n' $?\n`);
    return done;
  }

  async function interrupt(): Promise<void> {
    started?.child.kill('SIGINT');
    await started?.ended;
    started = undefined;
  }

  return {
    paste,
    interrupt,
    async start(block) {
      const lines = block.trim().split('\n');
      const last = lines.pop()!;
      if (lines.length > 0) {
        const { output, status } = await paste(lines.join('\n'));
        if (status !== 0) throw new Error(output);
      }
      const child = spawn('bash', ['-c', adapted(last).replace(/npm start/, 'exec npm start')], {
        cwd: root,
        env: environment,
      });
      const ended = once(child, 'exit');
      started = { child, ended };
      const printed: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        createInterface(stream).on('line', (line) => printed.push(line));
      await Promise.race([
        until(() => printed.some((line) => line.startsWith('  Stop ')), 240_000),
        ended.then(() => {
          throw new Error(printed.join('\n'));
        }),
      ]);
    },
    async close() {
      await interrupt();
      shell.stdin.end();
      if (shell.exitCode === null) await once(shell, 'exit');
    },
  };
}
