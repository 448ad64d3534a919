import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Coding } from '../cache/rendered.ts';

/** A body that is sent in the content coding that the request prefers. */
export class Coded {
  readonly in: (coding: Coding) => Buffer | Promise<Buffer>;

  constructor(encode: (coding: Coding) => Buffer | Promise<Buffer>) {
    this.in = encode;
  }
}

/** Content that is compressed when a coding is first asked for; what was made is kept with it. */
export function compressible(content: string | Buffer): Coded {
  const identity = Buffer.from(content);
  const made = new Map<Coding, Promise<Buffer>>();
  return new Coded((coding) => {
    if (coding === 'identity') return identity;
    const bytes = made.get(coding) ?? compressed(identity, coding);
    made.set(coding, bytes);
    return bytes;
  });
}

/** Brotli at a middle quality: the reader waits while it runs. */
function compressed(bytes: Buffer, coding: 'gzip' | 'br'): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } });
}
