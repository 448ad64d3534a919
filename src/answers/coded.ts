import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { singleFlight } from '../platform/once.ts';

export const codings = ['identity', 'gzip', 'br'] as const;
export type Coding = (typeof codings)[number];

/** Returns a strong entity tag: a digest of the bytes (RFC 9110, section 8.8.3). */
export function entityTag(...content: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(part);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Returns a weak entity tag: equal for all codings of a content. */
export function weakEntityTag(...content: readonly (string | Buffer)[]): string {
  return `W/${entityTag(...content)}`;
}

/** A content in some of its codings. Each fills its memory block, see {@link exactly}. */
export type Codings = Partial<Record<Coding, Buffer>>;

/** Content in several codings. Each is encoded on its first request and kept. */
export class Coded {
  readonly #made: Codings;
  readonly #encode: (coding: Coding) => Promise<Buffer>;
  readonly #making = singleFlight<Buffer>();

  /** @param encode encodes another coding. Default: `put` adds each one before it is needed */
  constructor(made: Codings, encode: (coding: Coding) => Promise<Buffer> = notMade) {
    this.#made = { ...made };
    this.#encode = encode;
  }

  /** Undefined if not encoded yet. */
  made(coding: Coding): Buffer | undefined {
    return this.#made[coding];
  }

  put(coding: Coding, bytes: Buffer): void {
    this.#made[coding] = bytes;
  }

  /** Returns the bytes in a coding. Concurrent calls share the work. */
  async in(coding: Coding): Promise<Buffer> {
    this.#made[coding] ??= await this.#making(coding, () => this.#encode(coding));
    return this.#made[coding];
  }

  /** In bytes. */
  get size(): number {
    return codings.reduce((sum, coding) => sum + (this.#made[coding]?.length ?? 0), 0);
  }
}

async function notMade(coding: Coding): Promise<never> {
  throw new Error(`the content has no coding ${coding}`);
}

/** Effort of compression: `quickly` for content that is unlikely to be requested again. */
export type Effort = 'quickly' | 'well';

/** Returns content that zlib's threads compress when a client first requests a coding. */
export function compressible(content: string | Buffer, effort: Effort = 'well'): Coded {
  const identity = exactly(typeof content === 'string' ? Buffer.from(content) : content);
  const encode = async (coding: Coding) =>
    coding === 'identity' ? identity : exactly(await compressed(identity, coding, effort));
  return new Coded({ identity }, encode);
}

/** Returns content as the body of an answer, with its entity tag. @param tagged content of the tag. Default: the same */
export function coded(content: string | Buffer, tagged = content): { etag: string; body: Coded } {
  return { etag: weakEntityTag(tagged), body: compressible(content) };
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** In zlib's threads. The result may be a view of a larger block. Brotli's quality is medium at most, because the reader waits. */
export async function compressed(bytes: Buffer, coding: 'gzip' | 'br', effort: Effort): Promise<Buffer> {
  const quickly = effort === 'quickly';
  if (coding === 'gzip') return compressGzip(bytes, { level: quickly ? 1 : zlib.Z_DEFAULT_COMPRESSION });
  const options = {
    params: { [zlib.BROTLI_PARAM_QUALITY]: quickly ? 1 : 5, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  };
  return compressBrotli(bytes, options);
}

/** Other buffers may be views that keep a far larger block alive, such as results of zlib, short texts, and received bytes. */
export function exactly(bytes: Buffer): Buffer {
  return bytes.length === bytes.buffer.byteLength ? bytes : copied(bytes);
}

export function copied(bytes: Buffer): Buffer {
  const block = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(block);
  return block;
}
