import { scaleRounded } from './rounding.ts';

/** Decimals are stored and hashed as scaled integers: lines in thousandths, stakes and net units in ten-thousandths. */

export function lineFromE3(lineE3: number): number;
export function lineFromE3(lineE3: number | null): number | null;
export function lineFromE3(lineE3: number | null): number | null {
  return lineE3 === null ? null : lineE3 / 1000;
}

/** Converts points to thousandths of a point; `null` without a line. */
export function lineToE3(line: number | null | undefined): number | null {
  return line == null ? null : Math.round(line * 1000);
}

export function unitsFromE4(unitsE4: number): number {
  return unitsE4 / 10_000;
}

export function unitsToE4(units: number): number {
  return Math.round(units * 10_000);
}

/** Converts ten-thousandths to units for display: 2 decimals, rounded half away from zero. */
export function shownUnits(unitsE4: number): number {
  return scaleRounded(unitsE4, 100, 1) / 100;
}
