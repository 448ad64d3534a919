export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The first 64 primes, from which the constants of SHA-256 derive. */
const primes: number[] = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

/** Returns the first 32 bits of the fractional part. A double has 49 of them for the small roots used here. */
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;

/** Section 4.2.2: cube roots of the first 64 primes; section 5.3.3: square roots of the first 8. */
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const H0 = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const rotr = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

/**
 * Computes SHA-256, section by section after FIPS 180-4. The browser's `crypto.subtle.digest` is asynchronous, which would make every
 * function of the tree asynchronous too. Hashing functions accept a faster implementation as their last argument, such as that of
 * `node:crypto`.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const message = padded(bytes);
  const state = H0.slice();
  const schedule = new Int32Array(64);
  for (let block = 0; block < message.byteLength; block += 64) compress(state, schedule, message, block);

  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setInt32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}

/** Section 5.1.1: pads the message with a 1 bit, zeros up to a multiple of the block size, and its length in bits. */
function padded(bytes: Uint8Array): DataView {
  const length = 64 * Math.ceil((bytes.length + 9) / 64);
  const block = new Uint8Array(length);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setBigUint64(length - 8, 8n * BigInt(bytes.length));
  return view;
}

/** Section 6.2.2: updates the state with a block of 64 bytes. The `| 0` reduces additions modulo 2^32. */
function compress(state: Int32Array, w: Int32Array, message: DataView, at: number): void {
  for (let t = 0; t < 16; t += 1) w[t] = message.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const w15 = w[t - 15]!;
    const w2 = w[t - 2]!;
    const sigma0 = rotr(w15, 7) ^ rotr(w15, 18) ^ (w15 >>> 3);
    const sigma1 = rotr(w2, 17) ^ rotr(w2, 19) ^ (w2 >>> 10);
    w[t] = (sigma1 + w[t - 7]! + sigma0 + w[t - 16]!) | 0;
  }

  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let t = 0; t < 64; t += 1) {
    const sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const choice = (e & f) ^ (~e & g);
    const t1 = (h + sum1 + choice + K[t]! + w[t]!) | 0;
    const sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const t2 = (sum0 + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
