import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sane = /^[A-Za-z0-9._:-]{8,64}$/;

/**
 * The id of a request: the one that comes with it, where a proxy of ours stands in front and gave it a sane one, else a new one.
 * @param trustProxy how many proxies stand in front
 */
export function requestIds(trustProxy: number): (req: IncomingMessage) => string {
  if (trustProxy === 0) return () => randomUUID();
  return (req) => {
    const given = req.headers['x-request-id'];
    return typeof given === 'string' && sane.test(given) ? given : randomUUID();
  };
}
