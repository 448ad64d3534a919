import { readMap } from '../../sheets/mapping.ts';
import { type SheetOddsFormat, sheetOddsFormats } from '../../sheets/odds-column.ts';
import type { SheetChoices } from '../../sheets/sheet.ts';
import { isZone } from '../../sources/schedules/zones.ts';

/** Prefixes of the form fields that map columns, and that answer questions. */
export const columnPrefix = 'column.';
export const answerPrefix = 'answer.';

/** Choices about a file as typed, so that the form can show and submit them again. */
export type GivenChoices = Readonly<Record<string, string>>;

const named = ['capper', 'sport', 'zone', 'odds', 'unit'] as const;

const maxText = 200;

/** Takes the choices from a form or query. Empty fields are dropped. */
export function givenChoices(fields: Readonly<Record<string, unknown>>): GivenChoices {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const isKnown =
        named.some((each) => each === name) || name.startsWith(columnPrefix) || name.startsWith(answerPrefix);
      const text = typeof value === 'string' ? value.trim() : '';
      return isKnown && text !== '' && text.length <= maxText ? [[name, text] as const] : [];
    }),
  );
}

/**
 * Parses the choices.
 * @returns sentences about the invalid ones, if any
 */
export function readChoices(given: GivenChoices): SheetChoices | string[] {
  const faults: string[] = [];
  const { capper, sport, zone, odds, unit } = given;
  const columns = Object.entries(given).filter(([name]) => name.startsWith(columnPrefix));
  const map = readMap(columns.map(([name, field]) => `${name.slice(columnPrefix.length)}=${field}`));
  if (typeof map === 'string') faults.push(map);
  else
    for (const [field, same] of Map.groupBy(map, ([, each]) => each))
      if (field !== '-' && same.length > 1)
        faults.push(
          `Two columns have the same field: ${same.map(([header]) => header).join(' and ')}. Skip one of them.`,
        );
  if (zone !== undefined && !isZone(zone))
    faults.push(`${zone} is not a time zone. Enter one such as America/New_York.`);
  if (odds !== undefined && !sheetOddsFormats.some((each) => each === odds))
    faults.push(`${odds} is not an odds format.`);
  const amount = unit === undefined ? undefined : Number(unit.replace(/^[$€£]\s*/, ''));
  if (amount !== undefined && !(amount > 0 && amount < 1e6))
    faults.push(`${unit} is not an amount. Enter one above 0, such as 25.`);
  if (faults.length > 0 || typeof map === 'string') return faults;
  const answers = new Map(
    Object.entries(given).flatMap(([name, value]) =>
      name.startsWith(answerPrefix) ? [[name.slice(answerPrefix.length), value] as const] : [],
    ),
  );
  return { map, capper, sport, zone, odds: odds as SheetOddsFormat | undefined, unit: amount, answers };
}

const options: readonly (readonly [option: RegExp, field: string])[] = [
  [/--capper(?: <name>)?/g, '“Capper”'],
  [/--sport(?: <sport>)?/g, '“Sport”'],
  [/--zone(?: <zone>)?/g, '“Time zone”'],
  [/--odds(?: <format>)?/g, '“Odds format”'],
  [/--unit(?: <amount>)?/g, '“One unit is”'],
  [/--map 'Date=postedAt'/g, '“Date” to “Time of posting”'],
  [/--map(?: '[^']*')?/g, '“Columns”'],
];

/** Replaces options of the command line in a sentence by the labels of this page's fields. */
export function withPageLabels(sentence: string): string {
  return options.reduce((text, [option, field]) => text.replace(option, field), sentence);
}
