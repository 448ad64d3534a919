/** Markets of a game that words name. */
export type NamedMarket =
  | 'moneyline'
  | 'spread'
  | 'total'
  | 'team_total'
  | 'draw'
  | 'double_chance'
  | 'draw_no_bet'
  | 'btts';

/** Words without meaning for the bet. */
export const filler = new Set(
  'lock locks max maxbet mega super big small bet bets betting play plays pick picks potd pod free vip whale hammer bomb nuke lean leans official today tonight todays tonights game games match the a an on in for to of and with is be this my our your main early late straight single singles best top value card system premium guaranteed bank banker high medium low confidence strong risk risking risked wager wagered stake units unit at line odds price prop props player pregame pre alt alternate regular reg season week wk rd home away team full fg time ft ingame we i like love take taking taken got get give me gimme bought hedge dime nickel sprinkle ladder new update posted locked confirmed sharp fade action list lp listed pitchers must start starts starting win winner ot inc incl including included extra innings overtime series moneyline ml run rounds rds round record score scores puck spread ats handicap ah asian points point pts pt runs goals goal total totals ou combined hc rl pl money'.split(
    ' ',
  ),
);

export const betWords = {
  over: new Set(['over', 'o', 'ov', 'higher', 'more']),
  under: new Set(['under', 'u', 'un', 'lower', 'less']),
};

/** Words between opponents. */
export const versus = new Set(['vs', 'v', 'versus', 'against']);

/** Words that are never part of a name. */
const noNames = new Set(['ml', 'tt', 'rl', 'pl', 'pk', 'ev', 'even']);

/** Statistics that teams have as well as players. */
export const countedByTeams = new Set(['player_points', 'player_goals', 'batter_runs_scored']);

/** Markets of a game that single words name. */
export const markets = new Map<string, NamedMarket>([
  ...['ml', 'moneyline', 'moneylines', 'su', 'winner', 'win', 'wins', 'mline'].map(
    (word) => [word, 'moneyline'] as const,
  ),
  ...['spread', 'ats', 'handicap', 'ah', 'rl', 'pl', 'runline', 'puckline', 'hcp'].map(
    (word) => [word, 'spread'] as const,
  ),
  ...['total', 'totals', 'ou'].map((word) => [word, 'total'] as const),
  ...['tt', 'teamtotal', 'tto', 'ttu'].map((word) => [word, 'team_total'] as const),
  ...['draw', 'tie'].map((word) => [word, 'draw'] as const),
  ['dnb', 'draw_no_bet'],
  ['btts', 'btts'],
  ['gg', 'btts'],
]);

export function isOverOrUnder(key: string): boolean {
  return betWords.over.has(key) || betWords.under.has(key);
}
const methods = `Methods and rounds of victory cannot be read as text. ${postedByName('method_of_victory and away_ko')}`;

/** Bets that the reader does not support, and how to post each of them. */
const unsupportedBets: readonly (readonly [written: RegExp, reason: string])[] = [
  [
    /\b(?:parlay|parlays|teaser|round robin|sgp|sgpx|same game|accumulator|acca|if bet|\d-leg)\b/i,
    'A bet on several games or lines is not one pick. Post each leg as its own pick.',
  ],
  [
    /\b(?:live|in-?play|in-?game)\b/i,
    'Bets placed after the start are not accepted. If this one was placed before it, remove the word live.',
  ],
  // `Ko` is also a surname. In a kickoff time, a number follows.
  [/\bT?KOs?\b(?!\s*\d)|\bR[1-5]\b/, methods],
  [
    /\b(?:by t?ko|knockout|submission|stoppage|decision|method of victory|inside the distance|itd|gtd|(?:in|wins?) (?:round|rd|r) ?\d|in (?:rounds|rds) \d|(?:go|goes|going) the distance)\b|\bby (?:sub|dec)\b/i,
    methods,
  ],
  [/\bsets?\b/i, `Bets on sets cannot be read as text. ${postedByName('first_set_winner and away')}`],
  [
    /\b(?:race to|correct score|exact score|winning margin|to advance|to qualify|lead the)\b|(?<![\d.-])\b\d-\d\b(?![\d.-])/i,
    `Exact scores, margins, and series cannot be read as text. ${postedByName('correct_score and 2-1')}`,
  ],
];

function postedByName(example: string): string {
  return `Post the bet by market and side, such as ${example}, with the title of the game as subject.`;
}

/** Returns why a text is not one bet that the reader supports; undefined if nothing excludes it. */
export function unsupported(text: string): string | undefined {
  return unsupportedBets.find(([written]) => written.test(text))?.[1];
}

/** Reports whether a word is never part of a name. */
export function isNeverName(key: string): boolean {
  return isOverOrUnder(key) || noNames.has(key);
}
