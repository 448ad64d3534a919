import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { problem } from '../http/problem.ts';

/**
 * Lets only the operator through: `Authorization: Bearer <token>`, or for pages basic authentication with any user name and the token as
 * password.
 */
export function operatorOnly(token: string, browsersAt: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    const [scheme = '', credentials = ''] = ctx.get('Authorization').split(' ');
    const given =
      scheme.toLowerCase() === 'bearer'
        ? credentials
        : scheme.toLowerCase() === 'basic' && browsersAt(ctx.path)
          ? Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':')
          : '';
    if (same(given, token)) return next();
    const challenge = browsersAt(ctx.path)
      ? 'Basic realm="operator", charset="UTF-8"'
      : 'Bearer realm="operator"';
    throw problem(401, "This is the operator's port: send the operator's token.", {
      headers: { 'WWW-Authenticate': challenge },
    });
  };
}

/** Compares in constant time, whatever the lengths. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
