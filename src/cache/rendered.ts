/** The codings that an answer is kept in. */
export const codings = ['identity', 'gzip', 'br'] as const;
export type Coding = (typeof codings)[number];

/** A finished answer: everything that serving it takes, and what tells whether it still holds. */
export interface Rendered {
  /** The path with the effective parameters in canonical order. */
  key: string;
  contentType: string;
  /** Lifetime in seconds that the answer advertises. */
  lifetime: number;
  /** The instant that it was computed for, in epoch milliseconds. */
  generatedAt: number;
  /** When time alone makes it stale: its lifetime is over, or the ET day is. */
  goodUntil: number;
  /** A weak entity tag over the data, `generatedAt` left out. */
  etag: string;
  /** What it rests on; see `boards/tags.ts`. */
  tags: readonly string[];
  /** The tags' versions and the cache's epoch as they were before it was computed. */
  versions: readonly (string | null)[];
  epoch: string;
  bytes: Readonly<Record<Coding, Buffer>>;
}

/** Bytes that it takes in memory, roughly. */
export function sizeOf({ bytes, key }: Rendered): number {
  return codings.reduce((sum, coding) => sum + bytes[coding].length, 1000 + key.length);
}

/** Machines whose clocks differ a little still take each other's answers. */
const clockSkew = 5000;

/** Whether an instant of the service's clock is within the time for which it was made. */
export function isInTime({ generatedAt, goodUntil }: Rendered, now: number): boolean {
  return now < goodUntil && now >= generatedAt - clockSkew;
}

/** Grows with every change of the form below, so that no process misreads what one of another version stored. */
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

/** Bytes from the beginning of a block that certainly hold its head. */
export const headBytes = 16_384;

/** The head of a block; undefined for what is not of this form. */
export function headOf(block: Buffer): Head | undefined {
  try {
    const head = JSON.parse(block.toString('utf8', 4, 4 + block.readUInt32BE(0)));
    return head.form === form ? head : undefined;
  } catch {
    return undefined;
  }
}

/** The opposite of {@link encode}; undefined for what is not of this form. */
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
    return at === block.length ? { ...head.facts, bytes: bytes as Rendered['bytes'] } : undefined;
  } catch {
    return undefined;
  }
}
