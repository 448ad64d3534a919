import { type Clock, iso } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { cacheControl } from '../answer.ts';
import { instructions } from '../mcp/route.ts';
import { tools } from '../mcp/tools.ts';
import type { Route } from '../routes.ts';

const dayMs = 86_400_000;

/** Days until `security.txt` expires. RFC 9116 recommends less than a year. */
const securityDays = 180;

/** Serves `/robots.txt` (RFC 9309), `/.well-known/security.txt` (RFC 9116), and `/llms.txt` (llmstxt.org). */
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

/** Returns what a program that reads text needs to use the service. */
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
