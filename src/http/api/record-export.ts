import { LRUCache } from 'lru-cache';
import type { TSchema } from 'typebox';
import { type Answers, type Built, builtOf } from '../../answers/answers.ts';
import type { Coding } from '../../answers/coded.ts';
import { oddsParam } from '../../boards/formats/odds-text.ts';
import { type Availability, DatabaseUnavailable } from '../../platform/availability.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Overloaded } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Read } from '../../platform/replica.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent } from '../../projections/tags.ts';
import { defaultLimit, type ExportFilter, exportFilter, rowCap } from '../../record/export-filter.ts';
import { type RecordWriter, readRecord, recordVersion } from '../../record/export-rows.ts';
import {
  recordCsv,
  recordJson,
  recordJsonSchema,
  recordParquet,
  unreachableCsv,
  unreachableJson,
  untimed,
} from '../../record/record-json.ts';
import { recordRss, settledPicks } from '../../record/record-rss.ts';
import { type Answer, cacheControl } from '../answer.ts';
import { described, type Route } from '../routes.ts';
import { preferredCoding } from '../transport/headers.ts';

export interface RecordExportDeps {
  database: Database;
  availability: Availability;
  clock: Clock;
  baseUrl: string;
  helpLine: string;
  read: Read;
  answers: Pick<Answers, 'built'>;
  /** Default: never. */
  isFull?: (() => boolean) | undefined;
  log: Logger;
}

export const exportPaths = [
  '/record/export.json',
  '/record/export.csv',
  '/record/export.parquet',
  '/record/rss.xml',
] as const;

interface Format {
  path: (typeof exportPaths)[number];
  kind: 'json' | 'csv' | 'parquet' | 'rss';
  id: string;
  about: string;
  type: string;
  schema: TSchema;
  build(filter: ExportFilter, feed: Feed, coding: Coding): Promise<Built>;
  unavailable(filter: ExportFilter, feed: Feed): string | Buffer;
}

type Feed = Pick<ReturnType<typeof exportFilter>, 'odds' | 'cursor'>;

/** Number of filters that are remembered: an export is kept from its second request on, so that one-off requests do not evict boards. */
const rememberedFilters = 2000;

/** Tag of answers that claim that the ledger is available. It is bumped when PostgreSQL becomes unavailable. */
export const ledgerAvailable = 'ledger-available';

const tags = [...everyEvent, ledgerAvailable];

/** How long an export is served without checking PostgreSQL, whose outage it must report, in ms (docs/rules/answers.md#the-record-export). */
const reachableMs = 1000;

/** Longest wait for the record's version, in ms: slower means unreachable. */
const versionMs = 4000;

/** Seconds until a client that got no rows may retry. */
const retryAfter = 10;

const query = Type.Object({
  since: Type.Optional(Field.text('Only picks posted at or after this date or time (ISO 8601).')),
  sport: Type.Optional(Field.text('One sport key.')),
  limit: Type.Integer({
    minimum: 1,
    maximum: rowCap,
    default: defaultLimit,
    description: 'The maximum number of rows.',
  }),
  capper: Type.Optional(Field.text('Only picks by this capper.')),
  after_id: Type.Optional(
    Field.integer('Only rows with a larger `id`, sorted by it. Use it to page through everything.'),
  ),
});

const feedQuery = Type.Object({
  ...query.properties,
  cursor: Type.Optional(Field.text('Only items before that of the cursor, as in the `prev-archive` link.')),
  odds: oddsParam,
});

/**
 * Serves the record as JSON, CSV, Parquet, and RSS, and the JSON schema. Exports never answer 4xx or 5xx: without the
 * ledger, under overload, and after internal errors they answer 200 without rows. An export is kept from its second request on, until the
 * record grows.
 */
export function recordExportRoutes(deps: RecordExportDeps): Route[] {
  const { database, availability, answers, log, isFull = () => false } = deps;
  const asked = new LRUCache<string, true>({ max: rememberedFilters });

  const exports = formatsOf(deps).map((format) =>
    described({
      path: format.path,
      lifetime: 'public, s-maxage=900, stale-while-revalidate=3600',
      query: format.kind === 'rss' ? feedQuery : query,
      id: format.id,
      section: 'record',
      about: format.about,
      answer: { type: format.type, schema: format.schema },
      examples: [{}, { limit: '2' }, format.kind === 'rss' ? { odds: 'decimal' } : { capper: '{handle}' }],
      async handle({ search, ip, header }): Promise<Answer> {
        const { filter, ignored, ...feed } = exportFilter(search);
        const headers = {
          'X-Robots-Tag': 'noindex',
          ...(ignored.length > 0 ? { 'X-Ignored-Parameters': ignored.join(', ') } : {}),
        };
        try {
          if (isFull()) throw new Overloaded('the process is full');
          // Parquet is compressed inside, so that readers can fetch a part of a file.
          const isPacked = format.kind === 'parquet';
          const coding = isPacked ? 'identity' : preferredCoding(header('Accept-Encoding') || undefined);
          const wanted = JSON.stringify([format.kind, filter, format.kind === 'rss' && feed]);
          const version = await availability.run(() => recordVersion(database), versionMs);
          const again = asked.has(wanted);
          asked.set(wanted, true);
          const build = () => format.build(filter, feed, coding);
          const built = await answers.built(`${version} ${wanted}`, coding, build, ip, { keep: again });
          const body = isPacked ? built?.body.made(coding) : built?.body;
          const answer = { type: format.type, headers, tags, ...built, body };
          return again
            ? { ...answer, key: `${wanted} ${ignored}`, keep: { tags, maxAgeMs: reachableMs } }
            : answer;
        } catch (error) {
          if (!(error instanceof Overloaded || error instanceof DatabaseUnavailable))
            log.error({ err: error, path: format.path }, 'export failed: answered without rows');
          return {
            type: format.type,
            headers: { ...headers, 'Retry-After': String(retryAfter) },
            // Caches must not keep an outage.
            lifetime: cacheControl.none,
            body: format.unavailable(filter, feed),
          };
        }
      },
    }),
  );
  const schema: Route = {
    method: 'GET',
    path: '/record/export.schema.json',
    lifetime: cacheControl.exactly(86_400),
    handle: () => ({ type: 'application/schema+json; charset=utf-8', body: recordJsonSchema(deps.baseUrl) }),
  };
  return [...exports, schema];
}

function formatsOf({ clock, baseUrl, helpLine, read }: RecordExportDeps): Format[] {
  const site = { baseUrl, helpLine };
  /** @param writer creates a writer per attempt: a read that the standby did not finish is repeated on the primary */
  function rows(
    filter: ExportFilter,
    coding: Coding,
    writer: () => RecordWriter,
    tagged?: (content: Buffer) => Buffer[],
  ): Promise<Built> {
    return read(async (database) => {
      const content = await readRecord(database, filter, writer());
      return builtOf(content, coding, tagged?.(content));
    });
  }

  return [
    {
      path: '/record/export.json',
      kind: 'json',
      id: 'getRecordJson',
      about: 'Every pick of the record as JSON. Invalid filters fall back to their defaults.',
      type: 'application/json; charset=utf-8',
      schema: { ...recordJsonSchema(baseUrl), title: 'RecordExport' },
      build: (filter, _, coding) =>
        rows(filter, coding, () => recordJson(filter, baseUrl, clock.now()), untimed),
      unavailable: (filter) => unreachableJson(filter, baseUrl, clock.now()),
    },
    {
      path: '/record/export.csv',
      kind: 'csv',
      id: 'getRecordCsv',
      about: 'Every pick of the record as CSV (RFC 4180).',
      type: 'text/csv; charset=utf-8; header=present',
      schema: Field.text(),
      build: (filter, _, coding) => rows(filter, coding, () => recordCsv(baseUrl)),
      unavailable: unreachableCsv,
    },
    {
      path: '/record/export.parquet',
      kind: 'parquet',
      id: 'getRecordParquet',
      about: 'Every pick of the record as Apache Parquet.',
      type: 'application/vnd.apache.parquet',
      schema: Type.String({ contentEncoding: 'binary' }),
      build: (filter, _, coding) => rows(filter, coding, () => recordParquet(baseUrl)),
      unavailable: () => recordParquet(baseUrl, false).end(),
    },
    {
      path: '/record/rss.xml',
      kind: 'rss',
      id: 'getRecordRss',
      about: 'The settled picks of the record as RSS, newest first, 100 per page.',
      type: 'application/rss+xml; charset=utf-8',
      schema: Field.text(),
      async build(filter, { odds, cursor }, coding) {
        const page = await read((database) => settledPicks(database, filter, cursor, baseUrl));
        return builtOf(Buffer.from(recordRss(page, filter, cursor, site, odds)), coding);
      },
      unavailable: (filter, { odds, cursor }) => recordRss(undefined, filter, cursor, site, odds),
    },
  ];
}
