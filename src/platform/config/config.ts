import { ExpectedError } from '../expected-error.ts';
import { serversOf } from '../postgres-hosts.ts';
import type { ProcessName } from './processes.ts';
import { faultsMessage, misspelled, readSettings } from './read.ts';
import type { Setting, settings } from './settings.ts';

/** Without settings that the process does not use. Those without a default that are not required may be undefined. */
type Values<Node, P> =
  Node extends Setting<infer Value>
    ? Node extends { default: string } | { defaultsTo: string } | { required: true }
      ? Value
      : Value | undefined
    : {
        readonly [Name in keyof Node as IsUsed<Node[Name], P> extends true ? Name : never]: Values<
          Node[Name],
          P
        >;
      };

type IsUsed<Node, P> = Node extends { usedBy: readonly (infer User)[] }
  ? [P] extends [User]
    ? true
    : false
  : true;

/**
 * The settings of a process (`settings.ts`), grouped as declared. Settings that the process does not use are missing, so the compiler
 * rejects code that reads them. For several processes, these are the settings they share; default: all.
 *
 * Functions take only the group or values that they need.
 */
export type Config<P extends ProcessName = never> = Values<typeof settings, P>;

/** One wrong setting per line of the message. */
export class SettingsError extends ExpectedError {
  override name = 'SettingsError';
}

/** Ignores the settings of other processes. @throws SettingsError that names every wrong setting */
export function readConfigOf<P extends ProcessName>(name: P, environment: NodeJS.ProcessEnv): Config<P> {
  return readConfig(environment, name) as unknown as Config<P>;
}

/** @param name the process whose settings are read; default: all. @throws SettingsError that names every wrong setting */
export function readConfig(environment: NodeJS.ProcessEnv, name?: ProcessName): Config {
  const { values, faults } = readSettings(environment, { usedBy: name });
  const { database, ledger, ...rest } = values as Config;
  const { witnessQuorum, witnesses = [] } = ledger;
  if (witnessQuorum > witnesses.length && faults.length === 0)
    faults.push(`WITNESS_QUORUM is ${witnessQuorum} but WITNESSES has ${witnesses.length}`);
  if (ledger.files && 'bucket' in ledger.files && ledger.filesKey === undefined && faults.length === 0)
    faults.push('LOG_FILES is a bucket, so LOG_FILES_S3_KEY must be set');
  if (isSameServer(ledger.checkpointStore, database.url))
    faults.push('CHECKPOINT_STORE is on the server of DATABASE_URL but must be outside its failover group');
  if (faults.length > 0) throw new SettingsError(faultsMessage(faults));
  const replicaUrl = database.replicaUrl && withLoginOf(database.url, database.replicaUrl);
  return { ...rest, database: { ...database, replicaUrl }, ledger };
}

/** Returns a standby's address; without a user, it gets the primary's user and password. */
function withLoginOf(primary: string, standby: string): string {
  const url = new URL(standby);
  if (url.username === '') {
    const { username, password } = new URL(primary);
    Object.assign(url, { username, password });
  }
  if (!url.searchParams.has('target_session_attrs')) url.searchParams.set('target_session_attrs', 'any');
  return url.href;
}

/** Reports whether two addresses name the same server, by host and port. */
function isSameServer(one: string | undefined, other: string | undefined): boolean {
  const [some, others] = [one, other].map((text) =>
    text?.includes('://') && URL.canParse(text)
      ? serversOf(text).addresses.map((address) => new URL(address))
      : [],
  );
  return some!.some((a) =>
    others!.some((b) => a.hostname === b.hostname && (a.port || '5432') === (b.port || '5432')),
  );
}

/** If some settings are wrong, prints them and exits with status 1. */
export function configOrExit<P extends ProcessName>(name: P, environment = process.env): Config<P> {
  for (const { sentence } of misspelled(environment)) process.stderr.write(`${sentence}\n`);
  try {
    return readConfigOf(name, environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
