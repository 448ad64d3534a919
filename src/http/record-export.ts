import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Coding } from '../cache/rendered.ts';
import { type Availability, LedgerUnavailable } from '../platform/availability.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type ExportFilter, exportFilter } from '../record/export-filter.ts';
import { type ExportRow, exportRows, recordVersion } from '../record/export-rows.ts';
import { recordCsv } from '../record/record-csv.ts';
import { recordJson, recordJsonSchema } from '../record/record-json.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import type { Route } from './routes.ts';

export interface RecordExportDeps {
  database: Database;
  availability: Availability;
  clock: Clock;
  baseUrl: string;
}

type Format = 'json' | 'csv';

/** A finished export, and the codings of it that were asked for so far. */
interface Export {
  etag: string;
  bytes: Partial<Record<Coding, Buffer>> & { identity: Buffer };
}

const contentTypes = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

/**
 * `/record/export.json`, `/record/export.csv` and the schema of the former. They never answer a 4xx or 5xx for a filter, nor because
 * the data store is out of reach (interface, section 7). An export is kept for as long as the record has not grown.
 */
export function recordExportRoutes({ database, availability, clock, baseUrl }: RecordExportDeps): Route[] {
  const kept = new LRUCache<string, Export>({
    maxSize: 32 * 2 ** 20,
    sizeCalculation: ({ bytes }) => Object.values(bytes).reduce((sum, each) => sum + each.length, 1000),
  });

  function textOf(format: Format, rows: readonly ExportRow[] | undefined, filter: ExportFilter): string {
    return format === 'json' ? recordJson(rows, filter, baseUrl, clock.now()) : recordCsv(rows, baseUrl);
  }

  async function current(format: Format, filter: ExportFilter): Promise<Export> {
    const key = JSON.stringify([format, await recordVersion(database), filter]);
    const before = kept.get(key);
    if (before !== undefined) return before;
    const rows = await exportRows(database, filter);
    const identity = Buffer.from(textOf(format, rows, filter));
    const made = { etag: entityTag(format, identity), bytes: { identity } };
    kept.set(key, made);
    return made;
  }

  function route(format: Format): Route {
    return {
      method: 'GET',
      path: `/record/export.${format}`,
      async handle(ctx) {
        const filter = exportFilter(new URLSearchParams(ctx.querystring));
        ctx.set('Content-Type', contentTypes[format]);
        ctx.set('X-Robots-Tag', 'noindex');
        try {
          await send(ctx, await availability.run(() => current(format, filter)));
        } catch (error) {
          if (!(error instanceof LedgerUnavailable)) throw error;
          // An outage is not to be remembered by caches on the way.
          ctx.set('Cache-Control', 'no-store');
          ctx.body = textOf(format, undefined, filter);
          ctx.set('Content-Type', contentTypes[format]);
        }
      },
    };
  }

  return [
    route('json'),
    route('csv'),
    {
      method: 'GET',
      path: '/record/export.schema.json',
      handle(ctx) {
        ctx.set('Cache-Control', 'public, max-age=86400');
        ctx.body = recordJsonSchema(baseUrl);
        ctx.set('Content-Type', 'application/schema+json; charset=utf-8');
      },
    },
  ];
}

async function send(ctx: Context, { etag, bytes }: Export): Promise<void> {
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
  const type = ctx.response.get('Content-Type');
  ctx.body = bytes[coding];
  ctx.set('Content-Type', type);
}

const generatedAt = '"generated_at":"';

/** Over the bytes, save for when they were made, which is the first instant in the JSON. */
function entityTag(format: Format, bytes: Buffer): string {
  const hash = createHash('sha256');
  const at = format === 'json' ? bytes.indexOf(generatedAt) + generatedAt.length : 0;
  const from = format === 'json' ? bytes.indexOf('"', at) : 0;
  hash.update(bytes.subarray(0, at)).update(bytes.subarray(from));
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}
