import { expect } from 'chai';
import fc from 'fast-check';
import { type ConfidenceInputs, confidence, wonOverBreakEvenE9 } from '../../src/rules/confidence.ts';
import * as naive from '../naive/fraction.ts';
import { americanOdds } from './arbitraries.ts';

const newcomer: ConfidenceInputs = {
  tier: 'elite',
  record: { sample: 0, weight: 0, wins: 0, wonOverBreakEvenE9: 0 },
  clv: { sample: 0, weight: 0, sumBps: 0 },
  form: { sample: 0, weight: 0, netE4: 0, stakedE4: 0 },
  consensus: { with: 0, against: 0 },
  price: { postedAmerican: -110, bestAmerican: null, books: 0 },
};

const values = (inputs: ConfidenceInputs) => confidence(inputs).components.map(({ value }) => value);

/** Any inputs, with tiers from best (0) to worst, and sums within what their samples allow. */
const inputs: fc.Arbitrary<ConfidenceInputs> = fc
  .record({
    tier: fc.constantFrom('elite' as const, 'verified_sharp' as const, 'listed' as const),
    sample: fc.integer({ min: 0, max: 400 }),
    won: fc.double({ min: -1, max: 1, noNaN: true }),
    clv: fc.record({ sample: fc.integer({ min: 0, max: 400 }), mean: fc.integer({ min: -600, max: 600 }) }),
    form: fc.record({
      sample: fc.integer({ min: 0, max: 100 }),
      roi: fc.double({ min: -1, max: 2, noNaN: true }),
    }),
    consensus: fc.record({ with: fc.nat(12), against: fc.nat(12) }),
    price: fc.record({
      postedAmerican: americanOdds,
      bestAmerican: fc.option(americanOdds),
      books: fc.nat(5),
    }),
  })
  .map(({ tier, sample, won, clv, form, consensus, price }) => ({
    tier,
    record: { sample, weight: sample, wins: 0, wonOverBreakEvenE9: Math.round(won * sample * 1e9) },
    clv: { sample: clv.sample, weight: clv.sample, sumBps: clv.mean * clv.sample },
    form: {
      sample: form.sample,
      weight: form.sample,
      netE4: Math.round(form.roi * form.sample * 10_000),
      stakedE4: form.sample * 10_000,
    },
    consensus,
    price,
  }));

describe('the Confidence Index', () => {
  it('scores a capper without history as one without skill', () => {
    const { version, index, components } = confidence(newcomer);
    expect(version).to.equal('R24');
    expect(
      components.map(({ name, value, weight, contribution, sample }) => [
        name,
        value,
        weight,
        contribution,
        sample,
      ]),
    ).to.deep.equal([
      ['tier', 1, 20, 20, 0],
      ['record', 0.4, 25, 10, 0],
      ['clv', 0.1, 25, 2.5, 0],
      ['form', 0.45, 10, 4.5, 0],
      ['consensus', 0.5, 15, 7.5, 0],
      ['price', 0.5, 5, 2.5, 0],
    ]);
    expect(index).to.equal(47);
    expect(confidence({ ...newcomer, tier: 'verified_sharp' }).index).to.equal(42);
    expect(confidence({ ...newcomer, tier: 'listed' }).index).to.equal(35);
  });

  it('computes each component by its formula', () => {
    const inputs: ConfidenceInputs = {
      tier: 'verified_sharp',
      // 30 of 50 at -110, whose break-even is 0.5238...: 3.8095 above it.
      record: { sample: 50, weight: 50, wins: 30, wonOverBreakEvenE9: 3_809_523_810 },
      clv: { sample: 50, weight: 50, sumBps: 5_000 },
      form: { sample: 20, weight: 20, netE4: 40_000, stakedE4: 200_000 },
      consensus: { with: 3, against: 1 },
      price: { postedAmerican: -110, bestAmerican: -105, books: 3 },
    };
    // 0.5 + 5 * (3.8095 - 0.4) / 70; 0.5 + 10 * (0.5 - 2) / 100; 0.5 + 1.25 * (0.2 * 20 - 0.8) / 40; 0.5 + 0.125 * 2;
    // 0.5 + 10 * (1.90909 / 1.95238 - 1).
    expect(values(inputs)).to.deep.equal([0.75, 0.7435, 0.35, 0.6, 0.75, 0.2783]);
    expect(confidence(inputs).index).to.equal(61.0);
    expect(confidence(inputs).components.map(({ note }) => note)).to.deep.equal([
      'Tier at post time: verified sharp.',
      'Won 30 of 50 in the 90 days before, +3.8 wins vs. break-even at the odds taken.',
      'Average edge of +1.0% over 50 picks in the 90 days before.',
      'ROI of +20.0% over 20 picks in the 30 days before.',
      'Other sharp cappers: 3 on this side, 1 against.',
      'Posted at −110; best odds on the same line: −105.',
    ]);
  });

  it('gives favorites no credit: winning as often as the price implies scores 0', () => {
    const picks: boolean[] = [...Array(10).fill(true), ...Array(5).fill(false)];
    const sum = picks.reduce((total, won) => total + wonOverBreakEvenE9(won, -200, false), 0);
    expect(Math.abs(sum)).to.be.below(20);
    expect(wonOverBreakEvenE9(true, -110, false)).to.equal(476_190_476);
    expect(wonOverBreakEvenE9(false, -110, false)).to.equal(-523_809_524);
    expect(wonOverBreakEvenE9(true, -110, true)).to.equal(238_095_238);
  });

  it('uses the exact break-even of the decimal odds, in billionths', () => {
    fc.assert(
      fc.property(fc.boolean(), americanOdds, fc.boolean(), (won, odds, half) => {
        const one = half ? 500_000_000 : 1_000_000_000;
        const breakEven = naive.divide(naive.fraction(one), naive.decimalOdds(odds));
        const expected = (won ? one : 0) - naive.nearestInteger(breakEven);
        expect(wonOverBreakEvenE9(won, odds, half)).to.equal(expected);
      }),
    );
  });

  it('stays within 0 and 100', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { index, components } = confidence(given);
        expect(index).to.be.within(0, 100);
        expect(components.reduce((sum, { weight }) => sum + weight, 0)).to.equal(100);
        for (const { value } of components) expect(value).to.be.within(0, 1);
        const sum = components.reduce((total, { contribution }) => total + contribution, 0);
        expect(index).to.be.closeTo(sum, 0.0801);
      }),
    );
  });

  it('never falls when one input improves', () => {
    const gain = fc.integer({ min: 0, max: 1_000_000 });
    const better: Record<string, (given: ConfidenceInputs, gain: number) => ConfidenceInputs> = {
      tier: (given) => ({ ...given, tier: given.tier === 'listed' ? 'verified_sharp' : 'elite' }),
      record: (given, by) => ({
        ...given,
        record: { ...given.record, wonOverBreakEvenE9: given.record.wonOverBreakEvenE9 + by * 1000 },
      }),
      clv: (given, by) => ({ ...given, clv: { ...given.clv, sumBps: given.clv.sumBps + by } }),
      form: (given, by) => ({ ...given, form: { ...given.form, netE4: given.form.netE4 + by } }),
      'more with': (given, by) => ({
        ...given,
        consensus: { ...given.consensus, with: given.consensus.with + (by % 5) },
      }),
      'fewer against': (given, by) => ({
        ...given,
        consensus: { ...given.consensus, against: Math.max(0, given.consensus.against - (by % 5)) },
      }),
      'a better posted price': (given, by) => ({
        ...given,
        price: {
          ...given.price,
          postedAmerican: Math.max(100, Math.abs(given.price.postedAmerican)) + (by % 100),
        },
      }),
      'a worse best price': (given) =>
        given.price.bestAmerican === null
          ? given
          : { ...given, price: { ...given.price, bestAmerican: -Math.abs(given.price.bestAmerican) } },
    };
    for (const [name, improve] of Object.entries(better)) {
      fc.assert(
        fc.property(inputs, gain, (given, by) => {
          expect(confidence(improve(given, by)).index, name).to.be.at.least(confidence(given).index);
        }),
      );
    }
  });
});
