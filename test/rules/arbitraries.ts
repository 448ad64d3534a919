import fc from 'fast-check';
import type { Result } from '../../src/rules/vocabulary.ts';

/** Any valid American odds, with a bias to everyday prices and the ends of the range. */
export const americanOdds: fc.Arbitrary<number> = fc
  .tuple(
    fc.boolean(),
    fc.oneof(
      fc.integer({ min: 100, max: 130 }),
      fc.integer({ min: 100, max: 1_000 }),
      fc.integer({ min: 100, max: 100_000 }),
      fc.constantFrom(100, 101, 99_999, 100_000),
    ),
  )
  .map(([favorite, size]) => (favorite ? -size : size));

/** A stake of 0.01 to 100 units. */
export const stakeE4: fc.Arbitrary<number> = fc.integer({ min: 1, max: 10_000 }).map((cents) => cents * 100);

export const result: fc.Arbitrary<Result> = fc.constantFrom('win', 'loss', 'push', 'void');

/** Shuffles values. */
export function shuffled<T>(values: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...values], { minLength: values.length, maxLength: values.length });
}
