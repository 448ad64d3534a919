import ipaddr from 'ipaddr.js';
import { Overloaded } from './limiter.ts';

/** Runs expensive work of many clients with limited concurrency. Clients take turns, so a client with many requests delays only itself. */
export type FairQueue = ReturnType<typeof createFairQueue>;

export interface FairQueueOptions {
  /** Concurrent work in all; default 4. */
  running?: number;
  /** Concurrent work per client; default 2. */
  runningPerClient?: number;
  /** Waiting work in all; default 512. */
  waiting?: number;
  /** Waiting work per client; default 256. */
  waitingPerClient?: number;
  /** Longest wait, in ms; default 15,000. */
  waitMs?: number;
}

interface Client {
  running: number;
  /** Callbacks of waiting work, oldest first. A call starts the work. */
  turns: Set<() => void>;
}

export function createFairQueue(options: FairQueueOptions = {}) {
  const { running: maxRunning = 4, runningPerClient = 2, waitMs: usualMs = 15_000 } = options;
  const { waiting: maxWaiting = 512, waitingPerClient = 256 } = options;
  /** Clients with queued or running work, in the order of their turns. */
  const clients = new Map<string, Client>();
  let running = 0;
  let waiting = 0;

  function admit(): void {
    for (const [key, client] of clients) {
      if (running >= maxRunning) return;
      const [turn] = client.turns;
      if (turn === undefined || client.running >= runningPerClient) continue;
      running += 1;
      client.running += 1;
      toTheEnd(key, client);
      turn();
    }
  }

  function turnOf(key: string, client: Client, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        waiting -= 1;
        client.turns.delete(turn);
      };
      const turn = () => {
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        if (client.running === 0 && client.turns.size === 0) clients.delete(key);
        reject(new Overloaded('the wait for a turn timed out'));
      }, waitMs);
      waiting += 1;
      client.turns.add(turn);
      admit();
    });
  }

  /** Moves a client behind all others, or forgets it if it has no work left. */
  function toTheEnd(key: string, client: Client): void {
    clients.delete(key);
    if (client.running > 0 || client.turns.size > 0) clients.set(key, client);
  }

  return {
    /**
     * @param key such as {@link clientKey} of an address
     * @param waitMs longest wait, in ms; default: that of the queue
     * @throws Overloaded if too much work of this client, or in all, waits, or if the turn does not come in time
     */
    async run<T>(key: string, work: () => Promise<T>, waitMs = usualMs): Promise<T> {
      const client: Client = clients.get(key) ?? { running: 0, turns: new Set() };
      if (waiting >= maxWaiting || client.turns.size >= waitingPerClient)
        throw new Overloaded('too much work is waiting');
      clients.set(key, client);
      await turnOf(key, client, waitMs);
      try {
        return await work();
      } finally {
        running -= 1;
        client.running -= 1;
        toTheEnd(key, client);
        admit();
      }
    },
  };
}

/**
 * Returns the key under which a client's address is counted. An IPv6 address counts as its /64, which one household or server gets. A port
 * added by a proxy is ignored. All invalid addresses share one key.
 */
export function clientKey(address: string): string {
  const [, bracketed, withPort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address.trim()) ?? [];
  const text = bracketed ?? withPort ?? address.trim();
  if (!ipaddr.isValid(text)) return 'no address';
  const parsed = ipaddr.process(text);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return `${ipaddr.fromByteArray([...network, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
