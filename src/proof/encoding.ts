/**
 * Bytes as text and back. What reads is strict: every sequence of bytes has exactly one text that is
 * accepted.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** @throws SyntaxError when the bytes are not UTF-8 */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SyntaxError('the bytes are not UTF-8');
  }
}

/** Bytes in hex, lower case. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexPairs[byte];
  return text;
}

/** @throws SyntaxError when the text is not pairs of lower-case hex digits */
export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new SyntaxError('the text is not lower-case hex');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}

/** Bytes in the standard base64 of RFC 4648 section 4, padded. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * @throws SyntaxError when the text is not what {@link base64} would write: no white space, no stray last
 *   bits
 */
export function fromBase64(text: string): Uint8Array {
  const bytes = decodedBase64(text);
  if (bytes === null || base64(bytes) !== text)
    throw new SyntaxError('the text is not base64 in its strict form');
  return bytes;
}

function decodedBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
