import ipaddr from 'ipaddr.js';
import { Overloaded } from './limiter.ts';

/** Runs costly work of many clients, some at once. Clients take turns, so that one that asks for much waits behind itself alone. */
export interface FairQueue {
  /**
   * Runs work when it is the client's turn.
   * @param client such as {@link clientKey} of an address
   * @throws Overloaded when too much waits already, of this client or of all, or when the turn does not come in time
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
}

export interface FairQueueOptions {
  /** How much runs at once; default 4. */
  running?: number;
  /** How much of one client runs at once; default 2. */
  runningPerClient?: number;
  /** How much waits; default 512. */
  waiting?: number;
  /** How much of one client waits; default 256. */
  waitingPerClient?: number;
  /** Milliseconds to wait; default 15,000. */
  waitMs?: number;
}

interface Client {
  running: number;
  /** Those that wait, the first first; each is called when its turn has come. */
  turns: Set<() => void>;
}

export function createFairQueue(options: FairQueueOptions = {}): FairQueue {
  const { running: maxRunning = 4, runningPerClient = 2, waitMs = 15_000 } = options;
  const { waiting: maxWaiting = 512, waitingPerClient = 256 } = options;
  /** The clients with something in the queue, in the order of their turns. */
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

  function wait(client: Client): Promise<void> {
    if (waiting >= maxWaiting || client.turns.size >= waitingPerClient)
      return Promise.reject(new Overloaded('too much waits already'));
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
        reject(new Overloaded('its turn did not come in time'));
      }, waitMs);
      waiting += 1;
      client.turns.add(turn);
      admit();
    });
  }

  /** The client's next turn comes after those of all others; one of whom nothing is left is forgotten. */
  function toTheEnd(key: string, client: Client): void {
    clients.delete(key);
    if (client.running > 0 || client.turns.size > 0) clients.set(key, client);
  }

  return {
    async run(key, work) {
      const client = clients.get(key) ?? { running: 0, turns: new Set() };
      clients.set(key, client);
      try {
        await wait(client);
      } catch (error) {
        if (client.running === 0 && client.turns.size === 0) clients.delete(key);
        throw error;
      }
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
 * What a client's address counts as: an IPv6 one by its /64, which is what one household or server gets. A proxy may have added a port.
 * What is no address counts as one client.
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
