import { nameKey } from '../../../rules/plain-name.ts';
import { college } from './college.ts';
import { mlb } from './mlb.ts';
import { nba } from './nba.ts';
import { nfl } from './nfl.ts';
import { nhl } from './nhl.ts';
import { soccer } from './soccer.ts';
import { wnba } from './wnba.ts';

/** A team with all of its names, the full one first. */
export interface LeagueTeam {
  name: string;
  names: readonly string[];
  /** Whether it stopped playing under this name and does not continue as another listed team. */
  former: boolean;
}

export interface League {
  /** Whether no other teams play in it. */
  closed: boolean;
  teams: readonly LeagueTeam[];
}

/**
 * A league's file has one team per line, `City/Nickname: other names`: providers' abbreviations, short names, and former names. A nickname
 * also names the team on its own, and so does a city with a single team. College leagues are an exception, because their nicknames repeat.
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

/** Other names of cities, also used before nicknames. */
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

/** Returns the league of a sport; undefined for sports of persons. */
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
  const own = lines.map((line) => [fullName(line), ...line.others]);
  const derived = lines.map((line) => derivedNames(line, nicknames));
  // Drops a derived name that fits two teams, or that another team is given.
  const counts = new Map<string, number>();
  for (const names of derived)
    for (const key of new Set(names.map(nameKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const given = new Set(own.flat().map(nameKey));
  return lines.map((line, at) => ({
    name: fullName(line),
    former: line.former,
    names: [
      ...own[at]!,
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
  const cityNames = [city, ...(cities[city] ?? [])].filter((name) => name !== '');
  const short = others.filter((name) => /^[A-Z]{2,4}$/.test(name));
  // `LA Clippers`, `KC Chiefs`, `PHI Eagles`.
  return [nickname, ...cityNames, ...[...cityNames, ...short].map((name) => `${name} ${nickname}`)];
}

/**
 * Returns the names that colleges use in their own calendars (`University of Nevada`, `Duke University`) and that scoreboards shorten
 * (`Iowa St`).
 */
function universityNames(place: string): string[] {
  const short = place.endsWith(' State') ? [place.replace(/ State$/, ' St')] : [];
  return [`University of ${place}`, `${place} University`, ...short].filter(
    (name) => !otherColleges.has(name),
  );
}

/** Colleges whose names begin like that of another school. */
const otherColleges: ReadonlySet<string> = new Set([
  'California University',
  'Miami University',
  'Washington University',
]);
