import { compressible, weakEntityTag } from '../cache/representation.ts';
import { siteSections } from '../record/site-index.ts';
import { sitemapOfPages } from '../record/sitemap.ts';
import { problem } from './answer.ts';
import type { Build } from './builds/build.ts';
import type { Builds } from './builds/builds.ts';
import type { KeptBuilds } from './builds/kept-builds.ts';
import { preferredCoding } from './headers.ts';
import type { Route } from './routes.ts';

export interface SitemapDeps {
  baseUrl: string;
  build: Builds['run'];
  kept: KeptBuilds;
  /** Paths of the pages that are there whatever the record holds. */
  pages: readonly string[];
}

/** Seconds for which a file holds: search engines ask for one far less often. */
const lifetime = 600;
const contentType = 'application/xml; charset=utf-8';

/**
 * `/sitemap.xml` (sitemaps.org, 0.9): an index of `/sitemap/pages.xml` and, for every stretch of ids that holds some, of
 * `/sitemap/<section>-<n>.xml`. A file is kept for its lifetime and shared by all requests.
 */
export function sitemapRoutes({ baseUrl, build, kept, pages }: SitemapDeps): Route[] {
  const pagesText = sitemapOfPages(pages, baseUrl);
  const ofPages = { type: contentType, etag: weakEntityTag(pagesText), body: compressible(pagesText) };

  return ['/sitemap.xml', '/sitemap/:file'].map((path) => ({
    method: 'GET',
    path,
    lifetime,
    async handle(request) {
      if (request.path === '/sitemap/pages.xml') return ofPages;
      const coding = preferredCoding(request.header('Accept-Encoding') || undefined);
      // Kept as long as it lasts: it is compressed well.
      const task = taskOf(request.path, { coding, again: true });
      if (task === undefined) throw nothingAt(request.path);
      const ttl = lifetime * 1000;
      const built = await kept.answer(request.path, coding, () => build(task), request.ip, { ttl });
      if (built === undefined) throw nothingAt(request.path);
      return { type: contentType, ...built };
    },
  }));
}

const nothingAt = (path: string) => problem(404, `There is nothing at ${path}.`);

/** What builds the file at a path; undefined where none can be. */
function taskOf(path: string, how: Pick<Build, 'coding' | 'again'>): Build | undefined {
  if (path === '/sitemap.xml') return { kind: 'sitemap-index', ...how };
  const [, section, number] = /^\/sitemap\/(\w+)-([1-9]\d{0,5})\.xml$/.exec(path) ?? [];
  const known = siteSections.find((each) => each === section);
  return known && { kind: 'sitemap', section: known, number: Number(number), ...how };
}
