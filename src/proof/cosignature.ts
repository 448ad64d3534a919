import { concat } from './encoding.ts';

/**
 * A witness's cosignature by C2SP tlog-cosignature (version 1): the witness says that at this time, the
 * checkpoint was the largest it knew of the log, and consistent with all it saw before. That is a time that
 * the log cannot make up.
 */
export interface Cosignature {
  /** Seconds since 1970. */
  timestamp: number;
  /** 64 bytes of Ed25519. */
  signature: Uint8Array;
}

/** The last second of the year 9999, after which instants have no common text. */
const LATEST = 253_402_300_799;

/** What a witness signs: two lines, then the whole text of the checkpoint. */
export function cosignedMessage(checkpointText: string, timestamp: number): string {
  return `cosignature/v1\ntime ${timestamp}\n${checkpointText}`;
}

/** A cosignature's 72 bytes: the time as a big-endian integer of 64 bits, then the signature. */
export function formatCosignature({ timestamp, signature }: Cosignature): Uint8Array {
  const time = new DataView(new ArrayBuffer(8));
  time.setBigUint64(0, BigInt(timestamp));
  return concat(new Uint8Array(time.buffer), signature);
}

/** @throws SyntaxError when the bytes are not 72, or the time is after the year 9999 */
export function parseCosignature(bytes: Uint8Array): Cosignature {
  if (bytes.length !== 72) throw new SyntaxError('a cosignature has 72 bytes');
  const timestamp = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  if (timestamp > LATEST) throw new SyntaxError('the time of a cosignature is out of range');
  return { timestamp, signature: bytes.subarray(8) };
}
