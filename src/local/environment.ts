import { join } from 'node:path';
import { flag } from '../platform/config/kinds.mjs';
import { variable } from '../platform/config/read.mjs';
import { localSecrets } from './secrets.ts';

/** Whether the demo ledger runs: in the embedded database unless `DEMO=0`, never in a database of the user's own. */
export function demoOf(environment: NodeJS.ProcessEnv): boolean {
  return variable(environment, 'DATABASE_URL') === undefined && flag(variable(environment, 'DEMO') ?? '1');
}

/**
 * `SERVICE_CLOCK` with the real instant it counts from, so that processes started at different times share one
 * clock.
 */
export function anchoredClock(setting: string, now: Date): string {
  return setting.includes('@') ? setting : `${setting}@${now.toISOString()}`;
}

export interface EnvironmentParts {
  /** The launcher's own environment: what it sets wins over what is made here. */
  environment: NodeJS.ProcessEnv;
  demo: boolean;
  dataDir: string;
  ports: { PORT: string; OPERATOR_PORT: string };
  now: Date;
}

/**
 * What the service's processes are given beside the launcher's own environment and the addresses of the stores. Secrets are made
 * for the embedded database only: one of the user's own has a life beyond this folder.
 */
export function serviceEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { environment, demo, dataDir, ports, now } = parts;
  const embedded = variable(environment, 'DATABASE_URL') === undefined;
  const defaults: Record<string, string> = {
    BASE_URL: `http://localhost:${ports.PORT}`,
    ...(embedded && localSecrets(dataDir, demo)),
    ...(embedded && { CHECKPOINT_STORE: join(dataDir, demo ? 'demo-checkpoint' : 'checkpoint') }),
  };
  for (const name of ['OPERATOR_TOKEN', 'SECRET_KEY', 'LEDGER_KEY', 'CHECKPOINT_STORE', 'BASE_URL']) {
    const given = variable(environment, name);
    if (given !== undefined) defaults[name] = given;
  }
  if (variable(environment, 'LEDGER_SIGNER') !== undefined) delete defaults.LEDGER_KEY;
  const clock = variable(environment, 'SERVICE_CLOCK');
  return {
    ...defaults,
    ...ports,
    DATA_DIR: dataDir,
    DEMO: demo ? '1' : '0',
    ...(clock !== undefined && { SERVICE_CLOCK: anchoredClock(clock, now) }),
  };
}
