import { type OddsFormat, readOdds } from '../odds-format.ts';
import type { OddsText, Said } from './said.ts';

/** A line and a price that the numbers of a text can be. */
export interface Numbers {
  line: number | null;
  odds: OddsText;
}

/** @returns a fault, such as two prices */
export function readNumbers(said: Said): string | undefined {
  const behindOver =
    said.sideAt === -1 ? -1 : said.tokens.findIndex(({ kind }, at) => at > said.sideAt && kind !== 'mark');
  for (const [at, { number, raw }] of said.tokens.entries()) {
    if (number === undefined || said.used[at]) continue;
    const { value, sign, hasPoint, unit, under } = number;
    if (unit === '+') {
      if (said.side === 'under') return `${raw} and under contradict each other.`;
      said.side = 'over';
      said.lines.push({ at, value: value - 0.5, isSigned: false });
    } else if (under !== undefined) {
      said.odds.push({ at, odds: americanMeant(`${value}/${under}`, 'fractional') });
    } else if (at === behindOver && sign === '' && value <= 400) {
      said.lines.push({ at, value, isSigned: false });
    } else if (sign !== '' && !hasPoint && value >= 100) {
      said.odds.push({ at, odds: americanMeant(`${sign}${value}`, 'american') });
    } else if (sign !== '' && value < 100) {
      said.lines.push({ at, value: sign === '-' ? 0 - value : value, isSigned: true });
    } else {
      said.open.push(at);
      continue;
    }
    said.used[at] = true;
  }
  if (said.odds.length > 1) return 'The text has two prices.';
  if (said.lines.length > 1) return 'The text has two lines.';
  const [line] = said.lines;
  if (line !== undefined && (line.value * 4) % 1 !== 0)
    return `A line is in steps of 0.25; ${line.value} is not.`;
  return undefined;
}

/** The ways in which the numbers that are left can be line and price. */
export function numberWays(said: Said): Numbers[] {
  const valueAt = (at: number) => said.tokens[at]!.number!;
  const odds = said.odds[0]?.odds;
  const line = said.lines[0]?.value ?? null;
  const asOdds = (at: number): OddsText | undefined => {
    const { value, hasPoint, sign } = valueAt(at);
    if (sign !== '') return undefined;
    const meant = hasPoint
      ? americanMeant(String(value), 'decimal')
      : value >= 100 && value <= 100_000
        ? { american: [value, -value] }
        : { american: [] };
    return meant.american.length === 0 ? undefined : meant;
  };
  const asLine = (at: number) => {
    const { value, sign } = valueAt(at);
    return sign === '' && (value * 4) % 1 === 0 && value <= 400 ? value : undefined;
  };
  const none: OddsText = { american: [null] };
  const ways: Numbers[] = [];
  const [one, two] = said.open;
  if (one === undefined) return [{ line, odds: odds ?? none }];
  if (said.open.length > 2) return [];
  const needsLine = line === null && said.side !== undefined;
  if (two === undefined) {
    const price = asOdds(one);
    if (odds === undefined && price !== undefined && !(needsLine && asLine(one) !== undefined))
      ways.push({ line, odds: price });
    if (needsLine && asLine(one) !== undefined) ways.push({ line: asLine(one)!, odds: odds ?? none });
    return ways;
  }
  if (odds !== undefined || !needsLine) return [];
  for (const [a, b] of [
    [one, two],
    [two, one],
  ] as const) {
    const [points, price] = [asLine(a), asOdds(b)];
    if (points !== undefined && price !== undefined) ways.push({ line: points, odds: price });
  }
  return ways;
}

/** American odds of a price in a known format; none if it is no price. */
function americanMeant(text: string, format: OddsFormat): OddsText {
  const read = readOdds(text, { proven: [format], format }, { decimalComma: false });
  return { american: typeof read === 'number' ? [read] : [] };
}
