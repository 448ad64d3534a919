import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as Listener, type ListenOptions } from 'node:net';

/**
 * Listeners of one port. Node accepts one connection a listener in each turn of the event loop: with a single one, a server whose turns take
 * 15 ms admits 70 readers a second, however idle they are, and the others wait in the system's queue.
 */
const listeners = 16;

/**
 * Listens on a port, where the system can (`SO_REUSEPORT`) with several listeners.
 * @returns the further ones, which give the server what they accept; to be closed with it
 * @throws Error with code `EADDRINUSE`, also where the listener there would share its port; what listening throws
 */
export async function listen(server: Server, port: number, host: string): Promise<Listener[]> {
  const listenOn = async (listener: Listener, options: ListenOptions) => {
    listener.listen({ host, port, ...options });
    await once(listener, 'listening');
  };
  // Processes of a cluster get their connections from the first one, which does nothing else.
  if (cluster.isWorker) {
    await listenOn(server, {});
    return [];
  }
  const alone = createServer();
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
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
  );
  const { port: taken } = server.address() as AddressInfo;
  await Promise.all(further.map((listener) => listenOn(listener, { port: taken, reusePort: true })));
  return further;
}
