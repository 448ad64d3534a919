import { expect } from 'chai';
import { ownWords, pickItem, pickLines } from '../../../src/boards/formats/pick-text.ts';
import type { PublicPick } from '../../../src/boards/pick.ts';
import { closed, examplePick, settled } from './example-picks.ts';

describe('a pick as lines of text', () => {
  it('names selection, game, and capper, with true minus signs', () => {
    expect(pickLines(examplePick({ sport: 'tennis' }))).to.deep.equal([
      'Delta Rays −3 at −110, 1.5 units (spread)',
      'Tennis: Tundra Owls @ Delta Rays, starts Sun, 06 Oct 2024, 20:25 UTC',
      'By ada (verified sharp), posted Sun, 06 Oct 2024, 12:00 UTC',
    ]);
  });

  it('says the bet, whatever its capper wrote', () => {
    const lying = examplePick({ side: 'away', line: 3.5, pick: 'Rays -3.5 @everyone http://x.example' });
    const rendered = [...pickLines(lying), pickItem(lying).title, pickItem(lying).description].join(' ');
    expect(rendered)
      .to.contain('Tundra Owls +3.5')
      .and.not.to.match(/Rays −3|everyone|x\.example/);
    expect(ownWords(lying)).to.equal(lying.pick);
    expect(ownWords(examplePick({ pick: 'delta rays -3' }))).to.equal(null);
  });

  it('marks an unverified capper', () => {
    expect(pickLines(examplePick({ capperVerified: false }))).to.include(
      'By ada (verified sharp, not verified), posted Sun, 06 Oct 2024, 12:00 UTC',
    );
  });

  it('says that the game has started once the pick has closed', () => {
    expect(pickLines(examplePick(closed))[1]).to.contain(', started Sun');
    expect(pickLines(examplePick(settled))[1]).to.contain(', started Sun');
  });

  it('includes the CLV only if the line did not move', () => {
    expect(pickLines(examplePick({ ...closed, closingLine: -3 }))[3]).to.equal(
      'Closing odds −120, CLV +4.13%',
    );
    expect(pickLines(examplePick({ ...closed, closingLine: -3.5 }))[3]).to.equal(
      'Closing odds −120, line moved from −3 to −3.5',
    );
  });

  it('says at which odds a pick counts, or why it does not', () => {
    const seen = { oddsAmerican: -120, book: 'north', capturedAt: '2024-10-06T11:59:00.000Z' };
    const none = { oddsAmerican: null, book: null, capturedAt: null, countedAmerican: null };
    const lines = (priceCheck: PublicPick['priceCheck']) => pickLines(examplePick({ priceCheck })).join('\n');
    const above = { verdict: 'above_market', provisional: true, ...seen, countedAmerican: -120 } as const;
    expect(lines(above)).to.contain('at −110 (counted at −120),').and.not.contain('Not counted');
    expect(lines({ verdict: 'unseen', provisional: true, ...none })).to.contain(
      'Not counted: no odds to compare with so far',
    );
    const available = { ...above, verdict: 'available', countedAmerican: -110 } as const;
    expect(lines(available)).not.to.contain('counted');
  });

  it('uses the singular for one unit', () => {
    expect(pickLines(examplePick({ ...settled, netUnits: 1 })).at(-1)).to.equal('Result: win, +1 unit');
    expect(pickLines(examplePick(settled)).at(-1)).to.equal('Result: win, +1.36 units');
  });
});
