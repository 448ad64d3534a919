import { findCappers } from '../../cappers/cappers.ts';
import { sportsWithTeams } from '../../games/names/league-files.ts';
import { marketNamed } from '../../rules/markets/index.ts';
import { meant } from '../../rules/markets/meant.ts';
import { longestSportWord, sportMeant } from '../../rules/sport-words.ts';
import type { BoardContext } from '../endpoint.ts';
import { marketName } from '../formats/pick-text.ts';
import { wordsOf } from './words.ts';

/** A page of the site that the words of a query lead to. */
export interface FoundPage {
  title: string;
  /** With its query. */
  path: string;
}

/** The meaning of a query's words, and those that may be names. */
export interface Topics {
  sports: string[];
  market?: string;
  tier?: string;
  asked: Set<Asked>;
  names: string[];
}

type Asked = 'record' | 'clv' | 'units' | 'cappers' | 'day' | 'streaks' | 'sharp' | 'pod';

const phrases: Readonly<Record<Asked, string>> = {
  record: 'best|top|leaders|leaderboard|ranking|rankings|standings|winners|proven|promising',
  clv: 'clv|closing line value|closing line|edge|beat the close',
  units: 'units|profit|profits|net units|roi|yield',
  cappers: 'capper|cappers|handicapper|handicappers|tipster|tipsters|who to follow|follow',
  day: 'today|tonight|tonights|todays|now|upcoming|games|schedule',
  streaks: 'streak|streaks|winning streak|winning streaks|hot|hot streak|hot streaks',
  sharp: 'consensus|sharp|sharps|sharp money|sharp consensus|sharp picks',
  pod: 'pick of the day|pod|potd|best bet',
};
const askedBy = new Map(
  (Object.entries(phrases) as [Asked, string][]).flatMap(([asked, words]) =>
    words.split('|').map((phrase): [string, Asked] => [phrase, asked]),
  ),
);
const tiers = new Map([
  ['elite', 'elite'],
  ['verified sharp', 'verified_sharp'],
  ['verified sharps', 'verified_sharp'],
  ['listed', 'listed'],
]);
const fillers = new Set('in for the on of by pick picks bet bets a is who'.split(' '));

/** Maximum number of sports that one word may lead to: `football` means three. */
const maxSports = 3;

/** Reads the sport, market, tier, and day that a query asks for, in any order. The longest phrase decides. */
export function topicsOf(text: string): Topics {
  const topics: Topics = { sports: [], asked: new Set(), names: [] };
  const words = wordsOf(text);
  for (let at = 0; at < words.length; ) {
    const length = lengthsFrom(words.length - at).find((each) =>
      isTopic(topics, words.slice(at, at + each).join(' ')),
    );
    if (length === undefined) topics.names.push(words[at]!);
    at += length ?? 1;
  }
  readMarket(topics);
  return topics;
}

const lengthsFrom = (left: number) =>
  [4, 3, 2, 1].filter((length) => length <= Math.min(left, longestSportWord));

/** Notes what a phrase asks for. @returns false for a name or market */
function isTopic(topics: Topics, phrase: string): boolean {
  const sports =
    topics.sports.length === 0
      ? sportMeant(phrase, sportsWithTeams())?.sports.slice(0, maxSports)
      : undefined;
  const tier = tiers.get(phrase);
  const asked = askedBy.get(phrase);
  if (sports !== undefined && sports.length > 0) topics.sports = sports;
  else if (tier !== undefined) topics.tier ??= tier;
  else if (asked !== undefined) topics.asked.add(asked);
  else return fillers.has(phrase);
  return true;
}

/** Takes a declared market out of the words that may be names. Beside a name, `points` are a player's. */
function readMarket(topics: Topics): void {
  const { names, sports } = topics;
  for (let length = Math.min(names.length, 4); length > 0; length -= 1)
    for (let at = 0; at + length <= names.length; at += 1) {
      const phrase = names.slice(at, at + length).join(' ');
      const found = meant(phrase, { sport: sports[0], hasSubject: names.length > length });
      const market = (found?.kind === 'several' ? found.markets : [found]).find(
        (each) =>
          each?.kind === 'market' && each.side === undefined && marketNamed(each.market) !== undefined,
      );
      if (market?.kind !== 'market') continue;
      topics.market = market.market;
      names.splice(at, length);
      return;
    }
}

/** Returns the pages that answer a query, best first; none if it has only names. */
export function pagesFor(
  { sports, market, tier, asked }: Topics,
  known: BoardContext['sports'],
): FoundPage[] {
  const keys = sports.filter((key) => known.has(key));
  const pages: FoundPage[] = [];
  const order = (['clv', 'units'] as const).find((each) => asked.has(each));
  const ranks = asked.has('record') || asked.has('cappers') || order !== undefined || market !== undefined;
  const label = (key: string | undefined) => known.get(key ?? '')?.label;
  const add = (path: string, title: string, query: Record<string, string | undefined> = {}) => {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    pages.push({ title, path: given.length === 0 ? path : `${path}?${new URLSearchParams(given)}` });
  };
  for (const sport of keys.length === 0 ? [undefined] : keys) {
    const ofTier = tier && `${tier.replace('_', ' ')} tier`;
    if (sport !== undefined && market !== undefined)
      add(
        `/market/${sport}/${market}`,
        `${label(sport)}, ${marketName(market)}: consensus, cappers, and picks`,
      );
    const by = order && { clv: 'by closing prices', units: 'by units' }[order];
    if (ranks || (tier !== undefined && sport !== undefined))
      add('/leaderboard', titled('Best cappers', [label(sport), market && marketName(market), ofTier, by]), {
        by: order,
        sport,
        market,
        tier,
      });
    if (tier !== undefined || asked.has('cappers'))
      add('/cappers', titled('All cappers', [label(sport), ofTier]), { sport, tier });
    if (sport !== undefined) add(`/sport/${sport}`, `${label(sport)}: today’s games, leaders, and record`);
  }
  if (asked.has('pod')) add('/pod', 'Pick of the Day');
  if (asked.has('sharp')) add('/sharp', 'Sharp consensus');
  if (asked.has('streaks')) add('/sharp', 'Winning streaks');
  if (asked.has('day') && keys.length === 0) add('/', 'Today’s games and picks');
  return pages;
}

/** Returns the page that compares the two cappers of a query such as `ada vs bob`. */
export async function comparisonIn(database: BoardContext['database'], text: string): Promise<FoundPage[]> {
  const handles = /^([\w-]{2,32}) (?:vs?\.?|versus|and|or) ([\w-]{2,32})$/.exec(text)?.slice(1) ?? [];
  if (handles.length === 0 || (await findCappers(database, handles)).size < 2) return [];
  return [{ title: `${handles.join(' and ')}, side by side`, path: `/vs/${handles.join('/')}` }];
}

const titled = (title: string, parts: readonly (string | undefined)[]) =>
  [title, parts.filter((part) => part !== undefined).join(', ')].filter((part) => part !== '').join(': ');
