import { isIP } from 'node:net';
import { AttemptFault } from './attempt.ts';

/** What only our own machine or network can be the cause of. */
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
 * What kept every address from being connected to.
 * @param error of one address, or an AggregateError of all that were tried
 */
export function connectFault(error: Error): AttemptFault {
  const all = (error instanceof AggregateError ? error.errors : [error]) as (NodeJS.ErrnoException & {
    address?: string;
  })[];
  if (all.every(({ code }) => code === 'ETIMEDOUT')) return new AttemptFault('connect-timeout');
  // Not every machine has IPv6: that a host has nothing else is not our network's outage.
  const ours =
    all.every(({ code = '' }) => localFaults.has(code)) &&
    all.some(({ code, address = '' }) => code !== 'ENETUNREACH' || isIP(address) !== 6);
  return new AttemptFault('connect', ours);
}
