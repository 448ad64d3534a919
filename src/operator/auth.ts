import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { problem } from '../http/answer.ts';
import { clientKey } from '../platform/fair-queue.ts';

/**
 * Authenticates operators, and stores the name in `ctx.state.operator`. Accepts `Authorization: Bearer <token>` and, on paths for browsers,
 * basic authentication with any user name and the token as password. After several wrong tokens, an address gets 429 for a while, even with
 * the right token, so that tokens cannot be guessed.
 * @param forBrowsers whether a path is opened in a browser
 */
export function operatorOnly(
  operators: readonly { name: string; token: string }[],
  forBrowsers: (path: string) => boolean,
  attempts: Attempts,
): Middleware {
  const digests = operators.map(({ name, token }) => ({ name, digest: digestOf(token) }));
  return (ctx, next) => {
    const browser = forBrowsers(ctx.path);
    const given = tokenIn(ctx, browser);
    if (given !== undefined) {
      const address = clientKey(ctx.req.socket.remoteAddress ?? '');
      const delay = Math.ceil(attempts.delayOf(address) / 1000);
      if (delay > 0)
        throw problem(429, `Too many wrong tokens. Try again in ${delay} s.`, { retryAfter: delay });
      // Compares all tokens, so that the time does not reveal whose token it is.
      const found = digestOf(given);
      const [operator] = digests.filter(({ digest }) => timingSafeEqual(found, digest));
      if (operator !== undefined) {
        attempts.right(address);
        ctx.state.operator = operator.name;
        return next();
      }
      attempts.wrong(address);
    }
    const challenge = browser ? 'Basic realm="operator", charset="UTF-8"' : 'Bearer realm="operator"';
    throw problem(401, "This is the operator's port. Send an operator's token.", {
      headers: { 'WWW-Authenticate': challenge },
    });
  };
}

/** Returns the token of a request; undefined if it has none, like a browser's first request. */
function tokenIn(ctx: Context, browser: boolean): string | undefined {
  const [scheme = '', credentials = ''] = ctx.get('Authorization').split(' ');
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== 'basic' || !browser) return undefined;
  return Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':');
}

/** Digests have equal length, so texts of any length are compared in constant time. */
function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** Wrong tokens per address without a delay, for typing errors. */
const free = 3;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/** Maximum number of remembered addresses, and time since the last wrong token after which one is forgotten, in ms. */
const maxAddresses = 10_000;
const forgetAfterMs = 3_600_000;

/** Slows token guessing. */
export type Attempts = ReturnType<typeof createAttempts>;

/** @param now a monotonic clock in milliseconds */
export function createAttempts(now: () => number = () => performance.now()) {
  const known = new LRUCache<string, { count: number; nextAt: number }>({
    max: maxAddresses,
    ttl: forgetAfterMs,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    /** Returns the milliseconds until an address may try again; 0 if it may now. */
    delayOf: (address: string) => Math.max(0, (known.get(address)?.nextAt ?? 0) - now()),
    /** Counts a wrong token. From the fourth one on, the delay doubles, from a second to a minute. */
    wrong(address: string) {
      const count = (known.get(address)?.count ?? 0) + 1;
      const delay = count <= free ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (count - free - 1));
      known.set(address, { count, nextAt: now() + delay });
    },
    right: (address: string) => void known.delete(address),
  };
}
