import { expect } from 'chai';
import { checkPick } from '../../src/ledger/posting/pick-row.ts';
import { checker } from '../../src/platform/schema.ts';
import { Type } from '../../src/platform/type.ts';
import { latencyMs } from '../support/patience.ts';

/** Expects a refusal in far less time than a million squared steps take. */
function expectRefusedSoon(check: (value: unknown) => { ok: boolean }, value: unknown): void {
  const began = performance.now();
  expect(check(value).ok).to.equal(false);
  expect(performance.now() - began).to.be.below(latencyMs(5_000));
}

describe('schemas and long texts', () => {
  // Takes time quadratic in the length of a text of As.
  const slow = '^(A+)*B$|A+A+A+C$';

  it('do not match a pattern against text that is longer than allowed', () => {
    const declared = checker(Type.String({ maxLength: 10, pattern: slow }));
    const undeclared = checker(Type.String({ pattern: slow }));
    const huge = 'A'.repeat(1 << 20);
    for (const check of [declared, undeclared]) expectRefusedSoon(check, huge);
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
        expectRefusedSoon(check, unit.repeat(1 << 20));
    });

  it('still accept texts in the format', () => {
    expect(checker(Type.String({ format: 'email' }))('ada@example.com').ok).to.equal(true);
    expect(checker(Type.String({ format: 'date-time' }))('2026-01-10T17:05:00Z').ok).to.equal(true);
    expect(checker(Type.String({ format: 'date-time' }))('yesterday').ok).to.equal(false);
  });

  it('refuse a pick with a megabyte in every text', () => {
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
    expectRefusedSoon(checkPick, row);
  });
});
