import { expect } from 'chai';
import fc from 'fast-check';
import { retryAfter } from '../../src/platform/retry-after.ts';

const now = Date.parse('2026-01-02T10:00:00Z');

describe('Retry-After', () => {
  it('is a time in seconds, whole or not', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000 }), (seconds) => {
        expect(retryAfter({ 'retry-after': String(seconds) }, now)).to.equal(seconds * 1000);
      }),
    );
    expect(retryAfter({ 'retry-after': ' 1.5 ' }, now)).to.equal(1500);
    expect(retryAfter({ 'retry-after': '0.0004' }, now)).to.equal(1);
  });

  it("is the time until an HTTP date, counted from the answer's date or else from now, never below zero", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (seconds) => {
        const date = new Date(now + seconds * 1000).toUTCString();
        const wait = Math.max(0, seconds * 1000);
        expect(retryAfter({ 'retry-after': date }, now)).to.equal(wait);
        const ahead = { 'retry-after': date, date: new Date(now).toUTCString() };
        expect(retryAfter(ahead, now + 3_600_000)).to.equal(wait);
        expect(retryAfter({ 'retry-after': date, date: 'yesterday' }, now)).to.equal(wait);
      }),
    );
    // Obsolete forms that recipients must accept (RFC 9110, section 5.6.7).
    expect(retryAfter({ 'retry-after': 'Friday, 02-Jan-26 10:00:07 GMT' }, now)).to.equal(7000);
  });

  it('is absent if it makes no sense', () => {
    for (const text of ['', ' ', '-1', '1e3', '0x10', 'soon', '1 minute', 'Fri', '1,2', 'Infinity', 'NaN'])
      expect(retryAfter({ 'retry-after': text }, now), text).to.equal(null);
    expect(retryAfter({}, now)).to.equal(null);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = retryAfter({ 'retry-after': text }, now);
        if (wait !== null) expect(Number.isSafeInteger(wait) && wait >= 0).to.equal(true);
      }),
    );
    expect(retryAfter({ 'retry-after': '9'.repeat(400) }, now)).to.equal(Number.MAX_SAFE_INTEGER);
  });
});
