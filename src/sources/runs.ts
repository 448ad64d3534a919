import { createHash } from 'node:crypto';
import type { Database } from '../platform/database.ts';

/** How a feed is doing. Instants in epoch milliseconds. */
export interface SourceRun {
  source: string;
  /** null: not asked yet. */
  ranAt: number | null;
  ok: boolean;
  /** A sentence for the operator; never a credential. */
  message: string;
  succeededAt: number | null;
  /** Failures in a row. */
  failures: number;
  /** When it is asked next; null: not before there is something to ask. */
  nextAt: number | null;
  quotaRemaining: number | null;
  quotaUsed: number | null;
  /** Since when credits are counted, and how many were left then. */
  quotaFrom: number | null;
  quotaAtStart: number | null;
  etag: string | null;
  lastModified: string | null;
  keyHash: string | null;
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
} as const satisfies Record<keyof SourceRun, string>;

/** The runs of the sources whose names begin so, by name. */
export async function readRuns(database: Database, prefix: string): Promise<Map<string, SourceRun>> {
  const rows: SourceRun[] = await database('source_runs')
    .whereRaw('starts_with(source, ?)', [prefix])
    .select(columns);
  return new Map(rows.map((row) => [row.source, row]));
}

/** What is to be remembered of a run beside whether it went well; what is left out stays as it was. */
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
  >
>;

/** Remembers a run. @param now epoch milliseconds */
export async function recordRun(
  database: Database,
  source: string,
  now: number,
  ok: boolean,
  message: string,
  facts: RunFacts = {},
): Promise<void> {
  const row = {
    source,
    ran_at: new Date(now),
    ok,
    message: plain(message),
    failures: ok ? 0 : 1,
    ...(ok ? { succeeded_at: new Date(now) } : {}),
    ...stored(facts),
  };
  const insert = database('source_runs').insert(row);
  await insert
    .onConflict('source')
    .merge({ ...row, failures: ok ? 0 : database.raw('source_runs.failures + 1') });
}

/** Notes sources that are to be asked from now on. */
export async function noteSources(
  database: Database,
  sources: readonly string[],
  now: number,
): Promise<void> {
  if (sources.length === 0) return;
  const rows = sources.map((source) => ({
    source,
    ok: true,
    message: 'Not asked yet.',
    failures: 0,
    next_at: new Date(now),
  }));
  await database('source_runs').insert(rows).onConflict('source').ignore();
}

/** Remembers something of a source without a run of it. */
export async function noteFacts(database: Database, source: string, facts: RunFacts): Promise<void> {
  if (Object.keys(facts).length > 0) await database('source_runs').where({ source }).update(stored(facts));
}

/** Forgets the sources whose names begin so, but for those given: they are not asked any more, and must not seem late. */
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
      (field === 'nextAt' || field === 'quotaFrom') && value !== null ? new Date(value as number) : value,
    ]),
  );
}

/** Without control characters, and short: it may hold what a provider said. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, 500) || '-';
}

/** Milliseconds to keep away after so many failures in a row: a minute, doubled each time, at most an hour. */
export function backoffMs(failures: number): number {
  return Math.min(60_000 * 2 ** Math.max(0, failures - 1), 3_600_000);
}

/** A text's SHA-256 in hex: for telling secrets and addresses apart without keeping them. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
