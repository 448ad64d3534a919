import { type Coded, compressible } from './coded.ts';
import { weakEntityTag } from './conditional.ts';

/** A text that is ready to be sent, and kept for the next request. */
export interface Finished {
  type: string;
  etag: string;
  body: Coded;
  /** Bytes of memory, without the content codings that are made later. */
  size: number;
}

/**
 * Finishes a text.
 * @param stamp the text before the instant at which it was made, which the entity tag leaves out; default: it has none
 */
export function finished(text: string, type: string, stamp?: string): Finished {
  const at = stamp === undefined ? 0 : text.indexOf(stamp) + stamp.length;
  const from = stamp === undefined ? 0 : text.indexOf('"', at);
  return {
    type,
    etag: weakEntityTag(text.slice(0, at) + text.slice(from)),
    body: compressible(text),
    size: Buffer.byteLength(text) + 1000,
  };
}
