import { escapeHtml } from '../boards/formats/safe-text.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { ByteWriter } from './byte-writer.ts';
import {
  readSiteEntries,
  type SiteSection,
  siteEntryCells,
  siteSections,
  siteStretches,
} from './site-index.ts';

/** `/sitemap.xml`: which files there are. */
export async function sitemapIndex(database: Database, baseUrl: string): Promise<Buffer> {
  const sections = await Promise.all(
    siteSections.map(async (section) => ({ section, stretches: await siteStretches(database, section) })),
  );
  const files = createDocument('sitemapindex', baseUrl);
  files.add('/sitemap/pages.xml');
  for (const { section, stretches } of sections)
    for (const { number, changedAt } of stretches)
      files.add(
        `/sitemap/${section}-${number}.xml`,
        changedAt === null ? undefined : (out) => out.text(iso(changedAt)),
      );
  return files.end();
}

/** The pages that are there whatever the record holds. */
export function sitemapOfPages(paths: readonly string[], baseUrl: string): Buffer {
  const pages = createDocument('urlset', baseUrl);
  for (const path of paths) pages.add(path);
  return pages.end();
}

/** A stretch of a section, up to 50,000 pages, written as they are read; undefined where there is nothing. */
export async function sitemapOf(
  database: Database,
  section: SiteSection,
  number: number,
  baseUrl: string,
): Promise<Buffer | undefined> {
  const pages = createDocument('urlset', baseUrl);
  let isEmpty = true;
  const { path, changedAt } = siteEntryCells;
  await readSiteEntries(database, section, number, (row) => {
    isEmpty = false;
    pages.add(row.text(path), row.isNull(changedAt) ? undefined : (out) => out.instant(row, changedAt));
  });
  return isEmpty ? undefined : pages.end();
}

const elements = { urlset: 'url', sitemapindex: 'sitemap' } as const;

/** A sitemap, or an index of sitemaps, whose addresses are added one by one. */
function createDocument(root: keyof typeof elements, baseUrl: string) {
  const element = elements[root];
  const out = new ByteWriter();
  out.text(`<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
`);
  return {
    /** @param change writes when what is there changed last; absent where it is not known */
    add(path: string, change?: (out: ByteWriter) => void) {
      out.text(`<${element}><loc>${escapeHtml(baseUrl + path)}</loc>`);
      if (change !== undefined) {
        out.text('<lastmod>');
        change(out);
        out.text('</lastmod>');
      }
      out.text(`</${element}>\n`);
    },
    end(): Buffer {
      out.text(`</${root}>\n`);
      return out.bytes;
    },
  };
}
