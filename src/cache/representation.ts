import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync, constants as zlib } from 'node:zlib';
import { singleFlight } from '../platform/single-flight.ts';

/** The content codings in which answers are sent. */
export const codings = ['identity', 'gzip', 'br'] as const;
export type Coding = (typeof codings)[number];

/** A strong entity tag: a digest of the bytes (RFC 9110, section 8.8.3). */
export function entityTag(...content: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(part);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** A weak entity tag: the same for every content coding of one content. */
export function weakEntityTag(...content: readonly (string | Buffer)[]): string {
  return `W/${entityTag(...content)}`;
}

/** The bytes of a content in some of its codings; each fills its block of memory, see {@link exactly}. */
export type Codings = Partial<Record<Coding, Buffer>>;

/** A content that is sent in the coding that the request prefers. Each coding is made when it is first asked for, and kept. */
export class Coded {
  readonly #made: Codings;
  readonly #encode: (coding: Coding) => Promise<Buffer>;
  readonly #making = singleFlight<Buffer>();

  /**
   * @param made the codings that are there already
   * @param encode makes another one; default: each is put there before it is asked for
   */
  constructor(made: Codings, encode: (coding: Coding) => Promise<Buffer> = notMade) {
    this.#made = { ...made };
    this.#encode = encode;
  }

  /** The bytes in a coding; undefined where it was not made yet. */
  made(coding: Coding): Buffer | undefined {
    return this.#made[coding];
  }

  put(coding: Coding, bytes: Buffer): void {
    this.#made[coding] = bytes;
  }

  /** The bytes in a coding. Concurrent calls share the work. */
  async in(coding: Coding): Promise<Buffer> {
    this.#made[coding] ??= await this.#making(coding, () => this.#encode(coding));
    return this.#made[coding];
  }

  /** Bytes of what was made so far. */
  get size(): number {
    return codings.reduce((sum, coding) => sum + (this.#made[coding]?.length ?? 0), 0);
  }
}

async function notMade(coding: Coding): Promise<never> {
  throw new Error(`the content was not put there in ${coding}`);
}

/** How hard content is compressed: quickly what may never be asked for again. */
export type Effort = 'quickly' | 'well';

/** Up to this many bytes, compressing quickly takes a fraction of what handing them to another thread does. */
const maxAtOnce = 2 ** 17;

/** Content that is compressed when a coding is asked for; what takes long in zlib's threads, never in the one that answers requests. */
export function compressible(content: string | Buffer, effort: Effort = 'well'): Coded {
  const identity = exactly(typeof content === 'string' ? Buffer.from(content) : content);
  const encode = async (coding: Coding) =>
    coding === 'identity' ? identity : exactly(await compressed(identity, coding, effort));
  return new Coded({ identity }, encode);
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/**
 * Bytes in a coding, perhaps as a view of a larger block. Brotli at a middle quality at most: the reader waits while it runs. What takes long
 * runs in zlib's threads.
 */
export async function compressed(bytes: Buffer, coding: 'gzip' | 'br', effort: Effort): Promise<Buffer> {
  const quickly = effort === 'quickly';
  const atOnce = quickly && bytes.length <= maxAtOnce;
  if (coding === 'gzip') {
    const options = { level: quickly ? 1 : zlib.Z_DEFAULT_COMPRESSION };
    return atOnce ? gzipSync(bytes, options) : compressGzip(bytes, options);
  }
  const options = {
    params: { [zlib.BROTLI_PARAM_QUALITY]: quickly ? 1 : 5, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  };
  return atOnce ? brotliCompressSync(bytes, options) : compressBrotli(bytes, options);
}

/**
 * The bytes in a block of exactly their size. A buffer may be a view of a far larger block, which it keeps alive: zlib's results are,
 * short texts are, and so is what a connection received.
 */
export function exactly(bytes: Buffer): Buffer {
  return bytes.length === bytes.buffer.byteLength ? bytes : copied(bytes);
}

/** A copy in a block of exactly its size. */
export function copied(bytes: Buffer): Buffer {
  const block = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(block);
  return block;
}
