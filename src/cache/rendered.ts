/** The codings in which an answer is kept. */
export const codings = ['identity', 'gzip', 'br'] as const;
export type Coding = (typeof codings)[number];

/** A finished answer: what serving it takes, and what says whether it is still fresh. */
export interface Rendered {
  /** The key of its renderable. */
  key: string;
  contentType: string;
  /** Lifetime in seconds that the answer advertises. */
  lifetime: number;
  /** The instant that it was rendered for, in epoch milliseconds. */
  generatedAt: number;
  /** When it is stale by time alone: at the end of its lifetime or of the ET day. Epoch milliseconds. */
  goodUntil: number;
  /** A weak entity tag. */
  etag: string;
  /** The tags that it depends on. */
  tags: readonly string[];
  /** The versions of the tags and the cache's epoch, as read before rendering. */
  versions: readonly (string | null)[];
  epoch: string;
  bytes: Readonly<Record<Coding, Buffer>>;
}

/**
 * Bytes that an answer takes in memory beside its text: objects, buffers, places in maps, and the headers that are made of it. Measured
 * in `test/cache/memory.test.ts`.
 */
const overhead = 4000;

/** The bytes that it takes in memory; its buffers must be {@link compacted}. */
export function sizeOf({ bytes, key, tags, versions }: Rendered): number {
  const texts = [key, ...tags, ...versions].reduce((sum, text) => sum + (text?.length ?? 0) + 40, 0);
  return codings.reduce((sum, coding) => sum + bytes[coding].length, overhead + texts);
}

/**
 * Copies the bytes of an answer into one block of exactly their size. A buffer may be a view of a far larger block, which it keeps alive:
 * zlib's results are, short texts are, and so is what a connection received.
 */
export function compacted(bytes: Rendered['bytes']): Rendered['bytes'] {
  const block = Buffer.allocUnsafeSlow(codings.reduce((sum, coding) => sum + bytes[coding].length, 0));
  let at = 0;
  const copies = codings.map((coding) => {
    const start = at;
    at += bytes[coding].copy(block, start);
    return [coding, block.subarray(start, at)];
  });
  return Object.fromEntries(copies);
}

/** Milliseconds by which the clocks of two machines may differ. */
const clockSkew = 5000;

/** Whether an answer is fresh by time at an instant of the service's clock. */
export function isInTime({ generatedAt, goodUntil }: Rendered, now: number): boolean {
  return now < goodUntil && now >= generatedAt - clockSkew;
}

/** The version of the encoding below: to be raised with every change of it, so that no process misreads what another release stored. */
const form = 1;

/** One block of bytes for Redis: the length of the head, the head as JSON, the bytes of each coding. */
export function encode(rendered: Rendered): Buffer {
  const { bytes, ...facts } = rendered;
  const lengths = codings.map((coding) => bytes[coding].length);
  const head = Buffer.from(JSON.stringify({ form, facts, lengths }));
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(head.length);
  return Buffer.concat([prefix, head, ...codings.map((coding) => bytes[coding])]);
}

interface Head {
  form: number;
  facts: Omit<Rendered, 'bytes'>;
  lengths: number[];
}

/** Bytes of a block's beginning that are sure to contain its head. */
export const headBytes = 16_384;

/** The head of a block; undefined for another version of the encoding. */
export function headOf(block: Buffer): Head | undefined {
  try {
    const head = JSON.parse(block.toString('utf8', 4, 4 + block.readUInt32BE(0)));
    return head.form === form ? head : undefined;
  } catch {
    return undefined;
  }
}

/** Reverses {@link encode}; undefined for another version of the encoding. */
export function decode(block: Buffer): Rendered | undefined {
  try {
    const head = headOf(block);
    if (head === undefined) return undefined;
    let at = 4 + block.readUInt32BE(0);
    const bytes: Partial<Record<Coding, Buffer>> = {};
    for (const [index, coding] of codings.entries()) {
      const length = head.lengths[index] ?? 0;
      bytes[coding] = block.subarray(at, at + length);
      at += length;
    }
    return at === block.length ? { ...head.facts, bytes: compacted(bytes as Rendered['bytes']) } : undefined;
  } catch {
    return undefined;
  }
}
