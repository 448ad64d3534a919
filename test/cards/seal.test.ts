import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { sealSvg } from '../../src/cards/pick-card.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the seal', () => {
  it('has a ray for each digit of the hash, and another picture for each hash', () => {
    const seals = ['a', 'b', 'c'].map((text) => sealSvg(hashOf(text), '#000'));
    for (const seal of seals) expect(seal.match(/<line /g)).to.have.length(64);
    expect(new Set(seals).size).to.equal(3);
  });

  it('shows a changed digit', () => {
    const hash = hashOf('a');
    const changed = `${hash.slice(0, 63)}${hash.endsWith('0') ? '1' : '0'}`;
    expect(sealSvg(changed, '#000')).not.to.equal(sealSvg(hash, '#000'));
  });

  it('is dashed and without rays for an unsealed pick', () => {
    expect(sealSvg(null, '#000')).to.contain('stroke-dasharray').and.not.to.contain('<line');
  });
});
