import { readdirSync, readFileSync } from 'node:fs';

/*
 * Leagues, each a file `leagues/*.txt`. The first line says which sports it belongs to and how its names are formed:
 *
 *   sports <key ...> · <clubs | schools | nicknames | people> [· closed] [· competitions <providers' keys ...>]
 *
 * `closed`: no other teams play in it. Indented lines follow. They add a sport to the service, and say how providers list it:
 *
 *   sport <key> · <label> · moneyline <2 | 3, if the draw is a side> · minutes <usual length>
 *   espn <sport> · <path> · ahead <days> [· key <name>] [· periods <all> <first half>] [· groups <id>]
 *   odds-api <sport> · <sport keys ...> [· no scores]
 *   playoffs <months, or none> · <The Odds API's keys of soccer competitions in which only these months have extra time>
 *
 * Each other line is a team, its full name first:
 *
 *   Place/Nickname, another nickname: other names, short names, codes
 *
 * With `nicknames`, a nickname names the team on its own, and so does a place with a single team. With `schools`, every name of a school can
 * stand before every nickname, and the usual abbreviations count. With `clubs`, abbreviations such as FC may be missing. A name after `~`
 * counts only in the file's competitions, as does a code that clubs of several files have. A line after `former` is a team that stopped
 * playing under this name.
 */

const styleNames = ['clubs', 'schools', 'nicknames', 'people'] as const;

export interface LeagueFile {
  sports: readonly string[];
  style: (typeof styleNames)[number];
  closed: boolean;
  competitions: readonly string[];
  /** Sports that it adds to the service. */
  added: readonly AddedSport[];
  espn: readonly EspnLeague[];
  oddsApi: readonly OddsApiLeague[];
  /** Months, 1 for January, in which matches may go to extra time, by key of The Odds API. */
  playoffs: ReadonlyMap<string, readonly number[]>;
  lines: readonly TeamLine[];
}

export interface AddedSport {
  key: string;
  label: string;
  moneylineWays: number;
  eventMinutes: number;
}

/** A league on ESPN's scoreboard. */
export interface EspnLeague {
  /** Its name in `ESPN_LEAGUES` and in its feeds. */
  key: string;
  sport: string;
  /** Its path under `/apis/site/v2/sports/`. */
  path: string;
  /** Number of days ahead to request its schedule for. */
  aheadDays: number;
  /** Query parameters without which answers are incomplete: without a group, only ranked colleges are listed. */
  query?: Readonly<Record<string, string>>;
  /** Periods of regulation and of the first half; absent if it has none. */
  periods?: { all: number; firstHalf: number };
}

/** Sport keys of The Odds API. */
interface OddsApiLeague {
  sport: string;
  keys: readonly string[];
  hasScores: boolean;
}

export interface TeamLine {
  place: string;
  nicknames: string[];
  others: string[];
  former: boolean;
  /** Names that count only in the file's competitions. */
  local: string[];
  file: LeagueFile;
}

/** Parses the file of a league. @throws Error that names the file and a wrong line */
export function readLeague(name: string, text: string): LeagueFile {
  const [first = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const fail = (line: string, what: string): never => {
    throw new Error(`${name}: "${line.trim()}" must have ${what}`);
  };
  const head = fieldsOf(first);
  const style = styleNames.find((each) => head.has(each));
  const sports = head.list('sports');
  if (style === undefined || sports.length === 0)
    throw new Error(`${name}: its first line must name its sports, and one of ${styleNames.join(', ')}`);
  const added: AddedSport[] = [];
  const espn: EspnLeague[] = [];
  const oddsApi: OddsApiLeague[] = [];
  const playoffs = new Map<string, readonly number[]>();
  const teams: string[] = [];
  for (const line of lines) {
    if (!line.startsWith('  ')) {
      teams.push(line);
      continue;
    }
    const fields = fieldsOf(line);
    const [[kind, ...about], [...second] = []] = fields.parts as [string[], string[]];
    const sport = sports.find((each) => each === about[0]);
    if (kind !== 'playoffs' && sport === undefined) fail(line, `one of the sports ${sports.join(', ')}`);
    if (second.length === 0) fail(line, 'a second part after ·');
    if (kind === 'sport') {
      const [moneylineWays, eventMinutes] = [fields.number('moneyline'), fields.number('minutes')];
      if (moneylineWays === undefined || eventMinutes === undefined) fail(line, 'moneyline and minutes');
      added.push({
        key: sport!,
        label: second.join(' '),
        moneylineWays: moneylineWays!,
        eventMinutes: eventMinutes!,
      });
    } else if (kind === 'espn') {
      const [group, [all, firstHalf]] = [fields.list('groups')[0], fields.list('periods').map(Number)];
      espn.push({
        key: fields.list('key')[0] ?? sport!,
        sport: sport!,
        path: second[0]!,
        aheadDays: fields.number('ahead') ?? fail(line, 'ahead'),
        ...(group === undefined ? {} : { query: { groups: group } }),
        ...(all === undefined || firstHalf === undefined ? {} : { periods: { all, firstHalf } }),
      });
    } else if (kind === 'odds-api')
      oddsApi.push({ sport: sport!, keys: second, hasScores: !fields.has('no scores') });
    else if (kind === 'playoffs')
      for (const key of second) playoffs.set(key, about[0] === 'none' ? [] : about.map(Number));
    else fail(line, 'sport, espn, odds-api, or playoffs first');
  }
  const file: LeagueFile = {
    sports,
    style,
    closed: head.has('closed'),
    competitions: head.list('competitions'),
    added,
    espn,
    oddsApi,
    playoffs,
    lines: [],
  };
  return Object.assign(file, { lines: teams.map((line) => teamOf(line, file)) });
}

/** The parts of a line between `·`, each a word with its values. */
function fieldsOf(line: string) {
  const parts = line.split('·').map((part) => part.trim().split(/\s+/));
  const list = (word: string) =>
    parts.find(([first, ...rest]) => first === word && rest.length > 0)?.slice(1) ?? [];
  return {
    parts,
    list,
    has: (words: string) => parts.some((part) => part.join(' ') === words),
    number: (word: string) => (/^\d+$/.test(list(word)[0] ?? '') ? Number(list(word)[0]) : undefined),
  };
}

function teamOf(text: string, file: LeagueFile): TeamLine {
  const [head = '', others = ''] = text.split(/:(?: |$)/);
  const [place = '', names = ''] = head.replace(/^former /, '').split('/');
  const list = (names: string) => (names === '' ? [] : names.split(', '));
  const isLocal = (name: string) => name.startsWith('~');
  return {
    place,
    nicknames: list(names),
    file,
    former: head.startsWith('former '),
    local: list(others).flatMap((name) => (isLocal(name) ? name.slice(1) : [])),
    others: list(others).filter((name) => !isLocal(name)),
  };
}

let files: LeagueFile[] | undefined;

/** The files of all leagues, in order of their names. */
export function leagueFiles(): readonly LeagueFile[] {
  const folder = new URL('leagues/', import.meta.url);
  files ??= readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => readLeague(name, readFileSync(new URL(name, folder), 'utf8')));
  return files;
}

/** Adds a league to those of the folder, for tests. @returns a function that removes it */
export function addLeague(name: string, text: string): () => void {
  const before = leagueFiles();
  files = [...before, readLeague(name, text)];
  return () => {
    files = [...before];
  };
}

/** Sports that the files add to those of the schema. */
export function addedSports(): AddedSport[] {
  return leagueFiles().flatMap(({ added }) => added);
}

/** Sports that have a file. */
export function sportsWithTeams(): string[] {
  return [...new Set(leagueFiles().flatMap(({ sports, style }) => (style === 'people' ? [] : sports)))];
}

/** Reports whether opponents in a sport are persons. */
export function arePersons(sport: string | undefined): boolean {
  return (
    sport !== undefined &&
    leagueFiles().some((file) => file.style === 'people' && file.sports.includes(sport))
  );
}
