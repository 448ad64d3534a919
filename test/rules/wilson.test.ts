import { expect } from 'chai';
import fc from 'fast-check';
import { wilsonLowerBound, wilsonPct } from '../../src/rules/wilson.ts';

describe('the Wilson lower bound', () => {
  it('has known values, and none without a decided pick', () => {
    expect(wilsonPct(0, 0)).to.equal(null);
    expect(wilsonLowerBound(0, 0)).to.equal(null);
    expect(wilsonPct(0, 7)).to.equal(0);
    expect(wilsonPct(1, 0)).to.equal(20.65);
    expect(wilsonPct(10, 0)).to.equal(72.25);
    expect(wilsonPct(60, 40)).to.equal(50.2);
    expect(wilsonPct(5, 5)).to.equal(23.66);
  });

  it('is the rate from which the observed one is exactly z deviations away', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(3_000), (wins, losses) => {
        const bound = wilsonLowerBound(wins, losses)!;
        const n = wins + losses;
        const deviation = Math.sqrt((bound * (1 - bound)) / n);
        expect(bound).to.be.within(0, wins / n);
        expect((wins / n - bound) / deviation).to.be.closeTo(1.959963984540054, 1e-6);
      }),
    );
  });

  it('grows with each win and falls with each loss', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (wins, losses) => {
        if (wins + losses === 0) return;
        const bound = wilsonLowerBound(wins, losses)!;
        expect(wilsonLowerBound(wins + 1, losses)).to.be.above(bound);
        expect(wilsonLowerBound(wins, losses + 1)).to.be.at.most(bound);
      }),
    );
  });
});
