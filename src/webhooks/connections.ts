import { type buildConnector, Client } from 'undici';

/** The connections to one host: each carries one request at a time, and is used again while it is open. */
export interface Connections {
  /** One that is free, the one used last first, or else a new one. */
  take(): Client;
  /** Gives one back; it is kept if it is still open. */
  give(client: Client): void;
  /** Whether any is open and free. */
  free(): boolean;
  /** Closes those that are free. */
  close(): void;
}

/**
 * Undici's own pool would open a second connection for whoever asks again as soon as the answer is there, which is what deliveries do.
 * @param idleMs how long a free connection stays open; the receiver may ask for less
 * @param unused called when a free connection has closed
 */
export function createConnections(
  origin: string,
  { connect, idleMs, unused }: { connect: buildConnector.connector; idleMs: number; unused(): void },
): Connections {
  const idle: Client[] = [];
  const open = () => {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // An exchange has one limit for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    client.on('disconnect', () => {
      const at = idle.indexOf(client);
      if (at === -1) return;
      idle.splice(at, 1);
      void client.destroy();
      unused();
    });
    return client;
  };
  return {
    take: () => idle.pop() ?? open(),
    give(client) {
      if (client.stats.connected) idle.push(client);
      else void client.destroy();
    },
    free: () => idle.length > 0,
    close() {
      for (const client of idle.splice(0)) void client.destroy();
    },
  };
}
