import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { etDay } from '../rules/et-day.ts';

const hour = 3_600_000;

/** The last request of a kind to a feed. Instants in epoch milliseconds. */
export interface SourceRequest {
  source: string;
  /** The form of asking, and what for, such as `month 202611`. */
  request: string;
  askedAt: number;
  etag: string | null;
  lastModified: string | null;
  /** The refusal, with the request as sent; null if it was answered. */
  refusal: string | null;
  /** The reason to doubt the answer, and when it was first found. */
  finding: string | null;
  foundAt: number | null;
}

/** How long a refusal counts, in ms. After that, the form is tried again. */
const refusedMs = 24 * hour;
/** How long a request for a past day is remembered, in ms. After that, it is made again if picks still wait. */
const pastMs = 30 * 24 * hour;
/** How long a finding counts without another request, in ms: longer than any interval between requests, or until a refused form is tried. */
const findingMs = { answered: 13 * hour, refused: 25 * hour };

const columns = inCamelCase(
  'source request asked_at etag last_modified refusal finding found_at',
) satisfies Record<keyof SourceRequest, string>;

/** Returns the requests that still matter to feeds with this name prefix, and deletes older ones. */
export async function readRequests(
  database: Database,
  prefix: string,
  now: number,
): Promise<SourceRequest[]> {
  return database('source_requests')
    .whereRaw('starts_with(source, ?)', [prefix])
    .where('asked_at', '>', new Date(now - 2 * refusedMs))
    .orderBy(['source', 'request'])
    .select(columns);
}

/** Records a request. A finding keeps the time at which it was first made. */
export async function noteRequest(
  database: Database,
  { source, request, ...row }: Omit<SourceRequest, 'foundAt' | 'askedAt'>,
  now: number,
): Promise<void> {
  const at = new Date(now);
  await database('source_requests')
    .where('asked_at', '<', new Date(now - 2 * refusedMs))
    .where((row) =>
      row.whereNot('request', 'like', 'past %').orWhere('asked_at', '<', new Date(now - pastMs)),
    )
    .delete();
  const { etag, lastModified: last_modified, refusal, finding } = row;
  const fields = { asked_at: at, etag, last_modified, refusal: short(refusal), finding: short(finding) };
  await database('source_requests')
    .insert({ source, request, ...fields, found_at: finding === null ? null : at })
    .onConflict(['source', 'request'])
    .merge({
      ...fields,
      found_at:
        finding === null ? null : database.raw('coalesce(source_requests.found_at, ?::timestamptz)', [at]),
    });
}

const short = (text: string | null) => text?.slice(0, 300) ?? null;

/** Counts a request, whatever its answer, on the present ET day. */
export async function countRequest(database: Database, source: string, now: number): Promise<void> {
  await database('source_days')
    .insert({ source, day: etDay(now), requests: 1 })
    .onConflict(['source', 'day'])
    .merge({ requests: database.raw('source_days.requests + 1') });
}

/** Reports whether a form was refused within the last day. */
export function isRefused({ refusal, askedAt }: SourceRequest, now: number): boolean {
  return refusal !== null && now - askedAt < refusedMs;
}

function isCurrent({ refusal, finding, askedAt }: SourceRequest, now: number): boolean {
  return finding !== null && now - askedAt < findingMs[refusal === null ? 'answered' : 'refused'];
}

/** Returns the requests of all feeds whose answers are wrong, by the time at which that was found. */
export async function readFindings(database: Database, now: number): Promise<SourceRequest[]> {
  const rows = await readRequests(database, '', now);
  return rows.filter((row) => isCurrent(row, now)).sort((a, b) => a.foundAt! - b.foundAt!);
}

/** Returns what is refused and what is wrong with answers, in sentences. */
export function remarksOn(requests: readonly SourceRequest[], now: number): string {
  return requests
    .flatMap((row) => [
      ...(isRefused(row, now) ? [` Refused: ${row.refusal}.`] : []),
      ...(isCurrent(row, now) ? [` Finding (${row.request}): ${row.finding}.`] : []),
    ])
    .join('');
}
