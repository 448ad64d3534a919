import { expect } from 'chai';
import { htmlText } from '../../src/pages/html.ts';
import { labelOf, labels, marketLabel, sportTags } from '../../src/pages/labels.ts';
import { tierBadge } from '../../src/pages/parts/capper.ts';
import { outcome } from '../../src/pages/parts/pick-list.ts';
import { markets } from '../../src/rules/markets/index.ts';
import { provenances, results, tiers, windows } from '../../src/rules/vocabulary.ts';

describe('the labels of API values on pages', () => {
  it('cover every value', () => {
    const sides = markets.flatMap(({ contests }) => contests(3).flat());
    expect(labels.tier).to.have.all.keys(...tiers);
    expect(labels.result).to.have.all.keys(...results, 'pending');
    expect(labels.provenance).to.have.all.keys(...provenances);
    expect(labels.window).to.have.all.keys(...windows);
    expect(labels.side).to.include.all.keys(...sides);
  });

  it('are derived from the value if none is declared', () => {
    expect(labelOf('side', 'gonzaga_bulldogs')).to.equal('Gonzaga bulldogs');
    expect(sportTags(['nba', 'soccer'])).to.equal('NBA, Soccer');
    expect(sportTags(['nba', 'nfl', 'mlb', 'nhl', 'tennis'])).to.equal('5 sports');
    expect(marketLabel('player_points')).to.equal('Player points');
    expect(marketLabel('first_half_total')).to.equal('First-half total');
  });

  it('appear in badges and results', () => {
    expect(htmlText(tierBadge('verified_sharp'))).to.contain('>Verified sharp<');
    expect(htmlText(outcome('push'))).to.equal('<span class="outcome push">Push</span>');
    expect(htmlText(outcome(null))).to.equal('<span class="outcome pending">Pending</span>');
  });
});
