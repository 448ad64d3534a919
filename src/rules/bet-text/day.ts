import type { MoneylineWays } from '../markets/market.ts';
import { ownValue } from '../own-value.ts';
import { isOneEdit, nameKey, plainWords } from '../plain-name.ts';

export interface BetGame {
  sport: string;
  /** Title. With sport and start, it identifies the game. */
  game: string;
  /** First announced start, in epoch milliseconds. */
  startsAt: number | null;
  away: Opponent;
  home: Opponent;
  /** Known players. Other names can also be players of the game. */
  players: readonly { name: string; names?: readonly string[] }[];
  moneylineWays: MoneylineWays;
}

export interface Opponent {
  name: string;
  /** All names, including the full one. */
  names: readonly string[];
}

export type Role = 'away' | 'home' | 'player';

/** The meaning of a name in a game. `sure`: nothing else in the sport has that name. */
export interface Named {
  game: number;
  role: Role;
  name: string;
  sure: boolean;
}

/** The games of a day, with an index of their names. */
export interface Day {
  games: readonly BetGame[];
  /** Sports of the games. */
  sports: readonly string[];
  /** Maximum number of words in a name. */
  longest: number;
  find(words: string): readonly Named[];
  /** Returns the meanings of names that differ from a word by one letter. */
  similar(word: string): readonly Named[];
}

/** Sports in which the opponents are people. */
const personSports: ReadonlySet<string> = new Set(['tennis', 'mma']);

const maxWords = 6;

export function dayOf(games: readonly BetGame[]): Day {
  const before = days.get(games);
  if (before !== undefined) return before;
  const names = new Map<string, Named[]>();
  const add = (text: string, named: Named) => {
    const key = nameKey(text);
    if (key === '') return;
    const all = names.get(key);
    const same = all?.find(
      ({ game, role, name }) => game === named.game && role === named.role && name === named.name,
    );
    if (same !== undefined) same.sure ||= named.sure;
    else if (all === undefined) names.set(key, [{ ...named }]);
    else all.push({ ...named });
  };
  games.forEach((each, game) => {
    for (const role of ['away', 'home'] as const) {
      const { name, names: all } = each[role];
      const isPerson = personSports.has(each.sport);
      for (const each of isPerson ? [name, ...all].flatMap(namesOfPerson) : [name, ...all])
        add(each, { game, role, name, sure: !sharedCodes.has(each) });
      for (const unsure of isPerson ? firstNames(name) : partsOfTeam(name))
        add(unsure, { game, role, name, sure: false });
    }
    for (const { name, names: all = [] } of each.players) {
      for (const sure of [name, ...all].flatMap(namesOfPerson))
        add(sure, { game, role: 'player', name, sure: true });
      for (const unsure of firstNames(name)) add(unsure, { game, role: 'player', name, sure: false });
    }
  });
  const long = [...names.keys()].filter((key) => key.length >= 5);
  const day: Day = {
    games,
    sports: [...new Set(games.map(({ sport }) => sport))],
    longest: maxWords,
    find: (words) => names.get(nameKey(words)) ?? [],
    similar(word) {
      const key = nameKey(word);
      if (key.length < 5 || key.length > 40) return [];
      return long.flatMap((each) => (isOneEdit(key, each) ? names.get(each)! : []));
    },
  };
  days.set(games, day);
  return day;
}

const days = new WeakMap<readonly BetGame[], Day>();

const suffix = /^(?:jr|sr|ii|iii|iv)$/;

/** Returns the ways to write a person's name: in full, by surname, with an initial before or after the surname, and surname first. */
function namesOfPerson(name: string): string[] {
  const words = plainWords(name);
  const core = suffix.test(words.at(-1)!) && words.length > 2 ? words.slice(0, -1) : words;
  const [first = '', ...rest] = core;
  if (rest.length === 0) return [name];
  const last = rest.join(' ');
  return [
    name,
    core.join(' '),
    last,
    rest.at(-1)!,
    `${first[0]} ${last}`,
    `${last} ${first[0]}`,
    `${last} ${first}`,
  ];
}

function firstNames(name: string): string[] {
  const [first = '', ...rest] = plainWords(name);
  return rest.length === 0 || first.length < 3 ? [] : [first];
}

/** Codes of cities with several teams in a sport. Leagues that have one team there use the code for it. */
const cityCodes: Readonly<Record<string, string>> = { 'los angeles': 'LA', 'new york': 'NY' };
const sharedCodes: ReadonlySet<string> = new Set(Object.values(cityCodes));

/** Returns the parts of a team's name that other teams may share: its city and its last words. */
function partsOfTeam(name: string): string[] {
  const words = plainWords(name);
  return [words.slice(0, -1), words.slice(0, -2), words.slice(-1), words.slice(-2)]
    .filter((part) => part.length > 0 && part.length < words.length)
    .map((part) => part.join(' '))
    .filter((part) => part.length > 2)
    .flatMap((part) => [part, ownValue(cityCodes, part) ?? []].flat());
}
