import { expect } from 'chai';
import fc from 'fast-check';
import { scaleRounded, shownFloat, shownRatio } from '../../src/rules/rounding.ts';
import * as naive from '../naive/fraction.ts';

describe('rounding', () => {
  it('rounds halves away from zero', () => {
    expect([1, 3, -1, -3].map((num) => scaleRounded(num, 2, 1))).to.deep.equal([1, 2, -1, -2]);
    expect(shownRatio(1, 8, 2)).to.equal(0.13);
    expect(shownRatio(-1, 8, 2)).to.equal(-0.13);
    expect([0.25, -0.25, 12.345].map((value) => shownFloat(value, 1))).to.deep.equal([0.3, -0.3, 12.3]);
  });

  it('never returns a negative zero', () => {
    expect(Object.is(scaleRounded(-1, 3, 1), 0)).to.equal(true);
    expect(Object.is(shownFloat(-0.001, 2), 0)).to.equal(true);
    expect(Object.is(shownFloat(-0, 2), 0)).to.equal(true);
  });

  it('is exact even if the product is not a safe integer', () => {
    const large = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });
    const divisor = fc.integer({ min: 2 ** 30, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(large, divisor, fc.constantFrom(1, 10, 10_000), (num, den, factor) => {
        const exact = naive.multiply(naive.fraction(num, den), naive.fraction(factor));
        expect(scaleRounded(num, den, factor)).to.equal(naive.nearestInteger(exact));
      }),
    );
  });
});
