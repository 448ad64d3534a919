import { type SpawnOptions, spawn } from 'node:child_process';

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
