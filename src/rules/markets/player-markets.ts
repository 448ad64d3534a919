import type { LineRules, Outcome, ProviderOutcome, Words } from './market.ts';
import { overOrUnder, overUnderNames } from './total.ts';

/** Statistics that grade player markets (docs/rules/player-markets.md). The names are hashed with settlements, so they never change. */
export const statNames = [
  // Basketball.
  'minutes',
  'points',
  'rebounds',
  'assists',
  'threes',
  'steals',
  'blocks',
  'turnovers',
  // Football.
  'passing_yards',
  'passing_touchdowns',
  'completions',
  'passing_attempts',
  'passing_interceptions',
  'rushing_yards',
  'rushing_attempts',
  'receptions',
  'receiving_yards',
  'touchdowns',
  // Baseball.
  'plate_appearances',
  'hits',
  'home_runs',
  'rbis',
  'runs',
  'total_bases',
  'pitches',
  'strikeouts_thrown',
  'outs_recorded',
  // Hockey. Points are the sum of goals and assists.
  'goals',
  'shots_on_goal',
  'saves',
] as const;
export type StatName = (typeof statNames)[number];

/** The known statistics of a player in a game. `played` is 1 or 0, as reported by the source. */
export type PlayerStats = Readonly<Partial<Record<StatName | 'played', number>>>;

/** How a sport grades a player market. */
export interface StatRules {
  /** The figure's name in a settlement: `points_rebounds_assists`. */
  name: string;
  of: readonly StatName[];
  /** Computes the figure of a player; null if a statistic is missing. */
  figure(stats: PlayerStats): number | null;
  /** The statistic that is above 0 for every player who played. Null: only `played` shows it. */
  playedBy: StatName | null;
}

/** The declaration of a market about a player, graded from a box score in the sports that it lists. */
export interface PlayerMarket {
  /** The slug, equal to The Odds API's key. It is hashed with every pick, so it never changes. */
  name: string;
  /** The display name, in lower case. */
  label: string;
  /** Other names. Words of a sum's summands, in any order, name the sum. */
  words: Words;
  gradedBy: 'stat';
  line: LineRules | null;
  contests(): readonly (readonly string[])[];
  /** The rules by sport. In other sports the market is undeclared. */
  sports: Readonly<Record<string, StatRules>>;
  /** Grades a side by the player's figure; null for an unknown side or line. */
  grade(side: string, lineE3: number | null, figure: number): Outcome | null;
  oddsApi: {
    key: string;
    featured: false;
    alternates: string | null;
    /** Returns the side of an outcome, or null. The player is in the outcome's `description`. */
    side(outcome: ProviderOutcome): string | null;
  };
}

const overUnder: LineRules = {
  shared: (_side, lineE3) => lineE3,
  better: (side) => (side === 'over' ? -1 : 1),
  text: String,
};

const yesNoNames: ReadonlyMap<string, string> = new Map([
  ['Yes', 'yes'],
  ['No', 'no'],
]);

function sumOf(of: readonly StatName[], playedBy: StatName | null): StatRules {
  return {
    name: of.join('_'),
    of,
    playedBy,
    figure(stats) {
      let sum = 0;
      for (const name of of) {
        const value = stats[name];
        if (value === undefined) return null;
        sum += value;
      }
      return sum;
    },
  };
}

const doubleDigits: readonly StatName[] = ['points', 'rebounds', 'assists', 'steals', 'blocks'];

/** The number of five statistics that have two digits. */
const doubleDouble: StatRules = {
  name: 'double_digits',
  of: doubleDigits,
  playedBy: 'minutes',
  figure(stats) {
    const values = doubleDigits.flatMap((name) => stats[name] ?? []);
    return values.length < doubleDigits.length ? null : values.filter((value) => value >= 10).length;
  },
};

/** Kinds of players: their sports, and the statistic that shows that they played. */
const groups: Readonly<Record<string, { sports: readonly string[]; playedBy: StatName | null }>> = {
  basketball: { sports: ['nba', 'wnba', 'ncaab'], playedBy: 'minutes' },
  football: { sports: ['nfl', 'ncaaf'], playedBy: null },
  batter: { sports: ['mlb'], playedBy: 'plate_appearances' },
  pitcher: { sports: ['mlb'], playedBy: 'pitches' },
  hockey: { sports: ['nhl'], playedBy: null },
};

/**
 * The declared player markets, in display order: name, label, summands by group, words. After `?` comes the smallest figure that wins `yes`;
 * the others have over and under.
 */
const table = `
player_points; player points; basketball: points, hockey: goals assists; points|pts|points scored|~p|~point|~pt
player_rebounds; player rebounds; basketball: rebounds; rebounds|rebs|reb|~r
player_assists; player assists; basketball: assists, hockey: assists; assists|assts|asts|ast|~a
player_threes; player threes; basketball: threes; threes|threes made|made threes|three made|3pm|3s|3ptm|3ptrs|3pts|3 ptm|3 pts|3 pt|tpm|treys|made 3s|3 pointers|3 pointers made|made 3 pointers|three pointers|three pointers made|3pt made|3pt field goals|3 point field goals|3 point field goals made|3 points field goals|made 3 points field goals|made 3 point field goals|~3|~3pt|~three|~3 pointer
player_steals; player steals; basketball: steals; steals|stl|stls
player_blocks; player blocks; basketball: blocks; blocks|blk|blks
player_turnovers; player turnovers; basketball: turnovers; turnovers|tov|~tos|~to s
player_points_rebounds_assists; player points, rebounds, and assists; basketball: points rebounds assists; pra
player_points_rebounds; player points and rebounds; basketball: points rebounds; ~pr
player_points_assists; player points and assists; basketball: points assists; ~pa
player_rebounds_assists; player rebounds and assists; basketball: rebounds assists; ~ra
player_double_double?2; double-double; basketball: double_digits; double double|dbl dbl|double dbl|~dd
player_pass_yds; passing yards; football: passing_yards; pass yards|passing yds|pass yds|~pass|~passing
player_pass_tds; passing touchdowns; football: passing_touchdowns; pass touchdowns|passing tds|pass tds|passing td
player_pass_completions; completions; football: completions; pass completions|passing completions|comps|~cmp|~cmps
player_pass_attempts; passing attempts; football: passing_attempts; pass attempts|pass atts|passing atts
player_pass_interceptions; interceptions thrown; football: passing_interceptions; passing interceptions|pass interceptions|passing ints|pass ints|ints thrown|ints|~int|interceptions|~picks
player_rush_yds; rushing yards; football: rushing_yards; rush yards|rushing yds|rush yds|ru yds|~rush|~rushing
player_rush_attempts; rushing attempts; football: rushing_attempts; rush attempts|rushing atts|rush atts|carries
player_receptions; receptions; football: receptions; recs|catches|~rec|~rec s
player_reception_yds; receiving yards; football: receiving_yards; reception yards|rec yards|receiving yds|rec yds|~receiving|~rec|~recs|~rec s
player_anytime_td?1; anytime touchdown; football: touchdowns; anytime td|anytime td scorer|anytime touchdown scorer|any time td|any time touchdown|atd|attd|to score a td|to score a touchdown|td scorer|anytime scorer|~anytime
batter_hits; batter hits; batter: hits; hits|~hit
batter_home_runs; batter home runs; batter: home_runs; home runs|hr|hrs|homers|to hit a home run|hit a home run|to hit a hr|hit a hr|to hit hr|~homer|~home run|~hr s
batter_rbis; batter RBIs; batter: rbis; rbi|rbis|runs batted in
batter_runs_scored; batter runs scored; batter: runs; runs scored|~runs|~run
batter_total_bases; batter total bases; batter: total_bases; total bases|bases|tbs|~tb
pitcher_strikeouts; pitcher strikeouts; pitcher: strikeouts_thrown; strikeouts thrown|pitching strikeouts|pitcher ks|strikeouts|~strikeout|~k|~ks|~k s|~so
pitcher_outs; pitcher outs; pitcher: outs_recorded; outs recorded|pitching outs|pitcher outs recorded|~outs|~out
player_goals; player goals; hockey: goals; goals|goals scored
player_shots_on_goal; player shots on goal; hockey: shots_on_goal; shots on goal|sog|~shots|~s
player_total_saves; goalie saves; hockey: saves; saves|goaltender saves
`;

/** The declared player markets, in display order. */
export const playerMarkets: readonly PlayerMarket[] = table
  .trim()
  .split('\n')
  .map((row) => {
    const [, name, least, label, summands, words] = /^(\w+)\??(\d?); (.+?); (.+?); (.+)$/.exec(
      row,
    ) as RegExpExecArray & string[];
    return playerMarket(name!, label!, least === '' ? null : Number(least), rulesOf(summands!), words!);
  });

function rulesOf(summands: string): PlayerMarket['sports'] {
  return Object.fromEntries(
    summands.split(', ').flatMap((part) => {
      const [group, of] = part.split(': ') as [string, string];
      const { sports, playedBy } = groups[group]!;
      const rules = of === doubleDouble.name ? doubleDouble : sumOf(of.split(' ') as StatName[], playedBy);
      return sports.map((sport) => [sport, rules]);
    }),
  );
}

/** @param least the smallest figure that wins `yes`; null: the sides are over and under */
function playerMarket(
  name: string,
  label: string,
  least: number | null,
  sports: PlayerMarket['sports'],
  words: Words,
): PlayerMarket {
  const names = least === null ? overUnderNames : yesNoNames;
  return {
    name,
    label,
    words,
    sports,
    gradedBy: 'stat',
    line: least === null ? overUnder : null,
    contests: () => [[...names.values()]],
    grade(side, lineE3, figure) {
      if (least === null) return overOrUnder(side, lineE3, figure);
      if (lineE3 !== null || (side !== 'yes' && side !== 'no')) return null;
      return { result: (side === 'yes') === figure >= least ? 'win' : 'loss', half: false };
    },
    oddsApi: {
      key: name,
      featured: false,
      alternates: least === null ? `${name}_alternate` : null,
      side: ({ name: side }) => names.get(side) ?? null,
    },
  };
}
