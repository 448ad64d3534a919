import { type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command failed; the message ends with what it printed last. */
class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/**
 * Runs a command to its end and resolves to what it printed.
 * @throws CommandFailed when it cannot be started or ends with a status other than 0
 */
export function runCommand(command: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-20_000);
      });
    }
    const fail = (how: string) => {
      const last = output.trim().split('\n').slice(-8).join('\n  ');
      reject(new CommandFailed(`${command} ${how}${last === '' ? '' : `:\n  ${last}`}`));
    };
    child.on('error', (error) => fail(`could not run (${error.message})`));
    child.on('close', (code, signal) =>
      code === 0 ? resolve(output) : fail(`ended with ${signal ?? code}`),
    );
  });
}

/** The full path of a program on the PATH. */
export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
