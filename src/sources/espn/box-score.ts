import type { Static } from 'typebox';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { PlayerStats, StatName } from '../../rules/markets/player-markets.ts';
import { Unreadable } from '../http.ts';

/** A player in a box score. Picks on absent statistics wait. */
export interface BoxPlayer {
  names: readonly string[];
  stats: PlayerStats;
}

export interface BoxScore {
  eventId: string;
  /** Opponents, as the source names them. */
  home: string;
  away: string;
  /** Whether the game is over. A running game's box score grades nothing. */
  completed: boolean;
  players: BoxPlayer[];
}

const id = Type.String({ maxLength: 40 });
const name = Type.String({ minLength: 1, maxLength: 95 });
const figure = Type.Union([Type.String({ maxLength: 40 }), Type.Number(), Type.Null()]);
const athleteEntry = Type.Object({
  athlete: Type.Object({ id, displayName: name }),
  didNotPlay: Type.Optional(Type.Boolean()),
  stats: Type.Optional(Type.Array(figure, { maxItems: 60 })),
  atBats: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 60 })),
});
type AthleteEntry = Static<typeof athleteEntry>;
const groupOf = Type.Object({
  name: Type.Optional(Type.Union([Type.String({ maxLength: 60 }), Type.Null()])),
  type: Type.Optional(Type.Union([Type.String({ maxLength: 60 }), Type.Null()])),
  keys: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 60 }),
  athletes: Type.Array(Type.Unknown(), { maxItems: 150 }),
});
const checkSummary = checker(
  Type.Object({
    header: Type.Object({
      id,
      competitions: Type.Array(
        Type.Object({
          status: Type.Object({ type: Type.Object({ completed: Type.Boolean() }) }),
          competitors: Type.Array(
            Type.Object({
              homeAway: Type.String({ maxLength: 10 }),
              team: Type.Object({ displayName: name }),
            }),
            { minItems: 2, maxItems: 2 },
          ),
        }),
        { minItems: 1, maxItems: 1 },
      ),
    }),
    boxscore: Type.Optional(
      Type.Object({
        players: Type.Optional(
          Type.Array(
            Type.Object({
              team: Type.Object({ id }),
              statistics: Type.Array(Type.Unknown(), { maxItems: 40 }),
            }),
            { maxItems: 2 },
          ),
        ),
      }),
    ),
    plays: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 3000 })),
    scoringPlays: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 300 })),
  }),
);
const checkGroup = checker(groupOf);
const checkAthlete = checker(athleteEntry);

/** A group of a team's statistics, such as its batters. */
interface Group {
  name: string;
  keys: ReadonlySet<string>;
  /** Whether every player in it is readable. A player who is not listed then has none of its statistics. */
  isWhole: boolean;
  entries: { player: AthleteEntry; values: ReadonlyMap<string, string> }[];
}

interface Team {
  id: string;
  groups: Group[];
}

interface Plays {
  plays: readonly unknown[] | undefined;
  scoringPlays: readonly unknown[] | undefined;
}

/**
 * Reads the players of a summary, by the keys of each group: the same key means different things in different groups.
 * @throws Unreadable if it is not a summary, or if a finished game has no box score
 */
export function readBoxScore(body: unknown, sport: string): BoxScore {
  const checked = checkSummary(body);
  if (!checked.ok)
    throw new Unreadable(`the answer is not a summary: ${faultsText(checked.faults).slice(0, 120)}`);
  const { header, boxscore, plays, scoringPlays } = checked.value;
  const { status, competitors } = header.competitions[0]!;
  const sideOf = (side: string) => competitors.find(({ homeAway }) => homeAway === side)?.team.displayName;
  const [home, away] = [sideOf('home'), sideOf('away')];
  if (home === undefined || away === undefined) throw new Unreadable('the summary does not say who is home');
  const { completed } = status.type;
  const teams = (boxscore?.players ?? []).map(({ team, statistics }) => ({
    id: team.id,
    groups: statistics.flatMap(groupFrom),
  }));
  if (completed && teams.length < 2) throw new Unreadable('the summary has no box score');
  const read = readers[sport];
  const players = read === undefined ? [] : teams.flatMap((team) => read(team, { plays, scoringPlays }));
  return { eventId: header.id, home, away, completed, players };
}

function groupFrom(given: unknown): Group[] {
  const checked = checkGroup(given);
  if (!checked.ok) return [];
  const { name: named, type, keys, athletes } = checked.value;
  const entries = athletes.flatMap((each) => {
    const athlete = checkAthlete(each);
    if (!athlete.ok) return [];
    const { stats = [] } = athlete.value;
    // Values that do not line up with their keys are unusable.
    const isParallel = stats.length === keys.length;
    const values = isParallel ? keys.map((key, index) => [key, String(stats[index] ?? '')] as const) : [];
    return [{ player: athlete.value, values: new Map(values) }];
  });
  const isWhole = entries.length === athletes.length;
  return [{ name: named ?? type ?? '', keys: new Set(keys), isWhole, entries }];
}

const readers: Readonly<Record<string, (team: Team, plays: Plays) => BoxPlayer[]>> = {
  nba: basketball,
  wnba: basketball,
  ncaab: basketball,
  nfl: football,
  ncaaf: football,
  mlb: baseball,
  nhl: hockey,
};

/** Statistics of a player; `undefined` ones are dropped. */
type Figures = Partial<Record<StatName | 'played', number | undefined>>;

function boxPlayer({ athlete }: AthleteEntry, figures: Figures): BoxPlayer {
  const known = Object.entries(figures).filter(([, value]) => value !== undefined);
  return { names: [athlete.displayName], stats: Object.fromEntries(known) as PlayerStats };
}

/** Parses a whole number, or one part of a pair such as `3-7` or `19/32`. */
function whole(text: string | undefined, part: 0 | 1 = 0): number | undefined {
  const [, first, second] = /^(-?\d{1,4})(?:[-/](\d{1,4}))?$/.exec(text ?? '') ?? [];
  const number = part === 0 ? first : second;
  return number === undefined ? undefined : Number(number);
}

function basketball({ groups }: Team): BoxPlayer[] {
  return groups.flatMap(({ keys, entries }) =>
    !keys.has('minutes')
      ? []
      : entries.map(({ player, values }) => {
          const of = (key: string) => whole(values.get(key));
          const named = ['points', 'rebounds', 'assists', 'steals', 'blocks', 'turnovers'] as const;
          const figures: Figures = Object.fromEntries(named.map((name) => [name, of(name)]));
          figures.threes = of('threePointFieldGoalsMade-threePointFieldGoalsAttempted');
          const minutes = of('minutes');
          const did = [minutes, ...Object.values(figures)].some((value) => value !== undefined && value > 0);
          // The answer contradicts itself about a player with figures who did not play.
          if (player.didNotPlay === true) return boxPlayer(player, did ? {} : { played: 0 });
          if (minutes !== undefined && minutes > 0) return boxPlayer(player, { ...figures, minutes });
          // Minutes are rounded: 0 may mean some seconds on the court, or none.
          return boxPlayer(player, did ? { ...figures, played: 1 } : figures);
        }),
  );
}

/** Statistics of football by group and key; `part` selects from a pair such as `19/32`. */
const footballFigures: readonly (readonly [StatName, group: string, keys: readonly string[], part?: 1])[] = [
  ['completions', 'passing', ['completions/passingAttempts', 'completions-passingAttempts']],
  ['passing_attempts', 'passing', ['completions/passingAttempts', 'completions-passingAttempts'], 1],
  ['passing_yards', 'passing', ['passingYards']],
  ['passing_touchdowns', 'passing', ['passingTouchdowns']],
  ['passing_interceptions', 'passing', ['interceptions']],
  ['rushing_attempts', 'rushing', ['rushingAttempts']],
  ['rushing_yards', 'rushing', ['rushingYards']],
  ['receptions', 'receiving', ['receptions']],
  ['receiving_yards', 'receiving', ['receivingYards']],
];

const touchdownKeys = [
  ['rushing', 'rushingTouchdowns'],
  ['receiving', 'receivingTouchdowns'],
  ['kickReturns', 'kickReturnTouchdowns'],
  ['puntReturns', 'puntReturnTouchdowns'],
] as const;

/** A returned interception may count in both groups. */
const defensiveKeys = [
  ['defensive', 'defensiveTouchdowns'],
  ['interceptions', 'interceptionTouchdowns'],
] as const;

/**
 * Reads football players. Only players with a statistic are listed, and only in the groups where they have one. They have none in the
 * others.
 */
function football({ id: teamId, groups }: Team, { scoringPlays }: Plays): BoxPlayer[] {
  const players = new Map<string, AthleteEntry>();
  for (const { entries } of groups) for (const { player } of entries) players.set(player.athlete.id, player);
  const of = (playerId: string, group: string, key: string, part?: 1): number | undefined => {
    const found = groups.find((each) => each.name === group && each.keys.has(key));
    if (found === undefined) return undefined;
    const entry = found.entries.find(({ player }) => player.athlete.id === playerId);
    if (entry === undefined) return found.isWhole ? 0 : undefined;
    return whole(entry.values.get(key), part);
  };
  const touchdowns = new Map([...players.keys()].map((each) => [each, touchdownsOf(each, of)]));
  const known = [...touchdowns.values()];
  const counted = known.includes(undefined) ? null : known.reduce<number>((sum, each) => sum + each!, 0);
  // A returned fumble has no key: if touchdowns are missing, a 0 may be wrong for any player.
  const isWhole = counted !== null && counted === teamTouchdowns(scoringPlays, teamId);
  return [...players].map(([playerId, player]) => {
    const figures: Figures = { played: 1 };
    for (const [stat, group, keys, part] of footballFigures)
      figures[stat] = keys.map((key) => of(playerId, group, key, part)).find((value) => value !== undefined);
    const scored = touchdowns.get(playerId);
    if (isWhole || (scored !== undefined && scored > 0)) figures.touchdowns = scored;
    return boxPlayer(player, figures);
  });
}

function touchdownsOf(
  playerId: string,
  of: (playerId: string, group: string, key: string) => number | undefined,
): number | undefined {
  const own = touchdownKeys.map(([group, key]) => of(playerId, group, key));
  const defensive = defensiveKeys.map(([group, key]) => of(playerId, group, key));
  if ([...own, ...defensive].includes(undefined)) return undefined;
  return own.reduce<number>((sum, each) => sum + each!, 0) + Math.max(...(defensive as number[]));
}

const checkScoring = checker(
  Type.Object({
    team: Type.Object({ id }),
    scoringType: Type.Object({ name: Type.String({ maxLength: 60 }) }),
  }),
);

/** Counts a team's touchdowns; undefined if a scoring play is unreadable. */
function teamTouchdowns(scoringPlays: readonly unknown[] | undefined, teamId: string): number | undefined {
  const read = scoringPlays?.map((play) => checkScoring(play));
  if (read === undefined || read.some(({ ok }) => !ok)) return undefined;
  return read.filter(
    (play) => play.ok && play.value.team.id === teamId && play.value.scoringType.name === 'touchdown',
  ).length;
}

function baseball({ groups }: Team, { plays }: Plays): BoxPlayer[] {
  const batting = groups.find((each) => each.name === 'batting' && each.keys.has('hits'));
  const pitching = groups.find((each) => each.name === 'pitching' && each.keys.has('strikeouts'));
  if (batting === undefined || pitching === undefined) return [];
  const bases = plays === undefined ? undefined : basesOf(plays);
  const players = new Map<string, { player: AthleteEntry; figures: Figures }>();
  for (const { player, values } of batting.entries) {
    const of = (key: string) => whole(values.get(key));
    const [hits, homeRuns] = [of('hits'), of('homeRuns')];
    const hitting = bases?.get(player.athlete.id) ?? { hits: 0, homeRuns: 0, bases: 0 };
    const agrees = bases !== undefined && hitting.hits === hits && hitting.homeRuns === homeRuns;
    players.set(player.athlete.id, {
      player,
      figures: {
        hits,
        home_runs: homeRuns,
        rbis: of('RBIs'),
        runs: of('runs'),
        plate_appearances: player.atBats?.length,
        total_bases: agrees ? hitting.bases : undefined,
        pitches: pitching.isWhole ? 0 : undefined,
      },
    });
  }
  for (const { player, values } of pitching.entries) {
    const before = players.get(player.athlete.id);
    const pitches = whole(values.get('pitches')) ?? whole(values.get('pitches-strikes'));
    const figures: Figures = {
      strikeouts_thrown: whole(values.get('strikeouts')),
      outs_recorded: outsOf(values.get('fullInnings.partInnings')),
      pitches,
    };
    // Every player who bats is listed as a batter.
    const batted = before?.figures ?? (batting.isWhole ? { plate_appearances: 0 } : {});
    players.set(player.athlete.id, { player, figures: { ...batted, ...figures } });
  }
  return [...players.values()].map(({ player, figures }) => boxPlayer(player, figures));
}

/** Converts innings to outs: `5.2` is 17. */
function outsOf(innings: string | undefined): number | undefined {
  const [, full, part] = /^(\d{1,2})\.([012])$/.exec(innings ?? '') ?? [];
  return full === undefined ? undefined : Number(full) * 3 + Number(part);
}

const basesByType: Readonly<Record<string, number>> = {
  single: 1,
  'bunt-single': 1,
  'infield-single': 1,
  double: 2,
  'ground-rule-double': 2,
  triple: 3,
  'home-run': 4,
};

const checkPlay = checker(
  Type.Object({
    type: Type.Object({ type: Type.String({ maxLength: 80 }) }),
    participants: Type.Array(
      Type.Object({
        type: Type.String({ maxLength: 40 }),
        athlete: Type.Object({ id }),
      }),
      { maxItems: 20 },
    ),
  }),
);

/** Sums hits, home runs, and total bases by batter from the plays; the box score lacks doubles and triples. */
function basesOf(plays: readonly unknown[]): Map<string, { hits: number; homeRuns: number; bases: number }> {
  const found = new Map<string, { hits: number; homeRuns: number; bases: number }>();
  for (const each of plays) {
    const play = checkPlay(each);
    const bases = play.ok ? basesByType[play.value.type.type] : undefined;
    const batter = play.ok ? play.value.participants.find(({ type }) => type === 'batter') : undefined;
    if (bases === undefined || batter === undefined) continue;
    const before = found.get(batter.athlete.id) ?? { hits: 0, homeRuns: 0, bases: 0 };
    found.set(batter.athlete.id, {
      hits: before.hits + 1,
      homeRuns: before.homeRuns + (bases === 4 ? 1 : 0),
      bases: before.bases + bases,
    });
  }
  return found;
}

const skaters = ['forwards', 'defenses', 'defensemen', 'skaters'];

function hockey({ groups }: Team): BoxPlayer[] {
  return groups.flatMap(({ name: group, entries }) => {
    if (skaters.includes(group))
      return entries.map(({ player, values }) => {
        const of = (key: string) => whole(values.get(key));
        // The key `shootoutGoals` has the label SOG; shots on goal are `shotsTotal`.
        const figures = { goals: of('goals'), assists: of('assists'), shots_on_goal: of('shotsTotal') };
        return boxPlayer(player, { ...figures, played: onIce(values) });
      });
    if (group !== 'goalies') return [];
    const played = entries.filter(({ values }) => onIce(values) === 1).length;
    return entries.map(({ player, values }) => {
      const was = onIce(values);
      // If several goalies played, the answer does not say who started.
      const started = was === 1 && played > 1 ? undefined : was;
      return boxPlayer(player, { saves: whole(values.get('saves')), played: started });
    });
  });
}

function onIce(values: ReadonlyMap<string, string>): 0 | 1 | undefined {
  const time = values.get('timeOnIce');
  if (time === undefined || !/^\d{1,3}:\d\d$/.test(time)) return undefined;
  return /[1-9]/.test(time) ? 1 : 0;
}
