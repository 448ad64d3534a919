import { expect } from 'chai';
import fc from 'fast-check';
import { type EventState, type Statement, statementText, verdictOn } from '../../src/sources/verdict.ts';

const now = Date.parse('2026-01-11T21:00:00Z');
const minute = 60_000;

const statement = (
  source: string,
  state: EventState,
  score?: readonly [number, number],
  more: Partial<Statement> = {},
): Statement => ({
  source,
  state,
  homeScore: score?.[0] ?? null,
  awayScore: score?.[1] ?? null,
  homeHalfScore: null,
  awayHalfScore: null,
  sets: null,
  played: null,
  periodsE3: null,
  note: null,
  saidAt: now,
  ...more,
});

describe('the verdict on what sources say of a game', () => {
  it('accepts two sources that agree at once, with the half-time score of either', () => {
    const half = { homeHalfScore: 10, awayHalfScore: 3 };
    const both = [statement('odds-api', 'final', [24, 17]), statement('other', 'final', [24, 17], half)];
    expect(verdictOn(both, true, now)).to.deep.equal({ verdict: 'take', statement: both[1] });
  });

  it('accepts a single source, after a while if another free one follows the game', () => {
    const alone = [statement('odds-api', 'final', [24, 17], { played: 'full' })];
    expect(verdictOn(alone, false, now)).to.deep.equal({ verdict: 'take', statement: alone[0] });
    const until = now + 10 * minute;
    expect(verdictOn(alone, true, now)).to.deep.equal({ verdict: 'wait', until });
    expect(verdictOn(alone, true, until)).to.include({ verdict: 'take' });
  });

  it('waits longer for a score that may be from a shortened game', () => {
    const alone = [statement('odds-api', 'final', [24, 17])];
    expect(verdictOn(alone, false, now)).to.include({ verdict: 'take' });
    expect(verdictOn(alone, true, now)).to.deep.equal({ verdict: 'wait', until: now + 60 * minute });
    const both = [...alone, statement('other', 'final', [24, 17], { played: 'shortened', periodsE3: 3000 })];
    expect(verdictOn(both, true, now)).to.deep.equal({ verdict: 'take', statement: both[1] });
  });

  it('rejects two sources that differ in how much was played, or in the sets', () => {
    const one = statement('odds-api', 'final', [2, 1], {
      played: 'full',
      sets: [
        [6, 4],
        [3, 6],
        [6, 4],
      ],
    });
    for (const more of [
      { played: 'shortened' },
      {
        sets: [
          [6, 4],
          [4, 6],
          [6, 4],
        ],
      },
    ] as const) {
      const statements = [one, statement('other', 'final', [2, 1], more)];
      expect(verdictOn(statements, false, now)).to.deep.equal({ verdict: 'disagree', statements });
    }
  });

  for (const [what, other] of [
    ['a suspended game', statement('other', 'suspended', [24, 17])],
    ['another score', statement('other', 'final', [24, 18])],
    ['a cancelled game', statement('other', 'cancelled')],
    ['a postponed game', statement('other', 'postponed')],
  ] as const)
    it(`rejects every score against ${what}, however long it takes`, () => {
      const statements = [statement('odds-api', 'final', [24, 17]), other];
      expect(verdictOn(statements, false, now + 86_400_000)).to.deep.equal({
        verdict: 'disagree',
        statements,
      });
    });

  it('does not call off a game that another source reports in progress', () => {
    for (const state of ['in_progress', 'suspended'] as const)
      expect(
        verdictOn([statement('schedule', 'cancelled'), statement('other', state)], false, now),
      ).to.include({
        verdict: 'disagree',
      });
  });

  it('accepts a final score although another source lags', () => {
    const statements = [statement('odds-api', 'final', [24, 17]), statement('other', 'in_progress')];
    expect(verdictOn(statements, false, now)).to.include({ verdict: 'take' });
  });

  it('waits for another source if a game ended without a score to grade by', () => {
    const unscored = statement('other', 'final', undefined, { note: 'after extra time' });
    expect(verdictOn([unscored], false, now)).to.deep.equal({ verdict: 'unscored', statement: unscored });
    const scored = statement('odds-api', 'final', [1, 1], { played: 'full' });
    expect(verdictOn([unscored, scored], false, now)).to.deep.equal({ verdict: 'take', statement: scored });
  });

  it('rejects a score that may include extra time if another source reports extra time', () => {
    const unscored = statement('other', 'final', undefined, { note: 'after extra time' });
    const unsure = statement('odds-api', 'final', [2, 1]);
    expect(verdictOn([unscored, unsure], false, now)).to.deep.equal({
      verdict: 'unscored',
      statement: unscored,
    });
    const sure = statement('x', 'final', [1, 1], { played: 'full' });
    expect(verdictOn([unscored, unsure, sure], false, now)).to.deep.equal({
      verdict: 'take',
      statement: sure,
    });
  });

  it('treats a suspended game as final from its deadline, as far as it was played', () => {
    const until = now + 60 * minute;
    const suspended = statement('other', 'suspended', [3, 2], { periodsE3: 6000 });
    expect(verdictOn([suspended], false, until - 1, until)).to.deep.equal({ verdict: 'none' });
    const taken = { ...suspended, state: 'final', played: 'shortened' } as const;
    expect(verdictOn([suspended], false, until, until)).to.deep.equal({
      verdict: 'take',
      statement: taken,
      finalAt: until,
    });
    expect(verdictOn([suspended], false, until, null)).to.deep.equal({ verdict: 'none' });
    const resumed = statement('x', 'final', [4, 2], { played: 'full' });
    expect(verdictOn([suspended, resumed], false, until, until)).to.include({ verdict: 'disagree' });
    const unscored = statement('other', 'suspended');
    expect(verdictOn([unscored], false, until, until)).to.deep.include({ verdict: 'unscored' });
  });

  it('shows what a source says of the sets and of how much was played', () => {
    const shown = (state: EventState, more: Partial<Statement> = {}) =>
      statementText(statement('espn', state, [3, 2], more));
    expect(shown('final')).to.equal('espn says 2-3');
    expect(shown('final', { played: 'full', periodsE3: 9000 })).to.equal('espn says 2-3');
    expect(shown('final', { played: 'shortened', periodsE3: 5500 })).to.equal(
      'espn says 2-3 after 5.5 periods, shortened',
    );
    expect(shown('suspended', { periodsE3: 6000 })).to.equal('espn says suspended at 2-3 after 6 periods');
    expect(shown('final', { sets: [[6, 4]] })).to.equal('espn says 2-3 (4-6)');
  });

  it('is absent for a game in progress', () => {
    expect(
      verdictOn([statement('other', 'in_progress'), statement('odds-api', 'postponed')], false, now),
    ).to.deep.equal({
      verdict: 'none',
    });
  });

  it('never accepts one of two different scores, in any order and at any time', () => {
    const score = fc.tuple(fc.nat(5), fc.nat(5));
    const states = fc.constantFrom<EventState>('final', 'in_progress', 'postponed', 'cancelled', 'scheduled');
    const one = fc.record({
      source: fc.constantFrom('odds-api', 'schedule', 'x', 'y'),
      state: states,
      score,
      ago: fc.nat(100),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { selector: ({ source }) => source }),
        fc.boolean(),
        (given, awaited) => {
          const statements = given.map(({ source, state, score: [home, away], ago }) =>
            statement(source, state, state === 'final' ? [home, away] : undefined, {
              saidAt: now - ago * minute,
            }),
          );
          const verdict = verdictOn(statements, awaited, now);
          const ends = new Set(
            statements
              .filter(({ state }) => state === 'final' || state === 'cancelled')
              .map(({ state, homeScore, awayScore }) => `${state} ${homeScore}-${awayScore}`),
          );
          expect(verdict.verdict === 'none').to.equal(ends.size === 0);
          if (ends.size > 1) expect(verdict.verdict).to.equal('disagree');
          expect(verdictOn([...statements].reverse(), awaited, now)).to.deep.equal(verdict);
        },
      ),
    );
  });
});
