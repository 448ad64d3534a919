import { marketNamed, marketSides, markets } from './index.ts';
import { knownMarkets } from './known.ts';
import { teamTotal } from './team-total.ts';
import { total } from './total.ts';

/** A declared market that words mean. */
interface Declared {
  market: string;
  /** The team of a team total, where the words name it: then its side says only over or under. */
  team?: 'home' | 'away';
}

/** What a written market means: a declared market, another slug, or the declared market that it misspells. */
export type Meaning = Declared | { suggestion: string };

const pointSports = ['nba', 'wnba', 'ncaab', 'nfl', 'ncaaf'];

/**
 * Other words for markets, and the sports in which they mean them: all where none is named. A word is missing where it can mean another
 * market of the sport: a handicap in soccer can have three sides, and a 1X2 in hockey ends with the third period.
 */
const otherWords: readonly (readonly [
  market: string,
  sports: readonly string[],
  words: readonly string[],
])[] = [
  ['moneyline', [], ['ml', 'h2h', 'head to head', 'straight up', 'match winner']],
  ['moneyline', [...pointSports, 'mlb', 'nhl', 'mma'], ['winner', 'to win']],
  ['moneyline', ['tennis'], ['match odds']],
  ['moneyline', ['mma'], ['fight winner', 'bout winner']],
  [
    'moneyline',
    ['soccer'],
    ['1x2', 'result', 'match odds', 'win draw win', '3 way', 'three way', 'h2h 3 way'],
  ],
  ['moneyline', ['soccer'], ['3 way moneyline', 'three way moneyline', '3 way result', 'full time result']],
  ['moneyline', ['soccer'], ['ft result', 'full time 1x2', 'ft 1x2', '1x2 full time', '1x2 ft']],
  ['spread', [], ['ats', 'point spread', 'against the spread']],
  ['spread', pointSports, ['handicap', 'point handicap']],
  ['spread', ['nhl'], ['puck line', 'pl', 'handicap', 'goal spread', 'goal handicap']],
  ['spread', ['mlb'], ['run line', 'rl', 'handicap', 'run spread', 'run handicap']],
  ['spread', ['soccer'], ['asian handicap', 'ah', 'asian spread', 'goal spread']],
  ['spread', ['tennis'], ['games spread', 'games handicap', 'game handicap']],
  ['total', [], ['over under', 'ou', 'total over under', 'over under total']],
  ['total', pointSports, ['total points', 'points total', 'points over under', 'over under points']],
  ['total', ['mlb'], ['total runs', 'runs total', 'runs over under', 'over under runs']],
  ['total', ['nhl', 'soccer'], ['total goals', 'goals total', 'goals over under', 'over under goals']],
  ['total', ['soccer'], ['asian total']],
  ['total', ['tennis'], ['total games', 'games total', 'games over under', 'over under games']],
  ['total', ['mma'], ['total rounds', 'rounds total', 'rounds over under', 'over under rounds']],
  ['team_total', [], ['tt', 'team over under', 'team ou']],
  ['team_total', pointSports, ['team points', 'team total points', 'total team points']],
  ['team_total', ['mlb'], ['team runs', 'team total runs', 'total team runs']],
  ['team_total', ['nhl', 'soccer'], ['team goals', 'team total goals', 'total team goals']],
];

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

/** The words for declared markets in a sport that has words of its own; under `''`, in any other. */
const wordsBySport: ReadonlyMap<string, Words> = new Map(
  ['', ...new Set(otherWords.flatMap(([, sports]) => sports))].map((sport) => [sport, wordsIn(sport)]),
);

function wordsIn(sport: string): Words {
  const words = new Map<string, Declared>();
  for (const { name, oddsApi } of markets)
    for (const word of [name, oddsApi.key, oddsApi.alternates])
      if (word !== null) words.set(plain(word), { market: name });
  for (const [market, sports, others] of otherWords)
    if (sports.length === 0 || sports.includes(sport))
      for (const word of others) words.set(plain(word), { market });
  for (const [word, { market }] of [...words])
    if (market === teamTotal.name || word === total.name)
      for (const team of ['home', 'away'] as const)
        for (const ordered of [team + word, word + team])
          words.set(ordered, { market: teamTotal.name, team });
  return words;
}

/** What words mean in every sport where they mean anything. */
const anySport: Words = new Map(
  [
    ...Map.groupBy(
      [...wordsBySport.values()].flatMap((words) => [...words]),
      ([word]) => word,
    ),
  ].flatMap(([word, meanings]) =>
    new Set(meanings.map(([, { market }]) => market)).size === 1 ? [[word, meanings[0]![1]] as const] : [],
  ),
);

const known: ReadonlyMap<string, string> = new Map(knownMarkets.map((name) => [plain(name), name]));

/** Longer texts name no market. */
const longest = 80;

/** Shorter words have too many neighbors that mean something else. */
const shortestMistyped = 5;

/**
 * What a market is meant by a written one, in a sport; without one, in any sport. A text that no declared market goes by becomes a slug,
 * as far as case and spaces keep it from being one. docs/rules/markets.md#other-words
 */
export function marketMeant(sport: string | undefined, written: string): Meaning {
  if (marketNamed(written) !== undefined || written.length > longest) return { market: written };
  const words = sport === undefined ? anySport : (wordsBySport.get(sport) ?? wordsBySport.get('')!);
  const text = plain(written);
  const declared = meaningOf(text, (word) => words.get(word) ?? words.get(word.replace(/s$/, '')));
  if (declared !== undefined) return declared;
  const name = known.get(text);
  if (name !== undefined) return { market: name };
  const near = meaningOf(text, (word) => mistyped(word, words));
  return near === undefined ? { market: slugOf(written) } : { suggestion: near.market };
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
    ...{ h: 'home', hometeam: 'home', a: 'away', awayteam: 'away', d: 'draw', tie: 'draw' },
  }),
);

/** In soccer the home team comes first. Elsewhere a number can mean either. */
const soccerSides: ReadonlyMap<string, string> = new Map(Object.entries({ 1: 'home', x: 'draw', 2: 'away' }));

/**
 * The side that a written one means. What no declared market has as a side becomes a slug, as far as case and spaces keep it from
 * being one.
 */
export function sideMeant(sport: string | undefined, { market, team }: Declared, written: string): string {
  const sides = written.length > longest ? null : marketSides(market, 3);
  const text = plain(written);
  const side = (sport === 'soccer' ? soccerSides.get(text) : undefined) ?? shortSides.get(text) ?? text;
  return sides?.find((each) => plain(each) === `${team ?? ''}${side}`) ?? slugOf(written);
}

function slugOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, '_');
}
