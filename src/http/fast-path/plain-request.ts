import type { IncomingMessage } from 'node:http';

/** The parts of a GET or HEAD that determine an answer from memory. */
export interface PlainRequest {
  method: 'GET' | 'HEAD';
  /** In origin form, of visible ASCII characters (RFC 9112, section 3.2.1). */
  url: string;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  /** `X-Request-Id` */
  requestId: string | undefined;
}

/** Returns the same parts of a request that Node parsed; undefined for other methods. */
export function plainRequestOf({ method, url = '', headers }: IncomingMessage): PlainRequest | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  return {
    method,
    url,
    acceptEncoding: headers['accept-encoding'] as string | undefined,
    ifNoneMatch: headers['if-none-match'],
    requestId: headers['x-request-id'] as string | undefined,
  };
}

/** Longest head of a plain request. Node refuses heads above 16 KiB, and usual ones are far shorter than 8 KiB. */
export const maxPlainLength = 8192;

const requestLine = /(GET|HEAD) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/y;
/** A field line (RFC 9112, section 5) of ASCII characters, without spaces around its value; or the empty line. */
const fieldLine = /(?:([\w!#$%&'*+.^`|~-]+):[\t ]*([\x21-\x7e]+(?:[\t ]+[\x21-\x7e]+)*)?[\t ]*)?\r\n/y;

/** Fields that determine an answer. Node refuses or joins a repeated one. */
const known = new Map<string, Exclude<keyof Fields, 'end'>>([
  ['host', 'host'],
  ['accept-encoding', 'acceptEncoding'],
  ['if-none-match', 'ifNoneMatch'],
  ['x-request-id', 'requestId'],
]);

/** Fields that frame a body or change the connection: a request with any of them is not plain. */
const notPlain = new Set(
  'content-length transfer-encoding trailer te expect upgrade http2-settings proxy-connection'.split(' '),
);

/**
 * Reads a request without a body on a persistent HTTP/1.1 connection, if Node's parser certainly reads it the same way. Rare, odd,
 * malformed, and incomplete requests are left to Node.
 * @param text received bytes, in Latin-1
 * @param at index of the request in the text
 * @returns the request and its end; undefined for any other
 */
export function readPlainRequest(
  text: string,
  at: number,
): { request: PlainRequest; end: number } | undefined {
  requestLine.lastIndex = at;
  const line = requestLine.exec(text);
  if (line === null) return undefined;
  const fields = readFields(text, requestLine.lastIndex);
  if (fields === undefined) return undefined;
  const { end, host, acceptEncoding, ifNoneMatch, requestId } = fields;
  if (host === undefined) return undefined;
  const [, method, url] = line as unknown as [string, PlainRequest['method'], string];
  return { request: { method, url, acceptEncoding, ifNoneMatch, requestId }, end };
}

interface Fields extends Pick<PlainRequest, 'acceptEncoding' | 'ifNoneMatch' | 'requestId'> {
  /** Index after the empty line. */
  end: number;
  host: string | undefined;
}

function readFields(text: string, at: number): Fields | undefined {
  const fields: Fields = {
    end: at,
    host: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    requestId: undefined,
  };
  fieldLine.lastIndex = at;
  for (;;) {
    const field = fieldLine.exec(text);
    if (field === null) return undefined;
    const name = field[1];
    const value = field[2] ?? '';
    if (name === undefined) {
      fields.end = fieldLine.lastIndex;
      return fields;
    }
    const lower = name.toLowerCase();
    const own = known.get(lower);
    if (own !== undefined) {
      if (fields[own] !== undefined) return undefined;
      fields[own] = value;
    } else if (notPlain.has(lower)) return undefined;
    else if (lower === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined;
  }
}
