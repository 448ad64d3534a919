import { Type } from 'typebox';
import { checker, faultsText } from '../platform/schema.ts';
import { parseBundle, tilePath } from '../proof/tiles.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';

/** A published log, as anyone can read it over HTTP (C2SP tlog-tiles). */
export interface LogClient {
  /** The newest checkpoint: a signed note, not verified here. */
  checkpoint(): Promise<string>;
  /**
   * The entries from `from` to before `to`, bundle by bundle.
   * @param size of the tree in which the bundles are read
   */
  entries(from: number, to: number): AsyncGenerator<Uint8Array[]>;
  /** The body of a `key` or `notice` entry, as it was hashed. */
  body(seq: number): Promise<unknown>;
  /** The hashes of a consistency proof, as hex. */
  consistency(from: number, to: number): Promise<string[]>;
  /** The keys that the log says are its own. */
  keys(): Promise<VerifierKey[]>;
}

/** The log could not be read: away, or its answer is nonsense. */
export class LogUnreadable extends Error {
  override name = 'LogUnreadable';
}

const bundleWidth = 256;
/** An entry bundle holds at most 256 entries of at most 65,535 bytes; ours are far shorter. */
const mostBytes = 4 * 1024 * 1024;

const bodyAnswer = checker(Type.Object({ body: Type.Unknown() }));
const consistencyAnswer = checker(Type.Object({ hashes: Type.Array(Type.String()) }));

/**
 * @param base the site's address, such as `https://picks.example`
 * @param timeoutMs how long one answer may take
 */
export function openLog(base: string, timeoutMs = 20_000): LogClient {
  const url = (path: string) => new URL(path, `${base.replace(/\/+$/, '')}/`);
  const get = (path: string) => fetchBytes(url(path), timeoutMs);
  const text = async (path: string) => new TextDecoder().decode(await get(path));
  const json = async <T>(path: string, check: (value: unknown) => ReturnType<typeof bodyAnswer>) => {
    const checked = check(parseJson(await text(path), path));
    if (!checked.ok) throw new LogUnreadable(`${path}: ${faultsText(checked.faults)}`);
    return checked.value as T;
  };
  return {
    checkpoint: () => text('ledger/checkpoint'),
    async *entries(from, to) {
      for (let seq = from; seq < to; ) {
        const index = Math.floor(seq / bundleWidth);
        const width = Math.min(bundleWidth, to - index * bundleWidth);
        const path = `ledger/${tilePath({ level: 'entries', index, width })}`;
        const bundle = parseBundle(await get(path));
        if (bundle.length !== width)
          throw new LogUnreadable(`${path} holds ${bundle.length} entries, not ${width}`);
        const found = bundle.slice(seq - index * bundleWidth);
        yield found;
        seq += found.length;
      }
    },
    async body(seq) {
      return (await json<{ body: unknown }>(`ledger/body/${seq}`, bodyAnswer)).body;
    },
    async consistency(from, to) {
      const path = `ledger/consistency?from=${from}&to=${to}`;
      return (await json<{ hashes: string[] }>(path, consistencyAnswer as never)).hashes;
    },
    keys: async () => verifierKeysIn(await text('ledger/key')),
  };
}

/** All verifier keys (C2SP signed-note) that stand in a text, whatever else does. */
export function verifierKeysIn(text: string): VerifierKey[] {
  const found = new Map<string, VerifierKey>();
  for (const [candidate] of text.matchAll(/[^\s"'+,<>]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*/g)) {
    try {
      const key = parseVerifierKey(candidate);
      found.set(formatVerifierKey(key), key);
    } catch {
      // It only looked like one.
    }
  }
  return [...found.values()];
}

/**
 * Reads an address, with bounds on time and size.
 * @throws LogUnreadable when it does not answer 200, or with too much
 */
export async function fetchBytes(url: URL, timeoutMs = 20_000): Promise<Uint8Array> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new LogUnreadable(`${url} answers ${response.status}`);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of response.body ?? []) {
      length += part.length;
      if (length > mostBytes) throw new LogUnreadable(`${url} answers with more than ${mostBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof LogUnreadable) throw error;
    const { message, cause } = error as Error;
    throw new LogUnreadable(`${url} cannot be read: ${(cause as Error | undefined)?.message ?? message}`);
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LogUnreadable(`${path} is not JSON`);
  }
}
