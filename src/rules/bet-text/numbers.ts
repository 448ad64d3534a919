import { type OddsFormat, readOdds } from '../odds-format.ts';
import type { OddsText, Parse } from './parse.ts';
import { isOverOrUnder } from './tokens.ts';

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
      parse.lines.push({ at, value: value % 1 === 0 ? value - 0.5 : value, isSigned: false });
    } else if (under !== undefined) {
      if (isDateOrRating(value, under))
        return `${raw} can also be a date or a rating. Write the price as decimal or American odds.`;
      parse.odds.push(americanMeant(`${value}/${under}`, 'fractional'));
    } else if (at === behindOver && sign === '' && value <= 400) {
      parse.lines.push({ at, value, isSigned: false });
    } else if (sign !== '' && !hasPoint && value >= 100) {
      parse.odds.push(americanMeant(`${sign}${value}`, 'american'));
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

/** Reports whether a fraction can be a day of a month, or points out of ten, and is no usual price: `11/28`, `28/11`, `8/10`. */
function isDateOrRating(value: number, under: number): boolean {
  const isMonthDay = value <= 12 && under > 16 && under <= 31;
  const isDayMonth = value > 16 && value <= 31 && [6, 7, 9, 11, 12].includes(under);
  return isMonthDay || isDayMonth || (under === 10 && value <= 10);
}

/** Returns the ways to read the remaining numbers as line and price. */
export function numberWays(parse: Parse): Numbers[] {
  const valueAt = (at: number) => parse.tokens[at]!.number!;
  const [odds] = parse.odds;
  const line = parse.lines[0]?.value ?? null;
  const asOdds = (at: number): OddsText | undefined => {
    const { value, hasPoint, sign } = valueAt(at);
    if (sign !== '') return undefined;
    const meant = hasPoint
      ? americanMeant(String(value), 'decimal')
      : value >= 100 && value <= 100_000
        ? [value, -value]
        : [];
    return meant.length === 0 ? undefined : meant;
  };
  const asLine = (at: number) => {
    const { value, sign } = valueAt(at);
    return sign === '' && (value * 4) % 1 === 0 && value <= 400 ? value : undefined;
  };
  const ways: Numbers[] = [];
  const [one, two] = parse.open;
  if (one === undefined) return [{ line, odds: odds ?? [null] }];
  if (parse.open.length > 2) return [];
  const needsLine = line === null && parse.sideAt !== -1;
  if (two === undefined) {
    const price = asOdds(one);
    if (odds === undefined && price !== undefined && !(needsLine && asLine(one) !== undefined))
      ways.push({ line, odds: price });
    if (needsLine && asLine(one) !== undefined) ways.push({ line: asLine(one)!, odds: odds ?? [null] });
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
  return typeof read === 'number' ? [read] : [];
}

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
  let bare: string | undefined;
  const stakes: { value: number; isRisk: boolean; toWin: boolean }[] = [];
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
    if (!isUnits && !isEqual) {
      if (number.sign === '' && /^(?:stake|staking|risk(?:ing|ed)?|wager(?:ed)?|confidence)$/.test(before))
        bare = `${before} ${raw}`;
      return;
    }
    const value =
      (number.under === undefined ? number.value : number.value / number.under) *
      (number.sign === '-' ? -1 : 1);
    stakes.push({ value, isRisk: /^risk(?:ing|ed)?$/.test(before), toWin: before === 'win' });
    parse.use(at, at + (follows && number.unit !== 'u' ? 2 : 1));
  });
  if (bare !== undefined) return `${bare} gives no unit. Write the stake as 2u, or leave it out.`;
  const written = stakes.filter(({ isRisk }) => isRisk);
  const risks = written.length > 0 ? written : stakes.filter(({ toWin }) => !toWin);
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
