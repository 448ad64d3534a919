import type { TSchema } from 'typebox';
import { findGames, type Game, gameKey, noGame } from '../games/game.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../games/row-outcome.ts';
import { knownSubjects } from '../games/subjects.ts';
import { gradeDueJob } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { iso, instant as readInstant } from '../platform/clock.ts';
import { columnsOf, columnTypes } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { orNull, plainText } from '../platform/fields.ts';
import { type Checked, checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import {
  type PlayerStats,
  playerMarkets,
  type StatName,
  statNames,
} from '../rules/markets/player-markets.ts';
import { subjectTextFault } from '../rules/posted-words.ts';
import { booleanCell, numberCell } from './cells.ts';
import { type Fields, type RowField, type RowKind, type RowOf, schemaOf, withCorrections } from './kind.ts';
import { finalAtField, gameFields, inGames, pastGame } from './of-games.ts';
import type { AppliedResults } from './result.ts';

type FieldOf<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<FieldOf<Rest>>}`
  : Name;

/** Returns a row's field for a statistic: `passingYards` for `passing_yards`. */
export function statField(name: StatName): FieldOf<StatName> {
  return fieldNamed(name) as FieldOf<StatName>;
}

function fieldNamed(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

const value = orNull(
  Type.Integer({ minimum: -999, maximum: 9999, must: 'a whole number from -999 to 9999' }),
);

const figures = Object.fromEntries(
  statNames.map((name) => [
    statField(name),
    { schema: value as TSchema, about: `${name.replaceAll('_', ' ')} in the game.`, cell: numberCell },
  ]),
) as { [Name in FieldOf<StatName>]: RowField<typeof value> };

const fields = {
  ...gameFields,
  player: { schema: plainText(1, 80), about: 'Full name.' },
  played: {
    schema: orNull(Type.Boolean()),
    about: 'Whether the player took part. A player with a statistic did, unless the row says otherwise.',
    cell: booleanCell,
  },
  ...figures,
  stats: {
    schema: orNull(Type.Record(Type.String(), value)),
    about: 'Statistics by name, such as `{"receivingYards": 74}`, instead of fields of the row.',
    cell: null,
  },
  finalAt: finalAtField,
} satisfies Fields;

/** Strict, because a misspelled statistic would be lost and its picks would never settle. */
const schema = schemaOf(fields, { additionalProperties: false });

/** A player's statistics in a game. */
export type StatsRow = RowOf<typeof fields>;

const checkFields = checker(schema);

/** Checks a row, and makes the statistics in `stats` fields of it. */
export function checkStats(value: unknown): Checked<StatsRow> {
  const checked = checkFields(value);
  if (!checked.ok || checked.value.stats == null) return checked;
  const { stats: given, ...row } = checked.value as StatsRow & Record<string, unknown>;
  const faults = Object.entries(given!).flatMap(([name, figure]) => {
    const field = fieldNamed(name);
    if (!(field in figures)) return [{ path: `/stats/${name}`, message: 'is not a statistic' }];
    if (row[field] != null && row[field] !== figure)
      return [{ path: `/stats/${name}`, message: `contradicts ${field}` }];
    row[field] = figure;
    return [];
  });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: row as StatsRow };
}

export const stats: RowKind<StatsRow> = {
  title: 'StatisticsRow',
  about: "Sets a player's statistics in a game, which grade picks on players.",
  identity: 'game, player, statistic; the first value stands',
  example: { ...pastGame, player: 'Ada Cole', played: true, receivingYards: 74 },
  fields,
  schema,
  check: checkStats,
  apply: inGames(async (transaction, rows, intake) =>
    withCorrections(transaction, await applyStats(transaction, rows, intake), intake),
  ),
  wakes: [gradeDueJob as Job],
};

/** Statistics that grade a market, by sport. */
export const statsOfSports: ReadonlyMap<string, ReadonlySet<StatName>> = new Map(
  [...new Set(playerMarkets.flatMap(({ sports }) => Object.keys(sports)))].map((sport) => [
    sport,
    new Set(
      playerMarkets.flatMap(({ sports }) => {
        const rules = sports[sport];
        return rules === undefined ? [] : [...rules.of, ...(rules.playedBy === null ? [] : [rules.playedBy])];
      }),
    ),
  ]),
);

/**
 * Stores players' statistics in known games (docs/rules/player-markets.md#statistics). The first value of each statistic stands.
 * @param source `import`, `operator`, or a provider
 */
export async function applyStats(
  database: Database,
  rows: readonly StatsRow[],
  { now, imported }: Intake,
  source = imported ? 'import' : 'operator',
): Promise<AppliedResults> {
  const games = await findGames(database, rows);
  const taken: (Omit<GivenStats, 'subject'> & { player: string })[] = [];
  const outcomes = rows.map((row, i): RowOutcome => {
    const game = games.get(gameKey(row));
    if (game === undefined) return refused(noGame(row));
    const end = imported ? (game.finalAt ?? (game.startsAt === null ? now : game.startsAt + 3 * hour)) : now;
    const finalAt = row.finalAt == null ? end : readInstant(row.finalAt);
    if (finalAt > now) return leftOut(`the statistics are dated ${iso(finalAt)}, after the service's time`);
    const values = valuesOf(row);
    const fault = faultOf(row, game, finalAt, values);
    if (fault !== undefined) return refused(fault);
    taken.push({ i, game, player: row.player, values, finalAt });
    return unchanged;
  });
  const subjects = await knownSubjects(
    database,
    taken.map(({ game, player }) => ({
      gameId: game.id,
      sport: game.sport,
      game: game.name,
      market: null,
      subject: player,
    })),
  );
  const { fresh, corrections } = await insertStats(
    database,
    taken.map((each, at) => ({ ...each, subject: subjects[at]! })),
    source,
  );
  for (const i of fresh) outcomes[i] = added;
  return { outcomes, corrections };
}

/**
 * Stores a source's statistics of subjects in a game. The first value of each statistic stands.
 * @param finalAt epoch milliseconds
 * @returns whether any was new, and contradictions of stored values
 */
export async function addStats(
  database: Database,
  game: Pick<Game, 'id' | 'sport' | 'name'>,
  players: readonly { subject: string; stats: PlayerStats }[],
  source: string,
  finalAt: number,
): Promise<{ isNew: boolean; corrections: string[] }> {
  const given = players.map(({ subject, stats }, i): GivenStats => {
    const values = Object.entries(stats) as [StatName, number][];
    return { i, game, subject, values, finalAt };
  });
  const { fresh, corrections } = await insertStats(database, given, source);
  return { isNew: fresh.size > 0, corrections };
}

const hour = 3_600_000;

type Value = readonly [stat: StatName | 'played', value: number];

/** Returns the statistics of a row. A player with statistics counts as having played, unless the row says otherwise. */
function valuesOf(row: StatsRow): Value[] {
  const values = statNames.flatMap((name): Value[] => {
    const figure = row[statField(name)];
    return figure == null ? [] : [[name, figure]];
  });
  const saysWhoPlayed = values.some(([name]) => signs.includes(name));
  const played = row.played ?? (values.length > 0 && !saysWhoPlayed ? true : null);
  return played === null ? values : [['played', played ? 1 : 0], ...values];
}

/** Statistics that show who played, each for its own markets. */
const signs: readonly (StatName | 'played')[] = ['minutes', 'plate_appearances', 'pitches'];

function faultOf(row: StatsRow, game: Game, finalAt: number, values: readonly Value[]): string | undefined {
  const known = statsOfSports.get(game.sport);
  const fault = subjectTextFault(row.player);
  if (fault !== undefined) return fault;
  if (known === undefined) return `no market of ${game.sport} is graded by players' statistics`;
  const foreign = values.find(([name]) => name !== 'played' && !known.has(name))?.[0];
  if (foreign !== undefined) return `${foreign} grades no market of ${game.sport}`;
  if (values.length === 0) return 'the row needs a statistic, or `played`';
  if (row.played === false && values.some(([, figure]) => figure !== 0))
    return 'a player who did not play has no statistics';
  if ((row.minutes ?? 1) <= 0 && values.some(([name, figure]) => name !== 'minutes' && figure > 0))
    return 'a player without minutes has no statistics: leave out minutes that are rounded to 0';
  if (game.startsAt !== null && finalAt < game.startsAt)
    return `the statistics are dated before the game's start at ${iso(game.startsAt)}`;
  return undefined;
}

/** Statistics of a subject in a game. */
interface GivenStats {
  /** The index of its row. */
  i: number;
  game: Pick<Game, 'id' | 'sport' | 'name'>;
  subject: string;
  values: readonly Value[];
  finalAt: number;
}

const statTypes = columnTypes(
  'i int, game_id bigint, subject text, stat text, value_e3 int, source text, final_at timestamptz',
);

/**
 * Stores new statistics.
 * @returns the `i` of the rows with a new one, and sentences about stored ones that contradict the given ones
 */
async function insertStats(
  database: Database,
  given: readonly GivenStats[],
  source: string,
): Promise<{ fresh: Set<number>; corrections: string[] }> {
  const values = given.flatMap((row) => row.values.map(([stat, value]) => ({ ...row, stat, value })));
  if (values.length === 0) return { fresh: new Set(), corrections: [] };
  const columns = Object.keys(statTypes).join(', ');
  const { table, bindings } = columnsOf(
    statTypes,
    values.map(({ game, subject, stat, value, finalAt }, i) => ({
      i,
      game_id: game.id,
      subject,
      stat,
      value_e3: value * 1000,
      source,
      final_at: iso(finalAt),
    })),
  );
  const { rows: inserted }: { rows: { i: number }[] } = await database.raw(
    `with given as (
       select distinct on (game_id, subject, stat) * from ${table} as s (${columns}) order by game_id, subject, stat, i
     ), inserted as (
       insert into stats (game_id, subject, stat, value_e3, source, final_at)
       select game_id, subject, stat, value_e3, source, date_trunc('milliseconds', final_at) from given order by game_id, subject, stat
       on conflict do nothing returning game_id, subject, stat
     )
     select i from given join inserted using (game_id, subject, stat)`,
    bindings,
  );
  const { rows: others }: { rows: { i: number; stands: number }[] } = await database.raw(
    `select g.i, s.value_e3 as stands from ${table} as g (${columns}) join stats s using (game_id, subject, stat)
     where s.value_e3 <> g.value_e3 order by g.i`,
    bindings,
  );
  return {
    fresh: new Set(inserted.map(({ i }) => values[i]!.i)),
    corrections: others.map(({ i, stands }) => {
      const { game, subject, stat, value } = values[i]!;
      return `${game.sport}: ${game.name}, ${stat} of ${subject} stands as ${stands / 1000}; a later report says ${value}. Nothing was changed.`;
    }),
  };
}
