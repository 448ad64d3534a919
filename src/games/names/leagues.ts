import { clubWords, nameKey, plainWords } from '../../rules/plain-name.ts';
import { remembering } from '../../rules/remembering.ts';
import { arePersons, type LeagueFile, type TeamLine as Line, leagueFiles } from './league-files.ts';

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
  find(name: string): LeagueTeam | undefined;
  /** Finds a team by a code that another club also has, if its opponent plays in the same competitions. */
  findBeside(code: string, opponent: LeagueTeam): LeagueTeam | undefined;
}

/** How a league forms the names of its teams. */
interface Style {
  /** Returns the forms in which a name is compared, strictest first. */
  forms(name: string): string[];
  /** Returns the forms of further names of a team that are usual. They count if no other team has them. */
  usual(line: Line): string[];
  /** Returns those of the usual names that are listed as names of the team. */
  listed(line: Line): string[];
}

const fullName = ({ place, nicknames: [nickname = ''] }: Line) => `${place} ${nickname}`.trim();

const nicknames: Style = {
  forms: (name) => [nameKey(name)],
  usual: (line) => nicknameNames(line).map(nameKey),
  listed: nicknameNames,
};

const schools: Style = {
  forms: (name) => [schoolKey(name)],
  usual(line) {
    const places = [...new Set([line.place, ...line.others].flatMap((name) => [name, ...shortPlaces(name)]))];
    const endings = line.nicknames.flatMap((nickname) =>
      nickname.split(' ').map((_, at, words) => words.slice(at).join(' ')),
    );
    const keys = ['', ...endings].map(nameKey);
    return [...new Set(places.map(schoolKey))].flatMap((place) => keys.map((ending) => place + ending));
  },
  listed: ({ place }) => [place, place.replace(/ State$/, ' St'), ...universityNames(place)],
};

const clubs: Style = {
  forms(name) {
    const words = clubName(name);
    const core = words.filter((word, at) => !dropped.test(word) && !(word === '1' && words[at + 1] === 'fc'));
    return [words.join(''), (core.length > 0 ? core : words).join('')];
  },
  usual: () => [],
  listed: () => [],
};

/** People's names are compared in any order of their words. */
const people: Style = {
  forms: (name) => [folded(plainWords(name)).sort().join('')],
  usual: () => [],
  listed: () => [],
};

const styles: Readonly<Record<LeagueFile['style'], Style>> = { nicknames, schools, clubs, people };

/** A name's team, if its league lists it, and a key that is equal for all names of a team and all spellings of an unknown one. */
export interface Identified {
  team: LeagueTeam | undefined;
  key: string;
}

/** Identifies a name. */
export const identify = remembering((sport: string, name: string): Identified => {
  const { forms } = styles[leagueFiles().find(({ sports }) => sports.includes(sport))?.style ?? 'nicknames'];
  const team = leagueOf(sport)?.find(name);
  return { team, key: team === undefined ? forms(name).at(-1)! : forms(team.name)[0]! };
});

/** Returns the league of a sport; undefined for sports of persons. */
export function leagueOf(sport: string): League | undefined {
  const known = leagues.get(sport);
  if (known !== undefined) return known;
  const files = leagueFiles().filter(({ sports }) => sports.includes(sport));
  if (files.length === 0 || arePersons(sport)) return undefined;
  // Sports with the same files share a league.
  const same = files[0]!.sports.find((each) => leagues.has(each));
  const league = leagues.get(same ?? '') ?? leagueFrom(files.flatMap(({ lines }) => lines));
  leagues.set(sport, league);
  return league;
}

const leagues = new Map<string, League>();

/** Words for women's competitions in providers' keys. */
const ofWomen = /(?:^|[._])(?:w|wfc|women|womens|nwsl|feminin[oea])(?:[._]|$)/;

/**
 * Returns the full name of a team whose name only its competition decides: `Santos` plays in Mexico, too. In a women's competition, names of
 * listed clubs get `Women`.
 * @param feed the name of the feed, which ends with a provider's key of the competition
 */
export function nameIn(sport: string, feed: string, name: string): string {
  if (sport !== 'soccer') return name;
  if (ofWomen.test(feed))
    return /\b(?:women|ladies)\b/i.test(name) || leagueOf(sport)?.find(name) === undefined
      ? name
      : `${name} Women`;
  const [form] = clubs.forms(name);
  const found = leagueFiles()
    .filter(({ competitions }) =>
      competitions.some((key) => feed.endsWith(`/${key}`) || feed.endsWith(`.${key}`)),
    )
    .flatMap(({ lines }) => lines)
    .filter(({ local }) => local.some((each) => clubs.forms(each)[0] === form));
  return found.length === 1 ? fullName(found[0]!) : name;
}

/** Reports whether a name is written as a code: `FUL`. */
export function isCode(name: string): boolean {
  return /^[A-Z][A-Z0-9]{1,3}$/.test(name);
}

const styleOf = ({ file }: Line) => styles[file.style];

function leagueFrom(lines: readonly Line[]): League {
  // A code that clubs of several files have says nothing on its own.
  const owners = new Map<string, Set<Line>>();
  for (const line of lines)
    for (const name of line.others)
      if (isCode(name)) owners.set(name, (owners.get(name) ?? new Set()).add(line));
  const isShared = (name: string) => (owners.get(name)?.size ?? 0) > 1;
  const given = lines.map((line) => [fullName(line), ...line.others.filter((name) => !isShared(name))]);
  const strict = new Map(
    given.flatMap((names, at) => names.map((name) => [styleOf(lines[at]!).forms(name)[0]!, at] as const)),
  );
  const counts = new Map<string, number>();
  const usual = lines.map((line, at) => {
    const { forms, usual } = styleOf(line);
    const loose = given[at]!.flatMap((name) => forms(name).slice(1));
    const own = new Set([...usual(line), ...loose].filter((form) => !strict.has(form)));
    for (const form of new Set([...own, ...line.local.flatMap(forms)]))
      counts.set(form, (counts.get(form) ?? 0) + 1);
    return own;
  });
  const byForm = new Map<string, LeagueTeam>();
  const fileOf = new Map<LeagueTeam, LeagueFile>();
  const teams = lines.map((line, at): LeagueTeam => {
    const { forms, listed } = styleOf(line);
    const more = listed(line).filter((name) =>
      forms(name).some((form) => strict.get(form) === at || (usual[at]!.has(form) && counts.get(form) === 1)),
    );
    const team = { name: fullName(line), names: [...new Set([...given[at]!, ...more])], former: line.former };
    for (const name of given[at]!) byForm.set(forms(name)[0]!, team);
    for (const form of usual[at]!) if (counts.get(form) === 1) byForm.set(form, team);
    fileOf.set(team, line.file);
    return team;
  });
  const { forms } = styleOf(lines[0]!);
  return {
    closed: lines[0]!.file.closed,
    teams,
    find(name) {
      for (const form of forms(name)) {
        const team = byForm.get(form);
        if (team !== undefined) return team;
      }
      return undefined;
    },
    findBeside(name, opponent) {
      const same = [...(owners.get(name) ?? [])].filter(({ file }) => file === fileOf.get(opponent));
      return same.length === 1 ? teams[lines.indexOf(same[0]!)] : undefined;
    },
  };
}

/** Other names of cities, also used before nicknames. */
const cities: ReadonlyMap<string, readonly string[]> = new Map(
  `Golden State: GS | Green Bay: GB | Kansas City: KC | Las Vegas: LV, Vegas | Los Angeles: LA | New England: NE |
New Jersey: NJ | New Orleans: NO | New York: NY | Oklahoma City: OKC, Oklahoma | Philadelphia: Philly | San Antonio: SA |
San Diego: SD | San Francisco: SF | San Jose: SJ | St. Louis: Saint Louis | Tampa Bay: TB, Tampa |
Washington: Washington DC, DC`
    .split(/\s\|\s/)
    .map((row) => {
      const [city, names] = row.split(': ') as [string, string];
      return [city, names.split(', ')];
    }),
);

/** Returns names such as `Clippers`, `LA Clippers`, `KC Chiefs`, and `PHI Eagles`. */
function nicknameNames({ place, nicknames: names, others }: Line): string[] {
  const [nickname] = names;
  if (nickname === undefined) return [];
  const cityNames = [place, ...(cities.get(place) ?? [])].filter((name) => name !== '');
  const short = others.filter((name) => /^[A-Z]{2,4}$/.test(name));
  return [...names, ...cityNames, ...[...cityNames, ...short].map((name) => `${name} ${nickname}`)];
}

/** Returns the names that colleges use in their own calendars: `University of Nevada`, `Duke University`. */
function universityNames(place: string): string[] {
  const names = [
    `University of ${place}`,
    `${place} University`,
    `${place} Univ`,
    `Univ of ${place}`,
    `${place} U`,
  ];
  return names.filter((name) => !otherColleges.has(name));
}

/** Colleges whose names begin like that of another school. */
const otherColleges: ReadonlySet<string> = new Set(
  ['California', 'Miami', 'Washington'].flatMap((place) =>
    ['University', 'U', 'Univ'].map((word) => `${place} ${word}`),
  ),
);

/** States with their abbreviations. */
const states =
  `Alabama Ala, Arizona Ariz, Arkansas Ark, California Calif, Carolina Car, Colorado Colo, Connecticut Conn, Delaware Del,
Florida Fla, Georgia Ga, Illinois Ill, Indiana Ind, Kansas Kan, Kentucky Ky, Louisiana La, Massachusetts Mass, Maryland Md,
Michigan Mich, Minnesota Minn, Mississippi Miss, Missouri Mo, Montana Mont, Nebraska Neb, Nevada Nev, Oklahoma Okla,
Oregon Ore, Pennsylvania Pa, Tennessee Tenn, Texas Tex, Virginia Va, Washington Wash, Wisconsin Wis`
    .split(/,\s/)
    .map((pair) => pair.split(' ') as [string, string]);

/** Abbreviations in the names of schools with more words: `Mich State`, `N Illinois`, `SE Louisiana`. */
const abbreviations: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^North(?:ern)? (?=.)/, ['N ', 'No ']],
  [/^South(?:ern)? (?=.)/, ['S ', 'So ']],
  [/^East(?:ern)? (?=.)/, ['E ']],
  [/^West(?:ern)? (?=.)/, ['W ']],
  [/^Central (?=.)/, ['C ', 'Cent ']],
  [/^Southeast(?:ern)? (?=.)/, ['SE ']],
  [/^Northwest(?:ern)? (?=.)/, ['NW ']],
  [/^UNC (?=.)/, ['NC ', 'North Carolina ']],
  [/^North Carolina (?=.)/, ['NC ']],
  [/^UT (?=.)/, ['Texas ']],
  [/^UC (?=.)/, ['California ', 'Cal ']],
  [/^Cal State (?=.)/, ['CSU ', 'CS ', 'California State ']],
  ...states.map(([state, short]): [RegExp, string[]] => [
    new RegExp(`(?<=. )${state}\\b|\\b${state}(?=[ -].)`),
    [short],
  ]),
];

function shortPlaces(place: string): string[] {
  const short = abbreviations.flatMap(([pattern, words]) =>
    pattern.test(place) ? words.map((word) => place.replace(pattern, word)) : [],
  );
  return [...short, ...universityNames(place)];
}

/** Returns the form of a school's name, in which `St` is `Saint` at the beginning, and `State` elsewhere. */
function schoolKey(name: string): string {
  const words = plainWords(name).map((word, at, all) => {
    if (word === 'mt') return 'mount';
    if (word === 'univ') return 'university';
    if (word !== 'st') return word;
    return at === 0 || /^(?:mount|mt)$/.test(all[at - 1]!) ? 'saint' : 'state';
  });
  return words.join('');
}

/** Kinds of clubs and years, which names of clubs may leave out. */
const dropped = new RegExp(
  `^(?:${[...clubWords].join('|')}|sk|fk|bk|ik|if|ff|bsc|nk|hnk|kf|pfc|mfk|ks|ac|as|cd|ud|sd|ca|sv|us|kv|rc|cp|club|(?:18|19|20)\\d\\d)$`,
);

/** Spellings of one word in names of clubs, other than those that {@link folded} knows. */
const sameWords = new Map(
  `utd united, st saint, dynamo dinamo, kyiv kiev, kyjiw kiev, el al, lokomotive lokomotiv, munich munchen, wien vienna, praha prague,
prag prague, beograd belgrade, moskva moscow, warszawa warsaw, bucuresti bucharest, atl atletico, womens women, ladies women, w women,
wfc women, fcw women, fem women, femenino women, femenina women, feminino women, feminina women, femminile women,
feminines women, fraun women, under u, sub u`
    .split(/,\s/)
    .map((pair) => pair.split(' ') as [string, string]),
);

function clubName(name: string): string[] {
  return folded(plainWords(name)).map((word) => sameWords.get(word) ?? word.replace(/^(u?\d\d)s$/, '$1'));
}

/** Replaces transliterations: `Muenchen` is `München`, `Goeteborg` is `Göteborg`. */
function folded(words: readonly string[]): string[] {
  return words.map((word) =>
    word
      .replace(/(?<=.)ue(?=.)|^ue(?=.)/g, 'u')
      .replace(/oe/g, 'o')
      .replace(/ae/g, 'a')
      .replace(/aa/g, 'a'),
  );
}
