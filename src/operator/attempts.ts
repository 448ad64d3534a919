import { LRUCache } from 'lru-cache';

/** Wrong tokens of an address that cost no delay: people mistype. */
const free = 3;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;

/** Addresses that are remembered, and for how long after the last wrong token. */
const maxAddresses = 10_000;
const forgetAfterMs = 3_600_000;

/** Slows down who guesses tokens. */
export interface Attempts {
  /** @returns the milliseconds until an address may try again; 0 where it may */
  delayOf(address: string): number;
  /** Notes a wrong token: after the first three, each one doubles the delay, from a second to a minute. */
  wrong(address: string): void;
  right(address: string): void;
}

/** @param now a monotonic clock in milliseconds */
export function createAttempts(now: () => number = () => performance.now()): Attempts {
  const known = new LRUCache<string, { count: number; nextAt: number }>({
    max: maxAddresses,
    ttl: forgetAfterMs,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    delayOf: (address) => Math.max(0, (known.get(address)?.nextAt ?? 0) - now()),
    wrong(address) {
      const count = (known.get(address)?.count ?? 0) + 1;
      const delay = count <= free ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (count - free - 1));
      known.set(address, { count, nextAt: now() + delay });
    },
    right: (address) => void known.delete(address),
  };
}
