import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Login } from '../../migrations/rights.ts';
import { readyToServe } from '../../src/local/bring-up.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import { serviceProgram } from '../../src/local/supervisor.ts';
import { type ProcessName, processes } from '../../src/platform/config/processes.ts';
import { environmentOf } from '../../src/platform/config/read.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { type Receiver, receiversAuthority } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import type { StackContext } from './stack.ts';

export interface ProductOptions {
  /** Returns the URL of the database under a login: `(login) => asLogin(url, login)` for one of `createDatabase`. */
  databaseUrl(login: Login): string;
  redisUrl: string;
  /** Additional settings of all processes. */
  settings?: Record<string, string>;
  /** The hosts that webhooks may be sent to, separated by commas. */
  receiver: Pick<Receiver, 'host'>;
  /** The number of copies of each process of the Procfile. Default: 1. The first ones have the names of the Procfile. */
  sets?: number;
  /** Returns additional variables, called whenever a process starts. */
  variables?(name: string): Record<string, string>;
  /** A command that starts each process. Default: none. */
  through?: readonly string[];
}

/** All processes of the Procfile. */
export interface Product {
  /** Addresses of the public ports, one per set: `http://127.0.0.1:23456`. */
  sites: string[];
  /** Address of the first operator's port, and its token. */
  operator: string;
  token: string;
  /** Returns the settings of a process of the first set, without its database. */
  environment(name: ProcessName): NodeJS.ProcessEnv;
}

/** Starts all processes of the service on free ports and waits until each public port is ready. The supervisor ends them. */
export async function startProduct(context: StackContext, options: ProductOptions): Promise<Product> {
  const { root, folder, supervisor, say, aborted } = context;
  const token = 'a-token-for-stacks';
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, (await receiversAuthority()).certificate);
  const sites: string[] = [];
  const operators: string[] = [];
  let first: Record<string, string> = {};
  for (let set = 1; set <= (options.sets ?? 1); set += 1) {
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    sites.push(`http://127.0.0.1:${port}`);
    operators.push(`http://127.0.0.1:${operatorPort}`);
    const environment = {
      ...baseEnvironment,
      NODE_EXTRA_CA_CERTS: authority,
      REDIS_URL: options.redisUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      OPERATOR_TOKEN: token,
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
      LEDGER_ORIGIN: 'stack.example/ledger',
      CHECKPOINT_STORE: join(folder, 'checkpoint'),
      WEBHOOK_ALLOW_HOSTS: options.receiver.host,
      ...options.settings,
    };
    if (set === 1) first = environment;
    for (const name of processes) {
      const settings = { ...environmentOf(environment, name), DATABASE_URL: options.databaseUrl(name) };
      const program = (more: Record<string, string> = {}) =>
        serviceProgram({ name }, root, { ...settings, ...more });
      supervisor.run({
        ...program(),
        name: set === 1 ? name : `${name}-${set}`,
        launch() {
          const env = { ...settings, ...options.variables?.(name) };
          if (options.through === undefined) return program(env).launch();
          const [command, ...args] = [...options.through, join(root, 'bin', 'run'), name];
          return spawn(command!, args, {
            cwd: root,
            env,
            detached: true,
            stdio: ['ignore', 'pipe', 'pipe'],
          });
        },
      });
    }
  }
  for (const site of sites)
    await readyToServe({ url: `${site}/readyz`, names: [...processes], supervisor, say, aborted });
  await until(() => context.isWorking('operator'));
  return {
    sites,
    operator: operators[0] as string,
    token,
    environment: (name) => environmentOf(first, name),
  };
}
