import { expect } from 'chai';
import {
  inOddsForm,
  oddsFormOf,
  oddsText,
  otherOddsText,
  signed,
} from '../../../src/boards/formats/odds-text.ts';

describe('prices as text', () => {
  it('are American with a true minus sign, or decimal on request', () => {
    expect([150, -110, 100].map(oddsText)).to.deep.equal(['+150', '−110', '+100']);
    inOddsForm('decimal', () => {
      expect([150, -110, -100_000].map(oddsText)).to.deep.equal(['2.50', '1.91', '1.00']);
      expect(otherOddsText(-110)).to.equal('−110');
    });
    expect(otherOddsText(-110)).to.equal('1.91');
  });

  it('return to the previous form after a rendering in another form, even if it throws', () => {
    expect(() =>
      inOddsForm('decimal', () => {
        throw new Error('no');
      }),
    ).to.throw('no');
    expect(inOddsForm('decimal', () => inOddsForm('american', () => oddsText(-110)))).to.equal('−110');
    expect(oddsText(-110)).to.equal('−110');
  });

  it('are American when the query asks for an unknown form', () => {
    expect([null, '', 'DECIMAL', 'decimal'].map(oddsFormOf)).to.deep.equal([
      'american',
      'american',
      'american',
      'decimal',
    ]);
    expect([signed(0), signed(-0.5), signed(2)]).to.deep.equal(['0', '−0.5', '+2']);
  });
});
