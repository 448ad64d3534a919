/** Reads a stream to its end. @returns null if it has more bytes than the limit */
export async function bytesWithin(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Buffer | null> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > limit) return null;
    read.push(part);
  }
  return Buffer.concat(read);
}
