import { expect } from 'chai';
import fc from 'fast-check';
import { oddsText } from '../../src/boards/formats/odds-text.ts';
import { lineText, selectionText } from '../../src/boards/formats/pick-text.ts';
import {
  bpsText,
  counted,
  countText,
  netUnits,
  percentText,
  recordText,
  signedText,
} from '../../src/pages/figures.ts';
import { htmlText } from '../../src/pages/html.ts';
import { hitRate, wilsonInterval, yieldText } from '../../src/pages/parts/rate.ts';
import { dayText, fullWhen, shortDayText, when } from '../../src/pages/times.ts';

describe('figures on pages', () => {
  it('carry a true minus sign, and a plus sign if it matters', () => {
    expect([signedText(1.5, 2), signedText(-0.4, 1), signedText(0, 2), signedText(-0.001, 2)]).to.deep.equal([
      '+1.50',
      '−0.4',
      '0.00',
      '0.00',
    ]);
    expect([oddsText(150), oddsText(-110)]).to.deep.equal(['+150', '−110']);
    expect([bpsText(413), bpsText(-5), bpsText(null)]).to.deep.equal(['+4.13%', '−0.05%', '–']);
    expect([percentText(57.142), percentText(-6.8), percentText(-0.04), percentText(null)]).to.deep.equal([
      '57.1%',
      '−6.8%',
      '0.0%',
      '–',
    ]);
    expect(recordText('12-9-1')).to.equal('12–9–1');
    const shown = (market: string, side: string, line: number | null, subject: string | null = null) =>
      selectionText({ sport: 'nba', game: 'Hawks U-21 @ Foxes', market, side, line, subject });
    expect(shown('spread', 'home', -3)).to.equal('Foxes −3');
    expect(shown('spread', 'away', 0)).to.equal('Hawks U-21 PK');
    expect(shown('player_points', 'over', 24.5, 'Ada Lovelace')).to.equal('Ada Lovelace over 24.5 points');
  });

  it('group thousands and count in words', () => {
    expect([countText(1234567), signedText(-12345.5, 2)]).to.deep.equal(['1,234,567', '−12,345.50']);
    expect([counted(1, 'pick'), counted(0, 'pick'), counted(1200, 'loss', 'losses')]).to.deep.equal([
      '1 pick',
      '0 picks',
      '1,200 losses',
    ]);
  });

  it('write a line as a bettor does', () => {
    expect([
      lineText(-3, 'spread'),
      lineText(1.5, 'spread'),
      lineText(0, 'spread'),
      lineText(44.5, 'total'),
    ]).to.deep.equal(['−3', '+1.5', 'PK', '44.5']);
  });

  it('distinguish a gain from a cost by more than color', () => {
    expect(htmlText(netUnits(1.2)))
      .to.contain('gain')
      .and.to.contain('+1.20u');
    expect(htmlText(netUnits(-1.2)))
      .to.contain('cost')
      .and.to.contain('−1.20u');
    expect(htmlText(netUnits(null))).to.contain('–');
  });
});

describe('a yield on pages', () => {
  it('comes with its interval, and says how many bettors without skill do as well', () => {
    const shown = { yieldPct: 2.34, yieldLowPct: -1.2, yieldHighPct: 5.9 };
    expect(htmlText(yieldText(shown))).to.equal('+2.3% <small>(−1.2 to +5.9)</small>');
    const chances = [61.2, 11.4, 0.1, 0.01, 0].map((chancePct) =>
      htmlText(yieldText({ ...shown, chancePct })),
    );
    expect(chances.map((text) => text.match(/<small>([^(]*)<\/small>/)![1])).to.deep.equal([
      'Most bettors without skill do as well',
      '1 in 9 bettors without skill does as well',
      '1 in 1,000 bettors without skill does as well',
      '1 in 10,000 bettors without skill does as well',
      'Fewer than 1 in 10,000 bettors without skill do as well',
    ]);
    expect(htmlText(yieldText({ yieldPct: null, yieldLowPct: null, yieldHighPct: null }))).to.contain('–');
  });
});

describe('a hit rate on pages', () => {
  it('comes with its sample, its interval, and the break-even of its prices', () => {
    const text = htmlText(hitRate({ wins: 60, losses: 40, breakEvenPct: 52.38, averageOddsAmerican: -110 }));
    expect(text).to.contain('60.0%').and.to.contain('50% to 69%').and.to.contain('100 picks');
    expect(text).to.contain('break-even 52.4% (−110)');
    expect(htmlText(hitRate({ wins: 60, losses: 40, breakEvenPct: 52.38, record: '60-40-3' }))).to.contain(
      '60–40–3 · 50% to 69%',
    );
    expect(text).not.to.contain('small sample');
  });

  it('is marked below 30 picks, and absent without any', () => {
    expect(htmlText(hitRate({ wins: 20, losses: 9, breakEvenPct: 50 }))).to.contain('small sample');
    expect(htmlText(hitRate({ wins: 20, losses: 10, breakEvenPct: 50 }))).not.to.contain('small sample');
    expect(htmlText(hitRate({ wins: 0, losses: 0, breakEvenPct: null }))).to.contain('no wins or losses yet');
  });

  it('lies within its interval, which lies within 0 and 1 and mirrors that of the losses', () => {
    const n = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(n, n, (wins, losses) => {
        const interval = wilsonInterval(wins, losses);
        expect(interval === undefined).to.equal(wins + losses === 0);
        if (interval === undefined) return;
        const { low, high } = interval;
        const rate = wins / (wins + losses);
        expect(low).to.be.within(0, rate + 1e-12);
        expect(high).to.be.within(rate - 1e-12, 1);
        expect(1 - wilsonInterval(losses, wins)!.low).to.equal(high);
      }),
    );
  });

  it('has the textbook interval', () => {
    // 8 of 10: 49.0% to 94.3% (E. B. Wilson, 1927).
    const { low, high } = wilsonInterval(8, 2)!;
    expect([low.toFixed(3), high.toFixed(3)]).to.deep.equal(['0.490', '0.943']);
  });
});

describe('times on pages', () => {
  const nbsp = '\u00A0';

  it('are in Eastern Time with the zone named, in winter and in summer, and in UTC for programs', () => {
    expect(htmlText(fullWhen('2018-12-30T18:05:00.000Z'))).to.equal(
      `<time datetime="2018-12-30T18:05:00.000Z" data-full>Sun, Dec 30, 2018, 1:05${nbsp}PM${nbsp}ET</time>`,
    );
    expect(htmlText(fullWhen('2026-07-04T03:30:00.000Z'))).to.contain(
      `Fri, Jul 3, 2026, 11:30${nbsp}PM${nbsp}ET`,
    );
  });

  it('omit the year if it is the current one in Eastern Time', () => {
    const now = Date.parse('2019-01-01T04:00:00Z');
    expect(htmlText(when('2018-12-30T18:05:00.000Z', now))).to.contain('>Sun, Dec 30, 1:05');
    expect(htmlText(when('2017-12-30T18:05:00.000Z', now))).to.contain('>Sat, Dec 30, 2017, 1:05');
  });

  it('spell out days', () => {
    expect(dayText('2018-12-30')).to.equal('Sunday, December 30, 2018');
    expect(shortDayText('2018-12-03')).to.equal(`Dec${nbsp}3`);
  });
});
