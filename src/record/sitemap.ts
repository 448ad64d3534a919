import { escapeHtml } from '../boards/formats/safe-text.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type SiteSection, siteEntries, siteSections, siteStretches } from './site-index.ts';

interface Address {
  path: string;
  /** Epoch milliseconds; absent where it is not known. */
  changedAt?: number | null;
}

/** `/sitemap.xml`: which files there are. */
export async function sitemapIndex(database: Database, baseUrl: string): Promise<string> {
  const sections = await Promise.all(
    siteSections.map(async (section) => {
      const stretches = await siteStretches(database, section);
      return stretches.map(({ number, changedAt }) => ({
        path: `/sitemap/${section}-${number}.xml`,
        changedAt,
      }));
    }),
  );
  const files = [{ path: '/sitemap/pages.xml' }, ...sections.flat()];
  return document('sitemapindex', 'sitemap', files, baseUrl);
}

/** A stretch of a section; undefined where there is nothing. */
export async function sitemapOf(
  database: Database,
  section: SiteSection,
  number: number,
  baseUrl: string,
): Promise<string | undefined> {
  const entries = await siteEntries(database, section, number);
  return entries.length === 0 ? undefined : document('urlset', 'url', entries, baseUrl);
}

/** The pages that are there whatever the record holds. */
export function sitemapOfPages(paths: readonly string[], baseUrl: string): string {
  const pages = paths.map((path) => ({ path }));
  return document('urlset', 'url', pages, baseUrl);
}

/** A sitemap, or an index of sitemaps. */
function document(root: string, element: string, addresses: readonly Address[], baseUrl: string): string {
  const lines = addresses.map(({ path, changedAt }) => {
    const lastmod = changedAt == null ? '' : `<lastmod>${iso(changedAt)}</lastmod>`;
    return `<${element}><loc>${escapeHtml(baseUrl + path)}</loc>${lastmod}</${element}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</${root}>
`;
}
