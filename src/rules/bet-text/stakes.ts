import type { Parse } from './parse.ts';
import { isOverOrUnder } from './tokens.ts';

/**
 * Reads the stake, and skips a rotation number.
 * @returns a fault, such as two stakes
 */
export function readStakes(parse: Parse): string | undefined {
  const [first, second] = parse.tokens;
  const lead = first?.number;
  if (
    lead !== undefined &&
    lead.sign === '' &&
    !lead.hasPoint &&
    lead.unit === '' &&
    second?.kind !== undefined
  ) {
    // Matches `504 Kings`, `1. Kings`, and `3) Kings`.
    const isRotation = lead.value >= 100 && lead.value < 100_000 && second.kind === 'word';
    const isItem =
      lead.value < 100 && ((second.kind === 'mark' && /^[)|-]$/.test(second.raw)) || /\.$/.test(first!.raw));
    if ((isRotation || isItem) && !isOverOrUnder(parse.keys[1]!)) parse.used[0] = true;
  }
  const stakes: { at: number; value: number; isRisk: boolean; toWin: boolean }[] = [];
  parse.tokens.forEach(({ number, raw }, at) => {
    if (number === undefined || parse.used[at]) return;
    const next = parse.keys[at + 1] ?? '';
    const before = parse.keys[at - 1] ?? '';
    const follows = /^(?:u|unit|units|star|stars)$/.test(next) && !parse.used[at + 1];
    // `Doe u 5.5` is an under: a detached `u` means units only after the price.
    const isUnits =
      number.unit === 'u' || (follows && (next !== 'u' || parse.tokens[at + 2]?.number === undefined));
    const isEqual = before === '' && parse.tokens[at - 1]?.raw === '=' && number.sign === '';
    if (number.isMoney || number.unit === '%' || number.unit === 'k') {
      parse.used[at] = true;
      parse.notes.push(`${raw} is not a stake in units, so no stake was read.`);
      return;
    }
    if (!isUnits && !isEqual) return;
    const value =
      (number.under === undefined ? number.value : number.value / number.under) *
      (number.sign === '-' ? -1 : 1);
    stakes.push({
      at,
      value,
      isRisk: /^risk(?:ing|ed)?$/.test(before),
      toWin: before === 'win',
    });
    parse.use(at, at + (follows && number.unit !== 'u' ? 2 : 1));
  });
  const risks = stakes.some(({ isRisk }) => isRisk)
    ? stakes.filter(({ isRisk }) => isRisk)
    : stakes.filter(({ toWin }) => !toWin);
  const isWin = risks.length === 0;
  const values = new Set((isWin ? stakes : risks).map(({ value }) => value));
  if (values.size > 1) return 'The text has two stakes.';
  const [stake] = values;
  if (
    stake !== undefined &&
    (stake <= 0 || stake > 100 || Math.abs(stake * 100 - Math.round(stake * 100)) > 1e-6)
  )
    return `Stakes are 0.01 to 100 units, in steps of 0.01; ${stake} is not.`;
  parse.stake = stake === undefined ? undefined : { units: stake, isWin };
  if (stakes.length > 0) forget(parse, /^(?:to|win|risk|risking|risked|for)$/, /^win$/);
  return undefined;
}

/** Skips words that belong to a stake: `win` in `to win 2u` is not a moneyline. */
function forget(parse: Parse, words: RegExp, needed: RegExp): void {
  parse.keys.forEach((key, at) => {
    if (!parse.used[at] && words.test(key) && (needed.test(key) || needed.test(parse.keys[at + 1] ?? '')))
      parse.used[at] = true;
  });
}
