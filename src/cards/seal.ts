const size = 248;
const middle = size / 2;
const innerRadius = 88;

/**
 * Draws the seal of a pick as SVG: 64 rays, one per digit of its hash, with a length in proportion to the digit. Any other pick, or the
 * same pick with a changed figure, has a different seal. Without a hash, the ring is dashed.
 * @param hash hex, 64 digits
 * @param color of the rays
 */
export function sealSvg(hash: string | null, color: string): string {
  const ring = (radius: number, more = '') =>
    `<circle cx="${middle}" cy="${middle}" r="${radius}" fill="none" stroke="${color}" ${more}/>`;
  const drawn =
    hash === null
      ? ring(innerRadius + 16, 'stroke-width="4" stroke-dasharray="5 11" stroke-opacity="0.7"')
      : [...hash].map((digit, index) => ray(Number.parseInt(digit, 16), index / hash.length)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}"><g stroke="${color}" stroke-width="4.5" stroke-linecap="round">${drawn}</g>${ring(innerRadius, 'stroke-width="2.5"')}</svg>`;
}

/** @param turn 0 to 1, clockwise from the top */
function ray(digit: number, turn: number): string {
  const angle = turn * 2 * Math.PI;
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  const from = innerRadius + 8;
  const to = from + 1.5 + (digit / 15) * 22;
  const at = (radius: number) => [x, y].map((part) => (middle + part * radius).toFixed(1));
  const [[x1, y1], [x2, y2]] = [at(from), at(to)] as [string[], string[]];
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

/** Width and height of the seal, in pixels. */
export const sealSize = size;
