import type { Middleware } from 'koa';
import { Counter, Histogram, type Registry } from 'prom-client';

const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

/**
 * By the pattern of the route, because the number of paths is unlimited.
 * @param answeredFromMemory number of requests answered before Koa
 * @param refused number of requests refused before Koa
 */
export function httpMetrics(
  registry: Registry,
  answeredFromMemory: () => number,
  refused: () => number,
): Middleware {
  const seconds = new Histogram({
    name: 'public_picks_http_request_seconds',
    help: 'Seconds until a request was answered, by route. Excludes requests that the fast path answered.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const answers = new Counter({
    name: 'public_picks_cache_answers_total',
    help: 'Board answers by source: memory and redis are hits, rendered is a miss.',
    labelNames: ['source', 'stale'],
    registers: [registry],
  });
  const counted = (metric: { name: string; help: string }, count: () => number) =>
    new Counter({
      ...metric,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(count());
      },
    });
  counted(
    {
      name: 'public_picks_http_answered_from_memory_total',
      help: 'Requests that the fast path answered from memory.',
    },
    answeredFromMemory,
  );
  counted(
    {
      name: 'public_picks_http_refused_total',
      help: 'Requests refused with 503 because too many were in progress.',
    },
    refused,
  );
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    const { _matchedRoute: route = 'none' } = ctx as { _matchedRoute?: string };
    const method = methods.includes(ctx.method) ? ctx.method : 'other';
    seconds.observe({ method, route: String(route), status: ctx.status }, (performance.now() - began) / 1000);
    const { cache } = ctx.state as { cache?: string };
    if (cache === undefined) return;
    const [source = '', stale] = cache.split(', ');
    answers.inc({ source, stale: stale === undefined ? 'no' : 'yes' });
  };
}
