import { plainLetters } from '../plain-name.ts';
import { remembering } from '../remembering.ts';
import { markets } from './index.ts';
import { known } from './known.ts';
import type { Words } from './market.ts';
import { periodWords } from './periods.ts';
import { playerMarkets } from './player-markets.ts';

// The words of every market, side, and part of a game, and the words that change what a bet is. One table for names of markets in JSON and
// files (`meant.ts`) and for lines of text (`bet-text`), so that both refuse the same bets.

/**
 * A meaning of a word or phrase. `market`: a market of a game. `stat`: a player's market. `unit`: what the sport's score counts. `pair`: over or
 * under, without a choice. `scope`: another game, part, or competition, so the bet is an undeclared market. `refused`: the service does not
 * take such bets, and `value` says why. `filler`: it cannot change how the bet settles.
 */
export interface Lexeme {
  kind: 'market' | 'stat' | 'unit' | 'pair' | 'period' | 'side' | 'team' | 'scope' | 'refused' | 'filler';
  value: string;
  /** It has this meaning only beside a player. */
  short: boolean;
}

export type Lexicon = ReadonlyMap<string, readonly Lexeme[]>;

/** Maximum number of words in a phrase. */
export const longestPhrase = 7;

const basketball = ['nba', 'wnba', 'ncaab'];
const football = ['nfl', 'ncaaf'];

/** The unit of each sport's score. In tennis and MMA, lines count games and rounds. */
const units: readonly (readonly [sports: readonly string[], unit: string])[] = [
  [[...basketball, ...football], 'points|point|pts|pt|puntos|punti|punkte'],
  [['mlb'], 'runs|run|carreras'],
  [['nhl', 'soccer'], 'goals|goal|goles|tore|gol|gols|golos|reti|buts'],
  [['tennis'], 'games|game|juegos|spiele'],
  [['mma'], 'rounds|rds|round'],
];

const reasons = {
  reversed: 'turns the bet around. Post the bet that was made.',
  multiple: 'joins several bets. Post each as its own pick.',
  live: 'is about a bet during the game. Bets placed after the start are not accepted. If this one was placed before it, remove the word.',
  paid: 'changes what the bet pays, so its odds and stake would say something else.',
  condition: 'makes the bet depend on a condition that is not graded here. Picks have action.',
  opinion: 'is an opinion, not a pick.',
} as const;

const refused: Readonly<Record<keyof typeof reasons, string>> = {
  reversed:
    'lay|lays|lay bet|laying|layed|against|bet against|betting against|fade|fading|faded|oppose|opposing|opposed|hedge|hedged|hedging|not|not to|not to win|to lose|lose|loses|losing|wont|won t|will not|doesnt|doesn t|does not|dont|don t|never|without|except|nobody|neither|contra|en contra|gegen|contro|perde|verliert|pierde|sell|short|anti|nicht',
  multiple:
    'parlay|parlays|parlayed|teaser|pleaser|round robin|sgp|sgpx|sgp+|same game|same game parlay|same game multi|accumulator|acca|accas|accumulators|bet builder|betbuilder|builder|multi|multis|multibet|multiple|multiples|trixie|patent|lucky 15|lucky 31|lucky 63|canadian|heinz|goliath|double|doubles|treble|trebles|fourfold|fivefold|2 fold|3 fold|4 fold|5 fold|6 fold|if bet|combo|combi|kombi|kombiwette|systemwette|combinada|multipla|schedina|sistema|system|system bet|cross sport|leg|legs|2 leg|3 leg|4 leg|5 leg|6 leg|ladder|rollover|middle|progressive',
  live: 'live|live bet|live betting|in play|inplay|in game|ingame|in running|inrunning|en vivo|en directo|dal vivo|rest of game|rest of match|rest of the game|rest of the match|remainder of game|remainder of match|rest der partie|rest des spiels|rest der spielzeit|resto del partido|resto della partita|resto do jogo|reste du match|rest van de wedstrijd',
  paid: 'each way|ew|e w|to place|place only|free bet|freebet|bonus bet|bonus|risk free|no sweat|boost|boosted|odds boost|profit boost|price boost|enhanced|super boost|cash out|cashout|cashed out|insurance|insured|money back|early payout|early win|2 up|bore draw|rule 4|buy|bought points|sold points',
  condition: 'listed|listed pitchers|listed pitcher|lp|must start|if starts|if plays|weather|early|late',
  opinion:
    'lean|leans|leaning|thinking about|considering|maybe|possibly|might|watching|avoid|stay away|pass on|no bet|no play|tracking',
};

const others: readonly (readonly [
  kind: 'pair' | 'side' | 'team' | 'scope' | 'filler',
  value: string,
  words: Words,
])[] = [
  [
    'pair',
    'total',
    'over under|under over|ou|uo|uber unter|meer minder|mas menos|mais menos|plus moins|piu meno|powyzej ponizej|over ponizej|ponad ponizej',
  ],
  [
    'side',
    'over',
    'over|o|ov|higher|more|more than|mas de|uber|meer|piu di|plus de|oltre|mais de|mehr als|meer dan|mer an|mer enn|powyzej|ponad|acima de',
  ],
  [
    'side',
    'under',
    'under|u|un|lower|less|fewer|less than|fewer than|menos de|unter|minder|meno di|moins de|weniger als|minder dan|sotto|farre an|faerre enn|ponizej|abaixo de',
  ],
  ['side', 'yes', 'yes|y|si|ja|oui|sim|tak'],
  ['side', 'no', 'no|n|nein|non|nao|nee|nej|nei|nie'],
  [
    'side',
    'draw',
    'draw|tie|the draw|x the draw|empate|unentschieden|pareggio|remis|match nul|nul|gelijkspel|oavgjort|uavgjort|uafgjort',
  ],
  [
    'team',
    'home',
    'home|home team|home side|hometeam|host|local|heim|heimteam|casa|domicile|mandante|thuis|hemma|hjemme|gospodarze',
  ],
  [
    'team',
    'away',
    'away|away team|away side|awayteam|visitor|visitante|gast|auswarts|trasferta|ospite|exterieur|uit|borta|borte|ude|goscie',
  ],
  [
    'filler',
    '',
    'full game|full match|whole game|whole match|fullgame|game|match|market|main|main line|alternate|alternative|alt|alternate line',
  ],
  [
    'filler',
    '',
    'player|prop|player prop|game prop|bet|pick|straight|straight bet|single|single bet|line|lines|side|wager|incl push',
  ],
  [
    'filler',
    '',
    {
      'nba wnba ncaab nfl ncaaf mlb nhl':
        'incl ot|inc ot|including ot|incl overtime|inc overtime|including overtime|ot included|overtime included|with ot|incl extra innings|including extra innings|incl ot and so|incl ot so|including ot and penalties|incl overtime and penalties|including overtime and penalties|incl overtime and shootout|including overtime and shootout|incl shootout|including shootout|incl penalties|with overtime|verlangerung inkl|inkl verlangerung|incluida prorroga|ot incl',
      'nba wnba ncaab nfl ncaaf mlb nhl tennis mma': 'game line',
      soccer:
        'full time|ft|fulltime|90 minutes|90 min|90 mins|90min|reg time|regular time|regulation time|regulation|normal time|tiempo reglamentario|tempi regolamentari|regulare spielzeit|excl extra time|excluding extra time',
    },
  ],
  [
    'scope',
    '',
    'series|season|regular season|week|wk|weekly|round|rd|record|trophy|tournament|tourney|championship|championships|champion|champions|playoff|playoffs|postseason|cup|division|conference|pennant|group|stage|career|streak|tie breaker|tiebreak|extra time|overtime|ot|extra innings|shootout|shoot out|penalties|aet|temporada|saison|stagione|torneo|turnier|campeonato|weltmeister|meister|prorroga|supplementari|verlangerung|et|month|year|monthly|award|mvp|draft|race|title|titles|finals|final four|super bowl|world series|stanley cup|matchday|gameweek|aggregate|on aggregate|both legs|over two legs|advance|qualify|relegation|relegated|promotion|top 4|top four|top 2|top 3|top 5|top 6|top 10|top half|quarterfinal|semifinal|quarter final|semi final|final',
  ],
];

function lexiconOf(sport: string): Lexicon {
  const found = new Map<string, Lexeme[]>();
  const unit = units.find(([sports]) => sports.includes(sport))?.[1] ?? '';
  const add = (kind: Lexeme['kind'], value: string, words: Words, sports?: readonly string[]) => {
    if (sports !== undefined && !sports.includes(sport)) return;
    const own =
      typeof words === 'string'
        ? [words]
        : Object.entries(words).flatMap(([only, text]) =>
            only === '' || only.split(' ').includes(sport) ? text : [],
          );
    for (const text of own.flatMap((each) => each.split('|')))
      for (const word of text.includes('{unit}')
        ? unit.split('|').map((each) => text.replace('{unit}', each))
        : [text]) {
        const key = keyOf(word);
        if (key === '') continue;
        const all = found.get(key);
        const lexeme = { kind, value, short: word.startsWith('~') };
        if (all === undefined) found.set(key, [lexeme]);
        else if (!all.some((each) => each.kind === kind && each.value === value)) all.push(lexeme);
      }
  };
  for (const { name, label, words, oddsApi, sports } of markets)
    for (const each of [name, label, oddsApi.key, oddsApi.alternates ?? '', words])
      add('market', name, each, sports);
  if (unit !== '') add('market', 'total', 'number of {unit}|total {unit}|{unit} total');
  for (const { name, label, words, sports } of playerMarkets)
    for (const each of [name, `${name}_alternate`, label, words])
      add('stat', name, each, Object.keys(sports));
  for (const { name, about, words } of known) {
    const isDeclared = (found.get(keyOf(name)) ?? []).some(
      ({ kind }) => kind === 'market' || kind === 'stat',
    );
    if (!isDeclared)
      for (const each of [name, words]) add(about === 'player' ? 'stat' : 'market', name, each);
  }
  add('unit', unit, unit);
  for (const [period, words] of Object.entries(periodWords))
    if (!(period === 'regulation' && sport === 'soccer')) add('period', period, words);
  for (const [kind, value, words] of others) add(kind, value, words);
  for (const [why, words] of Object.entries(refused))
    add('refused', reasons[why as keyof typeof reasons], words);
  return found;
}

export const lexiconIn = remembering(lexiconOf);

/** Normalizes a phrase: no case, accents, spaces, punctuation, or plurals. */
export function keyOf(text: string): string {
  return (plainLetters(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(singular).join('');
}

/** Removes a plural `s`, except from short abbreviations such as `ATS`. */
export function singular(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word;
}
