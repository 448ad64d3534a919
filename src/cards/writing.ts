/** Returns the direction of a text's first letter with a direction (UAX #9, rules P2 and P3). */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first !== undefined &&
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first)
    ? 'rtl'
    : 'ltr';
}

/**
 * Returns the language for the glyphs of a text's Han characters. Japanese and Korean are recognized by their own letters; other text
 * counts as Chinese. Undefined without East Asian characters.
 */
export function languageOf(text: string): 'ja' | 'ko' | 'zh-Hans' | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  return /\p{Script=Han}/u.test(text) ? 'zh-Hans' : undefined;
}

const eastAsian = { ja: ['JP', 'SC', 'KR'], ko: ['KR', 'JP', 'SC'], 'zh-Hans': ['SC', 'JP', 'KR'] } as const;

/** Returns the font families of a text, in the order tried for each character. */
export function familiesFor(text: string, latin: 'Inter' | 'Source Serif 4'): string {
  const han = eastAsian[languageOf(text) ?? 'zh-Hans'];
  return [latin, 'Inter', 'Hebrew', 'Arabic', 'Thai', 'Devanagari', ...han, 'Emoji']
    .map((family) => `"${family}"`)
    .join(', ');
}

/** Returns the line height relative to the letter size. Scripts with marks above and below need more. */
export function lineHeightFor(text: string): number {
  return /[\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}]/u.test(text) ? 1.5 : 1.24;
}
