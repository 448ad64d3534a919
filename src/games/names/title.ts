import { ownValue } from '../../rules/own-value.ts';
import { remembering } from '../../rules/remembering.ts';
import { arePersons } from './league-files.ts';
import { identify, leagueOf } from './leagues.ts';
import { isUndecided, namesUndecided } from './undecided.ts';

/** Two opponents of a game. */
export interface Fixture {
  readonly away: string;
  readonly home: string;
}

/** The reason why a title names no game. */
export type NoGame =
  | 'names no two opponents'
  | 'opponent not known yet'
  | 'no game'
  | 'another sport'
  | 'a card of several fights';

/** The order of teams in `A vs B`. */
export type TeamOrder = 'home first' | 'away first';

/**
 * `homeGuessed`: the home team is unknown, so the first team is assumed to be home. `timeOpen`: the title says that the time of the event is
 * not the real one.
 */
export type Title =
  | (Fixture & { homeGuessed?: true; timeOpen?: true; status?: 'postponed' | 'cancelled' })
  | { refused: NoGame };

/**
 * Parses the title of a calendar event. Ignores text that feeds add: tags in brackets; competitions, rounds, and channels around the
 * opponents; rankings, records, results, and states (docs/rules/teams.md).
 * @param order of teams in titles without `@` or `at`. Default: unknown (docs/rules/games.md#home-and-away)
 */
export function readTitle(text: string, sport?: string, order?: TeamOrder): Title {
  const whole = oneLine(text);
  if (whole.length > maxLength) return { refused: 'names no two opponents' };
  const status = statusOf(whole);
  if (noGame.test(whole)) return { refused: 'no game' };
  if (namesOtherSport(whole, sport)) return { refused: 'another sport' };
  if (card.test(whole)) return { refused: 'a card of several fights' };
  const named = readOpponents(whole, sport);
  if (named === undefined) return { refused: 'names no two opponents' };
  const { first, second, awayFirst } = named;
  if (namesUndecided({ away: first, home: second }, sport)) return { refused: 'opponent not known yet' };
  // The title of a card contains only the surnames of the main event.
  if (sport === 'mma' && partOfCard.test(whole) && ![first, second].every((name) => name.includes(' ')))
    return { refused: 'a card of several fights' };
  const isAwayFirst = awayFirst || order === 'away first';
  return {
    ...(isAwayFirst ? { away: first, home: second } : { home: first, away: second }),
    ...(awayFirst || order !== undefined ? {} : { homeGuessed: true as const }),
    ...(openTime.test(whole) ? { timeOpen: true as const } : {}),
    ...(status === undefined ? {} : { status }),
  };
}

/** `Gulls @ Foxes (Time TBD)`, and `Gulls @ Foxes - TBA`, unless the channel or the venue is open. */
const openTime =
  /\b(?:time|date|start|kick-?off|tip-?off|first pitch)[:\s]+(?:is )?(?:tb[acd]|to be (?:announced|confirmed|determined))\b|[-–—(*|]\s*tb[acd][)*]?$/i;

/**
 * Parses the opponents in `Away @ Home`, `Away at Home`, `Home vs Away`, or, in soccer, `Home - Away`, with or without additions; undefined
 * for other texts.
 */
export function readFixture(text: string, sport?: string): Fixture | undefined {
  return text.length > maxLength ? undefined : fixtureIn(text, sport);
}

const fixtureIn = remembering((text: string, sport?: string): Fixture | undefined => {
  const named = readOpponents(text, sport);
  if (named === undefined) return undefined;
  const { first, second, awayFirst } = named;
  return Object.freeze(awayFirst ? { away: first, home: second } : { home: first, away: second });
});

/**
 * Returns the opponents of `[competition:] A <separator> B [remark]` in the order of the text. `awayFirst`: the text says that the second
 * one is home.
 */
function readOpponents(
  text: string,
  sport?: string,
): { first: string; second: string; awayFirst: boolean } | undefined {
  if (text.length > maxLength) return undefined;
  const whole = oneLine(text);
  const bare = whole
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/^\s*\([^)]*\)/, ' ')
    .replace(finalResult, '')
    .replace(/\([^()]*\)/g, (remark) => remark.replace(/[,:;](?=\s)|(?<=\s)[-–—|](?=\s)/g, ''));
  // Competitions, rounds, and channels surround the opponents. Only the part with a separator names them.
  const parts = bare
    .split(/\s+[-–—|•·]+\s+|:\s+|,\s+|;\s+|\s+\/\/\s+/)
    .map((each) => oneLine(each.replace(/^(?:[^\p{L}\p{N}(#?]|\?(?!\?* (?:@|at|vs?\.?|versus) ))+/iu, '')));
  const inParts = (pattern: RegExp) => parts.flatMap((each) => pattern.exec(each) ?? []);
  const found =
    [versus, at, result].map(inParts).find((each) => each.length > 0) ??
    [result.exec(bare) ?? dashed(bare, sport)].flatMap((each) => each ?? []);
  for (let part = 0; part < found.length; part += 4) {
    const [, before = '', word = '', after = ''] = found.slice(part, part + 4);
    const [first, second] = withoutPoints(
      opponent(withoutSport(sport === 'mma' ? before.replace(leadingParts, '') : before, sport)),
      opponent(withoutSport(withoutVenue(after, word, sport), sport)),
    ).map((name) => withoutRemark(name, sport)) as [string, string];
    if (![first, second].every((name) => isOpponent(name, sport))) continue;
    const [one, other] = [first, second].map((name) => ofTeam(name, whole, sport)) as [string, string];
    return { first: one, second: other, awayFirst: /^(?:@|at)$/i.test(word) };
  }
  return undefined;
}

/** Removes any remark after a team of a closed league, `Lions (Thanksgiving)`, and after a person. Elsewhere it can distinguish teams. */
function withoutRemark(name: string, sport = ''): string {
  // `Ada Finch (WC)`, `Rory "The Gull" Finch (c)`.
  if (arePersons(sport)) return oneLine(name.replace(/ ["“][^"”]*["”](?= )| \([^()]*\)$/g, ''));
  if (leagueOf(sport)?.closed !== true || identify(sport, name).team !== undefined) return name;
  const bare = name.replace(/ \([^()]*\)$/, '');
  return identify(sport, bare).team === undefined ? name : bare;
}

/** Removes the venue in `A vs B at Venue` and in `A @ B in City`. */
function withoutVenue(name: string, word: string, sport: string | undefined): string {
  const venue = (/^(?:@|at)$/i.test(word) ? / in .+$/ : / (?:at|@|in) .+$/).exec(name);
  return venue === null || identify(sport ?? '', name).team !== undefined ? name : name.slice(0, venue.index);
}

/** A result, a stage, or an occasion, which calendars write instead of an opponent. */
const noOpponent =
  /^(?:[wltdah]|win|won|loss|lost|draw|tie|home|away|final|result|live|tv)$|\b(?:bowl|(?:quarter|semi)-?finals?|(?:senior|alumni|opening|media|fan|family|pride|heritage|rivalry|military|parents|spring|autumn|gala|theme|giveaway|bobblehead)\b.*\b(?:day|night|weekend|week|game|match))$|\b(?:homecoming|reunion|giveaway|appreciation|(?:home|season) opener|scrimmage|doubleheader|play-?offs?|all-?star game|championship game|final four|first round|round of \d+|rose bowl|bowl game|shield|trophy|legends|all-?stars|(?:black|white|red|orange|stripe) ?out|deadline|renewals?|tickets?|world cup|super ?cup)\b/i;

function isOpponent(name: string, sport: string | undefined): boolean {
  if (name === '' || /^[\d\s:–-]+$/.test(name)) return false;
  return (
    arePersons(sport) ||
    !noOpponent.test(name) ||
    identify(sport ?? '', name).team !== undefined ||
    isUndecided(name, sport)
  );
}

/** Words for women's teams. */
const women =
  /\b(?:women(?:'s|’s|s)?|ladies|frauen|damen|dames|f[eé]min(?:in[aeo]s?|ines?)|fem[ei]nil(?:es)?|femenin[ao]s?|femminile|kvinner|kvinnor|nwsl|wsl|uwcl)\b|[([]w[)\]]/i;

/** Teams of one club that are not its first one. */
const otherTeams: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [women, () => 'Women'],
  [/\b(?:premier league 2|pl ?2)\b/i, () => 'U21'],
  [/\byouth (?:cup|league)\b/i, () => 'Youth'],
  [/\b(?:u|under|sub)[- ]?(1[5-9]|2[0-3])(?:s|'s)?\b/i, ([, age]) => `U${age}`],
  [/\b(?:reserves?|reservas|primavera|development squad)\b/i, () => 'Reserves'],
];

/** Returns the name of the team that a title in soccer means: a remark such as `(Women)` or `U21:` is about both teams. */
function ofTeam(name: string, title: string, sport: string | undefined): string {
  if (sport !== 'soccer') return name;
  return otherTeams.reduce((team, [pattern, suffix]) => {
    const found = pattern.exec(title);
    return found === null || pattern.test(team) ? team : `${team} ${suffix(found)}`;
  }, name);
}

/** `Home 2-1 Away`, `Home 1 (4) - (3) 1 Away`, `Home 2:1 n.V. Away`. */
const result =
  /^\s*(.{1,98}?) (\d{1,2} ?(?:\(\d{1,2}\) ?)?[-–:] ?(?:\(\d{1,2}\) ?)?\d{1,2}(?: (?:aet|pens?|n\. ?v\.|i\. ?e\.))?) (.{1,98})$/i;

/** `(2-1)` at the end. */
const finalResult = /\s*\(\d{1,2} ?[-–:] ?\d{1,2}(?:[ ,][^)]*)?\)\s*$/;

/**
 * `Home - Away`, as in European calendars, also after a round or competition and a colon. In other sports than soccer, only between teams
 * that the league lists; in soccer, these may also be joined by other signs, as in `Home/Away`.
 */
function dashed(text: string, sport: string | undefined): string[] | null {
  const isListed = (side: string) => sport !== undefined && identify(sport, side.trim()).team !== undefined;
  const parts = text.split(/:\s+|\s[|•·]\s/);
  const dashes = parts.map((part) => part.split(/\s[-–—]\s/));
  const signs =
    sport === 'soccer' ? [text, ...parts, ...dashes.flat()].map((part) => part.split(/[-–/:]/)) : [];
  const sides =
    dashes.find((each) => each.length === 2 && (sport === 'soccer' || each.every(isListed))) ??
    signs.find((each) => each.length === 2 && each.every(isListed));
  return sides === undefined || sides.some((side) => !/^[^|:]{1,98}$/.test(side))
    ? null
    : ['', sides[0]!, '-', sides[1]!];
}

/** Removes the points in `Away 3 @ Home 2`. A number in a club's name appears on one side only, or begins with 0. */
function withoutPoints(first: string, second: string): [string, string] {
  const points = / [1-9]?\d{1,2}$/;
  const both = [first, second].every((name) => points.test(name) && !/ 0\d$/.test(name));
  return both ? [first.replace(points, ''), second.replace(points, '')] : [first, second];
}

/** Maximum length of a title. */
const maxLength = 300;

/** Words between opponents: those that stand nowhere else in a title, and `at`, which also precedes venues. */
const versus =
  /^(.{1,98}?) (@|vs?\.?|🆚|versus|against|x|×|gegen|contre|contra|tegen|kontra|mot|против) (.{1,98})$/i;
const at = /^(.{1,98}?) (at) (.{1,98})$/i;

/** Words for states, as in `(Postponed)`, `PPD: Away @ Home`, `P-P Home v Away`, and `(ABAN)`. */
const states = {
  postponed:
    /\b(?:postponed|ppd|suspended|susp|pst|postp|verlegt|verschoben|report[eé]e?|aplazad[oa]|adiad[oa]|suspendid[oa]|rinviat[oa]|uitgesteld)\b|(?:^|[([\s])p-?p(?=[)\]:\s]|$)/i,
  cancelled:
    /\b(?:cancell?ed|canc|abandoned|aban|abd|walkover|void|abgesagt|abgebrochen|annul[eé]e?|annullat[oa]|cancelad[oa]|afgelast)\b/i,
};

function statusOf(text: string): 'postponed' | 'cancelled' | undefined {
  if (states.cancelled.test(text)) return 'cancelled';
  return states.postponed.test(text) ? 'postponed' : undefined;
}

/** Entries in clubs' calendars that are not games, or happen around one: at another time, or as the rest of a suspended game. */
const noGame =
  /^(?:(?:pre|post)-?game|tailgate|legends)\b|\b(?:pre|post)-?game (?:show|party|social|reception)\b|\b(?:doors|gates) open|\b(?:alumni|old[- ]timers|(?:rookies?|prospects?) (?:game|showcase))\b|\b(?:completion|continuation) (?:of|from)\b|\b(?:resum(?:ed|es|ption)|resuming)\b|\b(?:media days?|(?:open |fan )?practices?|training (?:camp|sessions?)|draft(?: lottery)?|bye(?: week)?|press conference|watch part(?:y|ies)|fan ?fest|parade|combine|trade deadline|ticket sales?|on sale|all[- ]star (?:break|weekend)|season (?:begins|ends|starts)|road trip|home ?stand)\b/i;

/** Sports in the titles of colleges' calendars, as in `Duke Men's Basketball vs Army`. One calendar can list all teams of a college. */
const sportWords =
  /\b(?:((?:wo)?men)[’']?s\s+)?(basketball|football|baseball|softball|soccer|(?:ice |field )?hockey|volleyball|lacrosse|tennis|golf|wrestling|water polo|swimming|diving|gymnastics|rowing|rugby|cross country|track)\b/gi;

/** College sports by our sport key. */
const collegeSports: Readonly<Record<string, string>> = { ncaaf: 'football', ncaab: 'basketball' };

/** Contests of other players under the names of clubs, such as computer games and simulations. */
const otherContest =
  /\b(?:e-?sports?|e-?soccer|e-?football|e-?league|virtual|simulat(?:ed|ion)|srl|2k league|futsal|beach (?:soccer|football)|(?:summer|g)[- ]league)\b/i;

/** Reports whether a title names another sport, or, in a college's calendar, women or its second team. */
function namesOtherSport(title: string, sport: string | undefined): boolean {
  if (otherContest.test(title)) return true;
  const ours = collegeSportOf(sport);
  if (ours === undefined) return false;
  // There, `[W]` is a win.
  const words = title.replace(/[([]w[)\]]/gi, '');
  if (women.test(words) || /\b(?:wbb|w\. basketball|jv|junior varsity|lady)\b/i.test(words)) return true;
  return [...title.matchAll(sportWords)].some(
    ([, whose = '', named]) => whose.toLowerCase() === 'women' || named!.toLowerCase() !== ours,
  );
}

/** Removes a college team's sport from a side of a title. Names in other sports stay unchanged. */
function withoutSport(name: string, sport: string | undefined): string {
  return collegeSportOf(sport) === undefined
    ? name
    : name.replace(sportWords, ' ').replace(/\s+/g, ' ').trim();
}

function collegeSportOf(sport: string | undefined): string | undefined {
  return sport === undefined ? undefined : ownValue(collegeSports, sport);
}

/** Parts of a fight card, written before its main event or a bout. */
const partOfCard =
  /\b(?:(?:early |late )?prelim(?:s|inares|inary card)?|main (?:card|event)|co-?main(?: event)?|cartelera|(?:combates?|peleas?|eventos?) (?:principal|estelar)(?:es)?|estelar(?:es)?)\b(?:\s+(?:y|and|&)\b)?/i;

const leadingParts = new RegExp(`^(?:${partOfCard.source}[\\s:–—-]*)+`, 'i');

/** Titles of whole fight cards, which name only the main event. */
const card = /\b(?:ufc|pfl|bellator|one championship|cage warriors|ksw)\b.*(?:\d|:|fight night|\bon\b)/i;

/** Removes rankings, records, results, and remarks from a side of a title. */
function opponent(text: string): string {
  let name = text;
  for (let before = ''; before !== name; ) {
    before = name;
    name = name
      .replace(leadingState, '')
      .replace(/\s*\*+$|\s\*.*$/, '')
      .replace(/^(?:#|no\. ?)\d{1,2}\s+/i, '')
      .replace(leadingStage, '')
      .replace(/\s*(?:\p{Extended_Pictographic}|\ufe0f)+(?: live)?$/iu, '')
      .replace(/\s+(?:ko|kick-?off)$/i, '')
      .replace(/^\(\d{1,2}\)\s*/, '')
      .replace(remark, '')
      .replace(/\s*\(([^()]*)\)$/, (all, inner: string) => (statusOf(inner) === undefined ? all : ''))
      .replace(/ p-p$/i, '')
      .replace(/\s*\([^)]*\s[^)]*\)$/, '')
      .replace(/\s+(?:at )?\d{1,2}(?::\d{2})?\s?[ap]\.?m\.?(?:\s?[A-Z]{2,3})?$/i, '')
      .replace(
        /\s+(?:final\s+)?\(?[WLTD]?,?\s*\d{1,3}\s?[-–:]\s?\d{1,3}(?:\s?[-–]\s?\d{1,3})?(?:\s*\(?(?:f|ft|aet|ot|so|pens?|final)(?:\/(?:ot|so|\d{1,2}))?\)?)*\)?$/i,
        '',
      )
      .replace(/\s+\(\d{1,2}\)$/, '')
      .trim();
  }
  return name;
}

/** States and remarks before the opponents: `P-P Gulls v Foxes`, `RESCHEDULED Gulls v Foxes`. */
const leadingState =
  /^(?:live|en vivo|if nec(?:essary|\.)?|p-?p|ppd|postponed|canc(?:ell?ed)?|aban(?:doned)?|susp(?:ended)?|resch(?:eduled)?|delayed|new date|new time|moved|time change|tbc|verlegt|abgesagt|verschoben|aplazad[oa]|adiad[oa]|suspendid[oa]|cancelad[oa]|report[eé]e?|rinviat[oa]|uitgesteld|afgelast)(?:\s+|\s*[-–:*]+\s*)/i;

/** Times and stages before the opponents: `15:00 Gulls v Foxes`, `Wk 12 Gulls @ Foxes`, `WS Gm 7* Gulls @ Foxes`. */
const leadingStage =
  /^(?:\d{1,2}[:.h]\d{2}(?: ?[ap]m)?|pl ?2|(?:\p{L}+ )?(?:wk|week|gm|game|matchday|md|gw|mw|round|rd)\.? ?#?\d{1,2}\*?)\s+(?=\p{L})/iu;

/** Remarks at the end of a side, with or without parentheses. */
const remark =
  /\s*(?:\([ha]\)|\((?=[^)]*\b(?:game|gm|leg|match(?:day)?|dh|doubleheader|makeup|make-up|if nec(?:essary|\.)?|if needed|agg|neutral|replay|rearranged|derby|sold out|behind closed doors|group|stage|cup|league|new date|sky|dazn|exhibition|exh|homecoming|hc|friendly|pre-?season|playoffs?|regular season|final|semi|quarter|round|eliminat[oó]rias?|clasificatori[oa]s?|qualif\w+|qualification|amistoso|amichevole|testspiel|week|day|night|home|away|tv|live|time|postponed|ppd|p-?p|pst|canc(?:ell?ed)?|susp(?:ended)?|resch(?:eduled)?|aban(?:doned)?|abd|delayed|moved|tb[acd]|provisional|tentative|women|ladies|reserves?|aet|wo|nec|needed|on|espn\w*|fox|fs1|nbc|cbs|abc|tnt|tbs|peacock|prime|am|pm|et|ct|pt|gmt|london|mexico city|ot|so|w|l)\b)[^)]*\)|\s+(?:(?:game|gm|leg) #?\d|g[12])|\s(?:postponed|ppd|cancell?ed|suspended|rescheduled|abandoned|abgesagt|verlegt|aet|if nec(?:essary|\.)?)|\s+(?:1st|2nd|first|second) leg)$/i;

/** Joins a text to one line, and converts full-width characters such as `（` to ASCII. */
function oneLine(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\s+/g, ' ')
    .trim();
}
