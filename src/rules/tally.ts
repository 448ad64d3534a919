import { scaleRounded, shownRatio } from './rounding.ts';
import { shownUnits } from './units.ts';

/** Sums over settled picks, all integers, so that tallies add up in any order. */
export interface Tally {
  wins: number;
  losses: number;
  pushes: number;
  voids: number;
  /** Net units in ten-thousandths. */
  netE4: number;
  /** Stakes of wins and losses in ten-thousandths; a push or void had nothing at risk. */
  stakedE4: number;
  /** Sum of the CLV in basis points over `clvSample` picks. */
  clvSum: number;
  /** Settled picks that have a closing price. */
  clvSample: number;
  /** Those of `clvSample` whose line had not moved at the close. */
  clvSameLineSample: number;
  /** Settled picks that were imported. */
  imported: number;
  /** Settled picks that no checkpoint covered before the start. */
  late: number;
}

/** The Record object of the boards. */
export interface ShownRecord {
  /** Settled picks. */
  picks: number;
  wins: number;
  losses: number;
  pushes: number;
  voids: number;
  /** `W-L-P` */
  record: string;
  hitRatePct: number | null;
  unitsNet: number;
  unitsStaked: number;
  roiPct: number | null;
  clvMeanBps: number | null;
  clvSample: number;
  clvSameLineSample: number;
  importedPicks: number;
  latePicks: number;
}

export function emptyTally(): Tally {
  return {
    wins: 0,
    losses: 0,
    pushes: 0,
    voids: 0,
    netE4: 0,
    stakedE4: 0,
    clvSum: 0,
    clvSample: 0,
    clvSameLineSample: 0,
    imported: 0,
    late: 0,
  };
}

/** The sum of tallies. */
export function addTallies(tallies: Iterable<Tally>): Tally {
  const sum = emptyTally();
  for (const tally of tallies) {
    sum.wins += tally.wins;
    sum.losses += tally.losses;
    sum.pushes += tally.pushes;
    sum.voids += tally.voids;
    sum.netE4 += tally.netE4;
    sum.stakedE4 += tally.stakedE4;
    sum.clvSum += tally.clvSum;
    sum.clvSample += tally.clvSample;
    sum.clvSameLineSample += tally.clvSameLineSample;
    sum.imported += tally.imported;
    sum.late += tally.late;
  }
  return sum;
}

/** A tally as it is shown: percentages with 2 decimals, units with 2, the CLV mean with 1. */
export function recordOf(tally: Tally): ShownRecord {
  const { wins, losses, pushes, voids, netE4, stakedE4, clvSample, clvSameLineSample } = tally;
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
    clvMeanBps: clvSample === 0 ? null : shownRatio(tally.clvSum, clvSample, 1),
    clvSample,
    clvSameLineSample,
    importedPicks: tally.imported,
    latePicks: tally.late,
  };
}

/** How many settled picks a tally holds. */
export function settledCount({ wins, losses, pushes, voids }: Tally): number {
  return wins + losses + pushes + voids;
}

/** `100 * W / (W + L)` with 2 decimals; `null` where nothing was won or lost. */
export function hitRatePct(wins: number, losses: number): number | null {
  return wins + losses === 0 ? null : scaleRounded(wins, wins + losses, 10_000) / 100;
}
