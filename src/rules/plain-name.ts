/** Letters that NFKD does not decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  œ: 'oe',
  æ: 'ae',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Abbreviations in club names that feeds leave out. */
export const clubWords: ReadonlySet<string> = new Set(['fc', 'cf', 'sc', 'afc']);

/** Normalizes a name: no case, accents, punctuation, or club abbreviations such as FC. */
export function plainName(name: string): string {
  const words = plainWords(name);
  const core = words.filter((word) => !clubWords.has(word));
  return (core.length > 0 ? core : words).join(' ');
}

/** Removes case and accents. The Hawaiian okina is an apostrophe. */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u02b9-\u02bf]/g, "'")
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßøœæłđðþı]/g, (letter) => letters[letter] ?? letter);
}

/** Returns the words of a name without case, accents, and punctuation. */
export function plainWords(name: string): string[] {
  return plainLetters(name)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
}

/**
 * Returns {@link plainName} without spaces, the key for comparing names: `St.Louis` and `St Louis`, `L.A.` and `LA`, `A&M` and `A & M` are
 * equal.
 */
export function nameKey(name: string): string {
  return plainName(name).replaceAll(' ', '');
}

/** Reports whether the texts differ by one missing, added, replaced, or swapped letter. */
export function isOneEdit(one: string, other: string): boolean {
  if (one === other) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = short.slice(short.length === long.length ? at + 1 : at);
  if (rest === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
