import { expect } from 'chai';
import { checkPick } from '../../src/ledger/pick-row.ts';
import { checker } from '../../src/platform/schema.ts';
import { Type } from '../../src/platform/type.ts';

/** Milliseconds; the quickest of three runs, since files that run in parallel share the cores. */
function quickest(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    }),
  );
}

describe('schemas and long texts', () => {
  // Takes time that is quadratic in the length of a text of As.
  const slow = '^(A+)*B$|A+A+A+C$';

  it('do not match a text that is longer than allowed', () => {
    const declared = checker(Type.String({ maxLength: 10, pattern: slow }));
    const undeclared = checker(Type.String({ pattern: slow }));
    const huge = 'A'.repeat(1 << 20);
    for (const check of [declared, undeclared])
      expect(quickest(() => expect(check(huge).ok).to.equal(false))).to.be.below(200);
    expect(declared(huge)).to.deep.equal({
      ok: false,
      faults: [{ path: '', message: 'must NOT have more than 10 characters' }],
    });
    expect(declared('AB')).to.deep.equal({ ok: true, value: 'AB' });
    expect(declared('BA')).to.deep.equal({
      ok: false,
      faults: [{ path: '', message: `must match pattern "${slow}"` }],
    });
  });

  for (const format of ['date-time', 'email', 'uri', 'uuid', 'date'])
    it(`refuse a text of megabytes as ${format} at once`, () => {
      const check = checker(Type.String({ format }));
      for (const unit of ['a', '1', 'a@', 'a.', '-', ':', '%'])
        expect(quickest(() => expect(check(unit.repeat(1 << 20)).ok).to.equal(false))).to.be.below(200);
    });

  it('still take what has the format', () => {
    expect(checker(Type.String({ format: 'email' }))('ada@example.com').ok).to.equal(true);
    expect(checker(Type.String({ format: 'date-time' }))('2026-01-10T17:05:00Z').ok).to.equal(true);
    expect(checker(Type.String({ format: 'date-time' }))('yesterday').ok).to.equal(false);
  });

  it('refuse a pick whose every text has a megabyte', () => {
    const long = 'é'.repeat(1 << 20);
    const row = {
      capperHandle: long,
      sport: long,
      game: long,
      startsAt: long,
      market: long,
      side: long,
      pick: long,
    };
    expect(quickest(() => expect(checkPick(row).ok).to.equal(false))).to.be.below(1000);
  });
});
