import { join } from 'node:path';
import { Refusal } from './refusal.ts';
import { localSecrets } from './secrets.ts';

/** A variable's value; an empty one counts as absent, as in the settings. */
export function variable(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
}

/**
 * Whether the demo ledger runs: with the embedded database unless `DEMO=0`, with one of the user's own never
 * (decisions: Running it).
 * @throws Refusal on `DEMO=1` with `DATABASE_URL`, and on a value that is neither 0 nor 1
 */
export function demoOf(environment: NodeJS.ProcessEnv): boolean {
  const demo = variable(environment, 'DEMO');
  if (demo !== undefined && demo !== '0' && demo !== '1') {
    throw new Refusal(`DEMO is 0 or 1, not ${JSON.stringify(demo)}.`);
  }
  if (variable(environment, 'DATABASE_URL') === undefined) return demo !== '0';
  if (demo !== '1') return false;
  throw new Refusal(
    'DEMO=1 is refused with DATABASE_URL: demo data lives in the embedded database only. Please unset one of the two.',
  );
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
  addresses: { DATABASE_URL: string; DATABASE_OWNER_URL: string; REDIS_URL: string };
  now: Date;
}

/**
 * What the service's processes are given beside the launcher's own environment. Secrets are made
 * for the embedded database only: one of the user's own has a life beyond this folder.
 */
export function serviceEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { environment, demo, dataDir, ports, addresses, now } = parts;
  const embedded = variable(environment, 'DATABASE_URL') === undefined;
  const defaults: Record<string, string> = {
    BASE_URL: `http://localhost:${ports.PORT}`,
    ...(embedded && localSecrets(dataDir, demo)),
    ...(embedded && { CHECKPOINT_FILE: join(dataDir, demo ? 'demo-checkpoint' : 'checkpoint') }),
  };
  for (const name of ['OPERATOR_TOKEN', 'SECRET_KEY', 'LEDGER_KEY', 'CHECKPOINT_FILE', 'BASE_URL']) {
    const given = variable(environment, name);
    if (given !== undefined) defaults[name] = given;
  }
  const clock = variable(environment, 'SERVICE_CLOCK');
  return {
    ...defaults,
    ...addresses,
    ...ports,
    DATA_DIR: dataDir,
    DEMO: demo ? '1' : '0',
    ...(clock !== undefined && { SERVICE_CLOCK: anchoredClock(clock, now) }),
  };
}
