import { LRUCache } from 'lru-cache';
import { createResolve } from '../guard/dns.ts';
import type { Resolve } from '../guard/resolve.ts';
import type { AllowedHosts, Target } from '../guard/target.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { trust } from './connector.ts';
import { createHost, type Host, type HostLimits } from './host.ts';

/** Sends requests to targets chosen by strangers, and tolerates any answer. */
export type DeliveryClient = ReturnType<typeof createDeliveryClient>;

interface Limits extends HostLimits {
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
