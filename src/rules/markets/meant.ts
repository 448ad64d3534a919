import { isStatLine, isUsualLine } from '../bet-text/plausible.ts';
import { isOneEdit, nameKey, plainLetters } from '../plain-name.ts';
import { remembering } from '../remembering.ts';
import { marketIn, marketNamed, marketSides, markets } from './index.ts';
import { aboutOf, knownMarket, shapeOf, sums } from './known.ts';
import { keyOf, type Lexeme, lexiconIn, longestPhrase, singular } from './lexicon.ts';
import { inPeriod, type Period, periodOf } from './periods.ts';

/** The bet around the name of a market. */
export interface Beside {
  sport?: string | undefined;
  /** Whether the bet names a player, team, or question: total points are then a player's. */
  hasSubject?: boolean;
  /** Decides between statistics that share a word: strikeouts of a pitcher or a batter. */
  line?: number | null;
}

/** A market, and the side, team, and line that its name contains. */
export interface MarketMeant {
  kind: 'market';
  market: string;
  /** The subject that the bet needs: none, the game's title, a player, or a question that the bettor names. */
  subject: 'none' | 'game' | 'player' | 'question';
  side?: string;
  /** The team of a team total. The side then says only over or under. */
  team?: 'home' | 'away';
  line?: number;
}

/** The meaning of a market's name. `period`: only a part of a game, which {@link inPeriod} applies to the bet's market. */
export type Meant =
  | MarketMeant
  | { kind: 'period'; period: Period }
  | { kind: 'several'; markets: readonly MarketMeant[] }
  | { kind: 'misspelled'; market: string }
  | { kind: 'refused'; reason: string };

/** Maximum length of a market's name. */
const longest = 80;

/** Minimum length of a name to suggest. Shorter ones have too many similar words with other meanings. */
const shortestMistyped = 5;

/** Sports with words of their own. A name without a sport means what all of these agree on. */
const sports = ['nba', 'wnba', 'ncaab', 'nfl', 'ncaaf', 'mlb', 'nhl', 'soccer', 'tennis', 'mma', ''];

/**
 * Returns the meaning of a market's name as people and exports write it, in a sport or in all sports; undefined if it names no market. A market
 * that its words name without a declaration has the slug of these words (docs/rules/markets.md#other-words).
 */
export function meant(written: string, beside: Beside = {}): Meant | undefined {
  const { sport, hasSubject = false, line = null } = beside;
  if (written.length > longest || written.trim() === '') return undefined;
  if (sport === undefined) return agreed(written, beside);
  const name = firstInning(written) ?? written;
  return (
    named(sport, name) ?? (hasSubject ? ofPlayer(sport, name, line) : undefined) ?? ofGame(sport, name, line)
  );
}

/** Rewrites the words for a run in the first inning as a total. */
export function firstInning(written: string): string | undefined {
  const text = nameKey(written);
  if (/^(?:nrfi|noruns?(?:in(?:the)?)?(?:first|1st)inning)$/.test(text)) return '1st inning total under 0.5';
  if (/^(?:yrfi|(?:yes)?run(?:in(?:the)?)?(?:first|1st)inning)$/.test(text))
    return '1st inning total over 0.5';
  return /^(?:nrfi(?:or)?yrfi|yrfi(?:or)?nrfi)$/.test(text) ? '1st inning total 0.5' : undefined;
}

/** Returns what the sports that know a name agree on, or all markets that it can mean. */
function agreed(written: string, beside: Beside): Meant | undefined {
  const all = sports.map((sport) => meant(written, { ...beside, sport }));
  const known = all.flatMap((each) =>
    each === undefined || isSlug(each) ? [] : each.kind === 'several' ? each.markets : each,
  );
  const distinct = [...new Map(known.map((each) => [JSON.stringify(each), each])).values()];
  if (distinct.length <= 1) return distinct[0] ?? all.find((each) => each !== undefined);
  const markets = distinct.flatMap((each) => (each.kind === 'market' ? each : []));
  return markets.length === distinct.length
    ? several(markets)
    : distinct.find(({ kind }) => kind === 'refused');
}

function isSlug(meaning: Meant): boolean {
  return meaning.kind === 'market' && meaning.subject === 'question';
}

const byKey = new Map(
  markets.flatMap(({ name, oddsApi: { key, alternates } }) => [
    [key, name] as const,
    ...(alternates === null ? [] : [[alternates, name] as const]),
  ]),
);

/** Returns the market of an exact name, such as a key of The Odds API. */
function named(sport: string, written: string): MarketMeant | undefined {
  const name = byKey.get(written) ?? written;
  const { whole, period } = periodOf(name);
  const isName = (each: string) => marketNamed(each) !== undefined || knownMarket(each) !== undefined;
  const isPart = period !== undefined && isName(whole) && inPeriod(sport, whole, period) === name;
  if (!isName(name) && !isPart) return undefined;
  // In soccer a 3-way moneyline is the moneyline.
  const own = lexiconIn(sport)
    .get(keyOf(name))
    ?.find(({ kind }) => kind === 'market')?.value;
  return marketOf(sport, own === undefined || marketIn(sport, own) === undefined ? name : own);
}

function marketOf(sport: string, market: string): MarketMeant {
  const declared = marketIn(sport, market);
  if (declared !== undefined)
    return { kind: 'market', market, subject: declared.gradedBy === 'stat' ? 'player' : 'none' };
  const about = marketNamed(market)?.gradedBy === 'stat' ? 'player' : aboutOf(market);
  return {
    kind: 'market',
    market,
    subject: about === undefined || about === 'competition' ? 'question' : about,
  };
}

/** A part of a name: its possible meanings, none for unknown words; or a number. */
interface Item {
  words: readonly string[];
  lexemes: readonly Lexeme[];
  number?: number;
}

const joiners = new Set('and by the of for in on at to a an von der de del e y und'.split(' '));

/** Splits a name into the longest phrases that the sport knows. */
function itemsOf(sport: string, written: string, kinds?: readonly Lexeme['kind'][]): Item[] {
  const lexicon = lexiconIn(sport);
  const words =
    plainLetters(written.replaceAll('½', '.5').replace(/[\u2212\u2013]/g, '-')).match(
      /(?:over|under|[ou])(?=\d+\.\d)|[+-]?\d*[.,]?\d+(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu,
    ) ?? [];
  const items: Item[] = [];
  for (let at = 0; at < words.length; ) {
    let to = Math.min(words.length, at + longestPhrase);
    let lexemes: readonly Lexeme[] = [];
    for (; to > at; to -= 1) {
      lexemes = (lexicon.get(keyOf(words.slice(at, to).join(' '))) ?? []).filter(({ kind, short }) =>
        kinds === undefined ? !short : kinds.includes(kind),
      );
      if (lexemes.length > 0) break;
    }
    // `Games` counts those of a series, except in tennis; a game is the whole match.
    if (kinds === undefined && to === at + 1 && words[at] === 'games' && sport !== 'tennis')
      lexemes = [{ kind: 'scope', value: '', short: false }];
    const number = Number(words[at]!.replace(',', '.'));
    const part = words.slice(at, Math.max(to, at + 1));
    if (lexemes.length === 0 && !Number.isNaN(number)) items.push({ words: part, lexemes, number });
    else if (lexemes.length > 0 || !joiners.has(words[at]!)) items.push({ words: part, lexemes });
    at += part.length;
  }
  return items;
}

const has = (item: Item, kind: Lexeme['kind']) => item.lexemes.some((each) => each.kind === kind);
const valuesOf = (item: Item, kind: Lexeme['kind']) =>
  item.lexemes.flatMap((each) => (each.kind === kind ? [each.value] : []));

/** Words around a player's statistic that change nothing. Points in overtime always count. */
const aroundStatistics = new Set('total player over under o u ou scored inc incl ot overtime'.split(' '));

/** Reads a statistic of a player, or a sum of several in any order. */
const ofPlayer = remembering((sport: string, written: string, line: number | null): Meant | undefined => {
  const items = itemsOf(sport, written, ['stat', 'period', 'filler', 'refused']).filter(
    (item) =>
      !(has(item, 'filler') && !has(item, 'stat')) && !item.words.every((word) => aroundStatistics.has(word)),
  );
  const period = items.find((item) => has(item, 'period') && !has(item, 'stat'));
  const stats = items.filter((item) => item !== period);
  if (stats.length === 0 || stats.some((item) => !has(item, 'stat'))) return undefined;
  const found = sumOf(stats.map((item) => valuesOf(item, 'stat')));
  const part = period === undefined ? undefined : (valuesOf(period, 'period')[0] as Period);
  const all = part === undefined ? found : found.flatMap((market) => inPeriod(sport, market, part) ?? []);
  const usual = line === null ? all : byLine(sport, all, line);
  return several(usual.map((market): MarketMeant => ({ kind: 'market', market, subject: 'player' })));
});

/** Returns the markets of players that words name in a sport. */
export function statisticsMeant(sport: string, text: string): readonly string[] {
  const found = ofPlayer(sport, text, null);
  const all = found?.kind === 'several' ? found.markets : found?.kind === 'market' ? [found] : [];
  return all.flatMap(({ market, subject }) =>
    subject === 'player' && (marketIn(sport, market) ?? knownMarket(market)) !== undefined ? [market] : [],
  );
}

/** Returns the markets of a sum of statistics, each written in words that can mean several. */
function sumOf(stats: readonly (readonly string[])[]): string[] {
  if (stats.length === 1) return [...stats[0]!];
  const known = Object.entries(sums).filter(([, summands]) => {
    const parts = summands.split(' ');
    return parts.length === stats.length && parts.every((part) => stats.some((each) => each.includes(part)));
  });
  if (known.length > 0) return known.map(([market]) => market);
  const slug = `player_${stats.map(([first]) => first!.replace(/^(?:player|batter|pitcher)_/, '')).join('_')}`;
  return slug.length > 40 ? [] : [slug];
}

/** Keeps the statistics for which a line is usual. */
export function byLine(sport: string, markets: readonly string[], line: number): readonly string[] {
  const usual = markets.filter((market) => isStatLine(sport, market, line) && isUsualLine(market, line));
  return usual.length === 0 ? markets : usual;
}

function several(markets: readonly MarketMeant[]): Meant | undefined {
  return markets.length > 1 ? { kind: 'several', markets } : markets[0];
}

/** Reads the name of a game's market: a market, a part of the game, a side, and a line, in any order. */
const ofGame = remembering((sport: string, written: string, line: number | null): Meant | undefined => {
  const items = itemsOf(sport, written);
  const refused = items.find((item) => has(item, 'refused') && !has(item, 'market'));
  if (refused !== undefined)
    return {
      kind: 'refused',
      reason: `${JSON.stringify(refused.words.join(' '))} ${valuesOf(refused, 'refused')[0]}`,
    };
  const unknown = items.filter((item) => item.lexemes.length === 0 && item.number === undefined);
  const isMarket = items.some((item) =>
    ['market', 'stat', 'unit', 'pair', 'scope'].some((kind) => has(item, kind as 'market')),
  );
  if (unknown.length > 0) {
    const suggestion = mistyped(sport, items);
    if (suggestion !== undefined) return { kind: 'misspelled', market: suggestion };
    return isMarket ? slugMeant(written) : undefined;
  }
  const periods = items.filter((item) => has(item, 'period') && !has(item, 'market'));
  const [period] = periods.flatMap((item) => valuesOf(item, 'period')) as Period[];
  const [side, ...sides] = new Set(items.flatMap((item) => valuesOf(item, 'side')));
  const [team, ...teams] = new Set(items.flatMap((item) => valuesOf(item, 'team'))) as Set<'home' | 'away'>;
  const named = items.filter((item) => has(item, 'market') || has(item, 'stat') || has(item, 'unit'));
  const isConflict = periods.length > 1 || sides.length > 0 || teams.length > 0;
  if (isConflict || items.some((item) => has(item, 'scope') && !has(item, 'market')))
    return slugMeant(written);
  if (named.length === 0) {
    if (side === 'over' || side === 'under' || items.some((item) => has(item, 'pair')))
      named.push({ words: [], lexemes: [{ kind: 'market', value: 'total', short: false }] });
    else if (side === 'draw')
      named.push({ words: [], lexemes: [{ kind: 'market', value: 'moneyline', short: false }] });
    else return period === undefined ? undefined : { kind: 'period', period };
  }
  const some = candidates(named, period);
  if (some === undefined) return slugMeant(written);
  // `Home win` is about the match, and not about a tournament.
  const ofTeam = some.filter((market) => team === undefined || marketNamed(market) !== undefined);
  const all = ofTeam.length > 0 ? ofTeam : some;
  if (items.some(({ words }) => words[0] === 'player') && !named.some((item) => has(item, 'stat')))
    return slugMeant(written);
  const numbers = items.flatMap(({ number }) => number ?? []);
  const found = (line === null ? all : byLine(sport, all, line)).map((market): MarketMeant | undefined => {
    const own = team !== undefined && market === 'total' ? 'team_total' : market;
    const whole = period === undefined ? own : inPeriod(sport, own, period);
    if (whole === undefined) return undefined;
    const meaning = marketOf(sport, whole);
    const points = pointsOf(numbers);
    // `BTTS and over 2.5` is neither of the two.
    const shape = shapeOf(sport, own);
    const isTotal = shape === undefined || /^(?:overUnder|teamOverUnder|other)$/.test(shape);
    if (!isTotal && (side === 'over' || side === 'under')) return undefined;
    if (numbers.length > 0 && (points === undefined || knownMarket(own)?.shape === 'other')) return undefined;
    const isTeams =
      team !== undefined &&
      side === undefined &&
      (marketSides(own, 3)?.includes(team) ?? knownMarket(own)?.shape === 'team');
    if (team !== undefined && !isTeams && own !== 'team_total') return undefined;
    return {
      ...meaning,
      ...(own === 'team_total' && team !== undefined ? { team } : {}),
      ...(isTeams ? { side: team } : side === undefined ? {} : { side }),
      ...(points === undefined ? {} : { line: points }),
    };
  });
  return found.includes(undefined) ? slugMeant(written) : several(found as MarketMeant[]);
});

/** Returns the markets on which all parts of a name agree; undefined if there is none. */
function candidates(named: readonly Item[], period: Period | undefined): string[] | undefined {
  let found: string[] | undefined;
  for (const item of named) {
    const markets = valuesOf(item, 'market');
    const stats = valuesOf(item, 'stat');
    if (markets.length === 0 && has(item, 'unit')) {
      if (found !== undefined) {
        if (!found.every((market) => ['total', 'team_total', 'spread', 'handicap'].includes(market)))
          return undefined;
        continue;
      }
      const isOnly = named.length === 1 && period === undefined;
      found = isOnly && stats.length > 0 ? ['total', ...stats] : ['total'];
      continue;
    }
    const own = markets.length > 0 ? markets : stats;
    if (found === undefined) found = own;
    else if (markets.length === 0 && found.every((market) => market === 'total')) found = own;
    else {
      const both = found.filter((market) => own.includes(market));
      if (both.length === 0) return undefined;
      found = both;
    }
  }
  return found;
}

/** Returns the line of a name: a number, or the quarter line between two adjacent half lines. */
function pointsOf(numbers: readonly number[]): number | undefined {
  const [one, two] = numbers;
  if (one === undefined || numbers.length > 2 || (one * 4) % 1 !== 0) return undefined;
  if (two === undefined) return one + 0;
  const other = one < 0 && two > 0 ? -two : two;
  return Math.abs(one - other) === 0.5 ? (one + other) / 2 : undefined;
}

/** Returns the undeclared market with a name's own words: `win_both_halves`. */
function slugMeant(written: string): MarketMeant | undefined {
  const words =
    plainLetters(written.replace(/[\u2212\u2013]/g, '-')).match(
      /(?<![\p{L}\p{N}])[+-]?\d+(?:[.,]\d+)?(?![\p{L}\p{N}.-])|[\p{L}\p{N}.-]+/gu,
    ) ?? [];
  // The line of `Asian Corners 9.5` is no part of its name.
  const lines = words.filter((word) => /^[+-]\d+$|^[+-]?\d+[.,](?:0|25|5|75)$/.test(word));
  const points = lines.length === 1 && words.length > 1 ? Number(lines[0]!.replace(',', '.')) : undefined;
  const slug = (points === undefined ? words : words.filter((word) => word !== lines[0]))
    .join('_')
    // A period separates words, as in `B.su`.
    .replace(/\.+(?=[a-z0-9])/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, 40);
  if (!/^[a-z0-9]/.test(slug)) return undefined;
  return {
    kind: 'market',
    market: slug,
    subject: 'question',
    ...(points === undefined ? {} : { line: points }),
  };
}

/** Returns the market that a name with unknown words resembles. */
function mistyped(sport: string, items: readonly Item[]): string | undefined {
  if (items.every(({ words, lexemes }) => lexemes.length > 0 || words.join('').length < 3)) return undefined;
  const period = items.find((item) => has(item, 'period'));
  const part = period === undefined ? undefined : (valuesOf(period, 'period')[0] as Period);
  const key = (some: readonly Item[]) => some.flatMap(({ words }) => words.map(singular)).join('');
  const fillerless = items.filter(
    (item) =>
      item !== period && !has(item, 'filler') && !item.words.every((word) => aroundStatistics.has(word)),
  );
  const isUnknown = fillerless.some(({ lexemes }) => lexemes.length === 0);
  const [whole, bare] = [key(items), key(fillerless)];
  for (const [word, lexemes] of lexiconIn(sport)) {
    const [lexeme] = lexemes;
    if (word.length < shortestMistyped || !/^(?:market|stat|pair)$/.test(lexeme!.kind) || lexeme!.short)
      continue;
    const market = lexeme!.value;
    if (isMistyped(whole, word)) return market;
    if (!isUnknown || !isMistyped(bare, word)) continue;
    const inPart = part === undefined ? market : inPeriod(sport, market, part);
    if (inPart !== undefined) return inPart;
  }
  return undefined;
}

/** Reports whether a name is a market's with one wrong letter. Digits must match: `2h` is not `1h`. */
function isMistyped(text: string, word: string): boolean {
  return isOneEdit(text, word) && text.replace(/\D/g, '') === word.replace(/\D/g, '');
}

/** Sides that only their own market decides, in every sport, and in soccer, where the home team comes first. */
const shortSides: Readonly<Record<string, string>> = { h: 'home', a: 'away', d: 'draw' };
const soccerSides: Readonly<Record<string, string>> = { ...shortSides, 1: 'home', x: 'draw', 2: 'away' };

/** Returns the side that a word means. Of a word without a meaning, its key. */
function sideWord(sport: string | undefined, written: string): string {
  const key = keyOf(written);
  const side = lexiconIn(sport ?? '')
    .get(key)
    ?.find(({ kind }) => kind === 'side' || kind === 'team')?.value;
  return (sport === 'soccer' ? soccerSides : shortSides)[key] ?? side ?? key;
}

/** Reads a written side. An unknown side becomes a slug by changing only case and spaces. */
export function sideMeant(
  sport: string | undefined,
  { market, team, side: named }: Pick<MarketMeant, 'market' | 'team' | 'side'>,
  written: string,
): string {
  const sides = written.length > longest ? null : marketSides(market, 3);
  const side = sideWord(sport, written);
  // `NRFI: no` is a bet on a run.
  if (/^(?:over|under)$/.test(named ?? '') && /^(?:yes|no)$/.test(side))
    return (side === 'yes') === (named === 'over') ? 'over' : 'under';
  return sides?.find((each) => keyOf(each) === `${team ?? ''}${keyOf(side)}`) ?? slugOf(written);
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
  return ({ over: 'yes', under: 'no' } as const)[sideWord(sport, written)];
}

/** Returns a name as a slug, changing only case and spaces. */
export function slugOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, '_');
}
