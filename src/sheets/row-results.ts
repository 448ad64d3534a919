import type { BetReading } from '../rules/bet-text/bet.ts';
import type { Outcome } from '../rules/markets/market.ts';
import { decimalOf } from '../rules/odds.ts';
import { signedAmountOf } from './amounts.ts';
import type { AllCells } from './cells.ts';
import { type ResultColumn, resultCell, resultChoices, resultColumnOf } from './results.ts';
import { isBetRow, type Sheet } from './sheet.ts';

/** Decides what the cells of the columns of results mean, and asks about the others. */
export function resultsIn({ mapping, rows, cellAt, choices, guesses, questions }: Sheet): ResultColumn {
  const results = resultColumnOf(
    mapping.columns
      .filter(({ field }) => field === 'result')
      .flatMap(({ at, header }) =>
        rows.flatMap((row) => {
          const cell = resultCell(header, row.cells[at] ?? '');
          return cell === '' || !isBetRow(row.cells, mapping)
            ? []
            : [{ cell, profit: signedAmountOf(cellAt(row, 'profit')) }];
        }),
      ),
    (cell) => choices.answers.get(`results.${cell}`),
  );
  guesses.push(...results.guesses);
  for (const { cell, rows: count } of results.open.slice(0, 20))
    questions.push({
      key: `results.${cell}`,
      text: `What does ${cell} in the results mean (${count} ${count === 1 ? 'row' : 'rows'})?`,
      choices: resultChoices,
      otherwise: 'The bets of these rows stay open.',
    });
  return results;
}

/** Returns the sheet's result of a row; undefined if it has none. */
export function ownResult(
  cellsOf: AllCells,
  results: ResultColumn,
  bet: BetReading & { oddsAmerican: number },
  { profit, stake }: { profit: number | undefined; stake: number | undefined },
  notes: string[],
): Outcome | undefined {
  const cells = cellsOf('result');
  for (const { header, cell: written } of cells) {
    const cell = resultCell(header, written);
    const read = results.read(cell);
    if (read === undefined) {
      notes.push(
        `Nobody said what ${cell} in the results means, so the row has no result. Use --answer 'results.${cell}=...'.`,
      );
      return undefined;
    }
    if (read === 'settled') continue;
    if (read === 'open' || read === 'unmade') return undefined;
    if (read === 'cashout') {
      notes.push('The bet was cashed out before it ended, so the score will decide its result.');
      return undefined;
    }
    if (read !== 'drawn') return read;
    const drawn = drawnOutcome(bet);
    if (drawn === undefined)
      notes.push(`${cell} does not say how a bet on ${bet.market} ended, so the row has no result.`);
    return drawn;
  }
  if (profit === undefined || profit === 0) return undefined;
  if (cells.length === 0) notes.push('The result follows from the profit.');
  const result = profit > 0 ? 'win' : 'loss';
  const { num, den } = decimalOf(bet.oddsAmerican);
  const full = (stake ?? 0) * (result === 'loss' ? 1 : num / den - 1);
  // Half of a quarter line can be returned.
  const half = ((bet.line ?? 0) * 2) % 1 !== 0 && Math.abs(Math.abs(profit) / full - 0.5) <= 0.05;
  return { result, half };
}

/** Returns the outcome of a bet on a match that ended level; undefined if that does not decide it. */
function drawnOutcome({ market, side, line, sport }: BetReading): Outcome | undefined {
  const of = (result: Outcome['result']): Outcome => ({ result, half: false });
  if (market === 'double_chance') return of(side.includes('draw') ? 'win' : 'loss');
  if (market === 'draw_no_bet') return of('push');
  if (market === 'moneyline') return of(side === 'draw' ? 'win' : sport === 'soccer' ? 'loss' : 'push');
  return /spread|total/.test(market) && line !== null && Number.isInteger(line) ? of('push') : undefined;
}
