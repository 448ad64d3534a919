import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { OddsForm } from '../../boards/formats/odds-text.ts';
import { type Coding, exactly, weakEntityTag } from '../../cache/representation.ts';
import type { Database } from '../../platform/database.ts';
import type { ExportFilter } from '../../record/export-filter.ts';
import { readRecord } from '../../record/export-rows.ts';
import { recordCsv } from '../../record/record-csv.ts';
import { recordJson } from '../../record/record-json.ts';
import { recordRss, settledPicks } from '../../record/record-rss.ts';
import type { SiteSection } from '../../record/site-index.ts';
import { sitemapIndex, sitemapOf } from '../../record/sitemap.ts';

/** An answer that takes long to build. It can be sent to another thread. */
export type Build = (
  | { kind: 'json' | 'csv'; filter: ExportFilter /** Epoch milliseconds. */; now: number }
  | { kind: 'rss'; filter: ExportFilter; odds: OddsForm }
  | { kind: 'sitemap-index' }
  | { kind: 'sitemap'; section: SiteSection; number: number }
) & {
  coding: Coding;
  /** Whether it was asked for before and is compressed well; what is asked for once is compressed quickly. */
  again: boolean;
};

export interface Built {
  /** Weak, and the same for every coding. */
  etag: string;
  /** In the coding asked for; they fill their block of memory. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** What builds are made with. */
export interface BuildSite {
  baseUrl: string;
  /** The problem gambling help line, as people say it. */
  helpLine: string;
}

/** Builds an answer; undefined where there is nothing. */
export async function build(database: Database, site: BuildSite, task: Build): Promise<Built | undefined> {
  const given = await contentOf(database, site, task);
  if (given === undefined) return undefined;
  const content = Buffer.isBuffer(given) ? given : Buffer.from(given);
  return {
    etag: weakEntityTag(...untimed(content, task.kind)),
    bytes: exactly(encoded(content, task)) as Buffer<ArrayBuffer>,
  };
}

async function contentOf(
  database: Database,
  site: BuildSite,
  task: Build,
): Promise<Buffer | string | undefined> {
  const { baseUrl } = site;
  switch (task.kind) {
    case 'json':
      return readRecord(database, task.filter, recordJson(task.filter, baseUrl, task.now));
    case 'csv':
      return readRecord(database, task.filter, recordCsv(baseUrl));
    case 'rss':
      return recordRss(await settledPicks(database, task.filter, baseUrl), task.filter, site, task.odds);
    case 'sitemap-index':
      return sitemapIndex(database, baseUrl);
    case 'sitemap':
      return sitemapOf(database, task.section, task.number, baseUrl);
  }
}

/** The content without the instant at which it was made, for its entity tag. */
function untimed(content: Buffer, kind: Build['kind']): Buffer[] {
  if (kind !== 'json') return [content];
  const stamp = '"generated_at":"';
  const at = content.indexOf(stamp) + stamp.length;
  return [content.subarray(0, at), content.subarray(content.indexOf('"', at))];
}

/** Synchronous: nothing else runs in its thread, and zlib's own threads are left to others. */
function encoded(bytes: Buffer, { coding, again }: Build): Buffer {
  if (coding === 'identity') return bytes;
  if (coding === 'gzip') return gzipSync(bytes, { level: again ? 6 : 1 });
  return brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: again ? 5 : 1 } });
}
