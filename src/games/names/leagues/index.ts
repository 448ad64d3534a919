import { nameKey } from '../../../rules/plain-name.ts';
import { college } from './college.ts';
import { mlb } from './mlb.ts';
import { nba } from './nba.ts';
import { nfl } from './nfl.ts';
import { nhl } from './nhl.ts';
import { soccer } from './soccer.ts';
import { wnba } from './wnba.ts';

/** A team, with every name that stands for it, its full one first. */
export interface LeagueTeam {
  name: string;
  names: readonly string[];
  /** No longer plays under this name, nor as another team that is listed. */
  former: boolean;
}

export interface League {
  /** No other teams play in it. */
  closed: boolean;
  teams: readonly LeagueTeam[];
}

/**
 * A league's file has a team a line, `City/Nickname: other names`: abbreviations of providers, short and former names. A nickname alone, and a
 * city where no other team has it, name the team as well, unless the league is of colleges, whose nicknames repeat.
 */
const sources: Readonly<Record<string, { closed: boolean; text: string; nicknames: boolean }>> = {
  nba: { closed: true, text: nba, nicknames: true },
  nfl: { closed: true, text: nfl, nicknames: true },
  mlb: { closed: true, text: mlb, nicknames: true },
  nhl: { closed: true, text: nhl, nicknames: true },
  wnba: { closed: true, text: wnba, nicknames: true },
  ncaaf: { closed: false, text: college, nicknames: false },
  ncaab: { closed: false, text: college, nicknames: false },
  soccer: { closed: false, text: soccer, nicknames: false },
};

/** Other ways to write a city, in front of a nickname too. */
const cities: Readonly<Record<string, readonly string[]>> = {
  'Golden State': ['GS'],
  'Green Bay': ['GB'],
  'Kansas City': ['KC'],
  'Las Vegas': ['LV', 'Vegas'],
  'Los Angeles': ['LA'],
  'New England': ['NE'],
  'New Jersey': ['NJ'],
  'New Orleans': ['NO'],
  'New York': ['NY'],
  'Oklahoma City': ['OKC', 'Oklahoma'],
  Philadelphia: ['Philly'],
  'San Antonio': ['SA'],
  'San Diego': ['SD'],
  'San Francisco': ['SF'],
  'San Jose': ['SJ'],
  'St. Louis': ['Saint Louis'],
  'Tampa Bay': ['TB', 'Tampa'],
  Washington: ['Washington DC', 'DC'],
};

/** The league of a sport; undefined for sports of persons. */
export function leagueOf(sport: string): League | undefined {
  const source = Object.hasOwn(sources, sport) ? sources[sport] : undefined;
  if (source === undefined) return undefined;
  const known = parsed.get(sport);
  if (known !== undefined) return known;
  const league = { closed: source.closed, teams: teamsOf(source.text, source.nicknames) };
  parsed.set(sport, league);
  return league;
}

const parsed = new Map<string, League>();

export const sportsWithTeams = Object.keys(sources);

interface Line {
  former: boolean;
  city: string;
  nickname: string;
  others: string[];
}

function teamsOf(text: string, nicknames: boolean): LeagueTeam[] {
  const lines = text.trim().split('\n').map(lineOf);
  const said = lines.map((line) => [fullName(line), ...line.others]);
  const derived = lines.map((line) => derivedNames(line, nicknames));
  // A name that follows for two teams, or that one of them is given, names none of the others.
  const counts = new Map<string, number>();
  for (const names of derived)
    for (const key of new Set(names.map(nameKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const given = new Set(said.flat().map(nameKey));
  return lines.map((line, at) => ({
    name: fullName(line),
    former: line.former,
    names: [
      ...said[at]!,
      ...derived[at]!.filter((name) => counts.get(nameKey(name)) === 1 && !given.has(nameKey(name))),
    ],
  }));
}

function lineOf(text: string): Line {
  const [head = '', others = ''] = text.split(/:(?: |$)/);
  const former = head.startsWith('former ');
  const [city = '', nickname = ''] = head.replace(/^former /, '').split('/');
  return { former, city, nickname, others: others === '' ? [] : others.split(', ') };
}

function fullName({ city, nickname }: Line): string {
  return `${city} ${nickname}`.trim();
}

function derivedNames({ city, nickname, others }: Line, nicknames: boolean): string[] {
  if (nickname === '') return [];
  if (!nicknames) return [city, ...universityNames(city)];
  const places = [city, ...(cities[city] ?? [])].filter((place) => place !== '');
  const short = others.filter((name) => /^[A-Z]{2,4}$/.test(name));
  // `LA Clippers`, `KC Chiefs`, `PHI Eagles`.
  return [nickname, ...places, ...[...places, ...short].map((place) => `${place} ${nickname}`)];
}

/** `University of Nevada`, `Duke University`: how colleges call themselves in their own calendars. `Iowa St`: how scoreboards shorten them. */
function universityNames(place: string): string[] {
  const short = place.endsWith(' State') ? [place.replace(/ State$/, ' St')] : [];
  return [`University of ${place}`, `${place} University`, ...short].filter(
    (name) => !otherColleges.has(name),
  );
}

/** Colleges that are not those of the place that their name begins with. */
const otherColleges: ReadonlySet<string> = new Set([
  'California University',
  'Miami University',
  'Washington University',
]);
