import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { LedgerAway, type Reach } from '../cache/reach.ts';
import type { Coding } from '../cache/rendered.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type ExportFilter, exportFilter } from '../record/export-filter.ts';
import { exportRows, recordVersion } from '../record/export-rows.ts';
import { recordCsv } from '../record/record-csv.ts';
import { recordJson, recordJsonSchema } from '../record/record-json.ts';
import { recordRss, settledPicks } from '../record/record-rss.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import type { Route } from './routes.ts';

export interface RecordExportDeps {
  database: Database;
  reach: Reach;
  clock: Clock;
  baseUrl: string;
  /** Where people find help with gambling. */
  helpLine: string;
}

/** One form of the record. */
interface Format {
  path: string;
  contentType: string;
  /** What stands before the first instant, where that is when the text was made. */
  stamp?: string;
  text(filter: ExportFilter): Promise<string>;
  /** What is said while the ledger is out of reach. */
  unreachable(filter: ExportFilter): string;
}

/** A finished export, and the codings of it that were asked for so far. */
interface Export {
  etag: string;
  bytes: Partial<Record<Coding, Buffer>> & { identity: Buffer };
}

/**
 * `/record/export.json`, `/record/export.csv`, `/record/rss.xml` and the schema of the first. The exports never answer a 4xx or 5xx for a
 * filter, nor because the data store is out of reach. An export is kept for as long as the record has not grown.
 */
export function recordExportRoutes(deps: RecordExportDeps): Route[] {
  const kept = new LRUCache<string, Export>({
    maxSize: 32 * 2 ** 20,
    sizeCalculation: ({ bytes }) => Object.values(bytes).reduce((sum, each) => sum + each.length, 1000),
  });

  async function current(format: Format, filter: ExportFilter): Promise<Export> {
    const key = JSON.stringify([format.path, await recordVersion(deps.database), filter]);
    const before = kept.get(key);
    if (before !== undefined) return before;
    const identity = Buffer.from(await format.text(filter));
    const made = { etag: entityTag(identity, format.stamp), bytes: { identity } };
    kept.set(key, made);
    return made;
  }

  const exports = formatsOf(deps).map((format): Route => {
    const { path, contentType } = format;
    return {
      method: 'GET',
      path,
      async handle(ctx) {
        const { filter, ignored } = exportFilter(new URLSearchParams(ctx.querystring));
        ctx.set('X-Robots-Tag', 'noindex');
        if (ignored.length > 0) ctx.set('X-Ignored-Parameters', ignored.join(', '));
        try {
          await send(ctx, await deps.reach.use(() => current(format, filter)), contentType);
        } catch (error) {
          if (!(error instanceof LedgerAway)) throw error;
          // An outage is not to be remembered by caches on the way.
          ctx.set('Cache-Control', 'no-store');
          ctx.body = format.unreachable(filter);
          ctx.set('Content-Type', contentType);
        }
      },
    };
  });
  return [...exports, schemaRoute(deps.baseUrl)];
}

function formatsOf({ database, clock, baseUrl, helpLine }: RecordExportDeps): Format[] {
  const site = { baseUrl, helpLine };
  return [
    {
      path: '/record/export.json',
      contentType: 'application/json; charset=utf-8',
      stamp: '"generated_at":"',
      text: async (filter) => recordJson(await exportRows(database, filter), filter, baseUrl, clock.now()),
      unreachable: (filter) => recordJson(undefined, filter, baseUrl, clock.now()),
    },
    {
      path: '/record/export.csv',
      contentType: 'text/csv; charset=utf-8; header=present',
      text: async (filter) => recordCsv(await exportRows(database, filter), baseUrl),
      unreachable: () => recordCsv(undefined, baseUrl),
    },
    {
      path: '/record/rss.xml',
      contentType: 'application/rss+xml; charset=utf-8',
      text: async (filter) => recordRss(await settledPicks(database, filter, baseUrl), filter, site),
      unreachable: (filter) => recordRss(undefined, filter, site),
    },
  ];
}

function schemaRoute(baseUrl: string): Route {
  return {
    method: 'GET',
    path: '/record/export.schema.json',
    handle(ctx) {
      ctx.set('Cache-Control', 'public, max-age=86400');
      ctx.body = recordJsonSchema(baseUrl);
      ctx.set('Content-Type', 'application/schema+json; charset=utf-8');
    },
  };
}

async function send(ctx: Context, { etag, bytes }: Export, contentType: string): Promise<void> {
  ctx.set('Cache-Control', 'public, s-maxage=900, stale-while-revalidate=3600');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.set('ETag', etag);
  if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  bytes[coding] ??= await compressed(bytes.identity, coding);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = bytes[coding];
  ctx.set('Content-Type', contentType);
}

/** Over the bytes, save for the instant that stands behind a stamp: when they were made. */
function entityTag(bytes: Buffer, stamp: string | undefined): string {
  const hash = createHash('sha256');
  const at = stamp === undefined ? 0 : bytes.indexOf(stamp) + stamp.length;
  const from = stamp === undefined ? 0 : bytes.indexOf('"', at);
  hash.update(bytes.subarray(0, at)).update(bytes.subarray(from));
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}
