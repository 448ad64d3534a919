import { scaleRounded } from './rounding.ts';
import type { Result } from './vocabulary.ts';

/**
 * Net units of a settled pick in ten-thousandths, rounded exactly, halves away from zero: a win gains
 * `stake * (decimal - 1)`, a loss loses the stake, push and void are 0.
 *
 * A tiny stake at the shortest odds can win less than half a ten-thousandth, which is 0.
 */
export function netUnitsE4(result: Result, stakeE4: number, oddsAmerican: number): number {
  if (result === 'loss') return -stakeE4;
  if (result !== 'win') return 0;
  return oddsAmerican > 0
    ? scaleRounded(stakeE4, 100, oddsAmerican)
    : scaleRounded(stakeE4, -oddsAmerican, 100);
}

/** Units as they are shown, from ten-thousandths: 2 decimals, halves away from zero. */
export function shownUnits(unitsE4: number): number {
  return scaleRounded(unitsE4, 100, 1) / 100;
}
