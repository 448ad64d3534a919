import type { BetReading } from '../rules/bet-text/bet.ts';
import {
  amountOf,
  currencyIn,
  currencyOf,
  inUnits,
  isMoney,
  outOfTen,
  signedAmountOf,
  signs,
} from './amounts.ts';
import { type AllCells, type Cells, RowRefused } from './cells.ts';
import type { Sheet } from './sheet.ts';

/** A stake in a row. `currency` is empty if nothing names one; `isUnits`: the cell says that it is in units. */
interface Stake {
  cell: string;
  amount: number | undefined;
  currency: string;
  isUnits: boolean;
}

/** Returns the stake of a row, or undefined if it has none. */
export function stakeIn(cellsOf: AllCells): Stake | undefined {
  const [found] = [...cellsOf('stakeUnits'), ...cellsOf('money')];
  if (found === undefined) return undefined;
  const { header, cell } = found;
  const named = cellsOf('currency')[0]?.cell ?? currencyOf(cell) ?? currencyIn(header);
  return {
    cell,
    amount: amountOf(cell),
    currency: (signs[named] ?? named).toUpperCase(),
    isUnits: inUnits.test(cell.trim()) || outOfTen.test(cell),
  };
}

/** Returns the money per unit by currency: the median stake, unless the operator chooses it. Undefined: stakes are in units. */
export function unitsIn({
  rows,
  cellsOf,
  columns,
  choices: { unit: chosen },
  guesses,
}: Sheet): ReadonlyMap<string, number> | undefined {
  const all = rows.flatMap((row) => stakeIn((field) => cellsOf(row.cells, field)) ?? []);
  const stakes = all.flatMap(({ amount, isUnits, ...stake }) =>
    amount === undefined || amount <= 0 || isUnits ? [] : [{ ...stake, amount }],
  );
  if (!all.length) guesses.push('No column has stakes. Bets without one in their text count as 1 unit.');
  const isInMoney =
    chosen !== undefined ||
    stakes.some(({ currency }) => currency !== '') ||
    (!columns.has('stakeUnits') && isMoney(stakes.map(({ cell }) => cell)));
  if (stakes.length > 0 && !isInMoney && !columns.has('stakeUnits'))
    guesses.push(
      `${columns.get('money')![0]!.header} is read as units, because its amounts are small. Choose with --unit.`,
    );
  if (!stakes.length || !isInMoney) return undefined;
  const byCurrency = Map.groupBy(stakes, ({ currency }) => currency);
  // An amount without a currency is in the only one of the sheet. Beside several, its value is unknown.
  const bare = byCurrency.get('');
  if (bare !== undefined && byCurrency.size > 1) {
    byCurrency.delete('');
    const [only, ...others] = byCurrency.values();
    if (others.length === 0) only!.push(...bare);
  }
  if (chosen !== undefined && byCurrency.size === 1) return new Map([[[...byCurrency.keys()][0]!, chosen]]);
  const units = new Map(
    [...byCurrency].map(([currency, own]) => {
      const amounts = own.map(({ amount }) => amount).sort((a, b) => a - b);
      return [currency, amounts[Math.floor(amounts.length / 2)]!] as const;
    }),
  );
  const text = [...units]
    .map(([currency, unit]) => (currency === '' ? `${unit}` : `${unit} ${currency}`))
    .join(', ');
  guesses.push(
    units.size === 1
      ? `Stakes are in money. 1 unit is ${text}, their median. Choose another with --unit.`
      : `Stakes are in several currencies. 1 unit is ${text}, the median of each.`,
  );
  return units;
}

/** Returns the stake of a row, in units. @throws RowRefused */
export function stakeOf(
  cellsOf: AllCells,
  bet: BetReading,
  units: ReadonlyMap<string, number> | undefined,
  notes: string[],
): number {
  const found = stakeIn(cellsOf);
  if (found === undefined) {
    if (bet.stakeUnits === null) notes.push('The row has no stake, which counts as 1 unit.');
    return bet.stakeUnits ?? 1;
  }
  const { cell: written, amount, currency, isUnits } = found;
  if (amount === undefined) throw new RowRefused(`${written} is not a stake.`);
  const only = currency === '' && units?.size === 1 ? [...units.values()][0] : undefined;
  const unit = units === undefined || isUnits ? 1 : (units.get(currency) ?? only);
  if (unit === undefined)
    throw new RowRefused(`The value of ${`${written} ${currency}`.trim()} in units is unknown.`);
  const stake = amount / unit;
  const rounded = Math.round(stake * 100) / 100;
  if (rounded <= 0 || rounded > 100)
    throw new RowRefused(
      `Stakes are 0.01 to 100 units; ${written} is ${rounded}. Set the money per unit with --unit.`,
    );
  if (outOfTen.test(written)) notes.push(`The stake ${written} counts as ${rounded}u.`);
  if (rounded !== stake) notes.push(`The stake ${written} is rounded to ${rounded} units.`);
  return rounded;
}

/** Returns the profit in a row, from its own column or from the payout. */
export function profitOf(cell: Cells, stake: number | undefined): number | undefined {
  const profit = signedAmountOf(cell('profit'));
  if (profit !== undefined) return profit;
  const payout = amountOf(cell('payout'));
  return payout === undefined || stake === undefined ? undefined : payout - stake;
}
