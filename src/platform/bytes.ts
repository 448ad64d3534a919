/** Numbers in bytes, as PostgreSQL sends them in binary. */
export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
