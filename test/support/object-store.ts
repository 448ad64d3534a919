import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Bucket, BucketKey } from '../../src/ledger/publishing/log-files/bucket.ts';

export interface StoredObject {
  body: Buffer;
  headers: Record<string, string | undefined>;
  etag: string;
}

/** A small S3-compatible store with one bucket, in memory, that verifies signatures and can misbehave. */
export interface ObjectStore {
  /** Returns access to the bucket, under a prefix. */
  at(prefix: string): Bucket;
  objects: Map<string, StoredObject>;
  /** `<method> <key>` of requests that {@link misbehave} let through, in order. */
  requests: string[];
  /** Whether the store honors `If-Match` and `If-None-Match`. */
  conditional: boolean;
  /** Compares `If-Match` with tags without their quotation marks, as Ceph 16 does. */
  bareTags: boolean;
  /** Overrides the answer to a request: a status, or no answer at all. Undefined leaves it to the store. */
  misbehave: (request: string) => number | 'silent' | undefined;
  close(): Promise<void>;
}

const secret = 'a-secret-of-the-test';

/** The key to every such store. */
export const storeKey: BucketKey = { accessKeyId: 'test', secretAccessKey: secret };

export async function startObjectStore(): Promise<ObjectStore> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store: ObjectStore = {
    at: (prefix) => ({
      endpoint,
      region: 'eu-test-1',
      bucket: 'picks',
      prefix,
      key: storeKey,
    }),
    objects: new Map(),
    requests: [],
    conditional: true,
    bareTags: false,
    misbehave: () => undefined,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };

  const tagOf = (found: StoredObject | undefined) =>
    store.bareTags ? found?.etag.replaceAll('"', '') : found?.etag;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', endpoint);
    const key = decodeURIComponent(url.pathname.slice('/picks/'.length));
    const name = `${request.method} ${key}`;
    const body = await buffer(request);
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`);
    };
    const fault = store.misbehave(name);
    if (fault === 'silent') return;
    if (fault !== undefined) return refuse(fault, 'InternalError');
    store.requests.push(name);
    if (!isSigned(request, url, body)) return refuse(403, 'SignatureDoesNotMatch');
    if (!/^\/picks(\/|$)/.test(url.pathname)) return refuse(404, 'NoSuchBucket');
    if (url.searchParams.get('list-type') === '2') {
      const prefix = url.searchParams.get('prefix') ?? '';
      const keys = [...store.objects.keys()].filter((each) => each.startsWith(prefix));
      response.end(`<List>${keys.map((each) => `<Contents><Key>${each}</Key></Contents>`).join('')}</List>`);
      return;
    }
    const found = store.objects.get(key);
    if (request.method === 'PUT') {
      const { 'if-match': match, 'if-none-match': none } = request.headers;
      if (store.conditional && match !== undefined && found === undefined) return refuse(404, 'NoSuchKey');
      if (store.conditional && ((match !== undefined && match !== tagOf(found)) || (none === '*' && found)))
        return refuse(412, 'PreconditionFailed');
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      const { 'content-type': type, 'cache-control': cache } = request.headers;
      store.objects.set(key, { body, etag, headers: { 'content-type': type, 'cache-control': cache } });
      response.writeHead(200, { etag }).end();
      return;
    }
    if (request.method === 'DELETE') {
      store.objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    if (found === undefined) return refuse(404, 'NoSuchKey');
    response.writeHead(200, { etag: found.etag, 'content-length': found.body.length });
    response.end(request.method === 'HEAD' ? undefined : found.body);
  }
  return store;
}

const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Verifies AWS Signature Version 4, including the hash of the body. */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const parts = /^AWS4-HMAC-SHA256 Credential=test\/(\S+), SignedHeaders=(\S+), Signature=(\w{64})$/.exec(
    headers.authorization ?? '',
  );
  if (parts === null || headers['x-amz-content-sha256'] !== hash(body)) return false;
  const [, scope = '', signed = '', signature] = parts;
  const needed = ['host', 'x-amz-date', 'x-amz-content-sha256', 'if-match', 'if-none-match'];
  if (needed.some((name) => headers[name] !== undefined && !signed.split(';').includes(name))) return false;
  const query = [...url.searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&');
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const request = [method, url.pathname, query, lines.join(''), signed, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(request)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, text).toString('hex') === signature;
}
