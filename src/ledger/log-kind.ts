import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import { type Config, SettingsError } from '../platform/config/config.ts';
import { faultsMessage } from '../platform/config/read.mjs';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { LogKind } from '../rules/vocabulary.ts';

/** The settings that a log's kind rests on. */
export interface KindSettings {
  process: Pick<Config['process'], 'clock'>;
  /** Only some processes have the setting DEMO. */
  site: Partial<Pick<Config['site'], 'demo'>>;
}

/** The kind of a log that is begun under these settings. */
export function newLogKind({ process, site }: KindSettings): LogKind {
  if (site.demo) return 'demo';
  return process.clock === undefined ? 'live' : 'replay';
}

/** The kind of this database's log. @throws Error when the database is not migrated */
export async function readLogKind(database: Database): Promise<LogKind> {
  const row: { kind: LogKind } | undefined = await database('log_kind').first('kind');
  if (row === undefined) throw new Error('the table log_kind is empty');
  return row.kind;
}

/**
 * The present for what cannot be taken back: in a live log the earlier of this machine's clock and PostgreSQL's, so that a machine whose
 * clock is ahead closes no pick before its game starts. In a demo it is the instant up to which the demo has been played.
 * @returns epoch milliseconds
 */
export async function presentOf(database: Database, clock: Clock): Promise<number> {
  return Math.min(clock.now(), (await clockOf(database, `${ofLive} ${ofDemo}`)) ?? Number.POSITIVE_INFINITY);
}

/**
 * The present by which scores, results and prices are judged when they come in: in a live log the later of this machine's clock and
 * PostgreSQL's, so that a machine whose clock is behind refuses nothing as not yet over.
 * @returns epoch milliseconds
 */
export async function intakeTime(database: Database, clock: Clock): Promise<number> {
  return Math.max(clock.now(), (await databaseNow(database)) ?? Number.NEGATIVE_INFINITY);
}

/** Milliseconds by which this machine's clock may differ from PostgreSQL's, which refuses picks that are a minute off. */
const maxSkewMs = 30_000;

/** Milliseconds after which the clocks are compared again. */
const compareAgainMs = 60_000;

/**
 * The present by which live picks are posted: this machine's clock, or in a live log PostgreSQL's where they differ by half a minute. They are
 * compared at the first pick, each minute, and when this machine's clock has jumped.
 * @returns a function that resolves to epoch milliseconds
 */
export function createPostingTime(database: Database, clock: Clock): () => Promise<number> {
  let comparedAt = Number.NEGATIVE_INFINITY;
  let base = 0;
  let correction = 0;
  return async () => {
    // Jumps of the machine's clock do not change this one.
    const steady = performance.now();
    const jump = Math.abs(clock.now() - steady - base);
    if (steady - comparedAt > compareAgainMs || jump > 1_000) {
      const right = await databaseNow(database);
      const skew = right === undefined ? 0 : right - clock.now();
      correction = Math.abs(skew) > maxSkewMs ? skew : 0;
      comparedAt = performance.now();
      base = clock.now() - comparedAt;
    }
    return clock.now() + correction;
  };
}

/** PostgreSQL's clock, in epoch milliseconds; undefined in a log that is not of the present. */
function databaseNow(database: Database): Promise<number | undefined> {
  return clockOf(database, ofLive);
}

const ofLive = "when 'live' then clock_timestamp()";
/** A demo's clock moves as it is played. */
const ofDemo = "when 'demo' then (select until from demo_progress)";

/** The clock of the log's kind, in epoch milliseconds; undefined where the cases name none, and before a demo begins. */
async function clockOf(database: Database, cases: string): Promise<number | undefined> {
  const { rows }: { rows: { now: number | null }[] } = await database.raw(
    `select extract(epoch from case kind ${cases} end)::float8 * 1000 as now from log_kind`,
  );
  const now = rows[0]?.now ?? undefined;
  return now === undefined ? undefined : Math.floor(now);
}

/**
 * The kind of this database's log.
 * @throws SettingsError when it is live and the settings are for another kind
 */
export async function suitableLogKind(database: Database, settings: KindSettings): Promise<LogKind> {
  const kind = await readLogKind(database);
  const faults: string[] = [];
  if (kind === 'live' && settings.process.clock !== undefined)
    faults.push(
      'SERVICE_CLOCK is set, but the log in this database is live: unset it, or replay in a new database',
    );
  if (kind === 'live' && settings.site.demo)
    faults.push('DEMO is 1, but the log in this database is live: demo data needs a new database');
  if (faults.length > 0) throw new SettingsError(faultsMessage(faults));
  return kind;
}

/**
 * {@link suitableLogKind} for an entry point: waits for the database, and ends the process with status 1 and the sentence where the
 * settings do not suit the log.
 */
export async function logKindOrExit(
  database: Database,
  settings: KindSettings,
  log: Logger,
): Promise<LogKind> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await suitableLogKind(database, settings);
    } catch (error) {
      if (error instanceof SettingsError) {
        process.stderr.write(`${error.message}\n`);
        process.exit(1);
      }
      if (failures === 0) log.warn({ err: error }, 'the kind of the log cannot be read yet');
      await sleep(1000);
    }
  }
}
