import { marketIn, marketNamed, marketSides, markets } from './index.ts';
import { knownMarkets } from './known.ts';
import { teamTotal } from './team-total.ts';
import { total } from './total.ts';
import { gameWords, knownWords, playerWords, type WordsOfMarket } from './words.ts';

/** A declared market that words mean. */
interface Declared {
  market: string;
  /** The team of a team total, where the words name it: then its side says only over or under. */
  team?: 'home' | 'away';
}

/** What a written market means: a declared market, another slug, or the declared market that it misspells. */
export type Meaning = Declared | { suggestion: string };

/** The markets of the first half, by the market that each is of the whole game. */
const firstHalves: ReadonlyMap<string, string> = new Map(
  markets.flatMap(({ name }) => {
    const whole = name.replace(/^first_half_/, '');
    return whole === name ? [] : [[whole, name]];
  }),
);

/** Words before or after those of a market, and the market that they make of it; undefined if there is none. */
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

/** What people write differently is left out: case, spaces, punctuation, and the plural. */
function plain(text: string): string {
  return singular(text.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Leaves short abbreviations alone: the `s` of `ATS` is no plural. */
function singular(text: string): string {
  return text.length > 3 ? text.replace(/s$/, '') : text;
}

type Words = ReadonlyMap<string, Declared>;

/** Words for the markets of a game, and for those of its players. */
interface SportWords {
  game: Words;
  player: Words;
}

/** What stands around the words of a player market and changes nothing. Points of overtime always count. */
const aroundPlayerWords =
  /^(?:player|total)+|(?:bytheplayer|overunder|ou|(?:inc|incl|including)?(?:ot|overtime)|otincluded)+$/g;

/** Statistics that are added up, as people write them, in the order of the declared markets. */
const addends = [
  ['point', /points?|pts?/],
  ['rebound', /rebounds?|rebs?/],
  ['assist', /assists?|assts?|asts?/],
] as const;
const sumOfAddends = new RegExp(`^(?:(?:${addends.map(([, { source }]) => source).join('|')})(?:and)?)+$`);

/** By sport; under `''`, those of sports without words of their own. */
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
      // Its name is the key of The Odds API, which has its further lines under another.
      [market, `${market}_alternate`, word].map((each) => [inOrder(plain(each)), { market }]),
    ),
  );
}

/** Writes a sum in one way: `Ast + Reb` and `Rebounds and Assists` are one. */
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

/** What words mean in every sport where they mean anything. */
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

/** Longer texts name no market. */
const longest = 80;

/** Shorter words have too many neighbors that mean something else. */
const shortestMistyped = 5;

/**
 * What a market is meant by a written one, in a sport; without one, in any sport. A text that no declared market goes by becomes a slug,
 * as far as case and spaces keep it from being one. docs/rules/markets.md#other-words
 * @param hasSubject whether it is about somebody: then the total points are a player's, otherwise the game's
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

/** The words of a player market without what stands around them. */
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

/** Looks for a text, then for what is left of it without a qualifier. */
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

/** Whether one letter is missing, added, or another, or two neighbors changed places. A digit is never a slip: `2h` is not `1h`. */
function isOneEditAway(text: string, word: string): boolean {
  if (text.replace(/\D/g, '') !== word.replace(/\D/g, '')) return false;
  let same = 0;
  while (same < word.length && text[same] === word[same]) same += 1;
  const [one, other] = [text.slice(same), word.slice(same)];
  const isSwapped = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
  return isSwapped || one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1);
}

/** Sides as slips and sheets abbreviate them, where the market has such a side. */
const shortSides: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ o: 'over', u: 'under', y: 'yes', n: 'no' },
    ...{ higher: 'over', more: 'over', lower: 'under', less: 'under' },
    ...{ h: 'home', hometeam: 'home', a: 'away', awayteam: 'away', d: 'draw', tie: 'draw' },
  }),
);

/** In soccer the home team comes first. Elsewhere a number can mean either. */
const soccerSides: ReadonlyMap<string, string> = new Map(Object.entries({ 1: 'home', x: 'draw', 2: 'away' }));

/**
 * Reads a side as people write it. A text that is no side of the market gets the form of a slug where only its case and spaces
 * keep it from being one.
 */
export function sideMeant(sport: string | undefined, { market, team }: Declared, written: string): string {
  const sides = written.length > longest ? null : marketSides(market, 3);
  const text = plain(written);
  const side = (sport === 'soccer' ? soccerSides.get(text) : undefined) ?? shortSides.get(text) ?? text;
  return sides?.find((each) => plain(each) === `${team ?? ''}${side}`) ?? slugOf(written);
}

/**
 * The side of a market without a line that is written as more or less than a half: `Anytime TD over 0.5` asks whether one comes.
 * Undefined for others.
 */
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
