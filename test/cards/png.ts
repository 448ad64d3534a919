import { inflateSync } from 'node:zlib';

/** A picture decoded from a PNG with 8 bits per channel or index (PNG, section 9: filtering). */
export interface Picture {
  width: number;
  height: number;
  /** Bytes per pixel: 3, or 4 with an alpha channel. */
  channels: number;
  pixels: Buffer;
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** @throws Error for any other data */
export function readPng(bytes: Buffer): Picture {
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('no PNG');
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const [depth, kind = -1] = [bytes[24], bytes[25]];
  const channels = { 2: 3, 3: 1, 6: 4 }[kind];
  if (depth !== 8 || channels === undefined) throw new Error(`depth ${depth} and color type ${kind}`);
  const found = chunks(bytes);
  const data = inflateSync(
    Buffer.concat(found.filter(({ name }) => name === 'IDAT').map(({ body }) => body)),
  );
  const pixels = unfiltered(data, width, channels);
  const palette = found.find(({ name }) => name === 'PLTE')?.body;
  if (palette === undefined) return { width, height, channels, pixels };
  const colored = Buffer.alloc(pixels.length * 3);
  for (let at = 0; at < pixels.length; at += 1) {
    const index = (pixels[at] as number) * 3;
    for (let channel = 0; channel < 3; channel += 1)
      colored[at * 3 + channel] = palette[index + channel] as number;
  }
  return { width, height, channels: 3, pixels: colored };
}

function chunks(bytes: Buffer): { name: string; body: Buffer }[] {
  const found = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    found.push({
      name: bytes.toString('latin1', at + 4, at + 8),
      body: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return found;
}

function unfiltered(data: Buffer, width: number, channels: number): Buffer {
  const stride = width * channels;
  const rows = data.length / (stride + 1);
  const pixels = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row += 1) {
    const start = row * (stride + 1);
    const filter = data[start] as number;
    for (let at = 0; at < stride; at += 1) {
      const here = row * stride + at;
      const left = at < channels ? 0 : (pixels[here - channels] as number);
      const up = row === 0 ? 0 : (pixels[here - stride] as number);
      const corner = at < channels || row === 0 ? 0 : (pixels[here - stride - channels] as number);
      pixels[here] = (data[start + 1 + at] as number) + guessed(filter, left, up, corner);
    }
  }
  return pixels;
}

/** Predicts a byte from its left and upper neighbors. */
function guessed(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    default:
      return paeth(left, up, corner);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Returns the share of pixels that differ from the first one by more than a shade. */
export function inked({ pixels, channels }: Picture): number {
  let different = 0;
  for (let at = 0; at < pixels.length; at += channels) {
    let distance = 0;
    for (let channel = 0; channel < 3; channel += 1)
      distance += Math.abs((pixels[at + channel] as number) - (pixels[channel] as number));
    if (distance > 30) different += 1;
  }
  return different / (pixels.length / channels);
}
