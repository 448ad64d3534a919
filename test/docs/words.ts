import { blank, type Passage } from './prose.ts';

/** A wording to avoid, and what to write instead. */
interface Habit {
  pattern: RegExp;
  instead: string;
  /** Whether a text may begin with it, as titles and headings do. */
  opensTexts?: true;
}

/** Correct phrases that a habit would match. They are removed first. */
const allowed: readonly RegExp[] = [/\b(?:leav|left|let)\w*(?: \w+)? alone\b/gi];

const habits: readonly Habit[] = [
  {
    pattern:
      /(?:^|[.:;|] |- )(?:What|Whatever|Whoever|Who|Where) (?!to |[^.!|]*\?)(?:[^.?!:;|\n]|\n(?!\n)){3,90}?[.,:;|]/g,
    instead: 'name the thing, then say what it does',
    opensTexts: true,
  },
  { pattern: /\bin (?:place of|their place)\b/gi, instead: 'instead of, replaces' },
  { pattern: /\balone\b/gi, instead: 'only' },
  { pattern: /\brest(?:s|ed)? (?:up)?on\b/gi, instead: 'depends on' },
  { pattern: /\b(?:is|are|was|were) of (?!no |one |any |type )/gi, instead: 'belongs to, comes from' },
  { pattern: /\bst(?:ands?|ood) for\b/gi, instead: 'represents, replaces' },
  { pattern: /\b(?:is|are|was|were) told\b/gi, instead: 'receives' },
  {
    pattern: /\b(?:is|are|was|were) (?:looked|asked|waited) (?:for|at|after|again|of)\b/gi,
    instead: 'say who asks, and whom',
  },
  { pattern: /\bwho (?:has|have|asks?|wants?|reads?|runs?) (?:it|so)\b/gi, instead: 'name the person' },
  { pattern: /\b(?:has|have|is|are) so (?:many|much)\b/gi, instead: 'that many, that much' },
  { pattern: /\b(?:as many|as much) as (?:there|it) (?:is|are)\b/gi, instead: 'name the number' },
  { pattern: /\bthat there (?:is|are|was|were)\b/gi, instead: 'that exists' },
  { pattern: /\bby (?:itself|themselves|themself|himself|oneself)\b/gi, instead: 'automatically' },
  { pattern: /\bgo(?:es)? on\b/gi, instead: 'continues' },
  { pattern: /\b(?:is|are|was|were) well\b(?!-)/gi, instead: 'passes, is healthy' },
  { pattern: /\b(?:comes?|came|made) of (?:it|this|that|what|them)\b/gi, instead: 'results from' },
  {
    pattern: /\b(?:for ever|anyhow|hardly|thereof|wherein|therein|whence|hence)\b/gi,
    instead: 'a plainer word',
  },
  { pattern: /\bsave for\b/gi, instead: 'except for' },
  { pattern: /\bbesides? (?:that|it|this)\b/gi, instead: 'also, in addition' },
  {
    pattern: /\b(?:used to|formerly|previously|no longer|rejected:|as measured|it took)\b/gi,
    instead: 'what is true today',
  },
  {
    pattern: /\b\w*(?:colour|favour|behaviour|honour|neighbour|catalogue|centre)\w*\b/gi,
    instead: 'American spelling',
  },
  {
    pattern: /\b(?:recogni|normali|organi|summari|speciali|minimi|maximi)s(?:e|ed|es|ing|ation)\b/gi,
    instead: 'American spelling',
  },
];

/** The habits with each space matching a line break as well. */
const acrossLines = habits.map(({ pattern: { source, flags }, ...rest }) => ({
  pattern: new RegExp(source.replaceAll(' ', '\\s+'), flags),
  ...rest,
}));

/** A habit in a text. */
export interface Finding {
  line: number;
  phrase: string;
  instead: string;
}

/** Returns the habits in a comment, document, or text of a program, by line. Code blocks and spans of Markdown are ignored. */
export function findings(text: string, kind: Passage['kind'] = 'comment'): Finding[] {
  const prose = allowed.reduce((left, phrase) => left.replace(phrase, blank), withoutCode(text));
  return acrossLines
    .flatMap(({ pattern, instead, opensTexts }) =>
      [...prose.matchAll(pattern)]
        .filter(({ index }) => !(kind === 'text' && opensTexts && index === 0))
        .map(({ 0: phrase, index }) => ({
          line: prose.slice(0, index).split('\n').length,
          phrase: phrase.replace(/\s+/g, ' ').trim(),
          instead,
        })),
    )
    .sort((a, b) => a.line - b.line);
}

/** Blanks the code in a text, so that lines keep their numbers. */
function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]+`/g, blank);
}
