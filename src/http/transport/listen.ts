// Several listeners on one port.
//
// Why: a Node listener accepts one connection per turn of the event loop. With turns of 15 ms, the last of 200 simultaneous readers gets
// its answer after 4.8 s with one listener, and after 0.7 s with 16.
// Measure: `npm test -- test/http/listeners.test.ts` counts the turns.
// Alternative: `server.listen(port, host)`.

import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createListener,
  type Server as Listener,
  type ListenOptions,
} from 'node:net';

const listeners = 16;

/**
 * Listens on a port, with several listeners if the system supports `SO_REUSEPORT`.
 * @returns the additional listeners, which pass their connections to the server and must be closed with it
 * @throws Error with code `EADDRINUSE`, even if the other program would share its port
 */
export async function listen(server: Server, port: number, host: string): Promise<Listener[]> {
  const listenOn = async (listener: Listener, options: ListenOptions) => {
    listener.listen({ host, port, ...options });
    await once(listener, 'listening');
  };
  // In a cluster, the primary process accepts all connections and does nothing else.
  if (cluster.isWorker) {
    await listenOn(server, {});
    return [];
  }
  const alone = createListener();
  await listenOn(alone, {});
  alone.close();
  await once(alone, 'close');
  try {
    await listenOn(server, { reusePort: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    await listenOn(server, {});
    return [];
  }
  const further = Array.from({ length: listeners - 1 }, () =>
    createListener({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  );
  const { port: taken } = server.address() as AddressInfo;
  await Promise.all(further.map((listener) => listenOn(listener, { port: taken, reusePort: true })));
  return further;
}
