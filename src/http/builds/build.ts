import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { type Coding, copied, exactly, weakEntityTag } from '../../cache/representation.ts';
import type { Database } from '../../platform/database.ts';
import type { ByteWriter } from '../../record/byte-writer.ts';
import type { ExportFilter } from '../../record/export-filter.ts';
import { readRecord } from '../../record/export-rows.ts';
import { recordCsv } from '../../record/record-csv.ts';
import { recordJson } from '../../record/record-json.ts';
import type { SiteSection } from '../../record/site-index.ts';
import { sitemapIndex, sitemapOf } from '../../record/sitemap.ts';

/** An answer that takes long to build. It can be sent to another thread. */
export type Build = (
  | { kind: 'json'; filter: ExportFilter /** Epoch milliseconds. */; now: number }
  | { kind: 'csv'; filter: ExportFilter }
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

/**
 * Builds an answer; undefined where there is nothing.
 * @param baseUrl of the site
 * @param out what exports are written to
 */
export async function build(
  database: Database,
  baseUrl: string,
  task: Build,
  out?: ByteWriter,
): Promise<Built | undefined> {
  const given = await contentOf(database, baseUrl, task, out);
  if (given === undefined) return undefined;
  const content = Buffer.isBuffer(given) ? given : Buffer.from(given);
  return {
    etag: weakEntityTag(...untimed(content, task.kind)),
    bytes: exactly(encoded(content, task)) as Buffer<ArrayBuffer>,
  };
}

async function contentOf(
  database: Database,
  baseUrl: string,
  task: Build,
  out: ByteWriter | undefined,
): Promise<Buffer | string | undefined> {
  switch (task.kind) {
    case 'json':
      return readRecord(database, task.filter, recordJson(task.filter, baseUrl, task.now, out));
    case 'csv':
      return readRecord(database, task.filter, recordCsv(baseUrl, out));
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
  // What is built is given away; the room in which it was written stays.
  if (coding === 'identity') return copied(bytes);
  if (coding === 'gzip') return gzipSync(bytes, { level: again ? 6 : 1 });
  return brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: again ? 5 : 1 } });
}
