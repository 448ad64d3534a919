import { type Attempt, AttemptFault, failed } from './attempt.ts';
import { trust } from './connector.ts';
import { createResolve } from './dns.ts';
import { Exchange } from './exchange.ts';
import { createHost, type Host, type HostLimits } from './host.ts';
import type { Resolve } from './resolve.ts';
import { createSlots, inSlot } from './slots.ts';
import type { AllowedHosts, Target } from './target.ts';

export type { Attempt, AttemptError } from './attempt.ts';

/** Sends to targets of strangers, and survives what they answer. */
export interface DeliveryClient {
  /**
   * Posts a body once; it follows no redirect and repeats nothing. Whatever the receiver does is told in the attempt; it ends at most
   * `waitMs` + `totalMs` after it was asked for.
   * @param headers sent as they are, beside Host, Content-Length and Connection
   * @throws when the headers are not well-formed, or the client is closed
   */
  post(target: Target, body: string | Uint8Array, headers: Record<string, string>): Promise<Attempt>;
  /** Lets requests that are under way end, then closes every connection. */
  close(): Promise<void>;
}

/** Limits in milliseconds, bytes and requests at once. Those of the decisions, section 5, where it names any. */
interface Limits extends HostLimits {
  /** One attempt in all, the answer's body included. */
  totalMs: number;
  /** The wait for a free slot before an attempt. */
  waitMs: number;
  /** What is read of an answer's body. */
  bodyBytes: number;
  /** Requests at once in all. */
  total: number;
  /** Hosts that are remembered with their connections. */
  hosts: number;
}

const usual: Limits = {
  connectMs: 3000,
  totalMs: 10_000,
  waitMs: 10_000,
  judgedMs: 10_000,
  idleMs: 4000,
  bodyBytes: 4096,
  perHost: 8,
  total: 128,
  hosts: 512,
};

/**
 * Opens the client for deliveries. The guard judges the name at every request unless that was done moments ago, and connections go to
 * the addresses it judged, whatever the name says by then.
 * @param options `ca`: a PEM certificate to trust beside the usual ones; `perHost`: requests to one host at once
 */
export function createDeliveryClient(options: {
  allowed: AllowedHosts;
  resolve?: Resolve;
  ca?: string;
  perHost?: number;
  limits?: Partial<Limits>;
}): DeliveryClient {
  const { allowed, ca, perHost = usual.perHost } = options;
  const limits = { ...usual, perHost, ...options.limits };
  const resolve = options.resolve ?? createResolve({ allowed, limitMs: limits.connectMs });
  const trusted = trust(ca);
  const slots = createSlots(limits.total);
  const hosts = new Map<string, Host>();
  const closing = new Set<Promise<void>>();
  let closed = false;

  const forget = (key: string, host: Host) => {
    if (hosts.get(key) === host) hosts.delete(key);
    const done = host.close().finally(() => closing.delete(done));
    closing.add(done);
  };

  const release = (key: string, host: Host) => {
    if (host.users === 0 && !host.connected() && hosts.get(key) === host) forget(key, host);
  };

  const hostOf = (target: Target): Host => {
    const known = hosts.get(target.host);
    if (known !== undefined) return known;
    if (hosts.size >= limits.hosts) {
      const idle = [...hosts].find(([, { users }]) => users === 0);
      if (idle !== undefined) forget(...idle);
    }
    const host = createHost(target, {
      allowed,
      resolve,
      trusted,
      limits,
      unused: () => release(target.host, host),
    });
    hosts.set(target.host, host);
    return host;
  };

  const attempt = async (
    host: Host,
    target: Target,
    body: string | Uint8Array,
    headers: Record<string, string>,
  ) => {
    const startedAt = performance.now();
    const judging = host.judge();
    const fault = judging === undefined ? undefined : await judging;
    if (fault !== undefined) return failed(fault, Math.round(performance.now() - startedAt));
    return new Promise<Attempt>((done, fail) => {
      const { totalMs: limitMs, bodyBytes } = limits;
      const { chat, url } = target;
      const exchange = new Exchange({ startedAt, limitMs, bodyBytes, chat, done, fail });
      host.send({ path: url.slice(url.indexOf('/', 'https://'.length)), body, headers }, exchange);
    });
  };

  return {
    async post(target, body, headers) {
      if (closed) throw new Error('the delivery client is closed');
      const host = hostOf(target);
      const until = performance.now() + limits.waitMs;
      host.users += 1;
      try {
        const made = await inSlot(host.slots, limits.waitMs, () =>
          inSlot(slots, until - performance.now(), () => attempt(host, target, body, headers)),
        );
        return made ?? failed(new AttemptFault('busy', true), 0);
      } finally {
        host.users -= 1;
        release(target.host, host);
      }
    },
    async close() {
      closed = true;
      for (const [key, host] of hosts) forget(key, host);
      await Promise.all(closing);
    },
  };
}
