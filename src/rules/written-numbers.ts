export interface Marks {
  /** Whether a comma always precedes decimals. Otherwise it can also separate thousands. */
  decimalComma: boolean;
}

const signs = /[\u2212\u2010-\u2014\ufe58\ufe63\uff0d]/g;
const halves: Readonly<Record<string, string>> = { '¼': '.25', '½': '.5', '¾': '.75' };

/** Removes spaces from a number's text, and converts signs to ASCII. */
export function plainSigns(text: string): string {
  return text.replace(signs, '-').replaceAll('\uff0b', '+').replace(/\s/g, '');
}

/**
 * Returns the numbers that a text can mean, in plain digits: `1,250.5` has one meaning; `1,909` means 1.909 or 1909 unless commas only
 * precede decimals. Drops a leading plus. Empty if the text is not a number.
 */
export function writtenNumbers(text: string, { decimalComma }: Marks): string[] {
  const digits = plainSigns(text).replace(/^\+/, '');
  const found: string[] = [];
  if (/^-?\d{1,9}([.,]\d{1,20})?$/.test(digits)) found.push(digits.replace(',', '.'));
  if (decimalComma && /^-?[1-9]\d{0,2}(\.\d{3})+,\d{1,20}$/.test(digits))
    found.push(digits.replaceAll('.', '').replace(',', '.'));
  if (!decimalComma && /^-?[1-9]\d{0,2}(,\d{3}){1,2}(\.\d{1,20})?$/.test(digits))
    found.push(digits.replaceAll(',', ''));
  return found;
}

/** Reports whether a text means even money as odds, or 0 as a line. */
export function isEven(text: string): boolean {
  return /^(even|evens|ev|evs|even money|pk|pick|pick\W?em)$/i.test(text.trim());
}

/** Maximum length of a line's text. Longer ones are not matched against patterns. */
const longestLine = 100;

/**
 * Reads the points of a line, or returns undefined: `-3½`, `PK`, or two adjacent half lines such as `0, -0.5` or `2.5/3`, which mean the
 * quarter line between them.
 */
export function writtenLine(text: string, marks: Marks): number | undefined {
  if (text.length > longestLine) return undefined;
  if (isEven(text)) return 0;
  const single = oneLine(text, marks);
  const parts = /^\s*(\S+?)\s*(?:[/;|&]|,(?=\s)|,(?=\s*[+-])|(?<=\.\d),(?=\d+\.\d))\s*(\S+)\s*$/.exec(
    text.replace(signs, '-'),
  );
  if (parts === null) return single;
  const [first, second] = [oneLine(parts[1]!, marks), oneLine(parts[2]!, marks)];
  if (first === undefined || second === undefined) return single;
  // "-0.5/1" writes the sign once.
  const signed = first < 0 && !/^[+-]/.test(parts[2]!) ? -second : second;
  const areNeighbors = Math.abs(first - signed) === 0.5 && Number.isInteger(first * 2);
  return areNeighbors ? (first + signed) / 2 : single;
}

function oneLine(text: string, marks: Marks): number | undefined {
  const digits = plainSigns(text.replace(/(\d)\s+1\/2\s*$/, '$1½')).replace(
    /^([+-]?)(\d*)([¼½¾])$/,
    (_, sign: string, whole: string, half: string) => `${sign}${whole === '' ? '0' : whole}${halves[half]}`,
  );
  const found = writtenNumbers(digits, marks);
  return found.length === 1 ? Number(found[0]) + 0 : undefined;
}

/** Writes a number with its sign, as bettors write lines and American odds: `+3.5`, `-110`, `0`. */
export function withSign(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
