import { expect } from 'chai';
import { pickLines } from '../../../src/boards/formats/pick-text.ts';
import { closed, examplePick, settled } from './example-picks.ts';

describe('a pick as lines of text', () => {
  it('names selection, game, and capper, with true minus signs', () => {
    expect(pickLines(examplePick({ sport: 'tennis' }))).to.deep.equal([
      'Rays −3 at −110, 1.5 units (spread)',
      'Tennis: Tundra Owls @ Delta Rays, starts Sun, 06 Oct 2024, 20:25 UTC',
      'By ada (verified sharp), posted Sun, 06 Oct 2024, 12:00 UTC',
    ]);
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

  it('says why a pick does not count', () => {
    const check = { oddsAmerican: -120, book: 'north', capturedAt: '2024-10-06T11:59:00.000Z' };
    const lines = (verdict: 'available' | 'above_market', provisional: boolean) =>
      pickLines(examplePick({ priceCheck: { verdict, provisional, ...check } }));
    expect(lines('above_market', true)).to.include(
      'Not counted: odds above the market (−120 at north) so far',
    );
    expect(lines('above_market', false)).to.include('Not counted: odds above the market (−120 at north)');
    expect(lines('available', false).join()).not.to.contain('counted');
  });

  it('uses the singular for one unit', () => {
    expect(pickLines(examplePick({ ...settled, netUnits: 1 })).at(-1)).to.equal('Result: win, +1 unit');
    expect(pickLines(examplePick(settled)).at(-1)).to.equal('Result: win, +1.36 units');
  });
});
