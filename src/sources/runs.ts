import { createHash } from 'node:crypto';
import type { Database } from '../platform/database.ts';
import type { LeftOut } from './answer.ts';

/** State of a feed. Instants in epoch milliseconds. */
export interface SourceRun {
  source: string;
  /** Null: not polled yet. */
  ranAt: number | null;
  ok: boolean;
  /** For the operator; never contains a credential. */
  message: string;
  succeededAt: number | null;
  /** Failures in a row. */
  failures: number;
  /** The next poll; null while there is nothing to ask. */
  nextAt: number | null;
  quotaRemaining: number | null;
  quotaUsed: number | null;
  /** Start of the credit period, and the credits left then. */
  quotaFrom: number | null;
  quotaAtStart: number | null;
  etag: string | null;
  lastModified: string | null;
  keyHash: string | null;
  /** Games in the last answer of a schedule, and in an earlier one that it is compared with. */
  listed: number | null;
  listedUsually: number | null;
  usualAt: number | null;
  /** What the last run left out. */
  leftOut: LeftOut;
}

const columns = {
  source: 'source',
  ranAt: 'ran_at',
  ok: 'ok',
  message: 'message',
  succeededAt: 'succeeded_at',
  failures: 'failures',
  nextAt: 'next_at',
  quotaRemaining: 'quota_remaining',
  quotaUsed: 'quota_used',
  quotaFrom: 'quota_from',
  quotaAtStart: 'quota_at_start',
  etag: 'etag',
  lastModified: 'last_modified',
  keyHash: 'key_hash',
  listed: 'listed',
  listedUsually: 'listed_usually',
  usualAt: 'usual_at',
  leftOut: 'left_out',
} as const satisfies Record<keyof SourceRun, string>;

/** Runs of the sources with this name prefix, by name. */
export async function readRuns(database: Database, prefix: string): Promise<Map<string, SourceRun>> {
  const rows: SourceRun[] = await database('source_runs')
    .whereRaw('starts_with(source, ?)', [prefix])
    .select(columns);
  return new Map(rows.map((row) => [row.source, row]));
}

/** Further facts of a run; absent ones keep their value. */
export type RunFacts = Partial<
  Pick<
    SourceRun,
    | 'nextAt'
    | 'quotaRemaining'
    | 'quotaUsed'
    | 'quotaFrom'
    | 'quotaAtStart'
    | 'etag'
    | 'lastModified'
    | 'keyHash'
    | 'listed'
    | 'listedUsually'
    | 'usualAt'
  >
>;

/**
 * Records a run.
 * @param now epoch milliseconds
 * @param leftOut what it left out of the answer
 */
export async function recordRun(
  database: Database,
  source: string,
  now: number,
  ok: boolean,
  message: string,
  facts: RunFacts = {},
  leftOut: LeftOut = {},
): Promise<void> {
  const row = {
    source,
    ran_at: new Date(now),
    ok,
    message: plain(message),
    failures: ok ? 0 : 1,
    left_out: JSON.stringify(leftOut),
    ...(ok ? { succeeded_at: new Date(now) } : {}),
    ...stored(facts),
  };
  const insert = database('source_runs').insert(row);
  await insert
    .onConflict('source')
    .merge({ ...row, failures: ok ? 0 : database.raw('source_runs.failures + 1') });
}

/** Adds sources that are polled from now on. */
export async function noteSources(
  database: Database,
  sources: readonly string[],
  now: number,
): Promise<void> {
  if (sources.length === 0) return;
  const rows = sources.map((source) => ({
    source,
    ok: true,
    message: 'Not polled yet.',
    failures: 0,
    next_at: new Date(now),
  }));
  await database('source_runs').insert(rows).onConflict('source').ignore();
}

/** Updates facts of a source outside a run. */
export async function noteFacts(database: Database, source: string, facts: RunFacts): Promise<void> {
  if (Object.keys(facts).length > 0) await database('source_runs').where({ source }).update(stored(facts));
}

/** Deletes the sources with this name prefix except those given: they are no longer polled and must not count as late. */
export async function forgetRuns(database: Database, prefix: string, keep: readonly string[]): Promise<void> {
  await database('source_runs')
    .whereRaw('starts_with(source, ?)', [prefix])
    .whereNotIn('source', keep)
    .delete();
}

function stored(facts: RunFacts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([field, value]) => [
      columns[field as keyof RunFacts],
      (field === 'nextAt' || field === 'quotaFrom' || field === 'usualAt') && value !== null
        ? new Date(value as number)
        : value,
    ]),
  );
}

/** Removes control characters and shortens the text: it may quote a provider. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, 500) || '-';
}

/** Backoff in milliseconds after consecutive failures: a minute, doubled each time, at most an hour. */
export function backoffMs(failures: number): number {
  return Math.min(60_000 * 2 ** Math.max(0, failures - 1), 3_600_000);
}

/** SHA-256 of a text in hex: compares secrets and addresses without storing them. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
