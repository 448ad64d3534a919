import { outcomeText } from '../intake/result.ts';
import type { Outcome } from '../rules/markets/market.ts';
import type { Sheet } from './sheet.ts';

/** A row's own figures beside those that the rules give. */
export interface RowFigures {
  line: number;
  /** The sheet's result. */
  own: Outcome | undefined;
  /** The result by the score, if it is known. */
  graded: Outcome | undefined;
  oddsAmerican: number;
  stake: number | undefined;
  profit: number | undefined;
  /** Whether the row says that its profit has another reason, such as a free bet. */
  isExplained: boolean;
}

/** Share of contradicting rows above which nothing is stored without an answer. */
const maxContradicting = 0.03;

/** Asks before anything is stored if too many rows contradict the rules (docs/rules/intake.md#the-brake). */
export function brake(rows: readonly RowFigures[], { choices, questions }: Sheet): void {
  const { compared, causes } = contradictionsIn(rows);
  const count = [...causes.values()].reduce((sum, lines) => sum + lines.length, 0);
  if (count <= compared * maxContradicting || choices.answers.get('contradictions') === 'store') return;
  const listed = [...causes].map(
    ([cause, lines]) =>
      `${cause} (${lines.length === 1 ? 'row' : 'rows'} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ` and ${lines.length - 5} more` : ''})`,
  );
  questions.push({
    key: 'contradictions',
    text: `${count} of ${compared} rows contradict what their bets give: ${listed.join('; ')}. Correct the columns, or store them anyway?`,
    choices: ['store'],
  });
}

/** Compares rows' own results and profits with those that the rules give. Returns the number of rows compared, and contradicting ones by cause. */
function contradictionsIn(rows: readonly RowFigures[]) {
  const scale = scaleOf(rows);
  const causes = new Map<string, number[]>();
  let compared = 0;
  for (const row of rows) {
    const byScore = row.own !== undefined && row.graded !== undefined;
    const gain = gainOf(row);
    if (!byScore && gain === undefined) continue;
    compared += 1;
    const cause =
      (byScore ? resultCause(row.own!, row.graded!) : undefined) ??
      (gain === undefined ? undefined : profitCause(row, gain / scale));
    if (cause !== undefined) causes.set(cause, [...(causes.get(cause) ?? []), row.line]);
  }
  return { compared, causes };
}

function resultCause(own: Outcome, graded: Outcome): string | undefined {
  // A push and a void both return the stake.
  const plain = ({ result }: Outcome) => (result === 'void' ? 'push' : result);
  return plain(own) === plain(graded) && own.half === graded.half
    ? undefined
    : `the sheet says ${outcomeText(own)}, and the score gives ${outcomeText(graded)}`;
}

/** Returns the profit per unit staked. */
function gainOf({ own, stake, profit, isExplained }: RowFigures): number | undefined {
  return own === undefined || stake === undefined || profit === undefined || isExplained || stake <= 0
    ? undefined
    : profit / stake;
}

function expectedGain({ own, oddsAmerican }: RowFigures): number {
  const pays = oddsAmerican > 0 ? oddsAmerican / 100 : 100 / -oddsAmerican;
  const full = own!.result === 'win' ? pays : own!.result === 'loss' ? -1 : 0;
  return own!.half ? full / 2 : full;
}

/** Returns how many units of profit one unit of the stake is: stakes can be in units, and profits in money. */
function scaleOf(rows: readonly RowFigures[]): number {
  const ratios = rows
    .flatMap((row) => {
      const gain = gainOf(row);
      const expected = gain === undefined ? 0 : expectedGain(row);
      return expected === 0 || gain === 0 ? [] : [gain! / expected];
    })
    .sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)] ?? 1;
  const near = ratios.filter((ratio) => Math.abs(ratio - median) <= 0.03 * Math.abs(median));
  return median > 3 && near.length >= ratios.length * 0.6 ? median : 1;
}

/** Highest share of a win that an exchange keeps. */
const maxCommission = 0.1;

function profitCause(row: RowFigures, gain: number): string | undefined {
  const expected = expectedGain(row);
  const near = (value: number) => Math.abs(gain - value) <= 0.03 * Math.max(1, Math.abs(value)) + 0.02;
  if (near(expected)) return undefined;
  const { result } = row.own!;
  const pays = row.oddsAmerican > 0 ? row.oddsAmerican / 100 : 100 / -row.oddsAmerican;
  if (result === 'win') {
    if (gain > 0 && gain < expected && gain >= expected * (1 - maxCommission)) return undefined;
    if (near(1) || (pays > 0 && near(1 / pays))) return 'won bets gain their stake, as lay bets do';
    return gain > expected
      ? 'won bets gain more than their odds, as boosted ones do'
      : 'won bets gain less than their odds, as bets that were cashed out or in another format of odds do';
  }
  if (result === 'loss') {
    if (near(0)) return 'lost bets cost nothing, as free bets do';
    if (near(-pays)) return 'lost bets cost their odds, as lay bets do';
    return 'lost bets do not cost their stake';
  }
  return 'returned stakes have a profit';
}
