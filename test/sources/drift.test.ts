import { expect } from 'chai';
import { addDays } from '../../src/rules/et-day.ts';
import { type Answer, type DayCount, findingOf } from '../../src/sources/drift.ts';

const now = Date.parse('2026-11-27T18:00:00Z');
const today = '2026-11-27';
const dayMs = 86_400_000;

const row = (day: string, listed: number, agoMs: number, more: Partial<DayCount> = {}): DayCount => ({
  day,
  listed,
  seenAt: now - agoMs,
  had: [],
  lacked: [],
  ...more,
});
/** Games listed one, two, and three weeks ago. */
const weeksAgo = (...counts: readonly number[]) =>
  counts.map((listed, index) => row(addDays(today, -7 * (index + 1)), listed, (7 * index + 7) * dayMs));
const answer = (days: Record<string, number>, more: Partial<Answer> = {}): Answer => {
  const listed = Object.values(days).reduce((sum, count) => sum + count, 0);
  return { listed, days: new Map(Object.entries(days)), had: [], lacked: [], unknown: [], ...more };
};
const text = (given: Answer, known: readonly DayCount[] = []) => findingOf(given, known, now)?.text;

describe('findings about answers that can be read', () => {
  it('compares a day with what was announced for it', () => {
    const known = [row(today, 10, 3_600_000)];
    expect(text(answer({ [today]: 9 }), known)).to.equal(undefined);
    expect(text(answer({ [today]: 4 }), known)).to.equal(
      'it lists only 4 games, of 10 announced for 2026-11-27',
    );
    expect(text(answer({ [today]: 0 }), known)).to.match(/^it lists only 0 games/);
    // Half of few games proves nothing, but many such days together do.
    const days = [0, 1, 2].map((ahead) => addDays(today, ahead));
    const few = days.map((day) => row(day, 4, 3_600_000));
    expect(text(answer({ [today]: 0 }), few)).to.equal(undefined);
    expect(text(answer(Object.fromEntries(days.map((day) => [day, 1]))), few)).to.equal(
      'it lists only 3 games, of 12 announced',
    );
  });

  it('compares a day that nobody announced with the same day of the weeks before', () => {
    expect(text(answer({ [today]: 4 }), weeksAgo(10, 12, 11))).to.equal(
      'it lists only 4 games, after 11 on the same days of the weeks before',
    );
    expect(text(answer({ [today]: 6 }), weeksAgo(10, 12, 11))).to.equal(undefined);
    expect(text(answer({ [today]: 1 }), weeksAgo(10))).to.equal(undefined);
  });

  it('raises no alarm in the breaks between seasons', () => {
    // Nothing is listed after a pause of the service.
    expect(text(answer({ [today]: 0 }), weeksAgo(10, 12, 11))).to.equal(undefined);
    // The last days of a season were announced, and the next ones are few or none.
    const last = [...weeksAgo(130, 140, 150), row(addDays(today, -1), 120, 4 * 3_600_000)];
    expect(text(answer({ [today]: 8 }), last)).to.equal(undefined);
    expect(text(answer({ [today]: 2 }), [...last, row(today, 2, 3 * 3_600_000)])).to.equal(undefined);
    expect(text(answer({ [today]: 3 }), [row(addDays(today, -1), 0, dayMs), row(today, 0, dayMs)])).to.equal(
      undefined,
    );
  });

  it('doubts exactly 25 or 100 events, unless that many were expected', () => {
    const cut = answer({ [today]: 3 }, { listed: 25 });
    expect(findingOf(cut, [], now)).to.deep.equal({
      text: 'it lists exactly 25 events, like an answer that was cut off',
      isCut: true,
    });
    expect(text(answer({ [today]: 100 }), [row(today, 140, 3_600_000)])).to.equal(
      'it lists exactly 100 events, like an answer that was cut off: 100 games of 140 announced',
    );
    expect(text(answer({ [today]: 25 }), [row(today, 25, 3_600_000)])).to.equal(undefined);
    expect(text(answer({ [today]: 25 }), weeksAgo(28, 30, 24))).to.equal(undefined);
    expect(text(answer({ [today]: 25 }), weeksAgo(130, 140, 150))).to.match(/^it lists exactly 25/);
    expect(text(answer({ [today]: 24 }), [])).to.equal(undefined);
  });

  it('misses a field that was there on three days and absent on none', () => {
    const had = (...fields: string[]) => ({ had: fields });
    const days = [1, 2, 3].map((ago) => row(addDays(today, -ago), 5, ago * dayMs, had('score', 'period')));
    const lacks = answer({ [today]: 5 }, { had: ['score'], lacked: ['period'] });
    expect(text(lacks, days)).to.equal('its games lack period, which they always had');
    expect(text(lacks, days.slice(1))).to.equal(undefined);
    const without = row(addDays(today, -4), 5, 4 * dayMs, { lacked: ['period'] });
    expect(text(lacks, [...days, without])).to.equal(undefined);
  });

  it('names unknown states', () => {
    const unknown = answer({ [today]: 5 }, { unknown: ['STATUS_FOO'] });
    expect(text(unknown)).to.equal('it has unknown states: STATUS_FOO');
  });
});
