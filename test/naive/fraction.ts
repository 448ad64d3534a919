/** An exact rational number in lowest terms; the denominator is positive. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const abs = (x: bigint): bigint => (x < 0n ? -x : x);

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [abs(a), abs(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Returns `n / d`, reduced. Throws if `d` is zero. */
export function fraction(n: bigint | number, d: bigint | number = 1n): Fraction {
  let [top, bottom] = [BigInt(n), BigInt(d)];
  if (bottom === 0n) throw new RangeError('division by zero');
  if (bottom < 0n) [top, bottom] = [-top, -bottom];
  const common = gcd(top, bottom);
  return { n: top / common, d: bottom / common };
}

export const ZERO = fraction(0);
export const ONE = fraction(1);
export const HALF = fraction(1, 2);

export const add = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
export const multiply = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);
export const divide = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d, a.d * b.n);
export const sum = (all: Fraction[]): Fraction => all.reduce(add, ZERO);

/** Returns a negative number if `a < b`, 0 if they are equal, and a positive one if `a > b`. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const distance = (a: Fraction, b: Fraction): Fraction => {
  const difference = subtract(a, b);
  return { n: abs(difference.n), d: difference.d };
};

/** Returns `f` clamped to [0, 1]. */
export const clamp = (f: Fraction): Fraction => (compare(f, ZERO) < 0 ? ZERO : compare(f, ONE) > 0 ? ONE : f);

/** Returns the nearest integer, with halves away from zero. */
export function nearestInteger(f: Fraction): number {
  const magnitude = (2n * abs(f.n) + f.d) / (2n * f.d);
  const rounded = Number(f.n < 0n ? -magnitude : magnitude);
  return rounded === 0 ? 0 : rounded;
}

/** Returns `f` rounded to this many decimals, halves away from zero; never -0. */
export function decimals(f: Fraction, places: number): number {
  const scale = 10 ** places;
  return nearestInteger(multiply(f, fraction(scale))) / scale;
}

/** Returns the middle value, or the exact mean of the middle two. Throws for an empty list. */
export function median(values: Fraction[]): Fraction {
  return percentile(values, HALF);
}

/** Interpolates linearly between the closest ranks (type 7); `p` in [0, 1]. Throws for an empty list. */
export function percentile(values: Fraction[], p: Fraction): Fraction {
  const sorted = [...values].sort(compare);
  const position = multiply(p, fraction(sorted.length - 1));
  const below = Number(position.n / position.d);
  const [low, high] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]];
  if (!low || !high) throw new RangeError('no values');
  return add(low, multiply(subtract(high, low), subtract(position, fraction(below))));
}

/** Returns the exact decimal odds of American odds. */
export const decimalOdds = (american: number): Fraction =>
  american > 0 ? fraction(100 + american, 100) : fraction(100 - american, -american);

/** Returns the valid American odds with the nearest decimal odds, or the smaller of two equally near ones. Even money is +100. */
export function nearestAmerican(decimal: Fraction): number {
  const profit = subtract(decimal, ONE);
  const candidates: number[] = [100];
  if (profit.n > 0n) {
    const plus = Number((100n * profit.n) / profit.d);
    const minus = Number((100n * profit.d) / profit.n);
    for (const whole of [plus, plus + 1]) if (whole > 100) candidates.push(Math.min(whole, 100_000));
    for (const whole of [minus, minus + 1]) if (whole > 100) candidates.push(-Math.min(whole, 100_000));
  }
  candidates.sort(
    (a, b) =>
      compare(distance(decimalOdds(a), decimal), distance(decimalOdds(b), decimal)) ||
      compare(decimalOdds(a), decimalOdds(b)),
  );
  return candidates[0]!;
}
