import { bytesWithin } from '../platform/bytes-within.ts';
import { retryAfter } from '../platform/retry-after.ts';
import type { DataFile } from '../proof/data-index.ts';
import {
  boolean,
  hash,
  instant,
  integer,
  list,
  nullable,
  type Of,
  plainObject,
  shape,
  text,
} from '../proof/shape.ts';
import { parseBundle, tilePath } from '../proof/tiles.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';

/** Reads a published log over HTTP (C2SP tlog-tiles). Verifies nothing. */
export interface LogClient {
  checkpoint(): Promise<string>;
  /**
   * Yields the entries from `from` up to but not including `to`, one array per bundle.
   * @param to tree size, which decides the width of the last bundle
   */
  entries(from: number, to: number): AsyncGenerator<Uint8Array[]>;
  /** Returns the body of an entry, as hashed. */
  body(seq: number): Promise<unknown>;
  /** Undefined if the log does not publish prices. */
  prices(seq: number): Promise<unknown[] | undefined>;
  /** Returns the checkpoints of the sizes above `from`, up to `to`, and the witnesses' verifier keys. */
  checkpoints(from: number, to: number): Promise<{ checkpoints: string[]; witnesses: string[] }>;
  /** Undefined if the log does not serve the file, or not with its length. */
  dataFile(file: Pick<DataFile, 'name' | 'bytes'>): Promise<Uint8Array | undefined>;
  /** Null before the service shows them, undefined if it never does. */
  followers(uuid: string): Promise<FollowersAnswer | null | undefined>;
  /** Undefined if the log does not know the pick. */
  receipt(uuid: string): Promise<unknown>;
  consistency(from: number, to: number): Promise<string[]>;
  /** The log may choose them freely. */
  keys(): Promise<VerifierKey[]>;
}

const follower = shape({
  delay: integer(1),
  missed: boolean,
  oddsAmerican: nullable(integer()),
  book: nullable(text),
  at: nullable(instant),
});

/** `followers` of the answer of `/api/picks/:uuid/closing`. */
export type FollowersAnswer = Of<typeof follower>[];

/** @param limit maximum size of the answer in bytes */
export type FetchBytes = (url: URL, limit?: number) => Promise<Uint8Array>;

/** Thrown if the log is unavailable or its answer is malformed. */
export class LogUnreadable extends Error {
  override name = 'LogUnreadable';
  readonly status: number | undefined;
  /** Null if there is none. */
  readonly retryAfterMs: number | null;
  /** Whether a retry may succeed: the log is overloaded or unreachable. */
  readonly mayPass: boolean;

  constructor(
    message: string,
    {
      status,
      retryAfterMs = null,
      mayPass = false,
    }: { status?: number | undefined; retryAfterMs?: number | null; mayPass?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.mayPass = mayPass;
  }
}

const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const bundleWidth = 256;
const timeoutMs = 20_000;
/** Maximum size of a response. A bundle may have 256 entries of 65,535 bytes, and an entry 10,000 prices. */
const maxBytes = 16 * 1024 * 1024;

const hashes = list(hash);
const followers = nullable(list(follower));
const signedNotes = shape({ checkpoints: list(text), witnesses: list(text) });

export function openLog(base: string, fetchUrl: FetchBytes = fetchBytes): LogClient {
  const url = (path: string) => new URL(path, `${base.replace(/\/+$/, '')}/`);
  const get = (path: string) => fetchUrl(url(path));
  const read = async (path: string) => new TextDecoder().decode(await get(path));
  const json = async (path: string) => parseJson(await read(path), path);
  return {
    checkpoint: () => read('ledger/checkpoint'),
    async *entries(from, to) {
      for (let seq = from; seq < to; ) {
        const index = Math.floor(seq / bundleWidth);
        const width = Math.min(bundleWidth, to - index * bundleWidth);
        const path = `ledger/${tilePath({ level: 'entries', index, width })}`;
        const bundle = parseBundle(await get(path));
        if (bundle.length !== width)
          throw new LogUnreadable(`${path} has ${bundle.length} entries, not ${width}`);
        const found = bundle.slice(seq - index * bundleWidth);
        yield found;
        seq += found.length;
      }
    },
    async body(seq) {
      const path = `ledger/body/${seq}`;
      const { body } = wellFormed(path, await json(path), plainObject);
      if (body === undefined) throw new LogUnreadable(`${path} has no body`);
      return body;
    },
    async prices(seq) {
      const path = `ledger/prices/${seq}`;
      const rows = await unlessMissing(read(path));
      return rows
        ?.trimEnd()
        .split('\n')
        .map((row) => parseJson(row, path));
    },
    async checkpoints(from, to) {
      const path = `ledger/checkpoints?from=${from}&to=${to}`;
      return wellFormed(path, await json(path), (answer) => {
        signedNotes(answer, path);
        return answer as Of<typeof signedNotes>;
      });
    },
    async dataFile({ name, bytes }) {
      try {
        const content = await fetchUrl(url(`data/${name}`), bytes);
        return content.length === bytes ? content : undefined;
      } catch (error) {
        if (error instanceof LogUnreadable && !error.mayPass) return undefined;
        throw error;
      }
    },
    async followers(uuid) {
      const path = `api/picks/${uuid}/closing`;
      const answer = await unlessMissing(json(path));
      if (answer === undefined) return undefined;
      return wellFormed(path, answer, (value) => {
        const { followers: found } = plainObject(value, path);
        followers(found, 'followers');
        return found as FollowersAnswer | null;
      });
    },
    receipt: (uuid) => unlessMissing(json(`api/picks/${uuid}/receipt`)),
    async consistency(from, to) {
      const path = `ledger/consistency?from=${from}&to=${to}`;
      return wellFormed(path, await json(path), (answer) => {
        const { hashes: found } = plainObject(answer, path);
        hashes(found, 'hashes');
        return found as string[];
      });
    },
    keys: async () => verifierKeysIn(await read('ledger/key')),
  };
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LogUnreadable && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns the distinct verifier keys (C2SP signed-note) in a text. */
export function verifierKeysIn(text: string): VerifierKey[] {
  const found = new Map<string, VerifierKey>();
  for (const [candidate] of text.matchAll(/[^\s"'+,<>]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*/g)) {
    try {
      const key = parseVerifierKey(candidate);
      found.set(formatVerifierKey(key), key);
    } catch {
      // Matches the pattern, but is not a key.
    }
  }
  return [...found.values()];
}

/** @throws LogUnreadable if the request fails or times out, its status is not 2xx, or the body is too large */
export async function fetchBytes(url: URL, limit = maxBytes): Promise<Uint8Array> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const { ok, status, headers } = response;
    if (!ok) {
      await response.body?.cancel();
      const retryAfterMs = retryAfter(Object.fromEntries(headers), Date.now());
      throw new LogUnreadable(`${url} answers ${status}`, {
        status,
        retryAfterMs,
        mayPass: passing.has(status),
      });
    }
    const bytes = await bytesWithin(response.body ?? [], limit);
    if (bytes === null) throw new LogUnreadable(`${url} answers with more than ${limit} bytes`);
    return bytes;
  } catch (error) {
    if (error instanceof LogUnreadable) throw error;
    const { message, cause } = error as Error;
    throw new LogUnreadable(`${url} cannot be read: ${(cause as Error | undefined)?.message ?? message}`, {
      mayPass: true,
    });
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LogUnreadable(`${path} is not JSON`);
  }
}

function wellFormed<T>(path: string, answer: unknown, read: (value: unknown, path: string) => T): T {
  try {
    return read(answer, 'the answer');
  } catch (error) {
    throw new LogUnreadable(`${path}: ${(error as Error).message}`);
  }
}
