import { isIP } from 'node:net';
import { AttemptFault } from './attempt.ts';

/** Errors that only our own machine or network can cause. */
const localFaults = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EACCES',
  'EPERM',
]);

/**
 * Classifies why no address could be connected to.
 * @param error of one address, or an AggregateError of all that were tried
 */
export function connectFault(error: Error): AttemptFault {
  const all = (error instanceof AggregateError ? error.errors : [error]) as (NodeJS.ErrnoException & {
    address?: string;
  })[];
  if (all.every(({ code }) => code === 'ETIMEDOUT')) return new AttemptFault('connect-timeout');
  // Not every machine has IPv6: a host with nothing else being unreachable is no outage of our network.
  const ours =
    all.every(({ code = '' }) => localFaults.has(code)) &&
    all.some(({ code, address = '' }) => code !== 'ENETUNREACH' || isIP(address) !== 6);
  return new AttemptFault('connect', ours);
}
