import { withoutHedges } from './consensus.ts';
import { etInstant } from './et-day.ts';
import { opposes } from './markets/index.ts';
import { decimalOf } from './odds.ts';
import { scaleRounded, shownFloat } from './rounding.ts';
import { isSharp, type Tier, tierRank } from './vocabulary.ts';

export interface ConfidenceInputs {
  tier: Tier;
  /** Wins and losses in the 90 days before: their number and weight, the wins, and the sum of {@link wonOverBreakEvenE9}. */
  record: { sample: number; weight: number; wins: number; wonOverBreakEvenE9: number };
  /** Picks with an edge that settled in the 90 days before: their number and weight, and the weighted sum of their edges. */
  clv: { sample: number; weight: number; sumBps: number };
  /** Wins and losses in the 30 days before: their number and weight, net units and stakes in ten-thousandths. */
  form: { sample: number; weight: number; netE4: number; stakedE4: number };
  /** Numbers of other sharp cappers on this side, and on opposing sides of the same game and market. */
  consensus: { with: number; against: number };
  /** The posted odds, the best current odds for the same market, side, and line, and the number of books that price it. */
  price: { postedAmerican: number; bestAmerican: number | null; books: number };
}

/** Length of each component's history before `postedAt`, in ms. `postedAt` itself is excluded. */
export const confidenceHistoryMs = { record: 90 * 86_400_000, clv: 90 * 86_400_000, form: 30 * 86_400_000 };

/** The cost of the books' margin to a bettor without skill, relative to the break-even rate and to the stake. */
const margin = { rate: 0.02, stake: 0.04 };

const tierValues: Record<Tier, number> = { elite: 1, verified_sharp: 0.75, listed: 0.4 };

/**
 * Returns `won - breakEven` of a win or loss in billionths, half of it for a half result: `won` is 1 or 0, and `breakEven` is 1 over the
 * decimal odds. It is an integer so that sums do not depend on the order of picks.
 */
export function wonOverBreakEvenE9(won: boolean, oddsAmerican: number, half: boolean): number {
  const { num, den } = decimalOf(oddsAmerican);
  const parts = half ? 2 : 1;
  return (won ? 1e9 / parts : 0) - scaleRounded(den, parts * num, 1e9);
}

/**
 * Computes the Confidence Index R24 and its components: the sum of `weight * value`. A better input never lowers it. In record, clv, and
 * form, a capper without history scores like a bettor without skill.
 */
export function confidence({ tier, record, clv, form, consensus, price }: ConfidenceInputs) {
  const components = [
    component('tier', 20, tierValues[tier], 0, `Tier at post time: ${tier.replaceAll('_', ' ')}.`),
    component(
      'record',
      25,
      clamp(0.5 + (5 * (record.wonOverBreakEvenE9 / 1e9 - 20 * margin.rate)) / (record.weight + 20)),
      record.sample,
      record.sample === 0
        ? 'No wins or losses in the 90 days before.'
        : `Won ${record.wins} of ${record.sample} in the 90 days before, ${signed(record.wonOverBreakEvenE9 / 1e9)} wins vs. break-even at the odds taken.`,
    ),
    component(
      'clv',
      25,
      clamp(0.5 + (10 * (clv.sumBps / 10_000 - 50 * margin.stake)) / (clv.weight + 50)),
      clv.sample,
      clv.sample === 0
        ? 'No picks with an edge in the 90 days before.'
        : `Average edge of ${signed(clv.sumBps / clv.weight / 100)}% over ${pickCount(clv.sample)} in the 90 days before.`,
    ),
    component(
      'form',
      10,
      clamp(0.5 + (1.25 * (roi(form) * form.weight - 20 * margin.stake)) / (form.weight + 20)),
      form.sample,
      form.sample === 0
        ? 'No wins or losses in the 30 days before.'
        : `ROI of ${signed(100 * roi(form))}% over ${pickCount(form.sample)} in the 30 days before.`,
    ),
    component(
      'consensus',
      15,
      clamp(0.5 + 0.125 * (consensus.with - consensus.against)),
      consensus.with + consensus.against,
      `Other sharp cappers: ${consensus.with} on this side, ${consensus.against} against.`,
    ),
    priceComponent(price),
  ];
  return {
    version: 'R24' as const,
    /** From 0 to 100 with 1 decimal, computed from exact values. */
    index: shownFloat(
      components.reduce((sum, { exact }) => sum + exact, 0),
      1,
    ),
    components: components.map(({ shown }) => shown),
  };
}

function priceComponent({ postedAmerican, bestAmerican, books }: ConfidenceInputs['price']) {
  if (bestAmerican === null) return component('price', 5, 0.5, 0, 'No book offers this line.');
  const posted = decimalOf(postedAmerican);
  const best = decimalOf(bestAmerican);
  const gain = (posted.num * best.den) / (posted.den * best.num) - 1;
  const note = `Posted at ${american(postedAmerican)}; best odds on the same line: ${american(bestAmerican)}.`;
  return component('price', 5, clamp(0.5 + 10 * gain), books, note);
}

/** @param sample number of settled picks, cappers, or books behind the value; 0 for the tier */
function component(name: string, weight: number, value: number, sample: number, note: string) {
  const exact = weight * value;
  return {
    exact,
    shown: { name, value: shownFloat(value, 4), weight, contribution: shownFloat(exact, 2), sample, note },
  };
}

function roi({ netE4, stakedE4 }: ConfidenceInputs['form']): number {
  return stakedE4 === 0 ? 0 : netE4 / stakedE4;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function pickCount(count: number): string {
  return count === 1 ? '1 pick' : `${count} picks`;
}

function signed(value: number): string {
  const shown = shownFloat(value, 1);
  return `${shown < 0 ? '−' : '+'}${Math.abs(shown).toFixed(1)}`;
}

function american(odds: number): string {
  return odds > 0 ? `+${odds}` : `−${-odds}`;
}

/**
 * Counts other sharp cappers on a pick's side and on opposing sides, for the consensus component. Ignores the capper's own picks, and
 * cappers with picks on several sides.
 * @param others picks on the same game and market
 */
export function sideSupport(
  pick: { capperHandle: string; market: string; side: string },
  others: readonly { capperHandle: string; capperTier: Tier; side: string }[],
): { with: number; against: number } {
  const same = new Set<string>();
  const opposing = new Set<string>();
  const sharp = others.filter(
    ({ capperHandle, capperTier }) => capperHandle !== pick.capperHandle && isSharp(capperTier),
  );
  const bets = sharp.map(({ capperHandle, side }) => ({
    capperHandle,
    market: pick.market,
    subject: null,
    side,
  }));
  for (const { capperHandle, side } of withoutHedges(bets)) {
    if (side === pick.side) same.add(capperHandle);
    else if (opposes(pick.market, side, pick.side)) opposing.add(capperHandle);
  }
  return { with: same.size, against: opposing.size };
}

/** A pending pick on today's slate whose game has not started. */
interface PickOfTheDayCandidate {
  pickUuid: string;
  /** The displayed Confidence Index, with 1 decimal. */
  index: number;
  tier: Tier;
  postedAt: EpochMs;
}

/** Returns the earliest time for choosing an ET date's Pick of the Day: 09:00 ET. */
export function pickOfTheDayFrom(day: string): number {
  return etInstant(day, 9);
}

/**
 * Returns the Pick of the Day among candidates, `null` if there are none: the highest Confidence Index, then the better tier, then the
 * earliest `postedAt`, then the lowest UUID.
 */
export function choosePickOfTheDay<C extends PickOfTheDayCandidate>(candidates: Iterable<C>): C | null {
  let chosen: C | null = null;
  for (const candidate of candidates)
    if (chosen === null || compareCandidates(candidate, chosen) < 0) chosen = candidate;
  return chosen;
}

function compareCandidates(a: PickOfTheDayCandidate, b: PickOfTheDayCandidate): number {
  return (
    b.index - a.index ||
    tierRank(a.tier) - tierRank(b.tier) ||
    a.postedAt - b.postedAt ||
    (a.pickUuid < b.pickUuid ? -1 : Number(a.pickUuid > b.pickUuid))
  );
}
