import { expect } from 'chai';
import { topicsOf } from '../../src/boards/search/topics.ts';
import { wordsOf } from '../../src/boards/search/words.ts';
import { readFixture, readTitle } from '../../src/games/names/title.ts';
import {
  dateOrdersOf,
  handleOf,
  isOpenDate,
  readClock,
  readTime,
  sportCell,
} from '../../src/intake/cells.ts';
import { readBetText } from '../../src/rules/bet-text/read.ts';
import { bookAmongWords, bookMeant } from '../../src/rules/book-words.ts';
import { isoInstant } from '../../src/rules/iso-instant.ts';
import { meant, questionMeant, slugOf, statisticsMeant } from '../../src/rules/markets/meant.ts';
import { plainWords } from '../../src/rules/plain-name.ts';
import { subjectTextFault, textFault } from '../../src/rules/posted-words.ts';
import { sportMeant } from '../../src/rules/sport-words.ts';
import { lineTyped, oddsTyped, stakeTyped } from '../../src/rules/typed-numbers.ts';
import { isEven, writtenLine, writtenNumbers } from '../../src/rules/written-numbers.ts';
import { parseTarget } from '../../src/webhooks/guard/target.ts';

const marks = { decimalComma: false };

/** Readers of texts that strangers, cappers, operators, or providers write. */
const readers: Record<string, (text: string) => unknown> = {
  'a bet': (text) => readBetText(text, []),
  'words of a pick': textFault,
  'a subject': subjectTextFault,
  'a market': (text) => meant(text, { sport: 'nfl' }),
  'a question': (text) => questionMeant('nba', 'prop', text, null),
  statistics: (text) => statisticsMeant('nba', text),
  'a slug': slugOf,
  'a sport': sportMeant,
  'a cell with a sport': sportCell,
  'a book': bookMeant,
  'a book among words': bookAmongWords,
  'a name': plainWords,
  odds: oddsTyped,
  'a stake': stakeTyped,
  'a line': lineTyped,
  numbers: (text) => writtenNumbers(text, marks),
  'a written line': (text) => writtenLine(text, marks),
  'even money': isEven,
  'a title': (text) => readTitle(text, 'nba'),
  opponents: (text) => readFixture(text, 'soccer'),
  'a time': (text) => readTime(text),
  'a clock': readClock,
  'an open date': isOpenDate,
  dates: (text) => dateOrdersOf([text]),
  'an instant': isoInstant,
  'a handle': handleOf,
  'words of a search': wordsOf,
  'topics of a search': topicsOf,
  'an address': (text) => parseTarget(`https://${text}`, new Set()),
};

/** Parts of which hostile texts consist: each class of characters that some pattern repeats, and pairs that overlap. */
const parts = [
  ...[' ', '\t', '\n', '0', 'a', 'é', '\u0301', '-', '+', '.', ',', ':', '/', '(', '[', '@', "'", '_', '½'],
  ...[
    '1 ',
    '1.',
    '1,',
    '-1',
    'a ',
    'a.',
    'a-',
    ' @',
    ' - ',
    ' vs ',
    '( ',
    'over ',
    'o1',
    ', ',
    'a@a.',
    '⚽',
    '1:',
  ],
];
const ends = ['', '!', ' x'];

/** Processor time of a call, in microseconds: other processes do not count. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Processor time below which a text of any length is cheap, in microseconds. */
const cheap = 50_000;
const lengths = { short: 2_500, long: 10_000 };

describe('a long text', () => {
  for (const [what, read] of Object.entries(readers))
    it(`costs no more than its length, as ${what}`, () => {
      const dear: string[] = [];
      for (const text of parts.flatMap((part) => ends.map((end) => ({ part, end })))) {
        const cost = (length: number) =>
          costOf(() => read(text.part.repeat(length / text.part.length) + text.end));
        if (cost(lengths.long) < cheap) continue;
        // Four times the length costs a quadratic reader sixteen times as much. The least of three runs has no pauses for garbage.
        const least = (length: number) => Math.min(cost(length), cost(length), cost(length));
        const [short, long] = [least(lengths.short), least(lengths.long)];
        if (long > cheap && long > 8 * short)
          dear.push(`${JSON.stringify(text)}: ${short} and ${long} microseconds`);
      }
      expect(dear).to.deep.equal([]);
    });
});
