import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { bytesWithin } from '../../../platform/bytes-within.ts';
import { ExpectedError } from '../../../platform/expected-error.ts';
import { type Checked, faultsText } from '../../../platform/schema.ts';
import { verify } from '../../../proof/ed25519.ts';
import type { Signer } from '../../../proof/signed-note.ts';
import { ED25519, verifierKey } from '../../../proof/verifier-key.ts';
import {
  checkFailure,
  checkPublicKey,
  checkSignature,
  maxExchangeBytes,
  type SignerRequest,
} from './protocol.ts';

const timeoutMs = 3_000;

/** The signer is unavailable or its response is invalid. The message is a sentence without addresses. */
export class SignerError extends ExpectedError {
  override name = 'SignerError';
}

const publicKeys = new Map<string, Uint8Array>();

/**
 * Opens a signer in another process (`LEDGER_SIGNER`, docs/signer.md). Verifies each signature before use.
 * @param name of the key: the log's origin
 * @throws SignerError; so does `sign`
 */
export async function remoteSigner(name: string, address: string): Promise<Signer> {
  let publicKey = publicKeys.get(address);
  if (publicKey === undefined) {
    const answer = await ask(address, { request: 'public-key' }, checkPublicKey);
    publicKey = Buffer.from(answer.publicKey, 'base64');
    publicKeys.set(address, publicKey);
  }
  const known = publicKey;
  return {
    key: verifierKey(name, ED25519, known),
    async sign(message) {
      const request = { request: 'sign', message: Buffer.from(message).toString('base64') } as const;
      const answer = await ask(address, request, checkSignature);
      const signature = Buffer.from(answer.signature, 'base64');
      if (await verify(known, message, signature)) return signature;
      // A restarted signer can have another key, so the next request reads it again.
      publicKeys.delete(address);
      throw new SignerError(`The signer's signature does not verify under the public key that it reported.`);
    },
  };
}

async function ask<T>(
  address: string,
  request: SignerRequest,
  check: (value: unknown) => Checked<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  let line: string;
  try {
    line = await exchange(address, JSON.stringify(request), signal);
  } catch (error) {
    publicKeys.delete(address);
    throw new SignerError(
      signal.aborted
        ? `The signer did not answer within ${timeoutMs / 1000} seconds.`
        : `The signer is unavailable (${reasonOf(error)}).`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new SignerError('The signer did not answer with JSON.');
  }
  const refused = checkFailure(value);
  if (refused.ok) throw new SignerError(`The signer refused: ${refused.value.error}`);
  const checked = check(value);
  if (!checked.ok) throw new SignerError(`The signer's answer is invalid: ${faultsText(checked.faults)}.`);
  return checked.value;
}

function reasonOf(error: unknown): string {
  const { code, cause, message } = error as { code?: string; cause?: { code?: string }; message: string };
  return code ?? cause?.code ?? message;
}

/**
 * Sends one line to a signer and returns its response. The signer is a command started for the request, a Unix socket, or an HTTP server on
 * the loopback interface.
 * @param address `LEDGER_SIGNER`
 * @throws Error if the signer is unavailable or its response is too long
 */
function exchange(address: string, line: string, signal: AbortSignal): Promise<string> {
  if (address.startsWith('unix:')) return overSocket(address.slice('unix:'.length), line, signal);
  if (address.startsWith('http:')) return overHttp(address, line, signal);
  return withCommand(address, line, signal);
}

async function overSocket(path: string, line: string, signal: AbortSignal): Promise<string> {
  const socket = addAbortSignal(signal, connect({ path }));
  try {
    socket.end(`${line}\n`);
    return await shortText(socket);
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
  return response.body === null ? '' : shortText(response.body);
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
  const [answer] = await Promise.all([shortText(child.stdout), ended]);
  return answer;
}

async function shortText(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const answer = await bytesWithin(parts, maxExchangeBytes);
  if (answer === null) throw new Error('its answer is too long');
  return answer.toString();
}
