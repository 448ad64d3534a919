import type { Said } from './said.ts';
import { isOverOrUnder } from './words.ts';

/** Reads the stake, and leaves a rotation number out. @returns a fault, such as two stakes */
export function readStakes(said: Said): string | undefined {
  const [first, second] = said.tokens;
  const lead = first?.number;
  if (
    lead !== undefined &&
    lead.sign === '' &&
    !lead.hasPoint &&
    lead.unit === '' &&
    second?.kind !== undefined
  ) {
    // `504 Kings`, `1. Kings`, `3) Kings`
    const isRotation = lead.value >= 100 && lead.value < 100_000 && second.kind === 'word';
    const isItem =
      lead.value < 100 && ((second.kind === 'mark' && /^[)|-]$/.test(second.raw)) || /\.$/.test(first!.raw));
    if ((isRotation || isItem) && !isOverOrUnder(said.keys[1]!)) said.used[0] = true;
  }
  const stakes: { at: number; value: number; isRisk: boolean; toWin: boolean }[] = [];
  said.tokens.forEach(({ number, raw }, at) => {
    if (number === undefined || said.used[at]) return;
    const next = said.keys[at + 1] ?? '';
    const before = said.keys[at - 1] ?? '';
    const follows = /^(?:u|unit|units|star|stars)$/.test(next) && !said.used[at + 1];
    // `Doe u 5.5` is an under: a letter apart is units only behind the price.
    const isUnits =
      number.unit === 'u' || (follows && (next !== 'u' || said.tokens[at + 2]?.number === undefined));
    const isEqual = before === '' && said.tokens[at - 1]?.raw === '=' && number.sign === '';
    if (number.isMoney || number.unit === '%' || number.unit === 'k') {
      said.used[at] = true;
      said.notes.push(`${raw} is not a stake in units, so the stake is left open.`);
      return;
    }
    if (!isUnits && !isEqual) return;
    const value = number.under === undefined ? number.value : number.value / number.under;
    stakes.push({
      at,
      value,
      isRisk: /^risk(?:ing|ed)?$/.test(before),
      toWin: before === 'win',
    });
    said.use(at, at + (follows && number.unit !== 'u' ? 2 : 1));
  });
  const risks = stakes.some(({ isRisk }) => isRisk)
    ? stakes.filter(({ isRisk }) => isRisk)
    : stakes.filter(({ toWin }) => !toWin);
  if (risks.length === 0 && stakes.length > 0)
    said.notes.push('The text says what the bet wins, not what it risks, so the stake is left open.');
  const values = new Set(risks.map(({ value }) => value));
  if (values.size > 1) return 'The text has two stakes.';
  const [stake] = values;
  if (
    stake !== undefined &&
    (stake <= 0 || stake > 100 || Math.abs(stake * 100 - Math.round(stake * 100)) > 1e-6)
  )
    return `A stake is more than 0 and at most 100 units, in steps of 0.01; ${stake} is not.`;
  said.stake = stake;
  if (stakes.length > 0) forget(said, /^(?:to|win|risk|risking|risked|for)$/, /^win$/);
  return undefined;
}

/** Leaves words out that belong to a stake; `win` in `to win 2u` is no moneyline. */
function forget(said: Said, words: RegExp, needed: RegExp): void {
  said.keys.forEach((key, at) => {
    if (!said.used[at] && words.test(key) && (needed.test(key) || needed.test(said.keys[at + 1] ?? '')))
      said.used[at] = true;
  });
}
