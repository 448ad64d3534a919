import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Static } from 'typebox';
import { writeDurably } from '../ledger/publishing/durable-file.ts';
import { sha256 } from '../ledger/sealing/log-entry.ts';
import { ExpectedError } from '../platform/expected-error.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { fromHex, hex } from '../proof/encoding.ts';
import { type Signer, signerFromSeed } from '../proof/signed-note.ts';
import { COSIGNATURE, parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import { answerAddCheckpoint } from '../proof/witness.ts';

export interface WitnessOptions {
  /** Verifier keys of the logs to cosign. */
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

/** Thrown if the witness cannot start. */
export class WitnessError extends ExpectedError {
  override name = 'WitnessError';
}

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const stateSchema = Type.Object({
  name: Type.String(),
  seed: hash,
  logs: Type.Record(Type.String(), Type.Object({ size: Type.Integer({ minimum: 0 }), root: hash })),
});
const checkState = checker(stateSchema);
type State = Static<typeof stateSchema>;

/** Maximum size of a request, in bytes: enough for a checkpoint with 100 signatures and 63 hashes. */
const maxRequestBytes = 100_000;

/** A running witness. */
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
  const logs = options.log.map(parsedKey);
  const state = readState(options);
  const signer = await signerFromSeed(state.name, COSIGNATURE, fromHex(state.seed));
  // Requests run one at a time, because the stored checkpoint must not change between comparison and replacement.
  let previous: Promise<unknown> = Promise.resolve();
  const server = createServer(async (req, res) => {
    const answered = previous.then(() => answer(req, { state, signer, logs, file: options.state, now }));
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
  logs: readonly VerifierKey[];
  file: string;
  now: () => Promise<number>;
}

async function answer(req: IncomingMessage, { state, signer, logs, file, now }: ServerState) {
  if (req.url !== '/add-checkpoint') return { status: 404, type: plain, body: 'not found\n' };
  if (req.method !== 'POST') return { status: 405, type: plain, body: 'method not allowed: use POST\n' };
  const body = await bodyOf(req);
  if (body === null) return { status: 413, type: plain, body: 'the request is too large\n' };
  const lastCosigned = (origin: string) => {
    const known = Object.hasOwn(state.logs, origin) ? state.logs[origin] : undefined;
    return known === undefined ? undefined : { size: known.size, root: fromHex(known.root) };
  };
  const context = { signer, logs, lastCosigned };
  const timestamp = Math.floor((await now()) / 1000);
  const { status, cosigned, ...rest } = await answerAddCheckpoint(body, context, timestamp, sha256);
  if (cosigned !== undefined) {
    const { origin, size, root } = cosigned;
    const next = { ...state, logs: { ...state.logs, [origin]: { size, root: hex(root) } } };
    writeState(file, next);
    Object.assign(state, next);
  }
  return { status, type: status === 409 ? 'text/x.tlog.size' : plain, body: rest.body };
}

async function bodyOf(req: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of req) {
    length += part.length;
    if (length > maxRequestBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
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
    const state = { name, seed: randomBytes(32).toString('hex'), logs: {} };
    writeState(file, state);
    return state;
  }
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new WitnessError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  const checked = checkState(given);
  if (!checked.ok) throw new WitnessError(`${file} is not a witness's state: ${faultsText(checked.faults)}.`);
  return checked.value;
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
