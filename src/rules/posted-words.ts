import { marketNamed } from './markets/index.ts';
import { aboutOf } from './markets/known.ts';
import { nameKey, plainWords } from './plain-name.ts';

/** Characters that no reader sees, or sees alike: format and private-use characters, separators of lines, fillers, and unassigned ones. */
const unseen = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Zero-width joiners between parts of an emoji. */
const emojiJoiners =
  /(?<=\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic})/gu;

const mention = /@(?:everyone|here)(?!\p{L})|<[@#!][^>\s]{0,99}>/iu;

const address =
  /\b[a-z][a-z\d+.-]{0,30}:\/\/|\bwww\.|[^\s@]@[^\s@]{1,255}\.\p{L}{2,}|(?:^|[^\p{L}\d.@-])(?:[\p{L}\d-]{1,63}\.)+(?:com|net|org|info|biz|io|gg|co|me|tv|app|bet|dev|link|ly|xyz|site|online|shop|ru|cc|uk)(?![\p{L}\d])|\b\d{1,3}(?:\.\d{1,3}){3}\b/iu;

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

const cased = /[\p{Lu}\p{Ll}\p{Lt}]/u;
/** Letters of Latin names. Small capitals, clicks, and letters of phonetics look like others. */
const latinLetters = /^[a-zÀ-ÖØ-öø-ſƏəƠơƯưǍ-ǜǦ-ǩǪǫǴǵǸ-ǿȘ-țȞȟ\u1e00-\u1eff\P{scx=Latin}\P{L}]*$/iu;
/** Text of other scripts that readers take for Latin. */
const looksLatin = /^[асеорхуіјѕһԁԛԝАВСЕНІЈКМОРЅТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲνι '.-]+$/u;

const [shortest, longest] = [2, 60];

/** Returns why a text is no name of a player, team, or question, as a clause; undefined if it is one. */
export function subjectTextFault(subject: string): string | undefined {
  const text = tidy(subject);
  const length = [...text].length;
  if (length < shortest || length > longest || !/^[\p{L}\p{M}0-9 '.-]+$/u.test(text) || !/\p{L}/u.test(text))
    return `a subject has ${shortest} to ${longest} letters, digits, spaces, apostrophes, hyphens, and periods`;
  if (![...scripts, eastAsian].some((script) => script.test(text)) || !latinLetters.test(text))
    return 'a subject has letters of one script';
  if (looksLatin.test(text))
    return 'a subject has no letters that look like Latin ones: write it in Latin letters';
  const parts = text.split(/[ '.-]+/);
  const isSpelledOut = parts.filter((part) => cased.test(part) && [...part].length === 1).length > 3;
  const marks = text.match(/\p{M}+/gu) ?? [];
  const isStacked = cased.test(text)
    ? marks.length > 2 || marks.some((run) => run.length > 1)
    : marks.some((run) => [...run].length > 3);
  return isSpelledOut ||
    isStacked ||
    /['.-]{2}|(?<![\p{L}\p{M}\d])['.-]|-(?![\p{L}\d])/u.test(text.replaceAll(".'", "'").replaceAll('.-', '-'))
    ? 'a subject has the letters of a name as people write it, such as "Rory O\'Neil-Finch Jr."'
    : undefined;
}

/** Returns a text with plain letters, apostrophes, hyphens, and spaces. */
function tidy(subject: string): string {
  return subject
    .normalize('NFKC')
    .replace(/[’‘ʼʻʹ`´]/g, "'")
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

const small = new Set(
  'de da di do du la le el al van von der den del della dos das ter ten bin ibn e y und zu af av of the and to'.split(
    ' ',
  ),
);

/**
 * Returns the form in which everyone sees a subject that a post names first: its own, unless nobody writes names like that
 * (docs/rules/player-markets.md#names).
 */
export function subjectName(subject: string, isPlayer: boolean): string {
  const text = tidy(subject);
  const isLoud = !/\p{Ll}/u.test(text);
  return text.replace(/\p{L}[\p{L}\p{M}]*/gu, (word, at: number) => {
    const letters = word.replace(/\p{M}/gu, '');
    if (/^\p{Lu}?\p{Ll}*$/u.test(letters)) {
      const isPart = at > 0 && (small.has(word) || text[at - 1] === "'");
      return isPlayer && !isPart && !/^\p{Lu}/u.test(word) ? titled(word) : word;
    }
    if (/^\p{Lu}+$/u.test(letters)) {
      const isShort = letters.length < (isLoud ? 3 : 4) || /^[IV]+$/.test(letters);
      return isShort || !isPlayer ? word : titled(word);
    }
    return /^(?:\p{Lu}\p{Ll}+){2}$/u.test(letters) ? word : titled(word);
  });
}

function titled(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

const ofPersons = ['tennis', 'mma'];

/**
 * Returns why a market's subject is not one that readers can tell, as a clause; undefined if it is. Markets that are not about a player take their game's title.
 * @param game its sport, title, and opponents
 */
export function postedSubjectFault(
  { market, subject }: { market: string; subject: string | null },
  game: { sport: string; title: string; opponents: readonly string[] },
): string | undefined {
  if (subject === null) return undefined;
  const isPlayers = aboutOf(market) === 'player' || marketNamed(market)?.gradedBy === 'stat';
  if (!isPlayers && nameKey(subject) === nameKey(game.title)) return undefined;
  const fault = subjectTextFault(subject);
  if (fault !== undefined) return fault;
  if (!isPlayers || ofPersons.includes(game.sport)) return undefined;
  const key = nameKey(subject);
  const isOpponent = (name: string) => nameKey(name) === key || plainWords(name).at(-1) === key;
  return key === nameKey(game.title) || game.opponents.some(isOpponent)
    ? `${market} is about a player, and ${subject} is the game or a team: name the player`
    : undefined;
}
