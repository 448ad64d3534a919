/** Encodings of bytes as text. Decoding is strict: each sequence of bytes has exactly one accepted text. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8. @throws SyntaxError if the bytes are not UTF-8 */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SyntaxError('the bytes are not UTF-8');
  }
}

export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexPairs[byte];
  return text;
}

/** Decodes lower-case hex. @throws SyntaxError if the text is not lower-case hex */
export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new SyntaxError('the text is not lower-case hex');
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}

/** Encodes bytes in standard base64 with padding (RFC 4648 section 4). */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Decodes base64. @throws SyntaxError if {@link base64} would write another text: with white space, or with nonzero trailing bits */
export function fromBase64(text: string): Uint8Array {
  const bytes = decodedBase64(text);
  if (bytes === null || base64(bytes) !== text) throw new SyntaxError('the text is not strict base64');
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
