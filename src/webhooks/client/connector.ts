import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from 'node:tls';
import type { buildConnector } from 'undici';
import { isPublicAddress } from '../guard/names.ts';
import type { Address } from '../guard/resolve.ts';
import type { Target } from '../guard/target.ts';
import { AttemptFault } from './attempt.ts';

/** Time for one address before the next one is tried, in ms. */
const nextAddressMs = 500;

/** Node's authorities, those of NODE_EXTRA_CA_CERTS, and `ca` (PEM). Takes milliseconds, so call it once, not per connection. */
export function trust(ca: string | undefined): SecureContext {
  return createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] });
}

/**
 * Returns a connector to the target's checked addresses only, with TLS verified against the target's name. It fails with an AttemptFault.
 * @param addresses returns the last checked addresses
 * @param anyAddress whether the address rules are waived
 * @param limitMs for the whole connection, including TLS
 */
export function connector(
  { hostname, port }: Target,
  options: {
    addresses: () => readonly Address[];
    anyAddress: boolean;
    trusted: SecureContext;
    limitMs: number;
  },
): buildConnector.connector {
  const { addresses, anyAddress, trusted, limitMs } = options;
  // Must be asynchronous: an immediate failure would come while TLS still sets up the socket.
  const lookup: LookupFunction = (_name, _options, found) =>
    process.nextTick(() => found(null, [...addresses()]));
  const settings: ConnectionOptions & TcpNetConnectOpts = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    // SNI does not carry addresses (RFC 6066, section 3); the certificate is checked against the address anyway.
    servername: isIP(hostname) === 0 ? hostname : '',
    secureContext: trusted,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  };
  return (_given, callback) => {
    let settled = false;
    const settle = (fault: AttemptFault | undefined) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      if (fault === undefined) return callback(null, socket);
      socket.destroy();
      callback(fault, null);
    };
    const socket = connect(settings);
    let connected = false;
    const timer = setTimeout(() => settle(new AttemptFault('connect-timeout')), limitMs);
    socket.setNoDelay(true);
    // Checks the address again before TLS, so that nothing is ever sent to one that is not public.
    socket.prependOnceListener('connect', () => {
      connected = true;
      if (!anyAddress && !isPublicAddress(socket.remoteAddress ?? '')) settle(new AttemptFault('refused'));
    });
    socket.once('secureConnect', () => settle(undefined));
    socket.on('error', (error) => settle(connected ? new AttemptFault('tls') : connectFault(error)));
    socket.once('close', () => settle(new AttemptFault(connected ? 'tls' : 'connect')));
  };
}

/** Errors that only our machine or network can cause. */
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

/** Classifies why no address could be connected to. @param error of one address, or an AggregateError of all that were tried */
export function connectFault(error: Error): AttemptFault {
  const all = (error instanceof AggregateError ? error.errors : [error]) as (NodeJS.ErrnoException & {
    address?: string;
  })[];
  if (all.every(({ code }) => code === 'ETIMEDOUT')) return new AttemptFault('connect-timeout');
  // Some machines have no IPv6, so an unreachable host with only IPv6 addresses does not mean that our network is down.
  const ours =
    all.every(({ code = '' }) => localFaults.has(code)) &&
    all.some(({ code, address = '' }) => code !== 'ENETUNREACH' || isIP(address) !== 6);
  return new AttemptFault('connect', ours);
}
