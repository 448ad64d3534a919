import { expect } from 'chai';
import fc from 'fast-check';
import { clvHistogram } from '../../src/pages/charts/clv-histogram.ts';
import { confidenceBars } from '../../src/pages/charts/confidence-bars.ts';
import { lineField } from '../../src/pages/charts/price-line.ts';
import { steps } from '../../src/pages/charts/scale.ts';
import { greatestDrawdown, type UnitsDay, unitsCurve } from '../../src/pages/charts/units-curve.ts';
import { type Html, htmlText } from '../../src/pages/html.ts';
import { consensusBar } from '../../src/pages/parts/group-list.ts';
import { intervalBar } from '../../src/pages/parts/rate.ts';
import { addDays } from '../../src/rules/et-day.ts';
import { clvHistogram as binsOf } from '../../src/rules/percentiles.ts';

/** Returns the days of a curve from the net units of each. */
const curve = (nets: readonly number[]): UnitsDay[] => {
  let cumulative = 0;
  return nets.map((unitsNet, index) => {
    cumulative += unitsNet;
    return { day: addDays('2026-01-01', index), unitsNet, cumulative };
  });
};

/** Returns every number in a picture that is a coordinate or size. */
function coordinates(piece: Html): number[] {
  const [svg = ''] = /<svg.*<\/svg>/s.exec(htmlText(piece)) ?? [];
  const values = [...svg.matchAll(/\s(?:x|y|cx|cy|width|height|d)="([^"]*)"/g)].map(([, text = '']) => text);
  return values.flatMap((text) => text.match(/-?\d+(\.\d+)?|NaN|Infinity/g) ?? []).map(Number);
}

describe('the units curve', () => {
  it('marks the deepest fall from the highest point so far', () => {
    expect(greatestDrawdown(curve([5, -2, 4, -6, 1]))).to.deep.equal({ units: 6, at: 3 });
    expect(greatestDrawdown(curve([-3, 1]))).to.deep.equal({ units: 3, at: 0 });
    expect(greatestDrawdown(curve([1, 0, 2]))).to.equal(undefined);
  });

  it('never marks a deeper fall than the days contain', () => {
    const net = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(fc.array(net, { minLength: 1, maxLength: 30 }), (nets) => {
        const days = curve(nets);
        const heights = [0, ...days.map(({ cumulative }) => cumulative)];
        let deepest = 0;
        for (const [index, from] of heights.entries())
          for (const to of heights.slice(index)) deepest = Math.max(deepest, from - to);
        expect(greatestDrawdown(days)?.units ?? 0).to.equal(deepest);
      }),
    );
  });

  it('stays within its frame for any series, and states the sum', () => {
    // Net units have two decimals.
    const net = fc.integer({ min: -100_000, max: 100_000 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(fc.array(net, { minLength: 1, maxLength: 90 }), (nets) => {
        const picture = unitsCurve(
          curve(nets),
          nets.map((low) => ({ low: Math.min(0, low), high: Math.abs(low) })),
        );
        for (const value of coordinates(picture)) expect(value).to.be.within(0, 360);
        expect(htmlText(picture)).to.match(/role="img" aria-label="Net units over /);
      }),
    );
  });

  it('has a table with every day on which something settled', () => {
    const bands = [-1, -1, -2.5].map((low) => ({ low, high: -low }));
    const text = htmlText(unitsCurve(curve([1.5, 0, -2]), bands));
    expect(text).to.contain(
      '<th scope="row">Jan\u00A01</th><td>+1.50</td><td>+1.50</td><td>−1.00 to +1.00</td>',
    );
    expect(text).to.contain(
      '<th scope="row">Jan\u00A03</th><td>−2.00</td><td>−0.50</td><td>−2.50 to +2.50</td>',
    );
    expect(text).not.to.contain('<th scope="row">Jan\u00A02</th>');
    const alone = htmlText(unitsCurve(curve([1.5, 0, -2])));
    expect(alone).to.contain('<td>−2.00</td><td>−0.50</td></tr>').and.not.to.contain('ithout skill');
  });
});

describe('the ticks of an axis', () => {
  it('cover the range, ascend evenly, and include 0 if the range contains it', () => {
    const end = fc.integer({ min: 0, max: 10_000_000 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(end, end, fc.integer({ min: 2, max: 8 }), (below, above, most) => {
        const ticks = steps(-below, above, most);
        expect(ticks[0]).to.be.at.most(-below);
        expect(ticks.at(-1)).to.be.at.least(above);
        expect(ticks.some((tick) => Math.abs(tick) === 0)).to.equal(true);
        expect(ticks.length).to.be.at.most(most + 3);
        for (const [index, tick] of ticks.entries())
          if (index > 0) expect(tick).to.be.above(ticks[index - 1]!);
      }),
    );
  });
});

describe('the CLV histogram', () => {
  it('draws a bar for each bin with picks, and marks the mean', () => {
    const bins = binsOf([
      [-1500, 1],
      [-50, 2],
      [250, 4],
    ]);
    const text = htmlText(clvHistogram(bins, { sample: 7, evenSample: 0, meanBps: 0, medianBps: 250 }));
    expect(text.match(/<rect/g)).to.have.lengthOf(3);
    expect(text.match(/class="bar-cost"/g)).to.have.lengthOf(2);
    // 0 is the middle of the bins, and thus of the frame.
    expect(text).to.contain('class="mean" d="M196 ').and.to.contain('median +2.50%');
  });

  it('counts its picks, and colors those at the closing price as neither gain nor cost', () => {
    const bins = binsOf([
      [0, 30],
      [50, 10],
    ]);
    const text = htmlText(clvHistogram(bins, { sample: 40, evenSample: 30, meanBps: 12.5, medianBps: 0 }));
    const heights = [...text.matchAll(/class="bar-(even|gain)"[^>]*height="([\d.]+)"/g)].map(
      ([, tone, height]) => [tone, Number(height)],
    );
    expect(heights.map(([tone]) => tone)).to.deep.equal(['even', 'gain']);
    expect((heights[0]![1] as number) / (heights[1]![1] as number)).to.be.closeTo(3, 0.02);
    expect(text)
      .to.contain('text-anchor="end">40</text>')
      .and.to.contain('below −10%')
      .and.to.contain('+10% and up');
  });

  it('stays within its frame, however extreme the mean', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -9000, max: 9000 }), fc.integer({ min: 1, max: 1e6 })), {
          minLength: 1,
        }),
        (values) => {
          const mean = values.reduce((sum, [value]) => sum + value, 0) / values.length;
          for (const place of coordinates(
            clvHistogram(binsOf(values), {
              sample: values.length,
              evenSample: 0,
              meanBps: mean,
              medianBps: mean,
            }),
          ))
            expect(place).to.be.within(0, 360);
        },
      ),
    );
  });

  it('has a table that names the open ends', () => {
    const text = htmlText(
      clvHistogram(binsOf([[0, 1]]), { sample: 1, evenSample: 1, meanBps: 0, medianBps: 0 }),
    );
    expect(text).to.contain('>Below −10%<').and.to.contain('>+10% and up<');
  });
});

describe('the price line', () => {
  const at = '2026-01-15T17:00:00.000Z';

  it('states both prices, and shows by color which was better', () => {
    const gained = htmlText(
      lineField(
        { oddsAmerican: 150, oddsDecimal: 2.5, at },
        { oddsAmerican: 120, oddsDecimal: 2.2, at },
        true,
      ),
    );
    expect(gained)
      .to.contain('area-gain')
      .and.to.contain('>+150<')
      .and.to.contain('>+120<')
      .and.to.contain('−0.30 decimal');
    const lost = htmlText(
      lineField(
        { oddsAmerican: 120, oddsDecimal: 2.2, at },
        { oddsAmerican: 150, oddsDecimal: 2.5, at },
        true,
      ),
    );
    expect(lost).to.contain('area-cost');
  });

  it('shades nothing for a pick that does not count', () => {
    const text = htmlText(
      lineField(
        { oddsAmerican: 2500, oddsDecimal: 26, at },
        { oddsAmerican: 120, oddsDecimal: 2.2, at },
        false,
      ),
    );
    expect(text).to.contain('>+2500<').and.not.to.contain('area-');
  });

  it('draws a small move small', () => {
    const [from, to] = [
      ...htmlText(
        lineField(
          { oddsAmerican: 150, oddsDecimal: 2.5, at },
          { oddsAmerican: 151, oddsDecimal: 2.51, at },
          true,
        ),
      ).matchAll(/<circle class="end" cx="\d+" cy="(\d+)"/g),
    ].map(([, y]) => Number(y));
    expect(Math.abs(from! - to!)).to.be.below(5);
  });
});

describe('the bars', () => {
  it('of a consensus divide the whole width by cappers', () => {
    const text = htmlText(consensusBar({ eliteCount: 1, verifiedSharpCount: 1, opposingCount: 2 }));
    expect(text).to.contain('class="part-elite" x="0" y="0" width="97"');
    expect(text).to.contain('class="part-verified" x="100" y="0" width="97"');
    expect(text).to.contain('class="part-against" x="200" y="0" width="200"');
    expect(
      htmlText(consensusBar({ eliteCount: 2, verifiedSharpCount: 0, opposingCount: 0 })).match(/<rect/g),
    ).to.have.lengthOf(1);
  });

  it('of a Confidence Index are as long as the weight, filled in proportion to the component', () => {
    const text = htmlText(
      confidenceBars([
        { name: 'record', value: 0.5, weight: 25, contribution: 12.5, sample: 4, note: 'A <note>.' },
        { name: 'price', value: 1, weight: 5, contribution: 5, sample: 1, note: '' },
      ]),
    );
    expect(text).to.contain('class="whole" width="200.0"').and.to.contain('class="part" width="100.0"');
    expect(text).to.contain('class="whole" width="40.0"').and.to.contain('class="part" width="40.0"');
    expect(text).to.contain('A &lt;note&gt;.');
  });

  it('of an interval show the rate within it, and the break-even', () => {
    const text = htmlText(intervalBar({ low: 0.25, high: 0.75, rate: 0.5, mark: 0.6 }));
    expect(text).to.contain('d="M26.0 5H74.0"').and.to.contain('cx="50.0"').and.to.contain('d="M59.6 1v8"');
  });
});
