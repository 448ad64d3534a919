import { createResolve } from '../guard/dns.ts';
import type { Resolve } from '../guard/resolve.ts';
import type { AllowedHosts, Target } from '../guard/target.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { trust } from './connector.ts';
import { createHost, type Host, type HostLimits } from './host.ts';

export type { Attempt } from './attempt.ts';

/** Sends requests to targets chosen by strangers, and tolerates any answer. */
export interface DeliveryClient {
  /**
   * Posts a body once, without redirects or retries. The attempt reports whatever the receiver does, and ends within `totalMs`.
   * @param headers sent unchanged, in addition to Host, Content-Length, and Connection
   * @throws if the headers are malformed or the client is closed
   */
  post(target: Target, body: string | Buffer, headers: Record<string, string>): Promise<Attempt>;
  /** Waits for running requests, then closes all connections. */
  close(): Promise<void>;
}

/** Limits in ms, bytes, and concurrent requests. */
interface Limits extends HostLimits {
  /** Concurrent requests. Further ones are not sent. */
  total: number;
  /** Number of hosts whose connections are kept. */
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
}): DeliveryClient {
  const { allowed, ca } = options;
  const limits = { ...defaults, ...options.limits };
  const resolve = options.resolve ?? createResolve({ allowed, limitMs: limits.connectMs * 0.9 });
  const trusted = trust(ca);
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

  return {
    async post(target, body, headers) {
      if (closed) throw new Error('the delivery client is closed');
      if (running >= limits.total) return failed(new AttemptFault('busy', true), 0);
      const host = hostOf(target);
      running += 1;
      host.users += 1;
      try {
        return await host.attempt(target, body, headers);
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
