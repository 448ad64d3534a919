import type { Clock } from '../../src/platform/clock.ts';
import { allowedHosts } from '../../src/platform/config/kinds.ts';
import { createDeliveryClient } from '../../src/webhooks/client/client.ts';
import type { Resolve } from '../../src/webhooks/guard/resolve.ts';
import { type ApiOptions, type RunningApi, startApi } from './api.ts';
import type { TestDatabase } from './database.ts';
import { type Receiver, receiversAuthority } from './receivers.ts';
import type { TestRedis } from './redis.ts';

/** The API's answer to a request about webhooks. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  body: any;
}

export interface WebhookSite {
  site: RunningApi;
  /**
   * @param given a body, sent as JSON unless it is a string; additional headers; the method, by default POST with a body and GET without
   */
  ask(
    path: string,
    given?: { body?: unknown; headers?: Record<string, string>; method?: string },
  ): Promise<Answered>;
  close(): Promise<void>;
}

/** Resolves allowed receivers to loopback, and any other name to one public address, without a lookup. */
const resolve =
  (local: ReadonlySet<string>): Resolve =>
  async (hostname) => [{ address: local.has(hostname) ? '127.0.0.1' : '198.41.0.4', family: 4 }];

/** Starts the site, with receivers on loopback that accept webhooks. */
export async function startWebhookSite(
  stores: { database: TestDatabase; redis: TestRedis },
  {
    receivers = [],
    names = [],
    ...options
  }: ApiOptions & {
    receivers?: readonly Receiver[];
    names?: readonly string[];
    clock: Clock;
  },
): Promise<WebhookSite> {
  const setting = [...receivers.map(({ host }) => host), ...names].join(',');
  const allowed = allowedHosts(setting);
  const local = new Set([...allowed].map((host) => host.replace(/:\d+$/, '')));
  const { certificate } = await receiversAuthority();
  const client = createDeliveryClient({ allowed, resolve: resolve(local), ca: certificate });
  const site = await startApi(stores, {
    ...options,
    targets: { client, resolve: resolve(local) },
    settings: { WEBHOOK_ALLOW_HOSTS: setting, ...options.settings },
  });
  return {
    site,
    async ask(path, { body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = {}) {
      const response = await fetch(site.address + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /json/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    async close() {
      await site.close();
      await client.close();
    },
  };
}
