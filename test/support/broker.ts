// Test processes request services from the process that runs them, so that each service starts at most once, and only if a test uses it.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestServices } from './services.ts';

type ServiceName = 'postgres' | 'otherPostgres' | 'pgbouncer' | 'redis' | 'chromium';
type Service<Name extends ServiceName> = Awaited<ReturnType<TestServices[Name]>>;

export interface Broker {
  /** The value of `TEST_SERVICES`. It contains a secret that grants access to the services. */
  url: string;
  close(): void;
}

/** Serves the services to test processes on this machine. */
export async function startBroker(services: Pick<TestServices, ServiceName>): Promise<Broker> {
  const secret = randomBytes(24).toString('hex');
  const server = createServer((request, response) => {
    const [, given, name] = request.url?.split('/') ?? [];
    const start = given === secret && Object.hasOwn(services, name ?? '') && services[name as ServiceName];
    if (!start) {
      response.writeHead(404).end();
      return;
    }
    start().then(
      (service) => response.end(JSON.stringify({ service })),
      (error: Error) => response.end(JSON.stringify({ error: error.message })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Requests a service, and starts it on the first request.
 * @throws Error with the reason if it cannot be started
 */
export async function requestService<Name extends ServiceName>(name: Name): Promise<Service<Name>> {
  const broker = process.env.TEST_SERVICES;
  if (!broker) throw new Error('TEST_SERVICES is not set: `npm test` sets it');
  const response = await fetch(`${broker}/${name}`, { headers: { connection: 'close' } });
  const { service, error } = (await response.json()) as { service: Service<Name>; error?: string };
  if (error !== undefined) throw new Error(`${name} cannot be started: ${error}`);
  return service;
}
