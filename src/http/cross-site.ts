import { problem } from './problem.ts';
import type { Request } from './routes.ts';

/**
 * Refuses a form that a browser posts on behalf of another site, as `CrossOriginProtection` of Go's net/http does: by Sec-Fetch-Site,
 * or, in browsers and on connections without it, by Origin. A client that sends neither is no browser.
 * @param baseUrl the site's own address, beside the one that was asked for
 * @throws Problem 403
 */
export function refuseCrossSite({ header }: Pick<Request, 'header'>, baseUrl: string): void {
  const from = header('Sec-Fetch-Site');
  const origin = header('Origin');
  const same =
    from === ''
      ? origin === '' || ownOrigin(origin, header('Host'), baseUrl)
      : /^(same-origin|none)$/.test(from);
  if (!same) throw problem(403, 'The form was posted by another site: subscribe on this one.');
}

function ownOrigin(origin: string, host: string, baseUrl: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
