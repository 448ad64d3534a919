import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeDurably } from '../ledger/publishing/durable-file.ts';
import { bytesWithin } from '../platform/bytes-within.ts';
import { ExpectedError } from '../platform/expected-error.ts';
import { fromHex, hex } from '../proof/encoding.ts';
import { followKeys } from '../proof/key-announcement.ts';
import { hash, integer, list, nullable, plainObject, rule, shape, text } from '../proof/shape.ts';
import { type Signer, signerFromSeed } from '../proof/signed-note.ts';
import { COSIGNATURE, parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import { answerAddCheckpoint } from '../proof/witness.ts';
import { ownValue } from '../rules/own-value.ts';
import { fetchBytes } from './log-client.ts';

export interface WitnessOptions {
  /** The logs to cosign: verifier keys, or addresses of sites. */
  log: readonly string[];
  port: number;
  host: string;
  /** File for the witness's key and the last cosigned checkpoint of each log. */
  state: string;
  /** Name of the witness. Used at the first start, then read from the state file. */
  name: string;
  /** The time of cosignatures, in epoch milliseconds. Default: the machine's clock. */
  now?: () => Promise<number>;
}

export class WitnessError extends ExpectedError {
  override name = 'WitnessError';
}

interface State {
  name: string;
  seed: string;
  logs: Record<string, { size: number; root: string }>;
  /** By address: the keys that its log published when the witness first read them. */
  trusted: Record<string, string[]>;
}

const tree = shape({ size: integer(0), root: hash });
const fields = shape({ name: text, seed: hash, logs: rule({}, plainObject), trusted: rule({}, plainObject) });
const keyTexts = list(text);
const announced = list(
  rule({}, (value, path) => {
    const { key, announcement } = plainObject(value, path);
    text(key, `${path}.key`);
    nullable(text)(announcement, `${path}.announcement`);
  }),
);

/** Maximum size of a request, in bytes: enough for a checkpoint with 100 signatures and 63 hashes. */
const maxRequestBytes = 100_000;

export interface RunningWitness {
  key: VerifierKey;
  /** Submission prefix (C2SP tlog-witness). */
  address: string;
  close(): Promise<void>;
}

/**
 * Starts a minimal witness (C2SP tlog-witness). It cosigns a checkpoint of a configured log if that is consistent with the last one
 * cosigned, and stores it before it answers.
 * @throws WitnessError if a key or the file is invalid, or if it cannot listen on the port
 */
export async function startWitness(options: WitnessOptions): Promise<RunningWitness> {
  const { now = async () => Date.now() } = options;
  const state = readState(options);
  const logs = await keysOf(options, state);
  const signer = await signerFromSeed(state.name, COSIGNATURE, fromHex(state.seed));
  // Requests run one at a time, because the stored checkpoint must not change between comparison and replacement.
  let previous: Promise<unknown> = Promise.resolve();
  const server = createServer(async (req, res) => {
    const answered = previous.then(() => answer(req, { state, signer, logs, options, now }));
    previous = answered.catch(() => {});
    const { status, type, body } = await answered.catch(() => failed);
    res.writeHead(status, { 'Content-Type': type }).end(body);
  });
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    key: signer.key,
    address: `http://${options.host}:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const plain = 'text/plain; charset=utf-8';
const failed = { status: 500, type: plain, body: 'the witness could not store the checkpoint\n' };

interface ServerState {
  state: State;
  signer: Signer;
  /** Renewed when an address may have announced a key. */
  logs: VerifierKey[];
  options: WitnessOptions;
  now: () => Promise<number>;
}

async function answer(req: IncomingMessage, { state, signer, logs, options, now }: ServerState) {
  if (req.url !== '/add-checkpoint') return { status: 404, type: plain, body: 'not found\n' };
  if (req.method !== 'POST') return { status: 405, type: plain, body: 'method not allowed: use POST\n' };
  const body = await bytesWithin(req, maxRequestBytes);
  if (body === null) return { status: 413, type: plain, body: 'the request is too large\n' };
  const text = body.toString();
  const lastCosigned = (origin: string) => {
    const known = ownValue(state.logs, origin);
    return known === undefined ? undefined : { size: known.size, root: fromHex(known.root) };
  };
  const context = { signer, logs, lastCosigned };
  const timestamp = Math.floor((await now()) / 1000);
  let answered = await answerAddCheckpoint(text, context, timestamp);
  if ((answered.status === 403 || answered.status === 404) && options.log.some(isAddress)) {
    // The checkpoint may be signed with a key that was announced meanwhile.
    const renewed = await keysOf(options, state).catch(() => logs);
    logs.splice(0, logs.length, ...renewed);
    answered = await answerAddCheckpoint(text, context, timestamp);
  }
  const { status, cosigned, ...rest } = answered;
  if (cosigned !== undefined) {
    const { origin, size, root } = cosigned;
    const next = { ...state, logs: { ...state.logs, [origin]: { size, root: hex(root) } } };
    writeState(options.state, next);
    Object.assign(state, next);
  }
  return { status, type: status === 409 ? 'text/x.tlog.size' : plain, body: rest.body };
}

const isAddress = (text: string) => /^https?:\/\//.test(text);

/**
 * Returns the keys of the logs. Those that an address publishes at the first contact are trusted, as `state` then remembers; later ones
 * only if a trusted key announced them.
 */
async function keysOf({ log, state: file }: WitnessOptions, state: State): Promise<VerifierKey[]> {
  const found = await Promise.all(
    log.map(async (text) => {
      if (!isAddress(text)) return [parsedKey(text)];
      const published = await publishedKeys(text);
      if (!Object.hasOwn(state.trusted, text)) {
        if (published.keys.length === 0)
          throw new WitnessError(`${text} publishes no key yet. Try again in a minute.`);
        state.trusted[text] = published.keys;
        writeState(file, state);
      }
      const trusted = state.trusted[text]!.map(parsedKey);
      const followed = trusted.map((key) => followKeys(key, published.announcements).catch(() => [key]));
      return (await Promise.all(followed)).flat();
    }),
  );
  return found.flat();
}

async function publishedKeys(address: string): Promise<{ keys: string[]; announcements: string[] }> {
  try {
    const url = new URL('ledger/key', `${address.replace(/\/+$/, '')}/`);
    const { keys } = plainObject(JSON.parse(new TextDecoder().decode(await fetchBytes(url))), 'the answer');
    announced(keys, 'keys');
    const known = keys as { key: string; announcement: string | null }[];
    return {
      keys: known.map(({ key }) => key),
      announcements: known.flatMap((each) => each.announcement ?? []),
    };
  } catch (error) {
    throw new WitnessError(`The keys of ${address} cannot be read: ${(error as Error).message}.`);
  }
}

function parsedKey(text: string): VerifierKey {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    throw new WitnessError(`${text} is not a log's verifier key: ${(error as Error).message}.`);
  }
}

function readState({ state: file, name }: WitnessOptions): State {
  if (!existsSync(file)) {
    const state = { name, seed: randomBytes(32).toString('hex'), logs: {}, trusted: {} };
    writeState(file, state);
    return state;
  }
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new WitnessError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    fields(given, 'it');
    const state = given as State;
    for (const [origin, log] of Object.entries(state.logs)) tree(log, origin);
    for (const [address, keys] of Object.entries(state.trusted)) keyTexts(keys, address);
    return state;
  } catch (error) {
    throw new WitnessError(`${file} is not a witness's state: ${(error as Error).message}.`);
  }
}

function writeState(file: string, state: State): void {
  writeDurably(file, `${JSON.stringify(state)}\n`, 0o600);
}

function listening(server: Server, { port, host }: WitnessOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new WitnessError(`Cannot listen on ${host}:${port}: ${message}.`)),
    );
    server.listen(port, host, resolve);
  });
}
