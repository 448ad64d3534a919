import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bringUp, type Store, withLog } from '../../src/local/bring-up.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import { runCommand } from '../../src/local/processes.ts';
import type { Supervisor } from '../../src/local/supervisor.ts';
import { libraryPath, type PackagedProgram, type UnpackedProgram } from '../../src/local/system-packages.ts';

/** The packages of a Ceph with an S3 gateway. */
export const cephPackages: PackagedProgram = {
  packages: ['radosgw', 'ceph-mon', 'ceph-osd'],
  paths: ['usr/bin/radosgw'],
};

export interface Ceph {
  /** The address of the S3 gateway. The process `radosgw` may be killed at any time: it keeps no state. */
  endpoint: string;
  /** The key of a user who may create buckets. */
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Starts a Ceph of one monitor, one in-memory store, and one gateway, on 127.0.0.1 and without authentication among them.
 * @param radosgw the gateway, next to the other programs
 * @param folder an empty folder with a short path, for sockets
 */
export async function startCeph(
  radosgw: UnpackedProgram,
  folder: string,
  supervisor: Supervisor,
  aborted: AbortSignal,
): Promise<Ceph> {
  const bin = dirname(radosgw.command);
  const [libraries = ''] = globSync(resolve(bin, '..', 'lib', '*', 'rados-classes')).map(dirname);
  const [monitor, gateway] = [await anyFreePort(), await anyFreePort()];
  const [fsid, address] = [randomUUID(), `[v2:127.0.0.1:${monitor}]`];
  const config = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'rgw', 'run']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    config,
    `[global]
fsid = ${fsid}
mon_host = ${address}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_ipv6 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# The gateway asks for an encrypted connection, which takes authentication.
ms_mon_client_mode = crc
keyring = /dev/null
run_dir = ${folder}/run
admin_socket =
log_to_stderr = true
log_file =
mon_cluster_log_file = /dev/null
mon_data = ${folder}/mon
osd_data = ${folder}/osd
rgw_data = ${folder}/rgw
plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
osd_class_dir = ${libraries}/rados-classes
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 0
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
`,
  );
  const env = { ...process.env, LC_ALL: 'C', CEPH_CONF: config, ...libraryPath(radosgw) };
  const run = (program: string, args: string[]) =>
    runCommand(join(bin, program), args, { env, cwd: folder, timeout: 60_000 });
  // The script is for the system's Python, or the one in the packages.
  const python = [join(bin, 'python3'), '/usr/bin/python3'].find((path) => existsSync(path)) ?? 'python3';
  const command = (...args: string[]) =>
    runCommand(python, [join(bin, 'ceph'), '--connect-timeout', '5', ...args], {
      env: { ...env, PYTHONPATH: resolve(bin, '..', 'lib', 'python3', 'dist-packages') },
      cwd: folder,
    });
  const daemon = (program: string, args: string[], answers: () => Promise<unknown>): Store => {
    const log = join(folder, `${program}.log`);
    return {
      log,
      answers: async () => void (await answers()),
      program: {
        name: program,
        store: true,
        signal: 'SIGTERM',
        launch: () =>
          withLog(log, (out) =>
            spawn(join(bin, program), ['-f', ...args], {
              env,
              cwd: folder,
              detached: true,
              stdio: ['ignore', out, out],
            }),
          ),
      },
    };
  };

  const members = ['--create', '--clobber', '--fsid', fsid, '--addv', 'a', address, '--enable-all-features'];
  await run('monmaptool', [...members, 'monmap']);
  await run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', 'monmap']);
  await bringUp(
    daemon('ceph-mon', ['-i', 'a'], () => command('status')),
    supervisor,
    aborted,
  );
  const store = randomUUID();
  await command('osd', 'new', store);
  await run('ceph-osd', ['--mkfs', '-i', '0', '--osd-uuid', store]);
  await bringUp(
    daemon('ceph-osd', ['-i', '0'], async () => {}),
    supervisor,
    aborted,
  );
  const endpoint = `http://127.0.0.1:${gateway}`;
  await bringUp(
    daemon('radosgw', ['-n', 'client.rgw'], () => fetch(endpoint)),
    supervisor,
    aborted,
  );
  const [accessKeyId, secretAccessKey] = ['PICKS', randomUUID()];
  const user = ['--uid', 'picks', '--display-name', 'picks', '--access-key', accessKeyId];
  await run('radosgw-admin', ['-n', 'client.rgw', 'user', 'create', ...user, '--secret', secretAccessKey]);
  return { endpoint, accessKeyId, secretAccessKey };
}
