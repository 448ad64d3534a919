import { plainName } from '../../rules/plain-name.ts';
import { leagueOf } from './leagues.ts';
import { gameTitle, opponentsKey, type Teams } from './teams.ts';
import { type Fixture, readFixture } from './title.ts';

/**
 * Returns an event with its opponents named as in a game's title; home and away stay as in the event. Undefined if its opponents differ.
 * Another spelling, an alias, and swapped teams do not count as different (docs/rules/teams.md#other-opponents).
 */
export function inWordsOf<E extends Fixture>(event: E, title: string, teams: Teams): E | undefined {
  const ours = readFixture(title, teams.sport);
  if (ours === undefined) return gameTitle(event, teams) === title ? event : undefined;
  const key = opponentsKey(ours, teams);
  if (opponentsKey(event, teams) === key) return event;
  // A part of a name that titles drop, such as a remark, does not distinguish opponents.
  const read = readFixture(gameTitle(event, teams), teams.sport);
  if (read !== undefined && opponentsKey(read, teams) === key) return { ...event, ...read };
  const { away, home } = event;
  const swapped = { away: ours.home, home: ours.away };
  const same = [ours, swapped].find(
    (each) => isSpelling(away, each.away, teams) && isSpelling(home, each.home, teams),
  );
  return same === undefined ? undefined : { ...event, ...same };
}

/** Returns a key for a game's pair of opponents, equal in either order and in every spelling that the league or an alias knows. */
export function pairOf({ sport, name }: { sport: string; name: string }, teams: Teams): string {
  const fixture = readFixture(name, sport);
  return `${sport}\n${fixture === undefined ? plainName(name) : opponentsKey(fixture, teams)}`;
}

/** Reports whether two names are spellings of the same opponent. The league and the operator decide about names that they know. */
function isSpelling(one: string, other: string, teams: Teams): boolean {
  if (teams.keyOf(one) === teams.keyOf(other)) return true;
  if (teams.knows(one) || teams.knows(other)) return false;
  const [short, long] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  if (sorted(short) === sorted(long)) return true;
  return leagueOf(teams.sport) === undefined ? isSamePerson(short, long) : isSameClub(short, long);
}

/** Words that a name can omit: suffixes of people, and kinds of clubs. */
const additions = new Set('jr sr ii iii iv club ac as bk ca cd fk if kv sk ss ssc sv ud us'.split(' '));

function wordsOf(name: string): string[] {
  const words = plainName(name).split(' ');
  const core = words.filter((word) => !additions.has(word));
  return core.length > 0 ? core : words;
}

const sorted = (words: readonly string[]) => words.toSorted().join(' ');

/**
 * Reports whether two names can be the same person: `A. Gull`, `Gull A.`, and `Ada Gull`; `Ada Maria Gull` and `Ada Gull`; `Gull` and `Ada
 * Gull`; `Ada Seagull` and `Ada Seegull`.
 */
function isSamePerson(short: readonly string[], long: readonly string[]): boolean {
  const reordered = [initialFirst(short), initialFirst(long)] as const;
  if (reordered[0] !== short || reordered[1] !== long) return isSamePerson(...reordered);
  if (short.length === 1) return short[0] === long.at(-1);
  if (short.length < long.length) return short.every((word) => long.includes(word));
  let edits = 0;
  return short.every((word, at) => {
    const other = long[at]!;
    if (word === other) return true;
    if (at < short.length - 1 && (word.startsWith(other) || other.startsWith(word))) return true;
    edits += 1;
    return edits === 1 && word.length >= 5 && isOneEdit(word, other);
  });
}

/** Moves a final initial of a name to the front. */
function initialFirst(words: readonly string[]): readonly string[] {
  const last = words.at(-1)!;
  return words.length > 1 && last.length === 1 && words[0]!.length > 1
    ? [last, ...words.slice(0, -1)]
    : words;
}

/** Words that distinguish another team of the same name. */
const others = /^(?:\d+|u\d+|b|c|ii|w|women|ladies|femenino|feminino|youth|reserves?|state|tech|bissau)$/;

/** Reports whether two names can be the same club: `Gulls` and `Gulls Harbor`. */
function isSameClub(short: readonly string[], long: readonly string[]): boolean {
  return (
    short.length < long.length &&
    short.every((word, at) => word === long[at]) &&
    !long.slice(short.length).some((word) => others.test(word))
  );
}

/** Reports whether two words differ by one added, missing, or replaced letter. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
