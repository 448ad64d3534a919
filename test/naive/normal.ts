/** The normal distribution function, by integrating its density (Simpson's rule). */
export function normal(x: number): number {
  const steps = 4_000;
  const step = x / steps;
  let area = 0;
  for (let k = 0; k <= steps; k += 1) {
    const weight = k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2;
    area += weight * Math.exp(-((k * step) ** 2) / 2);
  }
  return 0.5 + (area * step) / 3 / Math.sqrt(2 * Math.PI);
}
