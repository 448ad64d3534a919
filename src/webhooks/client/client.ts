import { createLimiter } from '../../platform/limiter.ts';
import { createResolve } from '../guard/dns.ts';
import type { Resolve } from '../guard/resolve.ts';
import type { AllowedHosts, Target } from '../guard/target.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { trust } from './connector.ts';
import { createHost, type Host, type HostLimits } from './host.ts';

export type { Attempt } from './attempt.ts';

/** Sends requests to targets that strangers chose, and tolerates any answer. */
export interface DeliveryClient {
  /**
   * Posts a body once, without following redirects or retrying. Whatever the receiver does is reported in the attempt, which ends at most
   * `waitMs` + `totalMs` after it was asked for.
   * @param headers sent as they are, beside Host, Content-Length and Connection
   * @throws when the headers are not well-formed, or the client is closed
   */
  post(target: Target, body: string, headers: Record<string, string>): Promise<Attempt>;
  /** Waits for requests in flight, then closes every connection. */
  close(): Promise<void>;
}

/** Limits in milliseconds, bytes and requests at once. */
interface Limits extends HostLimits {
  /** The wait for a free slot before an attempt: short, since the delivery's lease is not much longer than an attempt. */
  waitMs: number;
  /** Requests at once in all. */
  total: number;
  /** Hosts whose connections are kept. */
  hosts: number;
}

/** The defaults; those that clients notice are in docs/rules/webhooks.md. */
const defaults: Limits = {
  connectMs: 3000,
  totalMs: 10_000,
  waitMs: 500,
  checkedMs: 10_000,
  idleMs: 4000,
  bodyBytes: 4096,
  receivedBytes: 256 * 1024,
  perHost: 8,
  total: 512,
  hosts: 1024,
};

/**
 * Opens the client for deliveries. The guard checks the name at every request unless it did so within `checkedMs`, and connections go to
 * the addresses that it checked, even when the name resolves to others by then.
 * @param options `ca`: a PEM certificate to trust beside the usual ones; `perHost`: requests to one host at once
 */
export function createDeliveryClient(options: {
  allowed: AllowedHosts;
  resolve?: Resolve;
  ca?: string;
  perHost?: number;
  limits?: Partial<Limits>;
}): DeliveryClient {
  const { allowed, ca, perHost = defaults.perHost } = options;
  const limits = { ...defaults, perHost, ...options.limits };
  const resolve = options.resolve ?? createResolve({ allowed, limitMs: limits.connectMs * 0.9 });
  const trusted = trust(ca);
  const limiter = createLimiter(limits.total);
  const hosts = new Map<string, Host>();
  let running = 0;
  let closed = false;
  const drained = Promise.withResolvers<void>();

  const forget = (key: string, host: Host) => {
    if (hosts.get(key) === host) hosts.delete(key);
    host.close();
  };

  /** Forgets a host without users or connections. */
  const release = (key: string, host: Host) => {
    if (host.users === 0 && !host.connected()) forget(key, host);
  };

  const makeRoom = () => {
    if (hosts.size < limits.hosts) return;
    for (const [key, host] of hosts) if (host.users === 0) return forget(key, host);
  };

  const hostOf = (target: Target): Host => {
    const known = hosts.get(target.host);
    if (known !== undefined) return known;
    makeRoom();
    const unused = () => release(target.host, host);
    const host = createHost(target, { allowed, resolve, trusted, limits, unused });
    hosts.set(target.host, host);
    return host;
  };

  /** Takes a slot of the host, then a global one: waiting for a slow host does not block requests to others. */
  const enter = async (host: Host): Promise<boolean> => {
    const until = performance.now() + limits.waitMs;
    if (!(await host.limiter.acquire({ waitMs: limits.waitMs }))) return false;
    if (await limiter.acquire({ waitMs: until - performance.now() })) return true;
    host.limiter.release();
    return false;
  };

  return {
    async post(target, body, headers) {
      if (closed) throw new Error('the delivery client is closed');
      const host = hostOf(target);
      running += 1;
      host.users += 1;
      try {
        if (!(await enter(host))) return failed(new AttemptFault('busy', true), 0);
        try {
          return await host.attempt(target, body, headers);
        } finally {
          limiter.release();
          host.limiter.release();
        }
      } finally {
        host.users -= 1;
        release(target.host, host);
        running -= 1;
        if (closed && running === 0) drained.resolve();
      }
    },
    async close() {
      closed = true;
      if (running === 0) drained.resolve();
      await drained.promise;
      for (const [key, host] of hosts) forget(key, host);
    },
  };
}
