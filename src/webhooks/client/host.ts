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
  /** One attempt in all, the answer's body included. */
  totalMs: number;
  /** What is read of an answer's body. */
  bodyBytes: number;
  /** What may come in with one answer at the most, all that is no body included: heads are up to 16 KiB long. */
  receivedBytes: number;
  /** Requests to one host at once, and so its connections. */
  perHost: number;
  /** How long a judgement is valid; then the name is resolved and judged again, open connections or not. */
  judgedMs: number;
  /** How long an unused connection stays open. */
  idleMs: number;
}

/** One host that is delivered to: its limiter, its judged addresses, its connections. */
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
 * Opens nothing yet: connections are made as requests need them, and only to addresses that were judged at most `judgedMs` ago.
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
  let judgedAt = Number.NEGATIVE_INFINITY;
  let judging: Promise<AttemptFault | undefined> | undefined;

  const connect = connector(target, {
    addresses: () => addresses,
    anyAddress: isAllowed(target, allowed),
    trusted,
    limitMs: connectMs,
  });
  const { origin } = new URL(target.url);
  const connections = createConnections(origin, { connect, idleMs, receivedBytes, unused });

  const judge = async () => {
    const verdict = await withTimeout(checkTarget(target, { allowed, resolve }), connectMs, () => undefined);
    if (verdict === undefined) return new AttemptFault('dns');
    if (!verdict.ok) return new AttemptFault(verdict.error, verdict.ours);
    addresses = verdict.addresses;
    judgedAt = performance.now();
    return undefined;
  };

  /** What the guard has against the host; requests that come at once are judged at once. */
  const judged = () => {
    judging ??= judge().finally(() => {
      judging = undefined;
    });
    return judging;
  };

  return {
    limiter: createLimiter(limits.perHost),
    users: 0,
    async attempt({ url, platform }, body, headers) {
      const startedAt = performance.now();
      const fault = startedAt - judgedAt < limits.judgedMs ? undefined : await judged();
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
