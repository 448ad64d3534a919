import { shownUnits } from './fixed-point.ts';
import { countedE4, decimalOf } from './odds.ts';
import { counts, type PriceVerdict } from './price-check.ts';
import { scaleRounded, shownRatio } from './rounding.ts';
import type { Provenance, Result, SealedInTime } from './vocabulary.ts';
import { emptyYieldSums, shownYield } from './yield.ts';

export interface SettledPick {
  result: Result;
  half: boolean;
  /** The counted odds. */
  oddsAmerican: number;
  stakeE4: number;
  netUnitsE4: number;
  /** Null without a closing price. */
  clvBps: number | null;
  /** Whether the closing price is at the pick's own line. */
  sameLine: boolean | null;
  edgeBps: number | null;
  provenance: Provenance;
  sealedInTime: SealedInTime | null;
  /** Null: no check. */
  priceVerdict: PriceVerdict | null;
}

/** Sums over settled picks. All are integers, so tallies add up in any order. */
export type Tally = ReturnType<typeof emptyTally>;

export function emptyTally() {
  return {
    ...emptyYieldSums(),
    pushes: 0,
    voids: 0,
    netE4: 0,
    /** The counted stakes of wins and losses, in ten-thousandths. Pushes and voids risk nothing. */
    stakedE4: 0,
    /** Sum of the CLV in basis points over `clvSample` picks. */
    clvSum: 0,
    /** Settled picks with a closing price at their own line. */
    clvSample: 0,
    /** Settled picks with a closing price at another line, which does not show whether the odds were good. */
    clvMovedSample: 0,
    /** Sum of the edges in basis points over `edgeSample` picks. */
    edgeSum: 0,
    edgeSample: 0,
    imported: 0,
    /** Settled picks that no checkpoint covered before the start. */
    late: 0,
    /** Settled picks without prices to compare with. */
    unchecked: 0,
    /** Settled picks that count at the market's price, because their own was above it. */
    aboveMarket: 0,
    /** Settled picks that count in no other sum, because no price was seen. */
    unseen: 0,
  };
}

const counterOf = { win: 'wins', loss: 'losses', push: 'pushes', void: 'voids' } as const;

export function tallyOf(picks: Iterable<SettledPick>): Tally {
  const tally = emptyTally();
  for (const pick of picks) {
    const { result, oddsAmerican, clvBps, edgeBps, priceVerdict } = pick;
    if (!counts(priceVerdict)) {
      tally.unseen += 1;
      continue;
    }
    if (priceVerdict === 'above_market') tally.aboveMarket += 1;
    const stakeE4 = countedE4(pick.stakeE4, pick.half);
    tally[counterOf[result]] += 1;
    tally.netE4 += pick.netUnitsE4;
    if (result === 'win' || result === 'loss') {
      const { num, den } = decimalOf(oddsAmerican);
      const parts = pick.half ? 2 : 1;
      tally.stakedE4 += stakeE4;
      tally.halves += parts - 1;
      tally.breakEvenE9 += scaleRounded(den, parts * num, 1e9);
      tally.flatE6 += result === 'win' ? scaleRounded(num - den, parts * den, 1e6) : -1e6 / parts;
      tally.flatVarianceE6 += scaleRounded(num - den, parts * parts * den, 1e6);
    }
    if (clvBps !== null && pick.sameLine === true) {
      tally.clvSum += clvBps;
      tally.clvSample += 1;
    } else if (clvBps !== null) tally.clvMovedSample += 1;
    if (edgeBps !== null) {
      tally.edgeSum += edgeBps;
      tally.edgeSample += 1;
    }
    if (pick.provenance === 'imported') tally.imported += 1;
    if (pick.sealedInTime === 'late') tally.late += 1;
    if (priceVerdict === 'unchecked') tally.unchecked += 1;
  }
  return tally;
}

export function addTallies(tallies: Iterable<Tally>): Tally {
  const sum = emptyTally();
  const names = Object.keys(sum) as (keyof Tally)[];
  for (const tally of tallies) for (const name of names) sum[name] += tally[name];
  return sum;
}

export type ShownRecord = ReturnType<typeof recordOf>;

/** Returns a tally as a Record for display: percentages and units with 2 decimals, mean CLV with 1, mean edge with 2. */
export function recordOf(tally: Tally) {
  const { wins, losses, pushes, voids, netE4, stakedE4, clvSample, edgeSample } = tally;
  return {
    picks: settledCount(tally),
    wins,
    losses,
    pushes,
    voids,
    record: `${wins}-${losses}-${pushes}`,
    hitRatePct: hitRatePct(wins, losses),
    unitsNet: shownUnits(netE4),
    unitsStaked: shownUnits(stakedE4),
    roiPct: stakedE4 === 0 ? null : scaleRounded(netE4, stakedE4, 10_000) / 100,
    ...shownYield(tally),
    clvMeanBps: clvSample === 0 ? null : shownRatio(tally.clvSum, clvSample, 1),
    clvSample,
    clvSameLineSample: clvSample,
    clvMovedSample: tally.clvMovedSample,
    edgeMeanPct: edgeSample === 0 ? null : shownRatio(tally.edgeSum, 100 * edgeSample, 2),
    edgeSample,
    importedPicks: tally.imported,
    latePicks: tally.late,
    unchecked: tally.unchecked,
    aboveMarket: tally.aboveMarket,
    unseen: tally.unseen,
  };
}

export function settledCount({ wins, losses, pushes, voids }: Tally): number {
  return wins + losses + pushes + voids;
}

/** Returns `100 * W / (W + L)` with 2 decimals; `null` without wins and losses. */
function hitRatePct(wins: number, losses: number): number | null {
  return wins + losses === 0 ? null : scaleRounded(wins, wins + losses, 10_000) / 100;
}
