import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { maxExchangeBytes } from './protocol.ts';

/**
 * Sends one line to a signer and returns its response. The signer is a command started for the request, a Unix socket, or an HTTP server on
 * the loopback interface.
 * @param address `LEDGER_SIGNER`
 * @throws Error if the signer is unavailable or its response is too long
 */
export function exchange(address: string, line: string, signal: AbortSignal): Promise<string> {
  if (address.startsWith('unix:')) return overSocket(address.slice('unix:'.length), line, signal);
  if (address.startsWith('http:')) return overHttp(address, line, signal);
  return withCommand(address, line, signal);
}

async function overSocket(path: string, line: string, signal: AbortSignal): Promise<string> {
  const socket = addAbortSignal(signal, connect({ path }));
  try {
    socket.end(`${line}\n`);
    return await text(limited(socket));
  } finally {
    socket.destroy();
  }
}

async function overHttp(address: string, line: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: line,
    redirect: 'error',
    signal,
  });
  return response.body === null ? '' : text(limited(response.body));
}

async function withCommand(command: string, line: string, signal: AbortSignal): Promise<string> {
  const [program = '', ...args] = command.trim().split(/\s+/);
  // Passes on none of the service's secrets.
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const child = spawn(program, args, {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<void>((settle, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 ? settle() : fail(new Error(`the command exited with ${code ?? 'a signal'}`)),
    );
  });
  // The exit status reports a command that ends without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(`${line}\n`);
  const [answer] = await Promise.all([text(limited(child.stdout)), ended]);
  return answer;
}

async function* limited(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > maxExchangeBytes) throw new Error('its answer is too long');
    yield part;
  }
}
