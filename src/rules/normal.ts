/** Returns the standard normal distribution function, by its Taylor series (Marsaglia, Evaluating the Normal Distribution, 2004). */
export function normalBelow(z: number): number {
  // The series is accurate to the last bits up to 8; the tails beyond are negligible.
  if (Math.abs(z) > 8) return z < 0 ? 0 : 1;
  let sum = z;
  let term = z;
  for (let i = 3; Math.abs(term) > 1e-17; i += 2) {
    term *= (z * z) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
