import { createHash, randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { tilePath } from '../../../proof/tiles.ts';
import type { Place } from './log-files.ts';

export interface BucketKey {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of a key that expires. */
  sessionToken?: string | undefined;
}

export interface Bucket {
  /** Address of the store, without the bucket: that follows as the first part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Of all keys, without slashes around it; may be empty. */
  prefix: string;
  /** Asked for before each request: a key may expire. */
  key(): Promise<BucketKey>;
  /** How long a request may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
}

/** As `/ledger/` answers them. */
const served = {
  full: {
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
  },
  partial: { 'content-type': 'application/octet-stream', 'cache-control': 'public, max-age=5' },
  checkpoint: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=5' },
};

/** Statuses of a write whose condition is not met: 409 where another write won at the same moment, 404 where If-Match has nothing to match. */
const unmet = [404, 409, 412];

/** A condition: nothing is there yet. */
const absent = { 'if-none-match': '*' };

interface Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Statuses that are an answer; all others but 200 and 204 are failures. */
  expected?: readonly number[];
}

interface Answer {
  status: number;
  text: string;
  /** Empty without one. */
  etag: string;
}

/** A bucket of an S3-compatible store that knows conditional writes. Several processes on any hosts may share it. */
export function bucketPlace(where: Bucket): Place {
  const { endpoint, region, bucket, prefix, key, timeoutMs = 10_000 } = where;
  /** Of what is derived from a key for a day. */
  const cache = new Map<string, ArrayBuffer>();
  const root = `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  const keyOf = (path: string) => (prefix === '' ? path : `${prefix}/${path}`);
  const addressOf = (path: string) => `${root}/${keyOf(path)}`;

  /** @throws Error that names the bucket and what its store answered, without addresses */
  async function ask(url: string, { method, headers, body, expected = [] }: Request): Promise<Answer> {
    const failed = (reason: string, cause?: unknown) =>
      new Error(`the bucket ${bucket} does not take a ${method}: ${reason}`, { cause });
    const options = { service: 's3', region, cache, retries: 2 };
    const client = new AwsClient({ ...(await key()), ...options } as ConstructorParameters<
      typeof AwsClient
    >[0]);
    // The store checks what it was sent, also where nothing is encrypted on the way.
    const sum = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    let response: Response;
    let text: string;
    try {
      response = await client.fetch(url, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sum },
        ...(body !== undefined && { body: new Uint8Array(body) }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'manual',
      });
      text = await response.text();
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string } };
      throw failed(
        name === 'TimeoutError' ? `no answer in ${timeoutMs} ms` : (cause?.code ?? message),
        error,
      );
    }
    const { status } = response;
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
    // Nothing there is one thing, no bucket at all another.
    if (code === 'NoSuchBucket') throw new Error(`there is no bucket ${bucket}`);
    if (status !== 200 && status !== 204 && !expected.includes(status))
      throw failed([status, code].filter((part) => part !== undefined).join(' '));
    return { status, text, etag: response.headers.get('etag') ?? '' };
  }

  /** Writes where a condition is met. */
  async function put(path: string, text: string, condition: Record<string, string>): Promise<boolean> {
    const { status } = await ask(addressOf(path), {
      method: 'PUT',
      headers: { ...served.checkpoint, ...condition },
      body: Buffer.from(text),
      expected: unmet,
    });
    return !unmet.includes(status);
  }

  async function read(path: string): Promise<{ text: string; etag: string } | null> {
    const { status, text, etag } = await ask(addressOf(path), { method: 'GET', expected: [404] });
    return status === 404 ? null : { text, etag };
  }

  /** Whether the store compares entity tags without their quotation marks, as Ceph 16 does. */
  let bareTags = false;
  const matching = (etag: string) => ({ 'if-match': bareTags ? etag.replaceAll('"', '') : etag });

  return {
    kind: 'bucket',
    concurrency: 8,

    /** A store that ignores conditions would let the checkpoint go back. */
    async open() {
      const probe = `checkpoint.probe-${randomUUID()}`;
      try {
        const isFirst = (await put(probe, 'one', absent)) && !(await put(probe, 'two', absent));
        const etag = (await read(probe))?.etag ?? '';
        bareTags = false;
        let isNext = await put(probe, 'two', matching(etag));
        if (!isNext) {
          bareTags = true;
          isNext = await put(probe, 'two', matching(etag));
        }
        const isRefused = !(await put(probe, 'three', matching(etag)));
        if (!(isFirst && isNext && isRefused))
          throw new Error(`the store of the bucket ${bucket} does not know conditional writes (If-Match)`);
      } finally {
        await ask(addressOf(probe), { method: 'DELETE', expected: [404] }).catch(() => {});
      }
    },

    async has(tile) {
      const { status } = await ask(addressOf(tilePath(tile)), { method: 'HEAD', expected: [404] });
      return status !== 404;
    },

    async write(tile, bytes) {
      const headers = tile.width === 256 ? served.full : served.partial;
      await ask(addressOf(tilePath(tile)), { method: 'PUT', headers, body: bytes });
    },

    async removePartial(tile) {
      const list = new URLSearchParams({ 'list-type': '2', prefix: keyOf(`${tilePath(tile)}.p/`) });
      const { text: listed } = await ask(`${root}?${list}`, { method: 'GET' });
      // Keys are our own: digits, letters and what settings allow, of which XML escapes none.
      for (const [, key] of listed.matchAll(/<Key>([^<]+)<\/Key>/g))
        await ask(`${root}/${key}`, { method: 'DELETE', expected: [404] });
    },

    async readCheckpoint() {
      return (await read('checkpoint'))?.text ?? null;
    },

    async swapCheckpoint(previous, next) {
      const found = await read('checkpoint');
      if ((found?.text ?? null) !== previous) return false;
      return put('checkpoint', next, found === null ? absent : matching(found.etag));
    },
  };
}
