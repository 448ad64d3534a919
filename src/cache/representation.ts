import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** The content codings in which answers are sent. */
export const codings = ['identity', 'gzip', 'br'] as const;
export type Coding = (typeof codings)[number];

/** A strong entity tag: a digest of the bytes (RFC 9110, section 8.8.3). */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** A weak entity tag: the same for every content coding of one content. */
export function weakEntityTag(content: string | Buffer): string {
  return `W/${entityTag(content)}`;
}

/** Makes the bytes of a content in one of its codings. */
export type Encode = (coding: Coding) => Buffer | Promise<Buffer>;

/** A content that is sent in the coding that the request prefers. Each coding is made when it is first asked for, and kept. */
export class Coded {
  readonly #made = new Map<Coding, Buffer>();
  readonly #making = new Map<Coding, Promise<Buffer>>();
  readonly #encode: Encode;

  /**
   * @param encode its buffers fill their blocks of memory, see {@link exactly}
   * @param identity the content as it is, where it is there already
   */
  constructor(encode: Encode, identity?: Buffer) {
    this.#encode = encode;
    if (identity !== undefined) this.#made.set('identity', identity);
  }

  /** The bytes in a coding; undefined where nobody has asked for it yet. */
  made(coding: Coding): Buffer | undefined {
    return this.#made.get(coding);
  }

  /** The bytes in a coding. Concurrent calls share the work. */
  async in(coding: Coding): Promise<Buffer> {
    const making = this.#making.get(coding);
    if (making !== undefined) return making;
    const known = this.#made.get(coding);
    if (known !== undefined) return known;
    const started = Promise.resolve(this.#encode(coding));
    this.#making.set(coding, started);
    try {
      const bytes = await started;
      this.#made.set(coding, bytes);
      return bytes;
    } finally {
      this.#making.delete(coding);
    }
  }

  /** Bytes of what was made so far. */
  get size(): number {
    return [...this.#made.values()].reduce((sum, { length }) => sum + length, 0);
  }
}

/** How hard content is compressed: quickly what may never be asked for again. */
export type Effort = 'quickly' | 'well';

/** Content that is compressed in zlib's threads, never in the one that answers requests. */
export function compressible(content: string | Buffer, effort: Effort = 'well'): Coded {
  const identity = exactly(typeof content === 'string' ? Buffer.from(content) : content);
  return new Coded(
    async (coding) =>
      coding === 'identity' ? identity : exactly(await compressed(identity, coding, effort)),
    identity,
  );
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Brotli at a middle quality at most: the reader waits while it runs. */
function compressed(bytes: Buffer, coding: 'gzip' | 'br', effort: Effort): Promise<Buffer> {
  const quickly = effort === 'quickly';
  if (coding === 'gzip') return compressGzip(bytes, { level: quickly ? 1 : zlib.Z_DEFAULT_COMPRESSION });
  return compressBrotli(bytes, {
    params: { [zlib.BROTLI_PARAM_QUALITY]: quickly ? 1 : 5, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/**
 * The bytes in a block of exactly their size. A buffer may be a view of a far larger block, which it keeps alive: zlib's results are,
 * short texts are, and so is what a connection received.
 */
export function exactly(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const block = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(block);
  return block;
}
