import { LRUCache } from 'lru-cache';
import { escapeHtml } from '../boards/formats/safe-text.ts';
import type { Availability } from '../platform/availability.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { type SiteSection, siteEntries, siteSections, siteStretches } from '../record/site-index.ts';
import { type Finished, finished } from './finished.ts';
import { problem } from './problem.ts';
import type { Route } from './routes.ts';

export interface SitemapDeps {
  database: Database;
  availability: Availability;
  baseUrl: string;
  /** Paths of the pages that are there whatever the record holds. */
  pages: readonly string[];
  /** Most addresses in a file; default 50,000, the most that sitemaps.org allows. */
  perFile?: number;
}

interface Address {
  path: string;
  /** Epoch milliseconds; absent where it is not known. */
  changedAt?: number;
}

/** Seconds for which a file holds: search engines ask for one far less often. */
const lifetime = 600;
const contentType = 'application/xml; charset=utf-8';
const memoryBytes = 64 * 2 ** 20;

/**
 * `/sitemap.xml` (sitemaps.org, 0.9): an index of `/sitemap/pages.xml` and, for every stretch of ids that holds some, of
 * `/sitemap/cappers-<n>.xml` and `/sitemap/picks-<n>.xml`. A file is kept for its lifetime and shared by all requests.
 */
export function sitemapRoutes({
  database,
  availability,
  baseUrl,
  pages,
  perFile = 50_000,
}: SitemapDeps): Route[] {
  const kept = new LRUCache<string, Finished>({
    maxSize: memoryBytes,
    sizeCalculation: ({ size }) => size,
    ttl: lifetime * 1000,
    fetchMethod: async (path) => finished(await textOf(path), contentType),
  });

  async function textOf(path: string): Promise<string> {
    if (path === '/sitemap.xml') return document('sitemapindex', 'sitemap', await files(), baseUrl);
    if (path === '/sitemap/pages.xml')
      return document(
        'urlset',
        'url',
        pages.map((each) => ({ path: each })),
        baseUrl,
      );
    const [, section, number] = /^\/sitemap\/(\w+)-([1-9]\d{0,5})\.xml$/.exec(path) ?? [];
    const entries = (siteSections as readonly (string | undefined)[]).includes(section)
      ? await availability.run(() => siteEntries(database, section as SiteSection, Number(number), perFile))
      : [];
    if (entries.length === 0) throw problem(404, `There is nothing at ${path}.`);
    return document('urlset', 'url', entries, baseUrl);
  }

  async function files(): Promise<Address[]> {
    const sections = await availability.run(() =>
      Promise.all(
        siteSections.map(async (section) => {
          const stretches = await siteStretches(database, section, perFile);
          return stretches.map(({ number, changedAt }) => ({
            path: `/sitemap/${section}-${number}.xml`,
            changedAt,
          }));
        }),
      ),
    );
    return [{ path: '/sitemap/pages.xml' }, ...sections.flat()];
  }

  return ['/sitemap.xml', '/sitemap/:file'].map((path) => ({
    method: 'GET',
    path,
    lifetime,
    async handle(request) {
      const { type, etag, body } = (await kept.fetch(request.path)) as Finished;
      return { type, etag, body };
    },
  }));
}

/** A sitemap, or an index of sitemaps. */
function document(root: string, element: string, addresses: readonly Address[], baseUrl: string): string {
  const lines = addresses.map(({ path, changedAt }) => {
    const lastmod = changedAt === undefined ? '' : `<lastmod>${iso(changedAt)}</lastmod>`;
    return `<${element}><loc>${escapeHtml(baseUrl + path)}</loc>${lastmod}</${element}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</${root}>
`;
}
