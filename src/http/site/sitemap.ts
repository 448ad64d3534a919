import { compressible, weakEntityTag } from '../../cache/representation.ts';
import type { Database } from '../../platform/database.ts';
import type { Read } from '../../platform/replica.ts';
import { sitemapIndex, sitemapOf, sitemapOfPages, siteSections } from '../../record/sitemap.ts';
import { problem } from '../answer.ts';
import type { Route } from '../routes.ts';
import { preferredCoding } from '../transport/headers.ts';
import { builtOf, type KeptBuilds } from '../transport/kept-builds.ts';

export interface SitemapDeps {
  baseUrl: string;
  read: Read;
  kept: KeptBuilds;
  /** Paths of pages that exist whatever the record holds. */
  pages: readonly string[];
}

/** Lifetime of a file in seconds. Search engines fetch sitemaps far less often. */
const lifetime = 600;
const contentType = 'application/xml; charset=utf-8';

/**
 * Serves `/sitemap.xml` (sitemaps.org, 0.9): an index of `/sitemap/pages.xml` and of `/sitemap/<section>-<n>.xml` for every range of ids in
 * use. A file is kept for its lifetime and shared by all requests.
 */
export function sitemapRoutes({ baseUrl, read, kept, pages }: SitemapDeps): Route[] {
  const pagesText = sitemapOfPages(pages, baseUrl);
  const ofPages = { type: contentType, etag: weakEntityTag(pagesText), body: compressible(pagesText) };

  return ['/sitemap.xml', '/sitemap/:file'].map((path) => ({
    method: 'GET',
    path,
    lifetime,
    async handle(request) {
      if (request.path === '/sitemap/pages.xml') return ofPages;
      const coding = preferredCoding(request.header('Accept-Encoding') || undefined);
      const contentOf = fileAt(request.path, baseUrl);
      if (contentOf === undefined) throw nothingAt(request.path);
      const build = () =>
        read(async (database) => {
          const content = await contentOf(database);
          return content && builtOf(content, coding);
        });
      const ttl = lifetime * 1000;
      const built = await kept.answer(request.path, coding, build, request.ip, { ttl });
      if (built === undefined) throw nothingAt(request.path);
      return { type: contentType, ...built };
    },
  }));
}

const nothingAt = (path: string) => problem(404, `There is nothing at ${path}.`);

/** Returns a function that builds the file at a path; undefined if the path names none. */
function fileAt(
  path: string,
  baseUrl: string,
): ((database: Database) => Promise<Buffer | undefined>) | undefined {
  if (path === '/sitemap.xml') return (database) => sitemapIndex(database, baseUrl);
  const [, name, number] = /^\/sitemap\/(\w+)-([1-9]\d{0,5})\.xml$/.exec(path) ?? [];
  const section = siteSections.find((each) => each === name);
  return section && ((database) => sitemapOf(database, section, Number(number), baseUrl));
}
