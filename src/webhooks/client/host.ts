import type { SecureContext } from 'node:tls';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { type Address, checkTarget, type Resolve } from '../guard/resolve.ts';
import { type AllowedHosts, isAllowed, type Target } from '../guard/target.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { createConnections } from './connections.ts';
import { connector } from './connector.ts';
import { Exchange } from './exchange.ts';

/** Limits in milliseconds, bytes and requests at once. */
export interface HostLimits {
  /** To resolve a name, and to make a connection, TLS included. */
  connectMs: number;
  /** One attempt, from resolving the name to the end of the answer's body. */
  totalMs: number;
  /** What is read of an answer's body. */
  bodyBytes: number;
  /** Bytes received with one answer at most, heads (up to 16 KiB) and framing included. */
  receivedBytes: number;
  /** Requests to one host at once, and so its connections. */
  perHost: number;
  /** How long a check is valid; then the name is resolved and checked again, also while connections are open. */
  checkedMs: number;
  /** How long an unused connection stays open. */
  idleMs: number;
}

/** A host that requests go to: its limiter, its checked addresses, its connections. */
export interface Host {
  limiter: Limiter;
  /** Requests that are under way or wait for a slot. */
  users: number;
  attempt(target: Target, body: string | Uint8Array, headers: Record<string, string>): Promise<Attempt>;
  /** Whether a free connection is open. */
  connected(): boolean;
  /** Closes all free connections. */
  close(): void;
}

/**
 * Opens no connection: requests do, and only to addresses that were checked at most `checkedMs` ago.
 * @param unused called when a free connection has closed
 */
export function createHost(
  target: Target,
  options: {
    allowed: AllowedHosts;
    resolve: Resolve;
    trusted: SecureContext;
    limits: HostLimits;
    unused(): void;
  },
): Host {
  const { allowed, resolve, trusted, limits, unused } = options;
  const { connectMs, totalMs: limitMs, bodyBytes, receivedBytes, idleMs } = limits;
  let addresses: readonly Address[] = [];
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<AttemptFault | undefined> | undefined;

  const connect = connector(target, {
    addresses: () => addresses,
    anyAddress: isAllowed(target, allowed),
    trusted,
    limitMs: connectMs,
  });
  const { origin } = new URL(target.url);
  const connections = createConnections(origin, { connect, idleMs, receivedBytes, unused });

  const check = async () => {
    const verdict = await withTimeout(checkTarget(target, { allowed, resolve }), connectMs, () => undefined);
    if (verdict === undefined) return new AttemptFault('dns');
    if (!verdict.ok) return new AttemptFault(verdict.error, verdict.ours);
    addresses = verdict.addresses;
    checkedAt = performance.now();
    return undefined;
  };

  /** The guard's refusal of the host, if any. Concurrent requests share one check. */
  const checked = () => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  return {
    limiter: createLimiter(limits.perHost),
    users: 0,
    async attempt({ url, platform }, body, headers) {
      const startedAt = performance.now();
      const fault = startedAt - checkedAt < limits.checkedMs ? undefined : await checked();
      if (fault !== undefined) return failed(fault, Math.round(performance.now() - startedAt));
      const connection = connections.take();
      connection.renew();
      const path = url.slice(url.indexOf('/', 'https://'.length));
      try {
        return await new Promise<Attempt>((done, fail) => {
          const exchange = new Exchange({ startedAt, limitMs, bodyBytes, platform, done, fail });
          connection.client.dispatch({ method: 'POST', path, headers, body }, exchange);
        });
      } finally {
        connections.give(connection);
      }
    },
    connected: connections.free,
    close: connections.close,
  };
}
