import { type Answers, builtOf } from '../../answers/answers.ts';
import { coded } from '../../answers/coded.ts';
import { type Clock, iso } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database.ts';
import type { Read } from '../../platform/replica.ts';
import { sitemapIndex, sitemapOf, sitemapOfPages, siteSections } from '../../record/sitemap.ts';
import { cacheControl, problem } from '../answer.ts';
import { instructions } from '../mcp/route.ts';
import { tools } from '../mcp/tools.ts';
import type { Route } from '../routes.ts';
import { preferredCoding } from '../transport/headers.ts';

const dayMs = 86_400_000;

/** Days until `security.txt` expires. RFC 9116 recommends less than a year. */
const securityDays = 180;

/** RFC 9309, RFC 9116, and llmstxt.org. */
export function wellKnownRoutes(
  { baseUrl, securityContact }: Pick<Config['site'], 'baseUrl' | 'securityContact'>,
  clock: Clock,
): Route[] {
  const contact = securityContact ?? `mailto:security@${new URL(baseUrl).hostname}`;
  return [
    // Calendar and feed clients obey robots.txt, so it disallows nothing. Answers that search engines must not index have a header.
    text('/robots.txt', () => `User-agent: *\nDisallow:\n\nSitemap: ${baseUrl}/sitemap.xml\n`),
    text('/.well-known/security.txt', () => {
      const expires = Math.floor(clock.now() / dayMs) * dayMs + securityDays * dayMs;
      return `Contact: ${contact}\nExpires: ${iso(expires)}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`;
    }),
    text('/llms.txt', () => forAgents(baseUrl), 'text/markdown'),
  ];
}

function forAgents(baseUrl: string): string {
  return `# Public Picks

> ${instructions.replaceAll('\n', '\n> ')}

Everything is free and needs no key. Prefer the MCP server (streamable HTTP, no sessions) at ${baseUrl}/mcp to reading pages. Its tools:

${tools.map(({ name, title }) => `- \`${name}\`: ${title}`).join('\n')}

## API

- [OpenAPI document](${baseUrl}/openapi.json): every endpoint with its parameters and fields
- [Reference](${baseUrl}/docs): the same, to read
- [Record export](${baseUrl}/record/export): all picks as JSON, CSV, or Parquet
- [Data files](${baseUrl}/data): past months as Parquet

## Meaning

- [Rules](${baseUrl}/rules): how every figure is computed
- [How it works](${baseUrl}/how): the same with examples, and a glossary
- [The log](${baseUrl}/ledger): how to verify that nothing was rewritten
- [Verify a receipt](${baseUrl}/verify): in the browser
`;
}

function text(path: string, body: () => string, type = 'text/plain'): Route {
  return {
    method: 'GET',
    path,
    lifetime: cacheControl.exactly(86_400),
    handle: () => ({ type: `${type}; charset=utf-8`, body: body() }),
  };
}

interface SitemapDeps {
  baseUrl: string;
  read: Read;
  answers: Pick<Answers, 'built'>;
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
export function sitemapRoutes({ baseUrl, read, answers, pages }: SitemapDeps): Route[] {
  const ofPages = { type: contentType, ...coded(sitemapOfPages(pages, baseUrl)) };

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
      const built = await answers.built(request.path, coding, build, request.ip, { ttl });
      if (built === undefined) throw nothingAt(request.path);
      return { type: contentType, ...built };
    },
  }));
}

const nothingAt = (path: string) => problem(404, `There is nothing at ${path}.`);

/** Undefined if the path names none. */
function fileAt(
  path: string,
  baseUrl: string,
): ((database: Database) => Promise<Buffer | undefined>) | undefined {
  if (path === '/sitemap.xml') return (database) => sitemapIndex(database, baseUrl);
  const [, name, number] = /^\/sitemap\/(\w+)-([1-9]\d{0,5})\.xml$/.exec(path) ?? [];
  const section = siteSections.find((each) => each === name);
  return section && ((database) => sitemapOf(database, section, Number(number), baseUrl));
}
