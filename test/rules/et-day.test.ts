import { expect } from 'chai';
import fc from 'fast-check';
import { addDays, daysUpTo, etDay, etDayStart, etInstant, windowFirstDay } from '../../src/rules/et-day.ts';

const hour = 3_600_000;
const shown = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The first and last minutes around each clock change, and any instant, from 1990 to 2040. */
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2041, 0) - 1 }),
  fc
    .tuple(
      fc.integer({ min: 1990, max: 2040 }),
      fc.constantFrom(2, 3, 9, 10),
      fc.integer({ min: 1, max: 31 }),
      fc.integer({ min: 3 * hour, max: 8 * hour }),
    )
    .map(([year, month, day, time]) => Date.UTC(year, month, day) + time),
);

describe('an Eastern day', () => {
  it('begins at 05:00 UTC in winter and at 04:00 UTC in summer', () => {
    expect(etDay(Date.parse('2026-01-18T04:59:59.999Z'))).to.equal('2026-01-17');
    expect(etDay(Date.parse('2026-01-18T05:00:00.000Z'))).to.equal('2026-01-18');
    expect(etDay(Date.parse('2026-07-04T03:59:59.999Z'))).to.equal('2026-07-03');
    expect(etDay(Date.parse('2026-07-04T04:00:00.000Z'))).to.equal('2026-07-04');
  });

  it('has 23 hours when daylight saving begins and 25 when it ends', () => {
    const length = (day: string) => (etDayStart(addDays(day, 1)) - etDayStart(day)) / hour;
    expect(['2026-03-07', '2026-03-08', '2026-03-09'].map(length)).to.deep.equal([24, 23, 24]);
    expect(['2026-10-31', '2026-11-01', '2026-11-02'].map(length)).to.deep.equal([24, 25, 24]);
    // Until 2006 the changes were on other Sundays.
    expect(['2006-04-02', '2006-10-29', '2006-03-12'].map(length)).to.deep.equal([23, 25, 24]);
  });

  it('is the date that Intl shows, from 1990 to 2040', () => {
    fc.assert(
      fc.property(instants, (at) => {
        expect(etDay(at)).to.equal(shown.format(at));
      }),
      { numRuns: 1_000 },
    );
  });

  it('begins where the date changes and the clocks show midnight', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const day = etDay(at);
        const from = etDayStart(day);
        expect(from).to.be.at.most(at);
        expect(etDayStart(addDays(day, 1))).to.be.above(at);
        expect(etDay(from)).to.equal(day);
        expect(etDay(from - 1)).to.equal(addDays(day, -1));
        expect(clock.format(from)).to.equal('00:00:00');
      }),
      { numRuns: 400 },
    );
  });

  it('is 24 hours long except twice a year, and exact to the millisecond around those days', () => {
    for (let year = 1990; year <= 2040; year += 1) {
      const days = daysUpTo(`${year}-12-31`, 365);
      const changes = days.filter((day) => etDayStart(addDays(day, 1)) - etDayStart(day) !== 24 * hour);
      expect(changes, String(year)).to.have.length(2);
      for (const day of changes.flatMap((change) => [change, addDays(change, 1)]))
        for (const at of [-1, 0, 1].map((offset) => etDayStart(day) + offset))
          expect(etDay(at)).to.equal(shown.format(at));
    }
  });

  it('has an instant for each full hour of its clocks', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 3, max: 23 }), (at, wanted) => {
        const instant = etInstant(etDay(at), wanted);
        expect(clock.format(instant)).to.equal(`${String(wanted).padStart(2, '0')}:00:00`);
        expect(etDay(instant)).to.equal(etDay(at));
      }),
      { numRuns: 400 },
    );
  });

  it('is not affected by the offset of the previous instant', () => {
    const winter = Date.parse('2026-11-01T06:00:00.000Z');
    for (const at of [winter - 1, winter, winter - 1, winter + 23 * hour - 1, winter - 3 * hour])
      expect(etDay(at)).to.equal(shown.format(at));
  });

  it('is refused for an invalid date', () => {
    expect(() => etDayStart('yesterday')).to.throw(RangeError);
    expect(() => etDay(Number.NaN)).to.throw(RangeError);
  });
});

describe('Eastern days', () => {
  it('count across months, leap days, and years', () => {
    expect(addDays('2026-12-31', 1)).to.equal('2027-01-01');
    expect(addDays('2024-03-01', -1)).to.equal('2024-02-29');
    expect(addDays('2026-03-08', 1)).to.equal('2026-03-09');
    expect(daysUpTo('2026-03-01', 3)).to.deep.equal(['2026-02-27', '2026-02-28', '2026-03-01']);
  });

  it('of a window are today and the days before it', () => {
    expect(windowFirstDay('7d', '2026-03-10')).to.equal('2026-03-04');
    expect(windowFirstDay('30d', '2026-03-10')).to.equal('2026-02-09');
    expect(windowFirstDay('90d', '2026-03-10')).to.equal('2025-12-11');
    expect(windowFirstDay('all', '2026-03-10')).to.equal(null);
  });
});
