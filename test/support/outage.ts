import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between the service and a store that simulates outages. */
export interface Outage {
  /** The store's URL through the proxy. */
  url: string;
  /** Breaks all connections and refuses new ones, as if the store's process had exited. */
  cut(): Promise<void>;
  /** Refuses new connections. Open ones continue. */
  refuseNew(): void;
  /** Drops all traffic silently: connections stay open, and new ones are accepted but get no answer. */
  freeze(): void;
  /** Delays all traffic by this many milliseconds, in both directions. 0: no delay. */
  delay(ms: number): void;
  /** Ends the outage. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** @param target URL of the real store */
export async function withOutage(target: string): Promise<Outage> {
  const url = new URL(target);
  const to = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let frozen = false;
  let delayMs = 0;
  let port = 0;
  let server: Server | undefined;

  function join(inner: Socket): void {
    const outer = connect(to);
    for (const [from, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          other.destroy();
        });
      let last = 0;
      from.on('data', (chunk) => {
        const now = performance.now();
        // Preserves order even after the delay became shorter.
        last = Math.max(last, now + delayMs);
        if (last <= now) other.write(chunk);
        else setTimeout(() => other.write(chunk), last - now);
      });
      if (frozen) from.pause();
    }
  }

  async function listen(): Promise<void> {
    const opened = createServer(join);
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    port = (opened.address() as AddressInfo).port;
    server = opened;
  }

  async function cut(): Promise<void> {
    const closed = new Promise((resolve) =>
      server === undefined ? resolve(undefined) : server.close(resolve),
    );
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await listen();
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    refuseNew() {
      server?.close();
      server = undefined;
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    delay(ms) {
      delayMs = ms;
    },
    async restore() {
      frozen = false;
      delayMs = 0;
      for (const socket of sockets) socket.resume();
      if (server === undefined) await listen();
    },
    close: cut,
  };
}
