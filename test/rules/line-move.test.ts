import { expect } from 'chai';
import { lineMove } from '../../src/rules/edge.ts';

describe('a line move', () => {
  it("is in points, positive in the bettor's favor", () => {
    expect(lineMove('spread', 'away', 3500, 2500)).to.equal(1);
    expect(lineMove('spread', 'home', -3500, -2500)).to.equal(-1);
    expect(lineMove('total', 'over', 8500, 9000)).to.equal(0.5);
    expect(lineMove('total', 'under', 8500, 9000)).to.equal(-0.5);
    expect(lineMove('total', 'under', 8500, 8500)).to.equal(0);
    expect(lineMove('team_total', 'over', 110_500, 112_500)).to.equal(2);
  });

  it('is null without two lines, and if neither way is better for the side', () => {
    expect(lineMove('moneyline', 'home', null, null)).to.equal(null);
    expect(lineMove('total', 'over', 8500, null)).to.equal(null);
    expect(lineMove('prop', 'first-scorer', 500, 1500)).to.equal(null);
  });
});
