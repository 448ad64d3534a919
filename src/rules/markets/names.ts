import { marketIn, marketNamed, marketSides, markets } from './index.ts';
import { knownMarkets } from './known.ts';
import { teamTotal } from './team-total.ts';
import { total } from './total.ts';
import { gameWords, knownWords, playerWords, type WordsOfMarket } from './words.ts';

/** A declared market that a text names. */
interface Declared {
  market: string;
  /** The team of a team total if the text names it. The side then says only over or under. */
  team?: 'home' | 'away';
}

/** The meaning of a market's name: a declared market, another slug, or a suggestion for a misspelled one. */
export type Meaning = Declared | { suggestion: string };

/** First-half markets by the name of the full-game market. */
const firstHalves: ReadonlyMap<string, string> = new Map(
  markets.flatMap(({ name }) => {
    const whole = name.replace(/^first_half_/, '');
    return whole === name ? [] : [[whole, name]];
  }),
);

/** Qualifiers at either end of a market's name, and the market that each makes of it; undefined if it does not exist. */
const qualifiers: readonly { written: RegExp; of(market: string): string | undefined }[] = [
  { written: eitherEnd('fullgame|fullmatch|game|match'), of: (market) => market },
  {
    written: eitherEnd('alternate|alternative|alt'),
    of: (market) => (marketNamed(market)?.line == null ? undefined : market),
  },
  { written: eitherEnd('live|livebetting|inplay'), of: (market) => market },
  { written: eitherEnd('firsthalf|1sthalf|halftime|1h|h1|fh|ht'), of: (market) => firstHalves.get(market) },
];

function eitherEnd(words: string): RegExp {
  return new RegExp(`^(?:${words})|(?:${words})$`);
}

/** Normalizes a name: no case, spaces, punctuation, or plural. */
function plain(text: string): string {
  return singular(text.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Removes a plural `s`, except from short abbreviations such as `ATS`. */
function singular(text: string): string {
  return text.length > 3 ? text.replace(/s$/, '') : text;
}

type Words = ReadonlyMap<string, Declared>;

/** Names of game markets and of player markets. */
interface SportWords {
  game: Words;
  player: Words;
}

/** Words around a player market's name that do not change its meaning. Points in overtime always count. */
const aroundPlayerWords =
  /^(?:player|total)+|(?:bytheplayer|overunder|ou|(?:inc|incl|including)?(?:ot|overtime)|otincluded)+$/g;

/** Summands of combined statistics, in the order of the declared markets' names. */
const addends = [
  ['point', /points?|pts?/],
  ['rebound', /rebounds?|rebs?/],
  ['assist', /assists?|assts?|asts?/],
] as const;
const sumOfAddends = new RegExp(`^(?:(?:${addends.map(([, { source }]) => source).join('|')})(?:and)?)+$`);

/** By sport; `''` is for sports without names of their own. */
const wordsBySport: ReadonlyMap<string, SportWords> = new Map(
  ['', ...new Set([...gameWords, ...playerWords].flatMap(([, sports]) => sports))].map((sport) => [
    sport,
    { game: gameWordsIn(sport), player: playerWordsIn(sport) },
  ]),
);

function gameWordsIn(sport: string): Words {
  const words = new Map<string, Declared>();
  for (const { name, oddsApi } of markets)
    for (const word of [name, oddsApi.key, oddsApi.alternates])
      if (word !== null) words.set(plain(word), { market: name });
  for (const { market, word } of inSport(gameWords, sport)) words.set(plain(word), { market });
  for (const [word, { market }] of [...words])
    if (market === teamTotal.name || word === total.name)
      for (const team of ['home', 'away'] as const)
        for (const ordered of [team + word, word + team])
          words.set(ordered, { market: teamTotal.name, team });
  return words;
}

function playerWordsIn(sport: string): Words {
  return new Map(
    inSport(playerWords, sport).flatMap(({ market, word }) =>
      // The market's name is The Odds API's key. Its alternate lines have another key.
      [market, `${market}_alternate`, word].map((each) => [inOrder(plain(each)), { market }]),
    ),
  );
}

/** Normalizes the order of summands, so that `Ast + Reb` equals `Rebounds and Assists`. */
function inOrder(text: string): string {
  return sumOfAddends.test(text)
    ? addends.flatMap(([name, written]) => (written.test(text) ? name : [])).join('')
    : text;
}

function inSport(words: readonly WordsOfMarket[], sport: string): { market: string; word: string }[] {
  return words.flatMap(([market, sports, own]) =>
    sports.length === 0 || sports.includes(sport) ? own.map((word) => ({ market, word })) : [],
  );
}

/** Names with the same meaning in every sport that knows them. */
const anySport: SportWords = {
  game: agreed([...wordsBySport.values()].map(({ game }) => game)),
  player: agreed([...wordsBySport.values()].map(({ player }) => player)),
};

function agreed(all: readonly Words[]): Words {
  const byWord = Map.groupBy(
    all.flatMap((words) => [...words]),
    ([word]) => word,
  );
  return new Map(
    [...byWord].flatMap(([word, meanings]) =>
      new Set(meanings.map(([, { market }]) => market)).size === 1 ? [[word, meanings[0]![1]] as const] : [],
    ),
  );
}

const known: ReadonlyMap<string, string> = new Map([
  ...knownMarkets.map((name) => [plain(name), name] as const),
  ...knownWords.map(([word, name]) => [plain(word), name] as const),
]);

/** Maximum length of a market's name. */
const longest = 80;

/** Minimum length of a name to suggest. Shorter ones have too many similar words with other meanings. */
const shortestMistyped = 5;

/**
 * Returns the meaning of a market's written name, in a sport or in all sports. An unknown name becomes a slug by changing only case and
 * spaces (docs/rules/markets.md#other-words).
 * @param hasSubject whether the bet has a subject: total points are then a player's, otherwise the game's
 */
export function marketMeant(sport: string | undefined, written: string, hasSubject = false): Meaning {
  if (marketNamed(written) !== undefined || written.length > longest) return { market: written };
  const { game, player } =
    sport === undefined ? anySport : (wordsBySport.get(sport) ?? wordsBySport.get('')!);
  const words = hasSubject ? [player, game] : [game, player];
  const text = plain(written);
  const lookUp = (look: (words: Words, word: string) => Declared | undefined) =>
    meaningOf(text, (word) =>
      firstOf(
        words,
        (each) => look(each, word) ?? (each === player ? look(each, playerWord(word)) : undefined),
      ),
    );
  const declared = lookUp((each, word) => each.get(word) ?? each.get(word.replace(/s$/, '')));
  if (declared !== undefined) return declared;
  const name = known.get(text);
  if (name !== undefined) return { market: name };
  const near = lookUp((each, word) => mistyped(word, each));
  return near === undefined ? { market: slugOf(written) } : { suggestion: near.market };
}

/** Strips a player market's name of surrounding words. */
function playerWord(text: string): string {
  return inOrder(singular(text.replace(aroundPlayerWords, '')));
}

function firstOf(
  words: readonly Words[],
  look: (words: Words) => Declared | undefined,
): Declared | undefined {
  for (const each of words) {
    const found = look(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Looks up a text, then the text without a qualifier. */
function meaningOf(text: string, lookUp: (word: string) => Declared | undefined): Declared | undefined {
  const found = lookUp(text);
  if (found !== undefined) return found;
  for (const { written, of } of qualifiers) {
    const rest = text.replace(written, '');
    const whole = rest === text ? undefined : meaningOf(singular(rest), lookUp);
    const market = whole && of(whole.market);
    if (market !== undefined) return { ...whole, market };
  }
  return undefined;
}

function mistyped(text: string, words: Words): Declared | undefined {
  for (const [word, declared] of words)
    if (word.length >= shortestMistyped && isOneEditAway(text, word)) return declared;
  return undefined;
}

/** Reports whether the texts differ by one missing, added, replaced, or swapped letter. Digits must match: `2h` is not `1h`. */
function isOneEditAway(text: string, word: string): boolean {
  if (text.replace(/\D/g, '') !== word.replace(/\D/g, '')) return false;
  let same = 0;
  while (same < word.length && text[same] === word[same]) same += 1;
  const [one, other] = [text.slice(same), word.slice(same)];
  const isSwapped = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
  return isSwapped || one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1);
}

/** Sides as bet slips and spreadsheets abbreviate them. */
const shortSides: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ o: 'over', u: 'under', y: 'yes', n: 'no' },
    ...{ higher: 'over', more: 'over', lower: 'under', less: 'under' },
    ...{ h: 'home', hometeam: 'home', a: 'away', awayteam: 'away', d: 'draw', tie: 'draw' },
  }),
);

/** Numbers of sides in soccer, where the home team comes first. In other sports a number is ambiguous. */
const soccerSides: ReadonlyMap<string, string> = new Map(Object.entries({ 1: 'home', x: 'draw', 2: 'away' }));

/** Reads a written side. An unknown side becomes a slug by changing only case and spaces. */
export function sideMeant(sport: string | undefined, { market, team }: Declared, written: string): string {
  const sides = written.length > longest ? null : marketSides(market, 3);
  const text = plain(written);
  const side = (sport === 'soccer' ? soccerSides.get(text) : undefined) ?? shortSides.get(text) ?? text;
  return sides?.find((each) => plain(each) === `${team ?? ''}${side}`) ?? slugOf(written);
}

/** Reads a yes-or-no side written as more or less than a half: `Anytime TD over 0.5` means yes. Undefined for other texts. */
export function questionMeant(
  sport: string | undefined,
  market: string,
  written: string,
  line: unknown,
): 'yes' | 'no' | undefined {
  const declared = sport === undefined ? undefined : marketIn(sport, market);
  if (declared?.gradedBy !== 'stat' || declared.line !== null || line !== 0.5) return undefined;
  const side = plain(written);
  return ({ over: 'yes', under: 'no' } as const)[shortSides.get(side) ?? side];
}

function slugOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, '_');
}
