import type { BetReading } from '../rules/bet-text/bet.ts';
import { readOdds } from '../rules/odds-format.ts';
import { amountOf } from './columns.ts';
import { type Cells, RowRefused } from './row.ts';
import type { WholeSheet } from './whole-sheet.ts';

/**
 * Returns the American odds of a row. The odds column takes precedence over the text.
 * @throws RowRefused
 */
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
  if (odds === undefined) throw new RowRefused(`${written} is not a price.`);
  if (typeof odds !== 'number')
    throw new RowRefused(`${written} is valid in several odds formats. Choose one with --odds.`);
  if (bet.oddsAmerican !== null && bet.oddsAmerican !== odds)
    notes.push(`The text says ${bet.oddsAmerican}, the odds column ${odds}. The column counts.`);
  return odds;
}

/**
 * Returns the stake of a row, in units.
 * @throws RowRefused
 */
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
  if (amount === undefined) throw new RowRefused(`${written} is not a stake.`);
  const stake = units === '' || isUnitChosen ? amount / unit : amount;
  const rounded = Math.round(stake * 100) / 100;
  if (rounded <= 0 || rounded > 100)
    throw new RowRefused(
      `Stakes are 0.01 to 100 units; ${written} is ${rounded}. Set the money per unit with --unit.`,
    );
  if (rounded !== stake) notes.push(`The stake ${written} is rounded to ${rounded} units.`);
  return rounded;
}
