import { plainName } from '../../rules/plain-name.ts';
import { leagueOf } from './leagues/index.ts';
import { gameTitle, opponentsKey, type Teams } from './teams.ts';
import { type Fixture, readFixture } from './title.ts';

/**
 * An event in the words of a game's title, home and away as the event has them; undefined where its opponents are others. Another spelling,
 * an alias, and a swap of home and away are no other opponents: docs/rules/teams.md#other-opponents.
 */
export function inWordsOf<E extends Fixture>(event: E, title: string, teams: Teams): E | undefined {
  const ours = readFixture(title, teams.sport);
  if (ours === undefined) return gameTitle(event, teams) === title ? event : undefined;
  const key = opponentsKey(ours, teams);
  if (opponentsKey(event, teams) === key) return event;
  // What a title drops from a name, such as a remark, says nothing of the opponents.
  const read = readFixture(gameTitle(event, teams), teams.sport);
  if (read !== undefined && opponentsKey(read, teams) === key) return { ...event, ...read };
  const { away, home } = event;
  const turned = { away: ours.home, home: ours.away };
  const same = [ours, turned].find(
    (each) => isSpelling(away, each.away, teams) && isSpelling(home, each.home, teams),
  );
  return same === undefined ? undefined : { ...event, ...same };
}

/** Names the pair of opponents of a game: the same in either order, and in every spelling that the league or an alias knows. */
export function pairOf({ sport, name }: { sport: string; name: string }, teams: Teams): string {
  const fixture = readFixture(name, sport);
  return `${sport}\n${fixture === undefined ? plainName(name) : opponentsKey(fixture, teams)}`;
}

/** Whether two names are spellings of one. Two names that the league or the operator knows are what these say. */
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

/** What a name may have or lack: suffixes of people, kinds of clubs. */
const additions = new Set('jr sr ii iii iv club ac as bk ca cd fk if kv sk ss ssc sv ud us'.split(' '));

function wordsOf(name: string): string[] {
  const words = plainName(name).split(' ');
  const core = words.filter((word) => !additions.has(word));
  return core.length > 0 ? core : words;
}

const sorted = (words: readonly string[]) => words.toSorted().join(' ');

/** `A. Gull`, `Gull A.`, and `Ada Gull`, `Ada Maria Gull` and `Ada Gull`, `Gull` and `Ada Gull`, `Ada Seagull` and `Ada Seegull`. */
function isSamePerson(short: readonly string[], long: readonly string[]): boolean {
  const turned = [initialFirst(short), initialFirst(long)] as const;
  if (turned[0] !== short || turned[1] !== long) return isSamePerson(...turned);
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

/** A name whose initial comes last, with it first. */
function initialFirst(words: readonly string[]): readonly string[] {
  const last = words.at(-1)!;
  return words.length > 1 && last.length === 1 && words[0]!.length > 1
    ? [last, ...words.slice(0, -1)]
    : words;
}

/** Words that make another team of a name. */
const others = /^(?:\d+|u\d+|b|c|ii|w|women|ladies|femenino|feminino|youth|reserves?|state|tech|bissau)$/;

/** `Gulls` and `Gulls Harbor`. */
function isSameClub(short: readonly string[], long: readonly string[]): boolean {
  return (
    short.length < long.length &&
    short.every((word, at) => word === long[at]) &&
    !long.slice(short.length).some((word) => others.test(word))
  );
}

/** Whether one letter is added, left out, or another one. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
