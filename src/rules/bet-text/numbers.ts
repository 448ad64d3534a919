import { type OddsFormat, readOdds } from '../odds-format.ts';
import type { OddsText, Parse } from './parse.ts';

/** A reading of a text's numbers. */
export interface Numbers {
  line: number | null;
  odds: OddsText;
}

/**
 * Reads the numbers that can only be a line or only a price.
 * @returns a fault, such as two prices
 */
export function readNumbers(parse: Parse): string | undefined {
  const behindOver =
    parse.sideAt === -1 ? -1 : parse.tokens.findIndex(({ kind }, at) => at > parse.sideAt && kind !== 'mark');
  for (const [at, { number, raw }] of parse.tokens.entries()) {
    if (number === undefined || parse.used[at]) continue;
    const { value, sign, hasPoint, unit, under } = number;
    if (unit === '+') {
      if (parse.side === 'under') return `${raw} and under contradict each other.`;
      parse.side = 'over';
      parse.lines.push({ at, value: value - 0.5, isSigned: false });
    } else if (under !== undefined) {
      parse.odds.push({ at, odds: americanMeant(`${value}/${under}`, 'fractional') });
    } else if (at === behindOver && sign === '' && value <= 400) {
      parse.lines.push({ at, value, isSigned: false });
    } else if (sign !== '' && !hasPoint && value >= 100) {
      parse.odds.push({ at, odds: americanMeant(`${sign}${value}`, 'american') });
    } else if (sign !== '' && value < 100) {
      parse.lines.push({ at, value: sign === '-' ? 0 - value : value, isSigned: true });
    } else {
      parse.open.push(at);
      continue;
    }
    parse.used[at] = true;
  }
  if (parse.odds.length > 1) return 'The text has two prices.';
  if (parse.lines.length > 1) return 'The text has two lines.';
  const [line] = parse.lines;
  if (line !== undefined && (line.value * 4) % 1 !== 0)
    return `Lines are multiples of 0.25; ${line.value} is not.`;
  return undefined;
}

/** Returns the ways to read the remaining numbers as line and price. */
export function numberWays(parse: Parse): Numbers[] {
  const valueAt = (at: number) => parse.tokens[at]!.number!;
  const odds = parse.odds[0]?.odds;
  const line = parse.lines[0]?.value ?? null;
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
  const [one, two] = parse.open;
  if (one === undefined) return [{ line, odds: odds ?? none }];
  if (parse.open.length > 2) return [];
  const needsLine = line === null && parse.sideAt !== -1;
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

/** Converts a price in a known format to American odds. Returns none if it is not a price. */
function americanMeant(text: string, format: OddsFormat): OddsText {
  const read = readOdds(text, { proven: [format], format }, { decimalComma: false });
  return { american: typeof read === 'number' ? [read] : [] };
}
