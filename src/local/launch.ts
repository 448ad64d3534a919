import { join, resolve } from 'node:path';
import { type Config, readConfig, SettingsError } from '../platform/config/config.ts';
import { environmentOf, faultsMessage, misspelt, variable } from '../platform/config/read.mjs';
import { settings } from '../platform/config/settings.mjs';
import { isUnreachable } from '../platform/database.ts';
import { startFaults } from './check-settings.mjs';
import { demoOf, serviceEnvironment } from './environment.ts';
import { type DatabaseLogins, databaseLogins } from './logins.ts';
import { processLogs } from './logs.ts';
import { choosePorts } from './ports.ts';
import { preparePostgres } from './postgres.ts';
import { readyToServe } from './readiness.ts';
import { prepareRedis } from './redis.ts';
import { Refusal, type Say } from './refusal.ts';
import { type Claim, claim } from './running.ts';
import { type ServiceProcess, serviceProgram } from './service.ts';
import { bringUp } from './store.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

export interface LaunchOptions {
  /** The project's folder: `DATA_DIR` is relative to it. */
  root: string;
  environment: NodeJS.ProcessEnv;
  say: Say;
  /** Shows all that the processes log, which otherwise goes to `DATA_DIR/logs` alone, save for warnings and errors. */
  verbose?: boolean;
  /** Stops the start where it is. */
  aborted: AbortSignal;
  processes: readonly ServiceProcess[];
  /**
   * Migrates the database to the newest schema, under the settings of the service, and makes the logins of its processes.
   * @throws SettingsError when they do not suit the log in it
   */
  migrate(ownerUrl: string, settings: Config, logins: Pick<DatabaseLogins, 'passwords'>): Promise<void>;
}

export interface Launched {
  /** What the service's processes get in addition to the launcher's own environment, each the settings that it uses. */
  environment: Record<string, string>;
  /** The database under its owner, and under the login of each process, of which it is given its own alone. */
  databaseUrls: DatabaseLogins['urls'];
  /** Ends everything in order, and waits. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service: PostgreSQL and Redis unless `DATABASE_URL` and `REDIS_URL` name others, the schema, and the processes;
 * resolves when `/readyz` answers 200.
 * @throws SettingsError before anything is started, Refusal with the reason; nothing is left running then
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { root, environment, say, verbose = false } = options;
  const faults = startFaults(environment);
  if (faults.length > 0) throw new SettingsError(faultsMessage(faults));
  const demo = demoOf(environment);
  const dataDir = resolve(root, variable(environment, 'DATA_DIR') ?? settings.process.dataDir.default);
  const claimed = await claim(dataDir, say);
  const onLine = processLogs({ folder: join(dataDir, 'logs'), say, verbose });
  const supervisor = createSupervisor({ say, onChange: claimed.note, onLine });
  const stop = async () => {
    const killed = await supervisor.stop();
    if (killed.length > 0) say(`Had to be killed: ${killed.join(', ')}.`);
    claimed.release();
  };
  try {
    return { ...(await bringUpAll({ ...options, demo, dataDir, claimed, supervisor })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Parts extends LaunchOptions {
  demo: boolean;
  dataDir: string;
  claimed: Claim;
  supervisor: Supervisor;
}

async function bringUpAll(parts: Parts): Promise<Omit<Launched, 'stop'>> {
  const { root, environment, processes, demo, dataDir, claimed, supervisor, say, aborted } = parts;
  const ports = await choosePorts(environment, say);
  const service = serviceEnvironment({ environment, demo, dataDir, ports, now: new Date() });
  // All that the processes will read is checked before a store is started: only the addresses of embedded stores are not known yet.
  const settings = readConfig({
    ...environment,
    ...service,
    DATABASE_URL: variable(environment, 'DATABASE_URL') ?? 'postgres://',
    REDIS_URL: variable(environment, 'REDIS_URL') ?? 'redis://',
  });
  const { urls, passwords, REDIS_URL } = await reachStores(parts);
  const made = { ...service, REDIS_URL };
  const full = { ...withoutDatabase(spelt(environment)), ...made };

  aborted.throwIfAborted();
  say('Migrating the database ...');
  await parts.migrate(urls.owner, settings, { passwords }).catch((error: Error) => {
    if (error instanceof SettingsError) throw error;
    const where = variable(environment, 'DATABASE_OWNER_URL') ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
    throw new Refusal(
      isUnreachable(error)
        ? `PostgreSQL cannot be reached at ${where}: ${error.message}`
        : `The database could not be migrated: ${error.message}`,
    );
  });

  aborted.throwIfAborted();
  const names = processes.map(({ name }) => name);
  say(`Starting ${names.join(', ')} ...`);
  for (const one of processes) supervisor.run(serviceProgram(one, root, processEnvironment(one, full, urls)));
  claimed.publish(made, urls);
  await readyToServe({ url: readyAddress(environment, ports.PORT), names, supervisor, say, aborted });
  return { environment: made, databaseUrls: urls };
}

/** Both at once; when one fails, after the other has settled, so that it is stopped too. */
async function reachStores(parts: Parts) {
  const [database, redis] = await Promise.allSettled([reachDatabase(parts), redisAddress(parts)]);
  if (database.status === 'rejected') throw database.reason;
  if (redis.status === 'rejected') throw redis.reason;
  return { ...database.value, REDIS_URL: redis.value };
}

async function reachDatabase({ environment, demo, dataDir, supervisor, say, aborted }: Parts) {
  const url = variable(environment, 'DATABASE_URL');
  const given = variable(environment, 'DATABASE_PASSWORDS');
  if (url !== undefined)
    return databaseLogins({ ownerUrl: variable(environment, 'DATABASE_OWNER_URL') ?? url, url, given });
  say('Starting PostgreSQL ...');
  const postgres = await preparePostgres({ dataDir, say, aborted });
  // Deriving passwords takes as long as a third of PostgreSQL's start.
  const logins = databaseLogins({ ownerUrl: postgres.ownerUrl(demo ? 'picks_demo' : 'picks'), given });
  const [found] = await Promise.all([logins, bringUp(postgres, supervisor, aborted)]);
  await postgres.createDatabases(['picks', 'picks_demo']);
  return found;
}

/** The settings that a process uses, and the database under its own login: under those of all its roles where it has several. */
function processEnvironment(
  { roles }: ServiceProcess,
  full: NodeJS.ProcessEnv,
  urls: DatabaseLogins['urls'],
): NodeJS.ProcessEnv {
  const [first, ...others] = roles;
  if (first !== undefined && others.length === 0)
    return { ...environmentOf(full, first), DATABASE_URL: urls[first] };
  const environments = roles.map((role) => ({
    ...environmentOf(full, role),
    [`DATABASE_URL_${role.toUpperCase()}`]: urls[role],
  }));
  return Object.assign({}, ...environments);
}

/** No process knows the owner, or the password of another one. */
function withoutDatabase({
  DATABASE_URL: _url,
  DATABASE_OWNER_URL: _owner,
  DATABASE_PASSWORDS: _passwords,
  ...rest
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return rest;
}

async function redisAddress(parts: Parts): Promise<string> {
  const { environment, demo, dataDir, supervisor, say, aborted } = parts;
  const given = variable(environment, 'REDIS_URL');
  if (given !== undefined) return given;
  say('Starting Redis ...');
  const redis = await prepareRedis({ dataDir, packagesDir: join(dataDir, 'packages'), say, aborted });
  await bringUp(redis, supervisor, aborted);
  return redis.url(demo ? 1 : 0);
}

function readyAddress(environment: NodeJS.ProcessEnv, port: string): string {
  const host = variable(environment, 'HOST') ?? '0.0.0.0';
  return `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}/readyz`;
}

/** An environment without misspelt settings: `npm start` has warned of them, so that its processes need not. */
function spelt(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const wrong = new Set(misspelt(environment).map(({ name }) => name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !wrong.has(name)));
}
