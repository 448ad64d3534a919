import { Type } from '../platform/type.ts';

/** The labels that the service itself gives, and what a letter of them may be written as. */
const reserved = ['operator', 'live', 'import', 'demo'];
const lookAlikes: Record<string, string> = {
  o: '[o0]',
  i: '[i1l]',
  l: '[l1i]',
  e: '[e3]',
  a: '[a4]',
  t: '[t7]',
  m: '(?:m|rn)',
};

/** A word with its letters in any look-alike, and separators between them. */
function written(word: string): string {
  return [...word].map((letter) => lookAlikes[letter] ?? letter).join('[-_]*');
}

/**
 * What a label must not match (docs/decisions/0026-provenance.md): a reserved word as one or several of its words, digits for letters,
 * separators between letters, an ending and a number at either end included; and `operator` anywhere.
 */
const reservedLabel = [
  written('operator'),
  `(?:^|[-_])[0-9]*(?:${reserved.map(written).join('|')})[-_]*(?:s|d|r|ed|er|rs|ers|ing)?[0-9]*(?:$|[-_])`,
].join('|');

/** The free label of where a pick comes from, as clients and files give it. */
export const sourceLabel = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  not: { pattern: reservedLabel },
  must: `a slug of 1 to 40 lower-case letters, digits, hyphens or underscores, and not ${reserved.slice(0, -1).join(', ')} or ${reserved.at(-1)} or like one of them: those labels are the service's own`,
});
