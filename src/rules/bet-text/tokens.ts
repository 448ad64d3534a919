/** A word, a number with its sign and unit, or a punctuation mark. */
export interface Token {
  /** As written, for messages and unknown players. */
  raw: string;
  kind: 'word' | 'number' | 'mark';
  /** Set for numbers. */
  number?: WrittenNumber;
  /** Whether it is in parentheses or brackets. */
  bracketed: boolean;
}

export interface WrittenNumber {
  value: number;
  sign: '+' | '-' | '';
  /** Whether it has decimals. */
  hasPoint: boolean;
  /** Units, a share of the bankroll, `20+`, or thousands. */
  unit: 'u' | '%' | '+' | 'k' | '';
  /** Such as `$50`. */
  isMoney: boolean;
  /** Denominator of a fraction such as `8/11`. */
  under?: number;
}

const overUnder = new Set(['over', 'o', 'ov', 'higher', 'more', 'under', 'u', 'un', 'lower', 'less']);

export function isOverOrUnder(key: string): boolean {
  return overUnder.has(key);
}

/** Maximum length of a text, in characters. */
export const maxTextLength = 300;

const maxTokens = 80;

/** Replacements for equivalent characters and for text without meaning. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\u2212\u2010-\u2015\ufe58\ufe63\uff0d\u2796]/g, '-'],
  [/[\uff0b\u2795]/g, '+'],
  [/[\u2018\u2019\u02bc]/g, "'"],
  [/[\u201c\u201d\u201e"`]/g, ' '],
  [/(\d)\s?\u00bd/g, '$1.5'],
  [/\u00bd/g, '0.5'],
  [/(\d)\s?\u00bc/g, '$1.25'],
  [/(\d)\s?\u00be/g, '$1.75'],
  [/[\u2044\u2215]/g, '/'],
  [/(\d)\s*(?:\u2b50\ufe0f?|\u2605)+/g, '$1u '],
  [/[\u2022\u00b7\u25cf\u25aa\u25b6\u27a1\u2794\u2192\u203a\u00bb]/g, ' | '],
  // A number in front counts the picks; others belong to the bet.
  [/^\s*\d\ufe0f?\u20e3\s+(?!u\b|units?\b)/, ' '],
  [/(\d)\ufe0f?\u20e3/g, '$1'],
  [/\u{1f51f}/gu, '10'],
  [/\u2b06|\u{1f53c}/gu, ' over '],
  [/\u2b07|\u{1f53d}/gu, ' under '],
  [/\bminus (?=\d)/gi, '-'],
  [/\bplus (?=\d)/gi, '+'],
  [/\bno runs? (?:in )?(?:the )?(?:1st|first)(?: inning)?\b/gi, ' 1st inning under 0.5 '],
  [/\bnrfi\b/gi, ' 1st inning total under 0.5 '],
  [/\byrfi\b/gi, ' 1st inning total over 0.5 '],
  [/\b(?:pk|pick'?em)\b/gi, ' +0 '],
  [/(?<!\bodds?\s?[/ ]\s?(?:or )?)\b(?:evens?(?: money)?|ev)\b(?!\s?[/ ]\s?odd)/gi, ' +100 '],
  [/^\s*#(?=\d{3,4}\s)/, ''],
  [/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d|\u20e3/gu, ' '],
  [/(\d)\*(?!\w)/g, '$1u'],
  [/[*_~]{1,3}/g, ' '],
  // A time of day; `5.5 3PM` has a statistic.
  [
    /(?<!\d)(?:^|[\s,(|-])(?:at\s)?\d{1,2}(?::\d{2})?\s?[ap]\.?m\.?(?:\s?[ecmp][sd]?t\b)?(?=$|[\s,)|])/gi,
    ' ',
  ],
  [/(?:^|\s)\d{1,2}:\d{2}(?:\s?(?:[ecmp][sd]?t|gmt|utc|cet)\b)?(?=$|[\s,)|])/gi, ' '],
];

/** A quarter line as two adjacent lines apart: `2.0, 2.5`, `-0.5, -1`, `0.0 & -0.5`. `2, 2.5` can be a line and its odds. */
const spacedQuarter =
  /(?<![\d.,])([+-]?\d{1,3}\.[05]|[+-]\d{1,3}|0(?=,\s?[+-]))\s?[,&]\s?([+-]?\d{1,3}\.[05]|[+-]\d{1,3})(?![\d.,]|\s?(?:u\b|units?\b|%|\*))/gi;

/** Splits a text into tokens. Returns undefined if it has too many for one bet. */
export function tokensOf(text: string): Token[] | undefined {
  let clean = text.normalize('NFC');
  for (const [pattern, by] of replacements) clean = clean.replace(pattern, by);
  clean = clean.replace(spacedQuarter, (written, one: string, two: string) =>
    Math.abs(Number(one) - Number(two)) === 0.5 ? `${one}/${two}` : written,
  );
  const tokens: Token[] = [];
  let depth = 0;
  for (const chunk of clean.match(/[()[\],;|:=@]|(?:[^\s()[\],;|:=@]|(?<=\d),(?=\d))+/g) ?? []) {
    if (chunk === '(' || chunk === '[') depth += 1;
    if (chunk === ')' || chunk === ']') depth = Math.max(0, depth - 1);
    for (const token of partsOf(chunk)) tokens.push({ ...token, bracketed: depth > 0 });
    if (tokens.length > maxTokens) return undefined;
  }
  return joined(tokens);
}

/** Joins a sign to the number after it: `Magic - 1.5`. Other dashes remain separators. */
function joined(tokens: readonly Token[]): Token[] {
  return tokens.filter((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (token.kind !== 'mark' || !/^[+-]$/.test(token.raw) || next?.number?.sign !== '') return true;
    const word = before?.kind === 'word' ? before.raw.toLowerCase() : undefined;
    const isPrice = before?.kind === 'mark' && /^[(@]$/.test(before.raw);
    const { value, unit, under, hasPoint } = next.number;
    // In `Lakers ML - 1.91` and `Lakers ML - 2u` the dash is a separator.
    const isSeparator =
      unit !== '' ||
      under !== undefined ||
      (hasPoint && value % 0.25 !== 0) ||
      (/^(?:ml|moneyline)$/.test(word ?? '') && value < 100);
    if (isSeparator || !((word !== undefined && !isOverOrUnder(word)) || isPrice)) return true;
    next.number.sign = token.raw as '+' | '-';
    return false;
  });
}

type Part = Omit<Token, 'bracketed'>;

const mark = (raw: string): Part => ({ raw, kind: 'mark' });
const word = (raw: string): Part => ({ raw, kind: 'word' });

const numberPattern = /^(\$?)([+-]?)(\$?)(\d{0,6}(?:[.,]\d{1,4})?)(u|units?|-?units?|stars?|%|\+|k)?$/i;

function partsOf(chunk: string): Part[] {
  if (/^[()[\],;|:=@]$/.test(chunk)) return [mark(chunk)];
  const text = chunk.replace(/[.!?]+$/, '');
  if (text === '') return [];
  if (/^[-+/&]+$/.test(text)) return [mark(text)];
  const number = numberOf(text);
  if (number !== undefined) return [{ raw: chunk, kind: 'number', number }];
  const fraction = /^(\d{1,3})\/(\d{1,3})$/.exec(text);
  if (fraction !== null) {
    const [value, under] = [Number(fraction[1]), Number(fraction[2])];
    return under === 0 ? [word(text)] : [{ raw: text, kind: 'number', number: plain(value, under) }];
  }
  // `-0.5/1` and `2.5/3` write a quarter line as the two adjacent lines.
  const quarter = /^([+-]?)(\d{1,3}(?:\.[05])?)[/,]([+-]?)(\d{1,3}(?:\.[05])?)$/.exec(text);
  if (quarter !== null) {
    const [, sign = '', one = '', , two = ''] = quarter;
    if (Math.abs(Number(two) - Number(one)) === 0.5) {
      const value = (Number(one) + Number(two)) / 2;
      const isBelow = sign === '-' || quarter[3] === '-';
      const found = isBelow ? '-' : sign === '+' || quarter[3] === '+' ? '+' : '';
      return [{ raw: text, kind: 'number', number: { ...plain(value), hasPoint: true, sign: found } }];
    }
  }
  const attached =
    // `o8.5`, `u-` never; `over8.5`.
    /^(o|u|ov|un|over|under)([.\d].*)$/i.exec(text) ??
    // `SMU-12`, `Jets+3`.
    /^(.*\p{L}[.']?)([+-](?:\d|\.\d).*)$/u.exec(text) ??
    // `-3.5-110`, `8.5-110`.
    /^([+-]?\d{1,3}(?:\.\d{1,2})?)([+-]\d{3,6}(?:u|$).*)$/i.exec(text) ??
    // `20+pts`, `6.5ks`.
    /^(\d{1,3}(?:\.\d{1,2})?\+?)((?:pts?|points?|rebs?|asts?|pra|ks?|tbs?|sogs?|yds?|yards?|recs?|saves|hits?|hrs?|tds?|rbis?)\b.*)$/i.exec(
      text,
    );
  if (attached !== null && attached[1] !== text) {
    const [one, two] = [partsOf(attached[1]!), partsOf(attached[2]!)];
    if (one[0]?.kind === 'number' || two[0]?.kind === 'number') return [...one, ...two];
  }
  const [, one, other] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  // `O/U` is one word, and so is `c/o`.
  if (other !== undefined && !/^o\/u$/i.test(text)) return [...partsOf(one!), mark('/'), ...partsOf(other)];
  return [word(text)];
}

function plain(value: number, under?: number): WrittenNumber {
  return {
    value,
    sign: '',
    hasPoint: false,
    unit: '',
    isMoney: false,
    ...(under === undefined ? {} : { under }),
  };
}

function numberOf(text: string): WrittenNumber | undefined {
  const found = numberPattern.exec(text);
  if (found === null) return undefined;
  const [, money = '', sign = '', currency = '', digits = '', written = ''] = found;
  if (!/\d/.test(digits)) return undefined;
  const isMoney = money !== '' || currency !== '';
  // In `1,000` the comma separates thousands; in `1,91` it is a decimal point.
  const plainDigits = /,\d{3}$/.test(digits) ? digits.replace(',', '') : digits.replace(',', '.');
  const unit = /^(?:-?u|-?units?|stars?)$/i.test(written)
    ? 'u'
    : (written.toLowerCase() as WrittenNumber['unit']);
  return {
    value: Number(plainDigits),
    sign: sign as WrittenNumber['sign'],
    hasPoint: plainDigits.includes('.'),
    unit,
    isMoney,
  };
}
