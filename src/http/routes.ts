import type { Middleware } from 'koa';

/** One path of the public port and what answers it. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Koa path. */
  path: string;
  handle: Middleware;
}

/**
 * Puts routes into the order in which they are to be tried: the most literal path first, whatever the order they were declared in.
 * @throws Error when two of them have one method and one path, whatever their parameters are called
 */
export function inOrder(routes: readonly Route[]): Route[] {
  const seen = new Map<string, string>();
  for (const { method, path } of routes) {
    const shape = `${method} ${path.replace(/:\w+/g, ':')}`;
    const other = seen.get(shape);
    if (other !== undefined) throw new Error(`two routes on one path: ${method} ${other} and ${path}`);
    seen.set(shape, path);
  }
  return routes.toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : rank(a.path) > rank(b.path) ? 1 : 0));
}

/** A digit a segment: 0 literal, 1 partly (`:day.csv`), 2 a parameter. */
function rank(path: string): string {
  return path
    .split('/')
    .map((segment) => (!segment.includes(':') ? '0' : /^:\w+$/.test(segment) ? '2' : '1'))
    .join('');
}
