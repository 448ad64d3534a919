import { concat } from './encoding.ts';

/**
 * A witness's cosignature by C2SP tlog-cosignature (version 1). It states that at this time the checkpoint was the largest one that the
 * witness had seen from the log, and consistent with all earlier ones. The log cannot forge this time.
 */
export interface Cosignature {
  /** Unix time in seconds. */
  timestamp: number;
  /** Ed25519 signature, 64 bytes. */
  signature: Uint8Array;
}

/** The last second of the year 9999: later instants have no four-digit year. */
const MAX_TIMESTAMP = 253_402_300_799;

/** Returns the message that a witness signs: two lines, then the text of the checkpoint. */
export function cosignedMessage(checkpointText: string, timestamp: number): string {
  return `cosignature/v1\ntime ${timestamp}\n${checkpointText}`;
}

/** Encodes a cosignature in 72 bytes: the time as a 64-bit big-endian integer, then the signature. */
export function formatCosignature({ timestamp, signature }: Cosignature): Uint8Array {
  const time = new DataView(new ArrayBuffer(8));
  time.setBigUint64(0, BigInt(timestamp));
  return concat(new Uint8Array(time.buffer), signature);
}

/** Decodes a cosignature. @throws SyntaxError if the length is not 72 bytes, or the time is after the year 9999 */
export function parseCosignature(bytes: Uint8Array): Cosignature {
  if (bytes.length !== 72) throw new SyntaxError('a cosignature is 72 bytes long');
  const timestamp = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  if (timestamp > MAX_TIMESTAMP) throw new SyntaxError('the time of a cosignature is out of range');
  return { timestamp, signature: bytes.subarray(8) };
}
