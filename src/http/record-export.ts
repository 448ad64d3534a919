import { LRUCache } from 'lru-cache';
import { LedgerAway, type Reach } from '../cache/reach.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type ExportFilter, exportFilter } from '../record/export-filter.ts';
import { exportRows, recordVersion } from '../record/export-rows.ts';
import { recordCsv } from '../record/record-csv.ts';
import { recordJson, recordJsonSchema } from '../record/record-json.ts';
import { recordRss, settledPicks } from '../record/record-rss.ts';
import { type Finished, finished, sendFinished, sizeOf } from './finished.ts';
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

const cacheControl = 'public, s-maxage=900, stale-while-revalidate=3600';

/**
 * `/record/export.json`, `/record/export.csv`, `/record/rss.xml` and the schema of the first. The exports never answer a 4xx or 5xx for a
 * filter, nor because the data store is out of reach. An export is kept for as long as the record has not grown.
 */
export function recordExportRoutes(deps: RecordExportDeps): Route[] {
  const kept = new LRUCache<string, Finished>({ maxSize: 32 * 2 ** 20, sizeCalculation: sizeOf });

  async function current(
    { path, text, contentType, stamp }: Format,
    filter: ExportFilter,
  ): Promise<Finished> {
    const key = JSON.stringify([path, await recordVersion(deps.database), filter]);
    const made = kept.get(key) ?? finished(await text(filter), contentType, stamp);
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
          await sendFinished(ctx, await deps.reach.use(() => current(format, filter)), cacheControl);
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
