import type { SecureContext } from 'node:tls';
import { Pool } from 'undici';
import { AttemptFault } from './attempt.ts';
import { connector } from './connector.ts';
import type { Exchange } from './exchange.ts';
import { type Address, checkTarget, type Resolve } from './resolve.ts';
import { createSlots, type Slots } from './slots.ts';
import { type AllowedHosts, isAllowed, type Target } from './target.ts';

/** How long, and how much at once. */
export interface HostLimits {
  /** Requests to one host at once, and so its connections. */
  perHost: number;
  /** For a connection: name, TCP and TLS each. */
  connectMs: number;
  /** How long a judgement holds before the name is resolved and judged anew, connections open or not. */
  judgedMs: number;
  /** How long an unused connection stays open. */
  idleMs: number;
}

/** One host that is delivered to: its slots, its judged addresses, its connections. */
export interface Host {
  slots: Slots;
  /** Requests that are under way or wait for a slot; a host with none may be forgotten. */
  users: number;
  /** @returns undefined where the last judgement still holds; else a promise of the fault, if there is one */
  judge(): Promise<AttemptFault | undefined> | undefined;
  send(
    request: { path: string; body: string | Uint8Array; headers: Record<string, string> },
    exchange: Exchange,
  ): void;
  /** Whether a connection is open. */
  connected(): boolean;
  /** Lets what is under way come to its end, then closes all connections. */
  close(): Promise<void>;
}

/**
 * Opens nothing yet: connections are made as requests need them, and only to addresses that were judged at most `judgedMs` ago.
 * @param unused called when the last connection has closed
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
  let addresses: readonly Address[] = [];
  let judgedAt = Number.NEGATIVE_INFINITY;
  let judging: Promise<AttemptFault | undefined> | undefined;

  const pool = new Pool(new URL(target.url).origin, {
    connections: limits.perHost,
    pipelining: 1,
    keepAliveTimeout: limits.idleMs,
    // A receiver may ask for less, not for more.
    keepAliveMaxTimeout: limits.idleMs,
    // The exchange has one limit for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: connector(target, {
      addresses: () => addresses,
      anyAddress: isAllowed(target, allowed),
      trusted,
      limitMs: limits.connectMs,
    }),
  });
  pool.on('disconnect', unused);

  const judge = async () => {
    const verdict = await within(checkTarget(target, { allowed, resolve }), limits.connectMs);
    if (verdict === undefined) return new AttemptFault('dns');
    if (!verdict.ok) return new AttemptFault(verdict.error, verdict.ours);
    addresses = verdict.addresses;
    judgedAt = performance.now();
    return undefined;
  };

  return {
    slots: createSlots(limits.perHost),
    users: 0,
    judge() {
      if (performance.now() - judgedAt < limits.judgedMs) return undefined;
      judging ??= judge().finally(() => {
        judging = undefined;
      });
      return judging;
    },
    send({ path, body, headers }, exchange) {
      pool.dispatch({ method: 'POST', path, headers, body }, exchange);
    },
    connected: () => pool.stats.connected > 0,
    close: () => pool.close(),
  };
}

/** What comes of `work`, or undefined when it takes longer. */
async function within<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
