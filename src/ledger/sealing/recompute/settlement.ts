import { iso } from '../../../platform/clock.ts';
import { gradeByScore, gradingScore, postponedVoidAt } from '../../../rules/grading.ts';
import type { MoneylineWays } from '../../../rules/markets/market.ts';
import { netUnitsE4 } from '../../../rules/odds.ts';
import type { Result } from '../../../rules/vocabulary.ts';
import { Difference } from '../../difference.ts';
import type { PickFacts, SettlementRow } from './read-picks.ts';

/** How a pick must have ended, by what decided it. */
interface Expected {
  result: Result;
  settledAt: number;
  awayScore: number | null;
  homeScore: number | null;
}

/**
 * Recomputes how a pick ended, from its game's score or result event and the rules alone.
 *
 * What decided it is taken from the settlement, since a game may be postponed or called off after a result event has settled a pick; but
 * where a score decides, nothing else may.
 */
/** @param starts every start that the game had */
export function* settlementFaults(
  pick: PickFacts,
  starts: ReadonlySet<number | null>,
  ways: MoneylineWays,
): Generator<Difference> {
  const { settlement } = pick;
  if (settlement === null) return;
  const differs = (column: string, sentence: string) =>
    new Difference('settlements', `pick ${pick.uuid}`, column, sentence);
  const expected = expectedBy(pick, settlement, ways);
  if (typeof expected === 'string') {
    yield differs('grader', expected);
  } else {
    for (const [column, name] of columns) {
      if (settlement[name] === expected[name]) continue;
      const value = name === 'settledAt' ? iso(expected[name]) : expected[name];
      yield differs(column, `it must be ${value}, ${because[settlement.grader]}`);
    }
    const start = Math.min(...[...starts].filter((each) => each !== null));
    if (mustHaveStarted.includes(settlement.grader) && settlement.settledAt < start)
      yield differs('settled_at', `it is before the game's start, ${iso(start)}`);
  }
  const units = netUnitsE4(settlement.result, pick.stakeE4, pick.oddsAmerican);
  if (settlement.netUnitsE4 !== units)
    yield differs('net_units_e4', `stake, odds and a ${settlement.result} make ${units}`);
}

const columns = [
  ['result', 'result'],
  ['settled_at', 'settledAt'],
  ['away_score', 'awayScore'],
  ['home_score', 'homeScore'],
] as const;

const because: Record<string, string> = {
  score: 'by the final score of the game',
  first_half_score: 'by the score of the first half',
  result: 'by the result event for its side and line',
  cancelled: 'since the game was called off',
  postponed: 'since the game was postponed for 48 hours',
};

/** What a settlement must say, or why what it names cannot have decided it. */
function expectedBy(
  { game, market, side, lineE3, event }: PickFacts,
  { grader, result }: SettlementRow,
  moneylineWays: MoneylineWays,
): Expected | string {
  const score = game.status === 'final' ? gradingScore(market, game) : null;
  const scored = score === null ? null : gradeByScore({ ...game, market, side, lineE3, moneylineWays });
  switch (grader) {
    case 'score':
    case 'first_half_score': {
      if (score === null || scored === null || (score.name === 'final') !== (grader === 'score'))
        return `no such score decides it: the game is ${game.status}`;
      if (game.finalAt === null) return 'the game has no end';
      return { result: scored, settledAt: game.finalAt, awayScore: score.away, homeScore: score.home };
    }
    case 'result':
      // A first half's score may come after a result event has settled the pick, and must then agree.
      if (scored !== null && (score?.name === 'final' || scored !== result))
        return `the score decides it: a ${scored}`;
      if (event === null) return 'there is no result event for its side and line';
      return { ...event, settledAt: event.finalAt, ...unscored };
    case 'cancelled':
      if (game.status !== 'cancelled' || game.finalAt === null) return `the game is ${game.status}`;
      return { result: 'void', settledAt: game.finalAt, ...unscored };
    case 'postponed': {
      if (!game.wasPostponed || game.announcedStart === null) return 'the game was not postponed';
      const voidAt = postponedVoidAt(game.announcedStart);
      if (game.finalAt !== null && game.finalAt <= voidAt)
        return `the game ended at ${iso(game.finalAt)}, within 48 hours of its announced start`;
      return { result: 'void', settledAt: voidAt, ...unscored };
    }
    default:
      return 'nothing of that name decides picks';
  }
}

const unscored = { awayScore: null, homeScore: null };

/** A game may be called off or postponed before its start. */
const mustHaveStarted = ['score', 'first_half_score', 'result'];
