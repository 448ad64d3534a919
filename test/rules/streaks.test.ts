import { expect } from 'chai';
import { runningStreak } from '../../src/rules/streaks.ts';

describe('a running streak', () => {
  const streakOf = (latestFirst: string) =>
    runningStreak(
      [...latestFirst].map((letter, index) => ({ result: letter === 'W' ? 'win' : 'loss', index }) as const),
    );

  it('consists of the latest picks of one result, the latest first', () => {
    const streak = streakOf('WWLW');
    expect(streak).to.include({ kind: 'W', ended: true });
    expect(streak?.picks.map(({ index }) => index)).to.deep.equal([0, 1]);
    expect(streakOf('LLLW')).to.deep.include({ kind: 'L' });
  });

  it('may continue if the picks have no other result', () => {
    expect(streakOf('LLL')).to.include({ kind: 'L', ended: false });
  });

  it('is absent without a pick', () => {
    expect(streakOf('')).to.equal(undefined);
  });
});
