import type { BetReading } from '../rules/bet-text/bet.ts';
import { readOdds } from '../rules/odds-format.ts';
import { amountOf } from './columns.ts';
import { type Cells, RowRefused } from './row.ts';
import type { WholeSheet } from './whole-sheet.ts';

/** American odds of a row: its column counts before its text. @throws RowRefused */
export function oddsOf(
  cell: Cells,
  bet: BetReading,
  { odds: reading, decimalComma }: WholeSheet,
  notes: string[],
): number {
  const written = cell('oddsAmerican') || cell('odds') || cell('oddsDecimal') || cell('oddsFractional');
  if (written === '') {
    if (bet.oddsAmerican === null) throw new RowRefused('The row has no odds.');
    return bet.oddsAmerican;
  }
  const odds = readOdds(written, reading, { decimalComma });
  if (odds === undefined) throw new RowRefused(`${written} is no price.`);
  if (typeof odds !== 'number')
    throw new RowRefused(`${written} could be of several formats: choose with --odds.`);
  if (bet.oddsAmerican !== null && bet.oddsAmerican !== odds)
    notes.push(`The text has ${bet.oddsAmerican}, the column of odds ${odds}, which counts.`);
  return odds;
}

/** The stake of a row in units. @throws RowRefused */
export function stakeOf(
  cell: Cells,
  bet: BetReading,
  { unit, isUnitChosen }: WholeSheet,
  notes: string[],
): number {
  const [units, money] = [cell('stakeUnits'), cell('money')];
  const written = units || money;
  if (written === '') return bet.stakeUnits ?? 1;
  const amount = amountOf(written);
  if (amount === undefined) throw new RowRefused(`${written} is no stake.`);
  const stake = units === '' || isUnitChosen ? amount / unit : amount;
  const rounded = Math.round(stake * 100) / 100;
  if (rounded <= 0 || rounded > 100)
    throw new RowRefused(
      `A stake is more than 0 and at most 100 units; ${written} is ${rounded}. Say how much a unit is with --unit.`,
    );
  if (rounded !== stake) notes.push(`The stake ${written} is ${rounded} units.`);
  return rounded;
}
