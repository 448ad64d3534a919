/**
 * A name-based UUID, version 5 (RFC 9562 section 5.5): the same namespace and name give the same UUID for ever, on every
 * machine. Any UUID library gives the same. SHA-1 is what version 5 prescribes; nothing here rests on its strength
 * against an attacker.
 *
 * @param namespace a UUID
 */
export function nameUuid(namespace: string, name: string): string {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(16 + text.length);
  const hex = namespace.replaceAll('-', '');
  for (let index = 0; index < 16; index += 1)
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  bytes.set(text, 16);
  const hash = sha1(bytes);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const id = Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
}

/** SHA-1 (RFC 3174), 20 bytes. */
function sha1(message: Uint8Array): Uint8Array {
  const padded = new DataView(new ArrayBuffer(Math.ceil((message.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(message.length) * 8n);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Int32Array(80);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let t = 0; t < 16; t += 1) words[t] = padded.getInt32(block + t * 4);
    for (let t = 16; t < 80; t += 1)
      words[t] = rotate(words[t - 3]! ^ words[t - 8]! ^ words[t - 14]! ^ words[t - 16]!, 1);
    let [a, b, c, d, e] = state as [number, number, number, number, number];
    for (let t = 0; t < 80; t += 1) {
      const next = (rotate(a, 5) + round(t, b, c, d) + e + words[t]!) | 0;
      [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
    }
    [a, b, c, d, e].forEach((value, index) => {
      state[index] = (state[index]! + value) | 0;
    });
  }
  const hash = new DataView(new ArrayBuffer(20));
  state.forEach((value, index) => {
    hash.setInt32(index * 4, value);
  });
  return new Uint8Array(hash.buffer);
}

function round(t: number, b: number, c: number, d: number): number {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
