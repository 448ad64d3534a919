import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { variable } from '../platform/config/read.ts';
import { Refusal, type Say } from './terminal.ts';

/** Those set by the user, or the next free ones from 3000 on. @throws Refusal if a port set by the user is taken */
export async function choosePorts(
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<{ PORT: string; OPERATOR_PORT: string }> {
  const setOperator = await portSet(environment, 'OPERATOR_PORT');
  const site = (await portSet(environment, 'PORT')) ?? (await freePort(3000, setOperator, 'the site', say));
  const operator = setOperator ?? (await freePort(3001, site, 'the operator', say));
  return { PORT: String(site), OPERATOR_PORT: String(operator) };
}

/** Drawn at random from 20000 to 29999: concurrent launchers rarely collide, and the system does not use these for outgoing connections. */
export async function anyFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (!(await isTaken(port))) return port;
  }
}

/** Reports whether a port is in use, on all addresses or on loopback, or not permitted to this user. */
export async function isTaken(port: number): Promise<boolean> {
  for (const host of ['::', '0.0.0.0', '127.0.0.1']) {
    if (!(await canListen(port, host))) return true;
  }
  return false;
}

async function portSet(environment: NodeJS.ProcessEnv, name: string): Promise<number | undefined> {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const port = Number(value);
  if (await isTaken(port)) {
    throw new Refusal(
      `Port ${port} (${name}) is taken or not permitted. Set another one, or unset ${name} to use a free one.`,
    );
  }
  return port;
}

async function freePort(
  first: number,
  besides: number | undefined,
  whose: string,
  say: Say,
): Promise<number> {
  for (let port = first; port <= 65535; port += 1) {
    if (port === besides || (await isTaken(port))) continue;
    if (port !== first) say(`Port ${first} is taken: ${whose} gets ${port}.`);
    return port;
  }
  throw new Refusal(`No port from ${first} on is free.`);
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // Other errors, such as a missing IPv6, do not mean that the port is in use.
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'EADDRINUSE' && code !== 'EACCES'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
