import { expect } from 'chai';
import { nextUsual, yieldFault } from '../../../src/sources/schedules/poll.ts';

const day = 86_400_000;
const none = { listed: null, at: null };
const usual = (listed: number) => ({ listed, at: 0 });

describe('the yield of a schedule', () => {
  it('is too small if it lists nothing, or nothing that is a game', () => {
    expect(yieldFault(0, {}, false, false, none)).to.equal('it lists nothing');
    expect(yieldFault(0, { 'no exact start': 319 }, false, false, none)).to.equal(
      'it lists no game: 319 no exact start',
    );
    expect(yieldFault(7, { 'no exact start': 319 }, false, false, none)).to.equal(
      'fewer than half of its events are games: 7 games, 319 no exact start',
    );
    expect(yieldFault(7, { 'no game': 300, 'several days, no start yet': 300 }, false, false, none)).to.equal(
      undefined,
    );
  });

  it('is too small if it was more than twice as large a day before', () => {
    expect(yieldFault(49, {}, false, false, usual(100))).to.equal(
      'it lists 49 games, after 100 a day before',
    );
    expect(yieldFault(50, {}, false, false, usual(100))).to.equal(undefined);
    expect(yieldFault(1, {}, false, false, usual(7))).to.equal(undefined);
  });

  it('may be zero once the season is over, unless games are coming up', () => {
    expect(yieldFault(0, {}, true, false, usual(100))).to.equal(undefined);
    expect(yieldFault(0, {}, true, true, none)).to.match(/^all its games are over/);
  });

  it('is compared with that of a day before, and with a lower one after a week', () => {
    expect(nextUsual(10, false, none, 5)).to.deep.equal({ listed: 10, at: 5 });
    expect(nextUsual(9, false, usual(10), day - 1)).to.deep.equal(usual(10));
    expect(nextUsual(9, false, usual(10), day)).to.deep.equal({ listed: 9, at: day });
    expect(nextUsual(2, true, usual(10), 6 * day)).to.deep.equal(usual(10));
    expect(nextUsual(2, true, usual(10), 7 * day)).to.deep.equal({ listed: 2, at: 7 * day });
  });
});
