/**
 * Round values that cover a range, evenly spaced, ascending: the ticks of an axis. 0 is among them where the range holds it.
 * @param low not above `high`; figures of at most a few decimals
 * @param most so many at most, or one more where the ends need it
 */
export function steps(low: number, high: number, most: number): number[] {
  const span = high - low || 1;
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  // Whole multiples: adding a step up would drift.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}
