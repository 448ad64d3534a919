import { inflateSync } from 'node:zlib';

/** A picture as it comes out of a PNG of 8 bits a channel or an index (PNG, section 9: filtering). */
export interface Picture {
  width: number;
  height: number;
  /** Bytes a pixel: 3, or 4 with opacity. */
  channels: number;
  pixels: Buffer;
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** @throws Error for what is no PNG of this kind */
export function readPng(bytes: Buffer): Picture {
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error('no PNG');
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const [depth, kind = -1] = [bytes[24], bytes[25]];
  const channels = { 2: 3, 3: 1, 6: 4 }[kind];
  if (depth !== 8 || channels === undefined) throw new Error(`depth ${depth} and colour type ${kind}`);
  const found = chunks(bytes);
  const data = inflateSync(
    Buffer.concat(found.filter(({ name }) => name === 'IDAT').map(({ body }) => body)),
  );
  const pixels = unfiltered(data, width, channels);
  const palette = found.find(({ name }) => name === 'PLTE')?.body;
  if (palette === undefined) return { width, height, channels, pixels };
  const coloured = Buffer.alloc(pixels.length * 3);
  for (const [at, index] of pixels.entries()) palette.copy(coloured, at * 3, index * 3, index * 3 + 3);
  return { width, height, channels: 3, pixels: coloured };
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
    const filter = data[row * (stride + 1)] as number;
    for (let at = 0; at < stride; at += 1) {
      const here = row * stride + at;
      const left = at < channels ? 0 : (pixels[here - channels] as number);
      const up = row === 0 ? 0 : (pixels[here - stride] as number);
      const corner = at < channels || row === 0 ? 0 : (pixels[here - stride - channels] as number);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] as number;
      pixels[here] = (data[row * (stride + 1) + 1 + at] as number) + guess;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The share of pixels that differ from the first one by more than a shade. */
export function inked({ pixels, channels }: Picture): number {
  let different = 0;
  for (let at = 0; at < pixels.length; at += channels) {
    const distance = [0, 1, 2].reduce((sum, channel) => {
      return sum + Math.abs((pixels[at + channel] as number) - (pixels[channel] as number));
    }, 0);
    if (distance > 30) different += 1;
  }
  return different / (pixels.length / channels);
}
