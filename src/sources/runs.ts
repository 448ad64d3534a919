import { createHash } from 'node:crypto';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import type { LeftOut } from './answer.ts';
import { Unanswered, Unreadable } from './http.ts';
import type { PollDeps } from './poll-deps.ts';

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
  /** The next poll; null if nothing is to be requested. */
  nextAt: number | null;
  quotaRemaining: number | null;
  quotaUsed: number | null;
  /** Start of the credit period, and the credits left then. */
  quotaFrom: number | null;
  quotaAtStart: number | null;
  etag: string | null;
  lastModified: string | null;
  keyHash: string | null;
  /** Games in the last answer of a schedule, and in an earlier one for comparison. */
  listed: number | null;
  listedUsually: number | null;
  usualAt: number | null;
  /** Ignored parts of the last answer. */
  leftOut: LeftOut;
}

const columns = inCamelCase(
  'source ran_at ok message succeeded_at failures next_at quota_remaining quota_used quota_from quota_at_start etag last_modified key_hash listed listed_usually usual_at left_out',
) satisfies Record<keyof SourceRun, string>;

export async function readRuns(database: Database, prefix: string): Promise<Map<string, SourceRun>> {
  const rows: SourceRun[] = await database('source_runs')
    .whereRaw('starts_with(source, ?)', [prefix])
    .select(columns);
  return new Map(rows.map((row) => [row.source, row]));
}

/** Optional fields of a run; absent ones keep their value. */
export type RunFields = Partial<
  Omit<SourceRun, 'source' | 'ranAt' | 'ok' | 'message' | 'succeededAt' | 'failures' | 'leftOut'>
>;

/**
 * Records a run.
 * @param leftOut ignored parts of the answer
 */
export async function recordRun(
  database: Database,
  source: string,
  now: EpochMs,
  ok: boolean,
  message: string,
  fields: RunFields = {},
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
    ...stored(fields),
  };
  const insert = database('source_runs').insert(row);
  await insert
    .onConflict('source')
    .merge({ ...row, failures: ok ? 0 : database.raw('source_runs.failures + 1') });
}

/**
 * Records a feed without a readable answer, and retries it with backoff.
 * @param title of the source, for the message
 * @param how.leastMs shortest pause before the next request. Default: as the error says
 * @param how.mostMs longest pause
 * @param how.consequence behind the error, in the message
 */
export async function recordFailure(
  { database, clock, log }: Pick<PollDeps<unknown>, 'database' | 'clock' | 'log'>,
  source: string,
  title: string,
  error: unknown,
  run: SourceRun | undefined,
  how: { leastMs?: number; mostMs?: number; consequence?: string } & RunFields = {},
): Promise<void> {
  if (!(error instanceof Unanswered || error instanceof Unreadable)) throw error;
  const ownMs = error instanceof Unanswered ? error.awayMs : 0;
  const { leastMs = ownMs, mostMs = Number.POSITIVE_INFINITY, consequence = '', ...fields } = how;
  const now = clock.now();
  const nextAt = now + Math.min(Math.max(backoffMs((run?.failures ?? 0) + 1), leastMs), mostMs);
  log.warn({ source, err: error.message }, 'provider feed failed: retrying with backoff');
  const message = `${title}: ${error.message}${consequence}.`;
  await recordRun(database, source, now, false, message, { nextAt, ...fields });
}

/** Adds sources that have not been polled yet. */
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

/** Updates fields of a source outside a run. */
export async function updateRun(database: Database, source: string, fields: RunFields): Promise<void> {
  if (Object.keys(fields).length > 0) await database('source_runs').where({ source }).update(stored(fields));
}

/**
 * Deletes the sources with this name prefix except those given, so that disabled ones do not count as late. Their requests go too: a feed
 * that is enabled again asks for everything.
 */
export async function forgetRuns(database: Database, prefix: string, keep: readonly string[]): Promise<void> {
  await database('source_runs')
    .whereRaw('starts_with(source, ?)', [prefix])
    .whereNotIn('source', keep)
    .delete();
  await database('source_requests')
    .whereRaw('starts_with(source, ?)', [prefix])
    .whereNotIn(
      'source',
      keep.map((source) => source.replace(/\/[^/]+$/, '')),
    )
    .delete();
}

/** Reports whether a plan changed by more than a minute. Smaller changes happen all the time and are not stored. */
export function isOtherPlan(before: number | null, after: number | null): boolean {
  return before === null || after === null ? before !== after : Math.abs(before - after) > 60_000;
}

function stored(fields: RunFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      columns[field as keyof RunFields],
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

/** Returns the backoff in ms after consecutive failures: a minute, doubled each time, at most an hour. */
export function backoffMs(failures: number): number {
  return Math.min(60_000 * 2 ** Math.max(0, failures - 1), 3_600_000);
}

/** Returns the SHA-256 of a text in hex, to compare secrets and addresses without storing them. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
