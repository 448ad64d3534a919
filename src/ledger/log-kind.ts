import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import { type Config, SettingsError } from '../platform/config/config.ts';
import { faultsMessage } from '../platform/config/read.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { LogKind } from '../rules/vocabulary.ts';

export interface KindSettings {
  process: Pick<Config['process'], 'clock'>;
  /** Only some processes have the setting DEMO. */
  site: Partial<Pick<Config['site'], 'demo'>>;
}

export function newLogKind({ process, site }: KindSettings): LogKind {
  if (site.demo) return 'demo';
  return process.clock === undefined ? 'live' : 'replay';
}

/** @throws Error if the database is not migrated */
export async function readLogKind(database: Database): Promise<LogKind> {
  const row: { kind: LogKind } | undefined = await database('log_kind').first('kind');
  if (row === undefined) throw new Error('the table log_kind is empty: run `public-picks migrate`');
  return row.kind;
}

/**
 * Returns the time for decisions that cannot be undone. In a live log it is the earlier of this machine's clock and PostgreSQL's, so that a
 * fast machine closes no pick before its game starts. In a demo it is never later than the demo's progress.
 */
export async function decisionTime(database: Database, clock: Clock): Promise<EpochMs> {
  return Math.min(clock.now(), (await clockOf(database, `${ofLive} ${ofDemo}`)) ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the time that a checkpoint is signed with. In a live log it is PostgreSQL's, by which picks are timed: with this machine's, a
 * clock that is slow would sign picks before they were posted.
 */
export async function signingTime(database: Database, clock: Clock): Promise<EpochMs> {
  return (await databaseNow(database)) ?? decisionTime(database, clock);
}

/**
 * Returns the time by which incoming scores, results, and prices are judged. In a live log it is the later of this machine's clock and
 * PostgreSQL's. A slow machine then does not refuse a result because its game has not ended yet.
 */
export async function intakeTime(database: Database, clock: Clock): Promise<EpochMs> {
  return Math.max(clock.now(), (await databaseNow(database)) ?? Number.NEGATIVE_INFINITY);
}

/** Tolerated difference from PostgreSQL's clock, in ms. The database refuses picks that are a minute off. */
const maxSkewMs = 30_000;

const compareAgainMs = 60_000;

/**
 * Creates the clock that times live picks. It is this machine's clock, or PostgreSQL's if the log is live and the two differ by more than
 * half a minute. The clocks are compared at the first pick, then every minute, and after each jump of this machine's clock.
 */
export function createPostingTime(database: Database, clock: Clock): () => Promise<EpochMs> {
  let comparedAt = Number.NEGATIVE_INFINITY;
  let base = 0;
  let correction = 0;
  return async () => {
    // Monotonic: unaffected when the machine's clock jumps.
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

/** Undefined if the log is not live. */
function databaseNow(database: Database): Promise<EpochMs | undefined> {
  return clockOf(database, ofLive);
}

const ofLive = "when 'live' then clock_timestamp()";
const ofDemo = "when 'demo' then (select until from demo_progress)";

/** Undefined if `cases` omits the log's kind, and before a demo begins. */
async function clockOf(database: Database, cases: string): Promise<EpochMs | undefined> {
  const { rows }: { rows: { now: number | null }[] } = await database.raw(
    `select extract(epoch from case kind ${cases} end)::float8 * 1000 as now from log_kind`,
  );
  const now = rows[0]?.now ?? undefined;
  return now === undefined ? undefined : Math.floor(now);
}

/** @throws SettingsError if the log is live and the settings are for another kind */
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

/** Waits for the database. If the settings do not suit the log, prints the reason and exits with status 1. */
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
      if (failures === 0)
        log.warn({ err: error }, 'cannot read the kind of the log yet; retrying every second');
      await sleep(1000);
    }
  }
}
