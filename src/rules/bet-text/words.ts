/** The markets of a game that words name. */
export type SaidMarket =
  | 'moneyline'
  | 'spread'
  | 'total'
  | 'team_total'
  | 'draw'
  | 'double_chance'
  | 'draw_no_bet'
  | 'btts';

/** Words that say nothing about the bet. */
export const filler = new Set(
  'lock locks max maxbet mega super big small bet bets betting play plays pick picks potd pod free vip whale hammer bomb nuke lean leans official today tonight todays tonights game games match the a an on in for to of and with is be this my our your main early late straight single singles best top value card system premium guaranteed bank banker high medium low confidence strong risk risking risked wager wagered stake units unit at line odds price prop props player pregame pre alt alternate regular reg season week wk rd home away team full fg time ft ingame we i like love take taking taken got get give me gimme bought hedge dime nickel sprinkle ladder new update posted locked confirmed sharp fade action list lp listed pitchers must start starts starting win winner ot inc incl including included extra innings overtime series moneyline ml run rounds rds round record score scores puck spread ats handicap ah asian points point pts pt runs goals goal total totals ou combined hc rl pl money'.split(
    ' ',
  ),
);

export const betWords = {
  over: new Set(['over', 'o', 'ov', 'higher', 'more']),
  under: new Set(['under', 'u', 'un', 'lower', 'less']),
};

/** Between opponents. */
export const versus = new Set(['vs', 'v', 'versus', 'against']);

/** Words of bets that are never part of a name. */
const noNames = new Set(['ml', 'tt', 'rl', 'pl', 'pk', 'ev', 'even']);

/** Statistics of players that teams have, too. */
export const countedByTeams = new Set(['player_points', 'player_goals', 'batter_runs_scored']);

/** Single words for a market of the game. */
export const markets = new Map<string, SaidMarket>([
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
const methods = `Methods and rounds of a victory have no words here. ${postedByName('method_of_victory and away_ko')}`;

/** Bets for which there are no words, and how each of them is posted. */
const withoutWords: readonly (readonly [written: RegExp, reason: string])[] = [
  [
    /\b(?:parlay|parlays|teaser|round robin|sgp|sgpx|same game|accumulator|acca|if bet|\d-leg)\b/i,
    'A bet on several games or lines is not one pick: post each leg as a pick.',
  ],
  [
    /\b(?:live|in-?play|in-?game)\b/i,
    'Bets after the start of a game are not taken; of a bet before it, leave the word live out.',
  ],
  // `Ko` is a name, and a kickoff has its time behind it.
  [/\bT?KOs?\b(?!\s*\d)|\bR[1-5]\b/, methods],
  [
    /\b(?:by t?ko|knockout|submission|stoppage|decision|method of victory|inside the distance|itd|gtd|(?:in|wins?) (?:round|rd|r) ?\d|in (?:rounds|rds) \d|(?:go|goes|going) the distance)\b|\bby (?:sub|dec)\b/i,
    methods,
  ],
  [/\bsets?\b/i, `Sets have no words here. ${postedByName('first_set_winner and away')}`],
  [
    /\b(?:race to|correct score|exact score|winning margin|to advance|to qualify|lead the)\b|(?<![\d.-])\b\d-\d\b(?![\d.-])/i,
    `Exact scores, margins, and series have no words here. ${postedByName('correct_score and 2-1')}`,
  ],
];

function postedByName(example: string): string {
  return `Post the bet by market and side, such as ${example}, with the title of the game as subject.`;
}

/** Why a text is not one bet with a market that has words; undefined if nothing says so. */
export function noWords(text: string): string | undefined {
  return withoutWords.find(([written]) => written.test(text))?.[1];
}

/** Whether a word of a bet is never part of a name. */
export function isNoName(key: string): boolean {
  return isOverOrUnder(key) || noNames.has(key);
}
