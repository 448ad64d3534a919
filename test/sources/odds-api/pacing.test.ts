import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Budget,
  marketKeys,
  oddsDueAt,
  quotaResetAt,
  scoresDueAt,
} from '../../../src/sources/odds-api/pacing.ts';

const minute = 60_000;
const hour = 60 * minute;
const month = Date.parse('2026-01-01T00:00:00Z');
const budget = (remaining: number, rest: Partial<Budget> = {}): Budget => ({
  remaining,
  reserve: 20,
  from: month,
  atStart: 500,
  cost: marketKeys.length,
  sports: 2,
  ...rest,
});
/** Nothing is near, and nothing was spent for ten days. */
const later = month + 10 * 24 * hour;

describe('the pace of questions to The Odds API', () => {
  it('knows when credits are given anew: with the month, UTC', () => {
    expect(quotaResetAt(Date.parse('2026-12-31T23:59:59Z'))).to.equal(Date.parse('2027-01-01T00:00:00Z'));
    expect(quotaResetAt(month)).to.equal(Date.parse('2026-02-01T00:00:00Z'));
  });

  it('asks at once for what was never asked', () => {
    expect(oddsDueAt(budget(500), null, null, month)).to.equal(month);
    expect(scoresDueAt(budget(500), null, month - hour, month)).to.equal(month);
  });

  it('asks more often the nearer the next start is', () => {
    const gaps = [5 * minute, 10 * minute, hour, 6 * hour, 30 * hour, 90 * hour].map(
      (until) => oddsDueAt(budget(500), later, later + until, later) - later,
    );
    expect(gaps).to.deep.equal([2 * minute, 5 * minute, 20 * minute, hour, 4 * hour, 12 * hour]);
  });

  it('waits until an even spending has caught up, and for what is near less long', () => {
    const spent = budget(500 - 16 * 12);
    const due = [10 * minute, hour, 6 * hour, 30 * hour, 90 * hour].map((until) =>
      oddsDueAt(spent, later, later + until, later),
    );
    expect(due).to.deep.equal(due.toSorted((a, b) => a - b));
    expect(new Set(due).size).to.equal(5);
    expect(due[0]).to.be.within(later + 24 * hour, later + 48 * hour);
  });

  it('asks once an hour at most where the provider does not say what is left', () => {
    expect(oddsDueAt(null, month, month + minute, month)).to.equal(month + hour);
  });

  it('asks for a result that does not come less and less often', () => {
    const pause = (over: number) => scoresDueAt(budget(500), later, later - over, later) - later;
    expect([pause(0), pause(hour), pause(60 * hour)]).to.deep.equal([3 * minute, 15 * minute, hour]);
  });

  it('never goes below the reserve, and waits for the next month then', () => {
    for (const due of [
      oddsDueAt(budget(22), null, month + minute, month),
      scoresDueAt(budget(21), null, month, month),
    ])
      expect(due).to.equal(quotaResetAt(month));
    expect(oddsDueAt(budget(23), null, null, month)).to.equal(month);
  });

  it('spreads any quota over a month of games: never below the reserve, still asking at its end', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 20_000 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 3, max: 72 }),
        (credits, sports, everyHours) => {
          let remaining = credits;
          const last: (number | null)[] = Array.from({ length: sports }, () => null);
          let lastAsk = month;
          const end = quotaResetAt(month);
          for (let now = month; now < end; now += 5 * minute) {
            const nextStart = Math.floor(now / (everyHours * hour) + 1) * everyHours * hour;
            for (let sport = 0; sport < sports; sport++) {
              if (
                oddsDueAt(budget(remaining, { sports, atStart: credits }), last[sport]!, nextStart, now) > now
              )
                continue;
              remaining -= marketKeys.length;
              last[sport] = now;
              lastAsk = now;
            }
            expect(remaining).to.be.at.least(20);
          }
          expect(end - lastAsk).to.be.below(4 * 24 * hour);
        },
      ),
      { numRuns: 10 },
    );
  });
});
