import { hash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { problem } from '../http/answer.ts';
import { clientKey } from '../platform/fair-queue.ts';

/** Someone with a token of the operator's port. */
export interface Operator {
  name: string;
  token: string;
}

/**
 * Authenticates an operator, whose name is then `ctx.state.operator`, by `Authorization: Bearer <token>` or, on paths for browsers, by basic authentication with any user name
 * and the token as password. An address that keeps sending wrong tokens gets 429 for a while, for the right one too: a token that is not
 * looked at cannot be guessed.
 * @param forBrowsers whether a path is opened in a browser
 */
export function operatorOnly(
  operators: readonly Operator[],
  forBrowsers: (path: string) => boolean,
  attempts: Attempts,
): Middleware {
  const digests = operators.map(({ name, token }) => ({ name, digest: digestOf(token) }));
  return (ctx, next) => {
    const browser = forBrowsers(ctx.path);
    const given = tokenIn(ctx, browser);
    if (given !== undefined) {
      const address = addressOf(ctx.req.socket);
      const delay = Math.ceil(attempts.delayOf(address) / 1000);
      if (delay > 0)
        throw problem(429, `Too many wrong tokens: try again in ${delay} s.`, {
          headers: { 'Retry-After': String(delay) },
        });
      // All are compared, so that the time says nothing about whose it is.
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
    throw problem(401, "This is the operator's port: send the operator's token.", {
      headers: { 'WWW-Authenticate': challenge },
    });
  };
}

const addresses = new WeakMap<Socket, string>();

/** What a connection's address counts as; it stays what it is, and reading it costs more than the digests. */
function addressOf(socket: Socket): string {
  const known = addresses.get(socket);
  if (known !== undefined) return known;
  const address = clientKey(socket.remoteAddress ?? '');
  addresses.set(socket, address);
  return address;
}

/** The token that comes with a request; undefined where there is none, as in a browser's first one. */
function tokenIn(ctx: Context, browser: boolean): string | undefined {
  const [scheme = '', credentials = ''] = ctx.get('Authorization').split(' ');
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() !== 'basic' || !browser) return undefined;
  return Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':');
}

/** Digests have one length, so that texts of different lengths are compared in constant time too. */
function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** Wrong tokens of an address that cost no delay: people mistype. */
const free = 3;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/** Addresses that are remembered, and for how long after the last wrong token. */
const maxAddresses = 10_000;
const forgetAfterMs = 3_600_000;

/** Slows down who guesses tokens. */
export interface Attempts {
  /** @returns the milliseconds until an address may try again; 0 where it may */
  delayOf(address: string): number;
  /** Notes a wrong token: after the first three, each one doubles the delay, from a second to a minute. */
  wrong(address: string): void;
  right(address: string): void;
}

/** @param now a monotonic clock in milliseconds */
export function createAttempts(now: () => number = () => performance.now()): Attempts {
  const known = new LRUCache<string, { count: number; nextAt: number }>({
    max: maxAddresses,
    ttl: forgetAfterMs,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    delayOf: (address) => Math.max(0, (known.get(address)?.nextAt ?? 0) - now()),
    wrong(address) {
      const count = (known.get(address)?.count ?? 0) + 1;
      const delay = count <= free ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (count - free - 1));
      known.set(address, { count, nextAt: now() + delay });
    },
    right: (address) => void known.delete(address),
  };
}
