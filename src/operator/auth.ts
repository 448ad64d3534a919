import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { problem } from '../http/problem.ts';

/**
 * Authenticates the operator by `Authorization: Bearer <token>` or, on paths for browsers, by basic authentication with any user name
 * and the token as password.
 * @param forBrowsers whether a path is opened in a browser
 */
export function operatorOnly(token: string, forBrowsers: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    const [scheme = '', credentials = ''] = ctx.get('Authorization').split(' ');
    const given =
      scheme.toLowerCase() === 'bearer'
        ? credentials
        : scheme.toLowerCase() === 'basic' && forBrowsers(ctx.path)
          ? Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':')
          : '';
    if (equal(given, token)) return next();
    const challenge = forBrowsers(ctx.path)
      ? 'Basic realm="operator", charset="UTF-8"'
      : 'Bearer realm="operator"';
    throw problem(401, "This is the operator's port: send the operator's token.", {
      headers: { 'WWW-Authenticate': challenge },
    });
  };
}

/** Compares in constant time, also for different lengths. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
