import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkFile, checkpointStore, isDatabase } from '../ledger/publishing/checkpoint-store/open.ts';
import { type Config, readConfig, SettingsError } from '../platform/config/config.ts';
import { variable } from '../platform/config/read.ts';
import { settings } from '../platform/config/settings.ts';
import { isUnreachable } from '../platform/database.ts';
import { bringUp, readyToServe } from './bring-up.ts';
import {
  type DatabaseLogins,
  databaseLogins,
  demoOf,
  processEnvironment,
  serviceEnvironment,
} from './environment.ts';
import { processLogs } from './logs.ts';
import { choosePorts } from './ports.ts';
import { preparePostgres } from './postgres.ts';
import { prepareRedis } from './redis.ts';
import { type Claim, claim, unusable } from './running.ts';
import { createSupervisor, type ServiceProcess, type Supervisor, serviceProgram } from './supervisor.ts';
import { Refusal, type Say } from './terminal.ts';

export interface LaunchOptions {
  /** The project's folder. `DATA_DIR` is relative to it. */
  root: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  /** Shows all log lines of the processes. Default: only warnings and errors; the rest goes to `DATA_DIR/logs`. */
  verbose?: boolean;
  aborted: AbortSignal;
  /** If empty, only the stores run. */
  processes: readonly ServiceProcess[];
  /** With the service's settings. @throws SettingsError if they do not suit the log in the database */
  migrate(ownerUrl: string, settings: Config, logins: Pick<DatabaseLogins, 'passwords'>): Promise<void>;
  /** Called after the migration, before the processes start. @returns further settings of the processes */
  prepare?(urls: DatabaseLogins['urls'], settings: Config): Promise<Record<string, string>>;
}

export interface Launched {
  /** Settings of the service's processes in addition to the launcher's environment. Each process receives those that it uses. */
  environment: Record<string, string>;
  /** Database URLs of the owner and of each process. A process receives only its own. */
  databaseUrls: DatabaseLogins['urls'];
  stop(): Promise<void>;
}

/**
 * Starts the whole service: PostgreSQL and Redis unless `DATABASE_URL` and `REDIS_URL` name others, the schema, and the processes. Resolves
 * when both ports answer 200, or without processes, when the stores answer.
 * @throws SettingsError before anything starts; Refusal with the reason, after ending everything
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { root, environment, say, verbose = false } = options;
  const demo = demoOf(environment);
  const dataDir = resolve(root, variable(environment, 'DATA_DIR') ?? settings.process.dataDir.default);
  const claimed = await claim(dataDir, say);
  const onLine = processLogs({ folder: join(dataDir, 'logs'), say, verbose });
  const supervisor = createSupervisor({ say, onChange: claimed.note, onLine, continueStoppedMs: 1_000 });
  const ended = new AbortController();
  const stop = async () => {
    ended.abort();
    const killed = await supervisor.stop();
    if (killed.length > 0) say(`Killed after they did not end in time: ${killed.join(', ')}.`);
    claimed.release();
  };
  try {
    const parts = { ...options, demo, dataDir, claimed, supervisor, ended: ended.signal };
    return { ...(await bringUpAll(parts)), stop };
  } catch (error) {
    await stop();
    throw unusable(dataDir, error as Error);
  }
}

interface Parts extends LaunchOptions {
  demo: boolean;
  dataDir: string;
  claimed: Claim;
  supervisor: Supervisor;
  ended: AbortSignal;
}

async function bringUpAll(parts: Parts): Promise<Omit<Launched, 'stop'>> {
  const { root, environment, processes, demo, dataDir, claimed, supervisor, say, aborted } = parts;
  const ports = await choosePorts(environment, say);
  const service = serviceEnvironment({ environment, demo, dataDir, ports, now: new Date() });
  // All settings are checked before a store starts. Only the addresses of embedded stores are unknown until then.
  const settings = readConfig({
    ...environment,
    ...service,
    DATABASE_URL: variable(environment, 'DATABASE_URL') ?? 'postgres://',
    REDIS_URL: variable(environment, 'REDIS_URL') ?? 'redis://',
  });
  await checkCheckpointStore(settings.ledger.checkpointStore, say);
  const { urls, passwords } = await reachDatabase(parts);
  const made = { ...service, REDIS_URL: await reachRedis(parts) };

  aborted.throwIfAborted();
  say('Migrating the database ...');
  await parts.migrate(urls.owner, settings, { passwords }).catch((error: Error) => {
    if (error instanceof SettingsError) throw error;
    const where = variable(environment, 'DATABASE_OWNER_URL') ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
    throw new Refusal(
      isUnreachable(error)
        ? `Cannot reach PostgreSQL at ${where}: ${error.message}`
        : `Cannot migrate the database: ${error.message}`,
    );
  });

  Object.assign(made, await parts.prepare?.(urls, settings));
  aborted.throwIfAborted();
  const names = processes.map(({ name }) => name);
  if (names.length > 0) say(`Starting ${names.join(', ')} ...`);
  for (const one of processes) {
    const used = processEnvironment(one.roles, { ...environment, ...made }, urls);
    supervisor.run(serviceProgram(one, root, used));
  }
  claimed.publish(made, urls);
  if (names.length > 0) {
    const addresses = [`${localAddress(variable(environment, 'HOST'), ports.PORT)}/readyz`];
    if (processes.some(({ roles }) => roles.includes('operator')))
      addresses.push(`${localAddress(variable(environment, 'OPERATOR_HOST'), ports.OPERATOR_PORT)}/livez`);
    for (const url of addresses) await readyToServe({ url, names, supervisor, say, aborted });
  }
  return { environment: made, databaseUrls: urls };
}

/** A database that is down does not prevent the start: publishing resumes once it is up. @throws Refusal if the file cannot be written */
async function checkCheckpointStore(setting: string | undefined, say: Say): Promise<void> {
  if (setting === undefined) return;
  if (isDatabase(setting)) {
    await checkpointStore(setting)
      .read()
      .catch((error: Error) =>
        say(`Nothing is published while CHECKPOINT_STORE is unusable: ${error.message}`),
      );
    return;
  }
  await checkFile(setting).catch((error: Error) => {
    throw new Refusal(`Cannot use CHECKPOINT_STORE ${setting}: ${error.message}`);
  });
}

async function reachDatabase({ environment, demo, dataDir, supervisor, say, aborted, ended }: Parts) {
  const url = variable(environment, 'DATABASE_URL');
  const given = variable(environment, 'DATABASE_PASSWORDS');
  if (url !== undefined)
    return databaseLogins({ ownerUrl: variable(environment, 'DATABASE_OWNER_URL') ?? url, url, given });
  say('Starting PostgreSQL ...');
  const databases = ['picks', 'picks_demo'];
  const postgres = await preparePostgres({ dataDir, say, aborted, databases });
  await bringUp(postgres, supervisor, aborted);
  await postgres.room.check();
  postgres.room.watch(ended);
  return databaseLogins({ ownerUrl: postgres.ownerUrl(demo ? 'picks_demo' : 'picks'), given });
}

async function reachRedis({ environment, dataDir, supervisor, say, aborted }: Parts): Promise<string> {
  const given = variable(environment, 'REDIS_URL');
  if (given !== undefined) return given;
  say('Starting Redis ...');
  const redis = await prepareRedis({ dataDir, packagesDir: join(dataDir, 'packages'), say, aborted });
  await bringUp(redis, supervisor, aborted);
  return redis.url;
}

function localAddress(host: string | undefined, port: string): string {
  const isEvery = host === undefined || ['0.0.0.0', '::'].includes(host);
  return `http://${isEvery ? '127.0.0.1' : host}:${port}`;
}

/**
 * Runs work on a new database of an embedded PostgreSQL in `<folder>/database`, and stops it afterwards. A database of an earlier call is
 * removed first.
 * @param work gets the URL of the superuser
 */
export async function withOwnPostgres<T>(
  folder: string,
  say: Say,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(folder, 'database');
  rmSync(dataDir, { recursive: true, force: true });
  const claimed = await claim(dataDir, say);
  const supervisor = createSupervisor({ say, onChange: claimed.note });
  const aborted = new AbortController().signal;
  try {
    const postgres = await preparePostgres({ dataDir, say, aborted, databases: ['picks'] });
    await bringUp(postgres, supervisor, aborted);
    return await work(postgres.superuserUrl('picks'));
  } finally {
    await supervisor.stop();
    claimed.release();
  }
}
