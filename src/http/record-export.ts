import { LRUCache } from 'lru-cache';
import { type TSchema, Type } from 'typebox';
import { type Availability, LedgerUnavailable } from '../platform/availability.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type ExportFilter, exportFilter, rowCap } from '../record/export-filter.ts';
import { exportRows, recordVersion } from '../record/export-rows.ts';
import { recordCsv } from '../record/record-csv.ts';
import { recordJson, recordJsonSchema } from '../record/record-json.ts';
import { recordRss, settledPicks } from '../record/record-rss.ts';
import { type Answer, cacheControl } from './answer.ts';
import { type Finished, finished } from './finished.ts';
import { type Route, route } from './routes.ts';

export interface RecordExportDeps {
  database: Database;
  availability: Availability;
  clock: Clock;
  baseUrl: string;
  /** The problem gambling help line, as people say it. */
  helpLine: string;
}

/** One form of the record. */
interface Format {
  path: string;
  /** The OpenAPI `operationId`. */
  id: string;
  about: string;
  type: string;
  schema: TSchema;
  /** The text before the instant at which an export was made; default: it names none. */
  stamp?: string;
  text(filter: ExportFilter): Promise<string>;
  /** The text while the ledger is unavailable. */
  unavailable(filter: ExportFilter): string;
}

const query = Type.Object({
  since: Type.Optional(
    Type.String({ description: 'Only picks posted at or after this date or instant (ISO 8601).' }),
  ),
  sport: Type.Optional(Type.String({ description: 'One sport key.' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: rowCap,
    default: 1000,
    description: 'The maximum number of rows.',
  }),
  after_id: Type.Optional(
    Type.Integer({ description: 'Only rows with a larger `id`, in its order: to page through everything.' }),
  ),
});

/**
 * `/record/export.json`, `/record/export.csv`, `/record/rss.xml` and the schema of the first. The exports never answer a 4xx or 5xx for a
 * filter, nor because the ledger is unavailable. An export is kept until the record grows.
 */
export function recordExportRoutes(deps: RecordExportDeps): Route[] {
  const kept = new LRUCache<string, Finished>({
    maxSize: 32 * 2 ** 20,
    sizeCalculation: ({ size }) => size,
  });

  async function current({ path, text, type, stamp }: Format, filter: ExportFilter): Promise<Finished> {
    const key = JSON.stringify([path, await recordVersion(deps.database), filter]);
    const made = kept.get(key) ?? finished(await text(filter), type, stamp);
    kept.set(key, made);
    return made;
  }

  const exports = formatsOf(deps).map((format) =>
    route({
      method: 'GET',
      path: format.path,
      lifetime: 'public, s-maxage=900, stale-while-revalidate=3600',
      query,
      reference: {
        id: format.id,
        section: 'record',
        about: format.about,
        answer: { type: format.type, schema: format.schema },
        examples: [{}, { limit: '2' }],
      },
      async handle({ search }): Promise<Answer> {
        const { filter, ignored } = exportFilter(search);
        const headers = {
          'X-Robots-Tag': 'noindex',
          ...(ignored.length > 0 ? { 'X-Ignored-Parameters': ignored.join(', ') } : {}),
        };
        try {
          const { type, etag, body } = await deps.availability.run(() => current(format, filter));
          return { type, etag, body, headers };
        } catch (error) {
          if (!(error instanceof LedgerUnavailable)) throw error;
          // Caches must not remember an outage.
          return {
            type: format.type,
            headers,
            lifetime: cacheControl.none,
            body: format.unavailable(filter),
          };
        }
      },
    }),
  );
  return [...exports, schemaRoute(deps.baseUrl)];
}

function formatsOf({ database, clock, baseUrl, helpLine }: RecordExportDeps): Format[] {
  const site = { baseUrl, helpLine };
  return [
    {
      path: '/record/export.json',
      id: 'getRecordJson',
      about: 'Every pick of the record as JSON. A filter that cannot be read falls back to its default.',
      type: 'application/json; charset=utf-8',
      schema: { ...recordJsonSchema(baseUrl), title: 'RecordExport' },
      stamp: '"generated_at":"',
      text: async (filter) => recordJson(await exportRows(database, filter), filter, baseUrl, clock.now()),
      unavailable: (filter) => recordJson(undefined, filter, baseUrl, clock.now()),
    },
    {
      path: '/record/export.csv',
      id: 'getRecordCsv',
      about: 'Every pick of the record as CSV (RFC 4180).',
      type: 'text/csv; charset=utf-8; header=present',
      schema: Type.String(),
      text: async (filter) => recordCsv(await exportRows(database, filter), baseUrl),
      unavailable: () => recordCsv(undefined, baseUrl),
    },
    {
      path: '/record/rss.xml',
      id: 'getRecordRss',
      about: 'The settled picks of the record as RSS, at most 100, the latest first.',
      type: 'application/rss+xml; charset=utf-8',
      schema: Type.String(),
      text: async (filter) => recordRss(await settledPicks(database, filter, baseUrl), filter, site),
      unavailable: (filter) => recordRss(undefined, filter, site),
    },
  ];
}

function schemaRoute(baseUrl: string): Route {
  return {
    method: 'GET',
    path: '/record/export.schema.json',
    lifetime: cacheControl.exactly(86_400),
    handle: () => ({ type: 'application/schema+json; charset=utf-8', body: recordJsonSchema(baseUrl) }),
  };
}
