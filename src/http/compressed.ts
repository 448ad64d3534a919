import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Coding } from '../cache/rendered.ts';

/** Bytes in a coding. Brotli at a middle quality: what is made for one reader is compressed while that one waits. */
export async function compressed(bytes: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return bytes;
  if (coding === 'gzip') return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } });
}
