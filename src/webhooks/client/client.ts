import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import { singleFlight } from '../../platform/once.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { type Address, checkTarget, createResolve, type Resolve } from '../guard/resolve.ts';
import { type AllowedHosts, isAllowed, type Target } from '../guard/target.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { connector, trust } from './connector.ts';
import { Exchange } from './exchange.ts';

/** Sends requests to targets chosen by strangers, and tolerates any answer. */
export type DeliveryClient = ReturnType<typeof createDeliveryClient>;

interface Limits {
  /** Time to resolve a name, and to connect including TLS. */
  connectMs: number;
  /** Time of one attempt, from resolving the name to the end of the answer's body. */
  totalMs: number;
  bodyBytes: number;
  /** Bytes received per answer, including heads (up to 16 KiB) and framing. */
  receivedBytes: number;
  /** How long a check of the name is valid, even while connections are open. */
  checkedMs: number;
  /** How long an unused connection stays open, unless the receiver asks for less. */
  idleMs: number;
  /** Concurrent requests. Further ones are not sent. */
  total: number;
  hosts: number;
}

/** Defaults. Those that receivers notice are in docs/rules/webhooks.md. */
export const defaults: Limits = {
  connectMs: 3000,
  totalMs: 10_000,
  checkedMs: 10_000,
  idleMs: 4000,
  bodyBytes: 4096,
  receivedBytes: 256 * 1024,
  total: 512,
  hosts: 1024,
};

/**
 * Creates the client for deliveries. The guard checks a name at most `checkedMs` before each request. Connections go only to the checked
 * addresses, even if the name has since changed.
 * @param options `ca`: a PEM certificate to trust in addition
 */
export function createDeliveryClient(options: {
  allowed: AllowedHosts;
  resolve?: Resolve;
  ca?: string;
  limits?: Partial<Limits>;
}) {
  const { allowed, ca } = options;
  const limits = { ...defaults, ...options.limits };
  const resolve = options.resolve ?? createResolve({ allowed, limitMs: limits.connectMs * 0.9 });
  const trusted = trust(ca);
  // Running requests of a host that is dropped still end.
  const hosts = new LRUCache<string, Host>({ max: limits.hosts, dispose: (host) => host.close() });
  let running = 0;
  let closed = false;
  const drained = Promise.withResolvers<void>();

  const hostOf = (target: Target): Host => {
    const known = hosts.get(target.host);
    if (known !== undefined) return known;
    const host = createHost(target, { allowed, resolve, trusted, limits });
    hosts.set(target.host, host);
    return host;
  };

  return {
    /**
     * Without redirects or retries. The attempt reports whatever the receiver does, and ends within `totalMs`.
     * @param headers sent unchanged, in addition to Host, Content-Length, and Connection
     * @throws if the headers are malformed or the client is closed
     */
    async post(target: Target, body: string | Buffer, headers: Record<string, string>): Promise<Attempt> {
      if (closed) throw new Error('the delivery client is closed');
      if (running >= limits.total) return failed(new AttemptFault('busy', true), 0);
      running += 1;
      try {
        return await hostOf(target).attempt(target, body, headers);
      } finally {
        running -= 1;
        if (closed && running === 0) drained.resolve();
      }
    },
    async close(): Promise<void> {
      closed = true;
      if (running > 0) await drained.promise;
      hosts.clear();
    },
  };
}

type Host = ReturnType<typeof createHost>;

/** Requests open the connections, to addresses checked at most `checkedMs` ago. */
function createHost(
  target: Target,
  options: { allowed: AllowedHosts; resolve: Resolve; trusted: SecureContext; limits: Limits },
) {
  const { allowed, resolve, trusted, limits } = options;
  const { connectMs, totalMs: limitMs, bodyBytes, receivedBytes, idleMs } = limits;
  let addresses: readonly Address[] = [];
  let checkedAt = Number.NEGATIVE_INFINITY;
  const once = singleFlight<AttemptFault | undefined>();
  const connect = connector(target, {
    addresses: () => addresses,
    anyAddress: isAllowed(target, allowed),
    trusted,
    limitMs: connectMs,
  });
  // One request at a time on each connection.
  const pool = new Pool(new URL(target.url).origin, {
    connect: (given, callback) =>
      connect(given, (...[fault, socket]) => {
        if (fault !== null) return callback(fault, null);
        limitReceived(socket, receivedBytes);
        callback(null, socket);
      }),
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // An exchange has one limit for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  /** @returns the guard's refusal of the host, if any */
  async function check(): Promise<AttemptFault | undefined> {
    const verdict = await withTimeout(checkTarget(target, { allowed, resolve }), connectMs, () => undefined);
    if (verdict === undefined) return new AttemptFault('dns');
    if (!verdict.ok) return new AttemptFault(verdict.error, verdict.ours);
    addresses = verdict.addresses;
    checkedAt = performance.now();
    return undefined;
  }

  return {
    async attempt(
      { url, platform }: Target,
      body: string | Buffer,
      headers: Record<string, string>,
    ): Promise<Attempt> {
      const startedAt = performance.now();
      const fault = startedAt - checkedAt < limits.checkedMs ? undefined : await once('', check);
      if (fault !== undefined) return failed(fault, Math.round(performance.now() - startedAt));
      const path = url.slice(url.indexOf('/', 'https://'.length));
      const attempt = await new Promise<Attempt>((done, fail) => {
        const exchange = new Exchange({ startedAt, limitMs, bodyBytes, platform, done, fail });
        pool.dispatch({ method: 'POST', path, headers, body }, exchange);
      });
      // The name may lead elsewhere by now.
      if (attempt.status === null) checkedAt = Number.NEGATIVE_INFINITY;
      // Until then the pool counts the connection as busy, and the next request would open another one.
      await nextTurn();
      return attempt;
    },
    close: () => void pool.close().catch(() => {}),
  };
}

/**
 * Limits the bytes received between two requests on a connection, because an HTTP parser counts neither chunk extensions nor trailers nor
 * informational responses. A connection beyond the limit is destroyed.
 */
function limitReceived(socket: Socket, maxBytes: number): void {
  let left = maxBytes;
  const push = socket.push.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  Object.assign(socket, {
    // Node.js passes every decrypted chunk to this method; a listener would take chunks from the parser.
    push(chunk: Buffer | null, encoding?: BufferEncoding) {
      left -= chunk?.length ?? 0;
      if (left >= 0) return push(chunk, encoding);
      socket.destroy(new AttemptFault('protocol'));
      return false;
    },
    write(...given: unknown[]) {
      left = maxBytes;
      return write(...given);
    },
  });
}
