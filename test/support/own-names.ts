import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NameServer, startNameServer } from './name-server.ts';

/** A resolver for a test's processes, which see it in `/etc/resolv.conf` instead of the machine's. It knows `*.test`, on loopback. */
export interface OwnNames {
  /** The command that starts a program so, before the program's own. */
  through: readonly string[];
  /** Whether it answers nothing. */
  silent: boolean;
  asked: readonly string[];
  close(): Promise<void>;
}

/** @returns undefined if this process may not mount, or not listen where the C library asks: on port 53 */
export async function ownNames(folder: string): Promise<OwnNames | undefined> {
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return undefined;
  const address = `127.53.${randomInt(256)}.${randomInt(1, 255)}`;
  const zone = (name: string) => {
    if (names.silent) return 'silence';
    if (name.endsWith('.test')) return ['127.0.0.1'];
    return name === '' ? [] : 'not found';
  };
  let server: NameServer;
  const file = join(folder, 'resolv.conf');
  const names: OwnNames = {
    through: ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file],
    silent: false,
    asked: [],
    close: () => server.close(),
  };
  try {
    server = await startNameServer(zone, { address, port: 53 });
  } catch {
    return undefined;
  }
  writeFileSync(file, `nameserver ${address}\n`);
  return Object.assign(names, { asked: server.asked });
}
