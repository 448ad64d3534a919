import { LRUCache } from 'lru-cache';
import { Coded, type Coding, compressible, weakEntityTag } from '../cache/representation.ts';
import type { Availability } from '../platform/availability.ts';
import type { FairQueue } from '../platform/fair-queue.ts';
import { singleFlight } from '../platform/single-flight.ts';
import { siteSections } from '../record/site-index.ts';
import { sitemapOfPages } from '../record/sitemap.ts';
import { clientKey } from '../webhooks/subscriptions/rate-limit.ts';
import { problem } from './answer.ts';
import type { Build, Built } from './builds/build.ts';
import { asBuffer, type Builds, sizeOfBuilt } from './builds/builds.ts';
import { preferredCoding } from './negotiation.ts';
import type { Route } from './routes.ts';

export interface SitemapDeps {
  availability: Availability;
  baseUrl: string;
  /** What is built waits its turn here. */
  queue: FairQueue;
  builds: Builds;
  /** Paths of the pages that are there whatever the record holds. */
  pages: readonly string[];
  /** Most addresses in a file; default 50,000, the most that sitemaps.org allows. */
  perFile?: number;
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
  availability,
  queue,
  builds,
  baseUrl,
  pages,
  perFile = 50_000,
}: SitemapDeps): Route[] {
  const kept = new LRUCache<string, Built>({
    maxSize: memoryBytes,
    sizeCalculation: sizeOfBuilt,
    ttl: lifetime * 1000,
  });
  const once = singleFlight<Built>();
  const pagesText = sitemapOfPages(pages, baseUrl);
  const ofPages = { type: contentType, etag: weakEntityTag(pagesText), body: compressible(pagesText) };

  async function current(path: string, coding: Coding, ip: string): Promise<Built> {
    const key = `${path} ${coding}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const built = await once(key, async () => {
      // Kept as long as it lasts: it is compressed well.
      const task = taskOf(path, { perFile, coding, again: true });
      return (
        (task && (await queue.run(clientKey(ip), () => availability.run(() => builds.run(task))))) ??
        none(path)
      );
    });
    kept.set(key, built);
    return built;
  }

  return ['/sitemap.xml', '/sitemap/:file'].map((path) => ({
    method: 'GET',
    path,
    lifetime,
    async handle(request) {
      if (request.path === '/sitemap/pages.xml') return ofPages;
      const coding = preferredCoding(request.header('Accept-Encoding') || undefined);
      const { etag, bytes } = await current(request.path, coding, request.ip);
      return { type: contentType, etag, body: new Coded(() => asBuffer(bytes)) };
    },
  }));
}

function none(path: string): never {
  throw problem(404, `There is nothing at ${path}.`);
}

/** What builds the file at a path; undefined where none can be. */
function taskOf(
  path: string,
  how: Pick<Build & { perFile: number }, 'perFile' | 'coding' | 'again'>,
): Build | undefined {
  if (path === '/sitemap.xml') return { kind: 'sitemap-index', ...how };
  const [, section, number] = /^\/sitemap\/(\w+)-([1-9]\d{0,5})\.xml$/.exec(path) ?? [];
  const known = siteSections.find((each) => each === section);
  return known && { kind: 'sitemap', section: known, number: Number(number), ...how };
}
