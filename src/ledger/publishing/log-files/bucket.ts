import { createHash, randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { LogStorage } from './log-files.ts';

export interface BucketKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface Bucket {
  /** URL of the store. The bucket becomes the first part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Prefix of all object keys, without slashes at either end. May be empty. */
  prefix: string;
  key: BucketKey;
  /** Timeout of a request, in ms. Default: 10,000. */
  timeoutMs?: number;
}

const served = {
  full: {
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
  },
  partial: { 'content-type': 'application/octet-stream', 'cache-control': 'public, max-age=5' },
  checkpoint: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=5' },
};

/** Statuses of a write whose condition failed. 409: another write won at the same moment. 404: no object for If-Match. */
const unmet = [404, 409, 412];

const absent = { 'if-none-match': '*' };

interface Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Further statuses that are not failures, in addition to 200 and 204. */
  expected?: readonly number[];
}

interface Answer {
  status: number;
  text: string;
  /** Empty if absent. */
  etag: string;
}

/** Returns storage in a bucket of an S3-compatible store with conditional writes. Processes on several hosts can share it. */
export function bucketStorage(where: Bucket): LogStorage {
  const { endpoint, region, bucket, prefix, key, timeoutMs = 10_000 } = where;
  const client = new AwsClient({ ...key, service: 's3', region, retries: 2 });
  const root = `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  const keyOf = (path: string) => (prefix === '' ? path : `${prefix}/${path}`);
  const addressOf = (path: string) => `${root}/${keyOf(path)}`;

  /** @throws Error naming the bucket and the store's answer, without addresses */
  async function ask(url: string, { method, headers, body, expected = [] }: Request): Promise<Answer> {
    const failed = (reason: string, cause?: unknown) =>
      new Error(`the bucket ${bucket} refused a ${method}: ${reason}`, { cause });
    // The store verifies the payload by this hash, which matters over plain HTTP.
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
    // Checked before `expected`, because a missing bucket also answers 404.
    if (code === 'NoSuchBucket')
      throw new Error(`the bucket ${bucket} does not exist: create it, or correct LOG_FILES`);
    if (status !== 200 && status !== 204 && !expected.includes(status))
      throw failed([status, code].filter((part) => part !== undefined).join(' '));
    return { status, text, etag: response.headers.get('etag') ?? '' };
  }

  /** @returns whether the condition held */
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

  /** Whether the store compares entity tags without quotation marks, as Ceph 16 does. */
  let bareTags = false;
  const matching = (etag: string) => ({ 'if-match': bareTags ? etag.replaceAll('"', '') : etag });

  return {
    kind: 'bucket',
    concurrency: 8,

    /** Verifies that the store honors conditions; otherwise an old checkpoint could replace a newer one. */
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
          throw new Error(
            `the store of the bucket ${bucket} does not support conditional writes (If-Match): use another store`,
          );
      } finally {
        await ask(addressOf(probe), { method: 'DELETE', expected: [404] }).catch(() => {});
      }
    },

    async has(path) {
      const { status } = await ask(addressOf(path), { method: 'HEAD', expected: [404] });
      return status !== 404;
    },

    async write(path, bytes, isFull) {
      const headers = isFull ? served.full : served.partial;
      await ask(addressOf(path), { method: 'PUT', headers, body: bytes });
    },

    async removePartial(path) {
      const list = new URLSearchParams({ 'list-type': '2', prefix: keyOf(`${path}.p/`) });
      const { text: listed } = await ask(`${root}?${list}`, { method: 'GET' });
      // Object keys consist of digits, letters, and characters that settings allow. XML escapes none of them.
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
