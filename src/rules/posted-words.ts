import { marketNamed } from './markets/index.ts';
import { aboutOf } from './markets/known.ts';
import { nameKey, plainWords } from './plain-name.ts';

/** Characters that no reader sees, or sees alike: format and private-use characters, separators of lines, fillers, and unassigned ones. */
const unseen = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Zero-width joiners between parts of an emoji. */
const emojiJoiners =
  /(?<=\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic})/gu;

const mention = /@(?:everyone|here)(?!\p{L})|<[@#!][^>\s]*>/iu;

const address =
  /\b[a-z][a-z\d+.-]*:\/\/|\bwww\.|[^\s@]+@[^\s@]+\.\p{L}{2,}|(?:^|[^\p{L}\d.@-])(?:[\p{L}\d-]{2,}\.)+(?:com|net|org|info|biz|io|gg|co|me|tv|app|bet|dev|link|ly|xyz|site|online|shop|ru|cc|uk)(?![\p{L}\d])|\b\d{1,3}(?:\.\d{1,3}){3}\b/iu;

/** Returns why a capper's text cannot be shown to readers, as a clause; undefined if it can (docs/rules/intake.md#texts-and-subjects). */
export function textFault(text: string): string | undefined {
  const plain = text.normalize('NFKC');
  if (unseen.test(text.replaceAll(emojiJoiners, '')))
    return 'must have no invisible or private-use characters';
  if (mention.test(plain)) return 'must mention no one, such as @everyone';
  return address.test(plain) ? 'must have no address of a site or mailbox' : undefined;
}

const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Hangul',
  'Armenian',
  'Georgian',
].map(
  (name) => new RegExp(`^[\\p{Script_Extensions=${name}}\\p{Script=Common}\\p{Script=Inherited}]+$`, 'u'),
);
/** Japanese mixes three scripts, and Chinese has one of them. */
const eastAsian = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u;

const [shortest, longest] = [2, 60];

/** Returns why a text is no name of a player, team, or question, as a clause; undefined if it is one. */
export function subjectTextFault(subject: string): string | undefined {
  const length = [...subject].length;
  const isOf = (script: RegExp) => script.test(subject);
  if (
    length < shortest ||
    length > longest ||
    !/^[\p{L}\p{M}\p{N} '’ʼ.‐-]*\p{L}[\p{L}\p{M}\p{N} '’ʼ.‐-]*$/u.test(subject)
  )
    return `a subject has ${shortest} to ${longest} letters, digits, spaces, apostrophes, hyphens, and periods`;
  return [...scripts, eastAsian].some(isOf) ? undefined : 'a subject has letters of one script';
}

/** Sports whose opponents are persons. */
const ofPersons = ['tennis', 'mma'];

/**
 * Returns why a market's subject is not one that readers can tell, as a clause; undefined if it is. Markets about the game take its title.
 * @param game its sport, title, and opponents
 */
export function postedSubjectFault(
  { market, subject }: { market: string; subject: string | null },
  game: { sport: string; title: string; opponents: readonly string[] },
): string | undefined {
  const about = aboutOf(market);
  if (subject === null || (about === 'game' && nameKey(subject) === nameKey(game.title))) return undefined;
  const fault = subjectTextFault(subject);
  if (fault !== undefined) return fault;
  const isPlayers = about === 'player' || marketNamed(market)?.gradedBy === 'stat';
  if (!isPlayers || ofPersons.includes(game.sport)) return undefined;
  const key = nameKey(subject);
  const isOpponent = (name: string) => nameKey(name) === key || plainWords(name).at(-1) === key;
  return key === nameKey(game.title) || game.opponents.some(isOpponent)
    ? `${market} is about a player, and ${subject} is the game or a team: name the player`
    : undefined;
}
