import { decimalOf } from './odds.ts';

/**
 * A pick's draws: 32-bit numbers of xoshiro128** (Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, 2021), seeded by the
 * pick's uuid. A pick draws the same numbers whatever it is simulated with, and anyone who has the log has the seeds:
 * docs/rules/luck.md.
 * @param draws filled
 */
export function fillDraws(pickUuid: string, draws: Uint32Array): void {
  const hex = pickUuid.replaceAll('-', '');
  const word = (index: number) => mixed(Number.parseInt(hex.slice(8 * index, 8 * index + 8), 16) + index + 1);
  let [s0, s1, s2, s3] = [word(0), word(1), word(2), word(3)];
  for (let index = -passedOver; index < draws.length; index += 1) {
    const five = Math.imul(s1, 5);
    if (index >= 0) draws[index] = Math.imul((five << 7) | (five >>> 25), 9);
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = (s3 << 11) | (s3 >>> 21);
  }
}

/** Numbers that are not used, so that similar uuids have nothing in common. */
const passedOver = 32;

/** A bijection of 32 bits: any change of the word changes about half of them (the finalizer of MurmurHash3). */
function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** A draw below this wins: the break-even of the price, `1 / decimal`, in 2^32ths. */
export function winsBelow(oddsAmerican: number): number {
  const { num, den } = decimalOf(oddsAmerican);
  return Math.round((2 ** 32 * den) / num);
}
