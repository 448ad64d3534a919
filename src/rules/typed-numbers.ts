import { readOdds } from './odds-format.ts';
import { withSign, writtenLine, writtenNumbers } from './written-numbers.ts';

// Reads the numbers of a bet on the operator's page, and in the browser on /post.

/** A possible meaning of a text. `text`: unambiguous input for it. */
export interface Choice {
  label: string;
  text: string;
}

/** Why a text cannot be used: it has no meaning, or several to choose from. */
export type Problem = { fault: string } | { why: string; choices: readonly Choice[] };

/** The meaning of a field's text. Ambiguous texts are never guessed. */
export type Typed<T> = { value: T } | Problem;

const marks = { decimalComma: false };

/** Maximum length of a number's text. Longer ones are not matched against patterns. */
const longest = 40;

/** Reads odds and converts them to American odds: `-110`, `1.91`, `10/11`, `even`. */
export function oddsTyped(text: string): Typed<number> {
  const found = text.length > longest ? undefined : readOdds(text, { proven: [], format: undefined }, marks);
  if (found === undefined) return { fault: 'Enter odds such as -110, +150, 1.91, or 10/11.' };
  if (typeof found === 'number') return { value: found };
  const { american, decimal, fractional } = found;
  const choices = [
    { odds: american, label: 'American' },
    { odds: decimal, label: `decimal: ${text} for 1` },
    // Nobody writes 110/1 as 110.
    { odds: american === undefined ? fractional : undefined, label: `fractional: ${text} to 1` },
  ].flatMap(({ odds, label }) =>
    odds === undefined ? [] : { text: withSign(odds), label: `${withSign(odds)} (${label})` },
  );
  return { why: `${text} is valid in several odds formats.`, choices };
}

/** Reads a stake in units: `2`, `2u`, `1.5 units`. */
export function stakeTyped(text: string): Typed<number> {
  const [units] = text.length > longest ? [] : writtenNumbers(text.replace(/\s*u(?:nits?)?\.?$/i, ''), marks);
  const stake = Number(units);
  if (units === undefined || !(stake >= 0.01 && stake <= 100) || !isMultiple(stake, 100))
    return { fault: 'Enter the stake in units, from 0.01 to 100 in steps of 0.01, such as 1.5.' };
  return { value: stake };
}

/** Reads a line: `-3.5`, `+7`, `41½`, `PK`. */
export function lineTyped(text: string): Typed<number> {
  const line = text.length > longest ? undefined : writtenLine(text, marks);
  if (line === undefined || Math.abs(line) > 9999 || !isMultiple(line, 4))
    return { fault: 'Enter a multiple of 0.25, such as -3.5, 41.5, or PK.' };
  return { value: line };
}

function isMultiple(value: number, steps: number): boolean {
  return Math.abs(value * steps - Math.round(value * steps)) < 1e-6;
}
