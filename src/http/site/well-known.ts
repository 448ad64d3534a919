import { type Clock, iso } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { cacheControl } from '../answer.ts';
import type { Route } from '../routes.ts';

const dayMs = 86_400_000;

/** Days until `security.txt` expires. RFC 9116 recommends less than a year. */
const securityDays = 180;

/** Serves `/robots.txt` (RFC 9309) and `/.well-known/security.txt` (RFC 9116). */
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
  ];
}

function text(path: string, body: () => string): Route {
  return {
    method: 'GET',
    path,
    lifetime: cacheControl.exactly(86_400),
    handle: () => ({ type: 'text/plain; charset=utf-8', body: body() }),
  };
}
