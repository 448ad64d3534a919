import { addDays, etDay, etDayStart } from '../../rules/et-day.ts';
import { nameKey, plainName } from '../../rules/plain-name.ts';
import { remembering } from '../../rules/remembering.ts';
import { arePersons } from './league-files.ts';
import { identify, isCode, leagueOf } from './leagues.ts';
import { type Fixture, readFixture } from './title.ts';

/** Teams of a sport and their names (docs/rules/teams.md). */
export interface Teams {
  sport: string;
  /** Whether only known teams play in it. */
  closed: boolean;
  /** Returns a key, equal for all names of a team and for all spellings of an unknown team. */
  keyOf(name: string): string;
  /** Reports whether the league, or the operator, has a team of this name. */
  knows(name: string): boolean;
  fullName(name: string): string;
  namesOf(name: string): readonly string[];
  /** Replaces a code that several clubs have by the name of the club that plays in its opponent's competitions. */
  decoded(fixture: Fixture): Fixture;
}

/** Another name of a team, entered by the operator. */
export interface Alias {
  alias: string;
  team: string;
}

/** Returns the teams of a sport: the league's, plus the operator's aliases, which override names and can add teams. */
export function teamsOf(sport: string, aliases: readonly Alias[] = []): Teams {
  const league = leagueOf(sport);
  const own = new Map(aliases.map(({ alias, team }) => [nameKey(alias), team]));
  const meant = (name: string) => {
    // An operator's alias can name a league's alias. The bound ends cycles.
    for (let step = 0; own.size > 0 && step < 3; step++) {
      const team = own.get(nameKey(name)) ?? own.get(identify(sport, name).key);
      if (team === undefined) break;
      name = team;
    }
    return name;
  };
  const keyOf = (name: string) => identify(sport, meant(name)).key;
  const teamOf = (name: string) => identify(sport, meant(name)).team;
  const added = new Set(aliases.map(({ team }) => keyOf(team)));
  return {
    sport,
    closed: league?.closed ?? false,
    keyOf,
    knows: (name) => teamOf(name) !== undefined || added.has(keyOf(name)),
    fullName: (name) => teamOf(name)?.name ?? name,
    namesOf(name) {
      const key = keyOf(name);
      const given = aliases
        .filter(({ alias }) => keyOf(alias) === key)
        .flatMap(({ alias, team }) => [alias, team]);
      return [...new Set([...(teamOf(name)?.names ?? [name]), ...given])];
    },
    decoded({ away, home }) {
      const [ofAway, ofHome] = [teamOf(away), teamOf(home)];
      if (ofAway !== undefined && ofHome === undefined)
        return { away, home: league!.findBeside(home, ofAway)?.name ?? home };
      if (ofAway === undefined && ofHome !== undefined)
        return { away: league!.findBeside(away, ofHome)?.name ?? away, home };
      return { away, home };
    },
  };
}

/** Returns a key for two opponents, equal in either order. */
export function opponentsKey({ away, home }: Fixture, teams: Teams): string {
  return [teams.keyOf(away), teams.keyOf(home)].sort().join('\n');
}

const hour = 3_600_000;

/** Sports in which the same opponents can meet twice a day. */
const doubleheaderSports: ReadonlySet<string> = new Set(['mlb']);

/** Returns the maximum difference between the start in a file's or operator's row and that of its game, in ms. */
export function similarStartMs(sport: string): number {
  return doubleheaderSports.has(sport) ? 3 * hour : 12 * hour;
}

/** Returns the maximum difference that {@link areOneGame} accepts, in ms. */
export function oneGameMs(sport: string): number {
  return doubleheaderSports.has(sport) ? 3 * hour : 25 * hour;
}

/**
 * Reports whether two starts from sources, for the same opponents, belong to the same game
 * (docs/rules/teams.md#matching-an-event-to-a-game). Epoch milliseconds.
 */
export function areOneGame(sport: string, one: number, other: number): boolean {
  const gap = Math.abs(one - other);
  if (gap >= oneGameMs(sport)) return false;
  return doubleheaderSports.has(sport) || gap <= 12 * hour || etDay(one) === etDay(other);
}

/**
 * Reports whether a start can be that of a game of which only the day is known. The day can be a local one: games in the west end after
 * midnight in New York, and those in other parts of the world can begin on the ET day before.
 * @param startsAt epoch milliseconds
 */
export function isOnDay(sport: string, day: string, startsAt: number): boolean {
  const earlier = sport === 'soccer' || arePersons(sport) ? 14 * hour : 0;
  return startsAt >= etDayStart(day) - earlier && startsAt < etDayStart(addDays(day, 1)) + 6 * hour;
}

/** Returns the minimum difference between the starts of two games of the same opponents in a file's or operator's rows, in ms. */
export function minimumGapMs(sport: string): number {
  return doubleheaderSports.has(sport) ? 2 * hour : 12 * hour;
}

/** Reports whether home and away of a fixture are swapped compared with a game's title. */
export function isSwapped({ away, home }: Fixture, title: string, teams: Teams): boolean {
  const ours = readFixture(title, teams.sport);
  if (ours === undefined) return false;
  const key = teams.keyOf(ours.home);
  return key === teams.keyOf(away) && key !== teams.keyOf(home);
}

/** Returns the name of a new game: `Away @ Home`, with the full names of known teams. */
export function gameTitle({ away, home }: Fixture, teams: Teams): string {
  return `${teams.fullName(away)} @ ${teams.fullName(home)}`;
}

/**
 * Returns a game's name with the full names of known teams, and any other text unchanged. It is equal for all names by which {@link
 * gameTitles} finds the game.
 */
export const canonicalTitle = remembering((sport: string, title: string): string => {
  const teams = teamsOf(sport);
  const fixture = readFixture(title, sport);
  const isKnown = fixture !== undefined && [fixture.away, fixture.home].some(teams.knows);
  return isKnown ? gameTitle(fixture, teams) : title;
}, 5_000);

/** Returns the names under which the game of a title can be stored: the title itself, and those with other names of known teams. */
export function gameTitles(title: string, teams: Teams): string[] {
  const { sport } = teams;
  const fixture = readFixture(title, sport);
  if (fixture === undefined || ![fixture.away, fixture.home].some(teams.knows)) return [title];
  const spellings = (name: string) =>
    teams.namesOf(name).flatMap((each) => [each, each.normalize('NFKD').replace(/\p{M}+/gu, '')]);
  const [aways, homes] = [new Set(spellings(fixture.away)), new Set(spellings(fixture.home))];
  const titles = [...aways].flatMap((away) =>
    [...homes].flatMap((home) => [`${away} @ ${home}`, `${away} at ${home}`, `${home} vs ${away}`]),
  );
  return [...new Set([title, ...titles])];
}

/** Minimum similarities for treating a name as a misspelling, and for suggesting a name. */
const misspelled = 0.7;
const similar = 0.4;

/** Returns up to three full names of a league's teams that resemble a name, most similar first. @param least from 0 to 1 */
export function similarTeams(name: string, sport: string, least = similar): string[] {
  const pairs = pairsOf(name);
  return leaguePairs(sport)
    .map(({ team, pairs: ofTeam }) => ({ team, likeness: likeness(pairs, ofTeam) }))
    .filter(({ likeness }) => likeness >= least)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ team }) => team);
}

/** Returns why a name that looks like a code names no team; undefined if both names can be those of opponents. */
export function unknownCode(fixture: Fixture, teams: Teams): string | undefined {
  if (leagueOf(teams.sport) === undefined) return undefined;
  const code = [fixture.away, fixture.home].find((name) => isCode(name) && !teams.knows(name));
  return code === undefined ? undefined : noTeam(code, teams.sport);
}

/**
 * Returns why a closed league has no such game. Undefined if both teams are known, or if the unknown ones resemble no team of the league.
 * @param isNew whether the game is about to be added: then one known team may have an opponent from elsewhere
 */
export function unknownTeam(fixture: Fixture, teams: Teams, isNew = false): string | undefined {
  if (!teams.closed) return undefined;
  const unknown = [fixture.away, fixture.home].filter((name) => !teams.knows(name));
  // Beside a team of the league, a misspelling is likelier than a guest.
  const least = unknown.length === 1 ? undefined : misspelled;
  const resembling = unknown.find((name) => similarTeams(name, teams.sport, least).length > 0);
  if (resembling === undefined && (isNew || unknown.length !== 1)) return undefined;
  return noTeam(resembling ?? unknown[0]!, teams.sport);
}

/**
 * Returns the message for an unknown team: `nba has no team Celtcs (similar: Boston Celtics)`. For a name in another script, which no
 * league's file contains, it names the command that adds an alias.
 */
export function noTeam(name: string, sport: string): string {
  const near = similarTeams(name, sport);
  const similarText = near.length === 0 ? '' : ` (similar: ${near.join(', ')})`;
  const isOther = /[^\P{L}\p{Script=Latin}]/u.test(name);
  const how = isOther
    ? `; an operator adds it with: npm run cli -- aliases add ${sport} '${name}' '<team>'`
    : '';
  return `${sport} has no team ${plainName(name) === '' ? '-' : name}${similarText}${how}`;
}

/** Counts of each pair of adjacent letters in a name. */
interface Pairs {
  counts: ReadonlyMap<string, number>;
  total: number;
}

function pairsOf(name: string): Pairs {
  const text = nameKey(name);
  const counts = new Map<string, number>();
  const total = Math.max(0, text.length - 1);
  for (let at = 0; at < total; at += 1) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, total };
}

/** Returns the pairs of a league's teams. */
const leaguePairs = remembering((sport: string) =>
  (leagueOf(sport)?.teams ?? []).map(({ name }) => ({ team: name, pairs: pairsOf(name) })),
);

/** Returns Dice's coefficient of two names' letter pairs, from 0 to 1. */
function likeness(one: Pairs, other: Pairs): number {
  let shared = 0;
  for (const [pair, count] of one.counts) shared += Math.min(count, other.counts.get(pair) ?? 0);
  const total = one.total + other.total;
  return total === 0 ? 0 : (2 * shared) / total;
}
