import type { Middleware } from 'koa';
import { Overloaded } from '../platform/limiter.ts';

/** Probes, and the event stream: it has limits of its own, and a browser that was refused it does not come back. */
const exempt = new Set(['/livez', '/readyz', '/api/stream']);

/**
 * Refuses requests beyond a number of those that are being answered. What is sent as a stream counts until it begins.
 * @returns a middleware that throws Overloaded: 503 with `Retry-After`. Probes and `/api/stream` are never refused.
 */
export function limitInFlight(max: number): Middleware {
  let inFlight = 0;
  return async ({ path }, next) => {
    if (inFlight >= max && !exempt.has(path)) throw new Overloaded(`${max} requests are being answered`);
    inFlight += 1;
    try {
      await next();
    } finally {
      inFlight -= 1;
    }
  };
}
