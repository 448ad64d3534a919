import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Kills a child when this process ends, however it ends: a shell waits for the pipe between them to break. */
export function tether(child: ChildProcess): void {
  const watcher = spawn(
    '/bin/sh',
    ['-c', 'while read -r _; do :; done; kill -9 "$1" 2>/dev/null', 'sh', String(child.pid)],
    // In its own group, so that Ctrl-C does not reach it.
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  watcher.on('error', () => {}).unref();
  (watcher.stdin as unknown as Socket).unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
}
