import { expect } from 'chai';
import fc from 'fast-check';
import { checkImportedPick, checkPick } from '../../src/ledger/posting/pick-row.ts';

const row = {
  capperHandle: 'ada',
  sport: 'nfl',
  game: 'Gulls @ Foxes',
  startsAt: '2026-01-11T18:00:00Z',
  market: 'moneyline',
  side: 'home',
  pick: 'Foxes',
  oddsAmerican: -110,
  stakeUnits: 1,
};

const words = ['operator', 'live', 'import', 'demo'] as const;
const forms: Record<string, string[]> = {
  o: ['0'],
  i: ['1', 'l'],
  l: ['1', 'i'],
  e: ['3'],
  a: ['4'],
  t: ['7'],
  m: ['rn'],
};

/** A disguised word: with look-alike letters, separators, an ending, numbers, or other words around it. */
const guise = fc
  .record({
    word: fc.constantFrom(...words),
    choices: fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
    separators: fc.array(fc.constantFrom('', '', '', '-', '_'), { minLength: 8, maxLength: 8 }),
    ending: fc.constantFrom('', 's', 'ed', 'd', 'er', 'ing'),
    before: fc.constantFrom('', 'my-', '7', 'x_'),
    after: fc.constantFrom('', '2', '-2', '-picks', '_x'),
  })
  .map(({ word, choices, separators, ending, before, after }) => {
    const letters = [...word].map((letter, at) => {
      const all = [letter, ...(forms[letter] ?? [])];
      return all[choices[at]! % all.length]! + (at < word.length - 1 ? separators[at]! : '');
    });
    return `${before}${letters.join('')}${ending}${after}`;
  })
  .filter((label) => label.length <= 40);

describe("the label of a pick's source", () => {
  it('is never a reserved word, however disguised', () => {
    fc.assert(
      fc.property(guise, (source) => {
        for (const check of [
          checkPick,
          (value: object) => checkImportedPick({ ...value, postedAt: row.startsAt }),
        ]) {
          const checked = check({ ...row, source });
          expect(checked.ok, source).to.equal(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused with a reason that names the field and the reserved words', () => {
    for (const source of [
      'operator',
      '0perator',
      'operator-2',
      'the_operators',
      'myoperator',
      'l1ve',
      'l-i-v-e',
      'imported',
      'demo-2',
      'dem0',
      'live',
    ]) {
      const checked = checkPick({ ...row, source });
      expect(checked, source).to.deep.include({ ok: false });
      if (!checked.ok) {
        expect(checked.faults).to.have.length(1);
        expect(checked.faults[0]!.path).to.equal('/source');
        expect(checked.faults[0]!.message).to.match(/operator, author, live, import, or demo/);
      }
    }
  });

  it('may be any other slug, even one that begins like a reserved word', () => {
    for (const source of [
      'north',
      'delivery',
      'liverpool-tips',
      'important',
      'democrat',
      'olive',
      'telegram',
      'alive',
      'odds-api',
      '538',
    ])
      expect(checkPick({ ...row, source }).ok, source).to.equal(true);
    fc.assert(
      fc.property(fc.stringMatching(/^[bcfghjknpqsuwxyz]{1,40}$/), (source) => {
        expect(checkPick({ ...row, source }).ok, source).to.equal(true);
      }),
    );
  });
});
