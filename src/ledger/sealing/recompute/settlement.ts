import type { Game } from '../../../games/game.ts';
import { iso } from '../../../platform/clock.ts';
import { gradeByScore, postponedVoidAt, type ScoredOutcome, scoreGraders } from '../../../rules/grading.ts';
import type { MoneylineWays, Outcome } from '../../../rules/markets/market.ts';
import { netUnitsE4 } from '../../../rules/odds.ts';
import type { PriceCheck } from '../../../rules/price-check.ts';
import { Difference, differing } from '../../difference.ts';
import { priceFields, type StoredSettlement, settledFields } from '../../events.ts';
import { type Fields, otherValues } from '../../field.ts';
import {
  decidedByStats,
  type Evidence,
  type KnownStat,
  noEvidence,
  playedOf,
} from '../../grading/settlement.ts';
import type { FullPick } from './read-picks.ts';

interface Expected extends Outcome, Evidence {
  settledAt: number;
}

/**
 * Recomputes a settlement from the game's score, statistics, or result event, and the rules.
 *
 * The grader is taken from the settlement, because a game can be postponed or cancelled after a result event settled its picks. But if a
 * score decides the pick, no other grader is accepted.
 * @param starts every start that the game has had
 */
export function* settlementFaults(
  pick: FullPick,
  starts: ReadonlySet<number | null>,
  ways: MoneylineWays,
): Generator<Difference> {
  const { settlement } = pick;
  if (settlement === null) return;
  const differs = differing('settlements', `pick ${pick.uuid}`);
  const expected = expectedBy(pick, settlement, ways);
  if (typeof expected === 'string') {
    yield differs('grader', expected);
  } else {
    for (const { name, column, value } of otherValues(outcomeFields, settlement, expected))
      yield differs(
        column,
        `it must be ${name === 'settledAt' ? iso(expected[name]) : shown(value)}, ${because[settlement.grader]}`,
      );
    const start = Math.min(...[...starts].map((each) => each ?? 0));
    if (mustHaveStarted.includes(settlement.grader) && settlement.settledAt < start && !isVoided(pick))
      yield differs('settled_at', `it is before the game's start, ${iso(start)}`);
  }
  const counted = settlement.priceCounted ?? pick.oddsAmerican;
  const units = netUnitsE4(settlement.result, pick.stakeE4, counted, settlement.half);
  if (settlement.netUnitsE4 !== units)
    yield differs(
      'net_units_e4',
      `stake, counted odds, and ${settlement.half ? 'half ' : ''}a ${settlement.result} give ${units}`,
    );
}

/** @param expected null for a pick without a check */
export function* priceCheckFaults(
  { uuid, settlement }: FullPick,
  expected: PriceCheck | null,
): Generator<Difference> {
  if (settlement === null) return;
  for (const { column, value } of otherValues(checkFields, settlement, priceFields(expected)))
    yield new Difference(
      'settlements',
      `pick ${uuid}`,
      column,
      `it must be ${value}, by the prices stored when the pick settled`,
    );
}

const checkFields = fieldsOf((name) => name.startsWith('price'));
const outcomeFields = fieldsOf(
  (name) => !name.startsWith('price') && name !== 'netUnitsE4' && name !== 'grader',
);

function fieldsOf(isAmong: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(settledFields).filter(([name]) => isAmong(name)));
}

const because: Record<string, string> = {
  score: 'by the final score of the game',
  first_half_score: 'by the score of the first half',
  sets: 'by the games of its sets',
  stat: 'by the statistics of the player',
  result: 'by the result event for its side and line',
  claim: 'by the result that it was imported with',
  cancelled: 'because the game was cancelled',
  postponed: 'because the game was postponed for 48 hours',
};

/** A string is the reason why the stored grader cannot have decided the pick. */
function expectedBy(
  pick: FullPick,
  settlement: StoredSettlement,
  moneylineWays: MoneylineWays,
): Expected | string {
  const { game, market, side, lineE3, event, claim, stats, provenance } = pick;
  const { grader } = settlement;
  const scored =
    game.status === 'final' ? gradeByScore({ ...game, market, side, lineE3, moneylineWays }) : null;
  if ((scoreGraders as readonly string[]).includes(grader)) {
    if (scored?.grader !== grader) return `no such score decides it: the game is ${game.status}`;
    if (game.finalAt === null) return 'the game has no end';
    const { result, half, awayScore, homeScore, sets, played } = scored;
    return { ...noEvidence, result, half, settledAt: game.finalAt, awayScore, homeScore, sets, played };
  }
  switch (grader) {
    case 'stat':
      return byStats({ market, side, lineE3 }, game, stats, settlement);
    case 'claim':
      // Scores, statistics, and events that came later change nothing.
      if (claim === null || provenance !== 'imported') return 'it was imported without a result';
      return { ...noEvidence, result: claim.result, half: claim.half, settledAt: claim.finalAt };
    case 'result':
      if (isVoided(pick)) return { ...isVoid, settledAt: settlement.settledAt };
      // First-half scores and sets can arrive after a result event has settled the pick. They must then agree.
      if (scored !== null && (scored.grader === 'score' || !sameOutcome(scored, settlement)))
        return `the score decides it: a ${scored.result}`;
      if (event === null) return 'there is no result event for its side and line';
      return {
        ...noEvidence,
        result: event.result,
        half: event.half,
        settledAt: event.finalAt,
        played: playedOf({ market }, game),
      };
    case 'cancelled':
      if (game.status !== 'cancelled' || game.finalAt === null) return `the game is ${game.status}`;
      return { ...isVoid, settledAt: game.finalAt };
    case 'postponed': {
      if (!game.wasPostponed || game.announcedStart === null) return 'the game was not postponed';
      const voidAt = postponedVoidAt(game.announcedStart);
      if (game.finalAt !== null && game.finalAt <= voidAt)
        return `the game ended at ${iso(game.finalAt)}, within 48 hours of its announced start`;
      return { ...isVoid, settledAt: voidAt };
    }
    default:
      return 'no such grader exists';
  }
}

/** Further statistics can arrive after the settlement, so it can match any prefix of them in the order of storing. */
function byStats(
  pick: Parameters<typeof decidedByStats>[0],
  game: Game,
  stats: readonly KnownStat[],
  settlement: StoredSettlement,
): Expected | string {
  const decisions = stats.flatMap((_, count) => decidedByStats(pick, game, stats.slice(0, count + 1)) ?? []);
  const same = decisions.find(
    (decision) => otherValues(outcomeFields, settlement, decision).next().done === true,
  );
  return same ?? decisions.at(-1) ?? 'no statistics of the player decide it';
}

function isVoided({ voidedAt, settlement }: FullPick): boolean {
  return voidedAt !== null && settlement?.settledAt === voidedAt;
}

const isVoid = { ...noEvidence, result: 'void', half: false } as const;

function sameOutcome(one: ScoredOutcome, other: Outcome): boolean {
  return one.result === other.result && one.half === other.half;
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Graders that act only after the start. A game can be cancelled or postponed before it. */
const mustHaveStarted: readonly string[] = [...scoreGraders, 'stat', 'result', 'claim'];
