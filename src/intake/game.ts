import { isDeepStrictEqual } from 'node:util';
import { periods, score, setsField } from '../games/fields.ts';
import { assumedEnd, findGames, type Game, gameKey, gameTable, moneylineWays } from '../games/game.ts';
import {
  added,
  type Intake,
  leftOut,
  type RowOutcome,
  refused,
  unchanged,
  updated,
} from '../games/row-outcome.ts';
import { applyResolved, doors } from '../games/which-game.ts';
import { followLogJob, gradeDueJob, planClosings } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { iso, isoOrNull, instant as readInstant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { instant, orNull, plainText } from '../platform/fields.ts';
import { type Checked, checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { addDays, etDayStart } from '../rules/et-day.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { playedValues } from '../rules/played.ts';
import { completedSets, type Sets } from '../rules/sets.ts';
import { finalScoreFault } from '../rules/units.ts';
import { type GameStatus, gameStatuses } from '../rules/vocabulary.ts';
import { instantCell, numberCell, setsCell, slugCell } from './cells.ts';
import { type Fields, type RowIntake, type RowKind, type RowOf, schemaOf, withCorrections } from './kind.ts';
import { finalAtField, futureGame, gameFields } from './of-games.ts';

const scoreField = (about: string) => ({ schema: orNull(score), about, cell: numberCell });

const fields = {
  ...gameFields,
  movedTo: { schema: orNull(instant), about: 'Current start, if it has moved.', cell: instantCell },
  status: {
    schema: Type.Optional(Type.Enum(gameStatuses, { default: 'scheduled' })),
    about: '`final` needs both scores. A score needs `final`.',
    cell: slugCell,
  },
  homeScore: scoreField('Final score of the home team.'),
  awayScore: scoreField('Final score of the away team.'),
  homeHalfScore: scoreField('Score of the home team after the first half.'),
  awayHalfScore: scoreField('Score of the away team after the first half.'),
  sets: {
    schema: orNull(setsField),
    about: 'Games won by each side, per set.',
    cell: setsCell,
  },
  played: {
    schema: orNull(Type.Enum(playedValues)),
    about: 'How much of the game was played.',
    label: 'how much was played',
    hint: 'Leave empty if the whole game was played.',
    cell: slugCell,
  },
  periods: {
    schema: orNull(periods),
    about: 'Innings, quarters, halves, or sets played.',
    label: 'periods played',
    hint: 'For a shortened game, such as 5 innings or 3.75 quarters.',
    cell: numberCell,
  },
  competition: {
    schema: orNull(plainText(1, 100)),
    about: 'League, cup, or tournament.',
  },
  finalAt: finalAtField,
} satisfies Fields;

const schema = schemaOf(fields);

/** A game, as files and operators describe it. */
export type GameRow = RowOf<typeof fields> & { status: GameStatus };
const checkFields = checker(schema) as (value: unknown) => Checked<GameRow>;

/** Sets the status of a row without one to `scheduled`. Then a score would be dropped, unless it is the 0-0 before the start. */
export function checkGame(value: unknown): Checked<GameRow> {
  const checked = checkFields(value);
  if (!checked.ok || checked.value.status !== 'scheduled') return checked;
  const { homeScore, awayScore } = checked.value;
  return (homeScore ?? 0) + (awayScore ?? 0) === 0
    ? checked
    : { ok: false, faults: [{ path: '/status', message: 'must be final, because the game has a score' }] };
}

export const game: RowKind<GameRow> = {
  title: 'GameRow',
  about:
    'Adds games, moves their starts, and sets their scores. A final score stays as it is; a different one becomes a notice.',
  identity: 'sport, name, first announced start; other values update it, except a final score',
  example: { ...futureGame, status: 'scheduled' },
  fields,
  schema,
  check: checkGame,
  apply: (transaction, rows, intake) =>
    applyResolved(transaction, rows, intake.imported ? doors.file : doors.operator, async (named) =>
      withCorrections(transaction, await applyGames(transaction, named, intake, originIn(intake)), intake),
    ),
  wakes: [gradeDueJob as Job, planClosings as Job, followLogJob as Job],
};

/** Applies rows of files to what is known of games before their results: {@link applySchedule}. */
export const schedule: RowKind<GameRow>['apply'] = (transaction, rows, intake) =>
  applyResolved(transaction, rows, doors.file, (named) =>
    applySchedule(transaction, named, intake, originIn(intake)),
  );

const originIn =
  (intake: RowIntake): OriginOf =>
  (row) =>
    intake.sheetGames?.get(gameKey(row)) ?? announced;

/** The origin of a row of a game. `homeGuessed`: it only guesses which team is home. `sheet`: an imported sheet mentions the game. */
export interface Origin {
  homeGuessed: boolean;
  sheet: boolean;
}
type OriginOf = (row: GameRow) => Origin;

const announced: Origin = { homeGuessed: false, sheet: false };

export interface AppliedGames {
  /** The outcome of each row, in order. */
  outcomes: RowOutcome[];
  /** Contradictions of final games, as sentences for notices. They change nothing else. */
  corrections: string[];
}

/**
 * Adds games and applies their changes: moved, postponed, cancelled, final. Final and cancelled games do not change, except that a final
 * game takes a missing first-half score or missing sets once. Results after the service's clock are left out.
 * @param database a transaction, which locks the games
 */
export function applyGames(
  database: Database,
  rows: readonly GameRow[],
  intake: Intake,
  originOf: OriginOf = () => announced,
): Promise<AppliedGames> {
  return applyEach(database, rows, intake, (game, row) => nextGame(game, row, originOf(row), intake));
}

/**
 * Adds games and moves their starts, but applies no other changes. Files use it to store the prices and picks of games before their results
 * (docs/rules/intake.md#files). Refuses the rows that {@link applyGames} refuses.
 * @param database a transaction, which locks the games
 */
export async function applySchedule(
  database: Database,
  rows: readonly GameRow[],
  intake: Intake,
  originOf: OriginOf = () => announced,
): Promise<RowOutcome[]> {
  const { outcomes } = await applyEach(database, rows, intake, (game, row) => {
    const next = nextGame(game, row, originOf(row), intake);
    if ('refused' in next) return next;
    const scheduled = nextGame(game, { ...row, status: 'scheduled' }, originOf(row), intake);
    return 'game' in scheduled && game !== undefined
      ? { game: { ...scheduled.game, status: game.status } }
      : scheduled;
  });
  return outcomes;
}

async function applyEach(
  database: Database,
  rows: readonly GameRow[],
  intake: Intake,
  nextOf: (game: Game | undefined, row: GameRow) => Next,
): Promise<AppliedGames> {
  const known: Map<string, Game> = await findGames(database, rows, 'update');
  const sports = [...(await moneylineWays(database)).keys()];
  const before = new Map(known);
  const corrections: string[] = [];
  const outcomes = rows.map((row): RowOutcome => {
    if (!sports.includes(row.sport)) return refused(`sport ${row.sport} is not one of ${sports.join(', ')}`);
    const key = gameKey(row);
    const game = known.get(key);
    const next = nextOf(game, row);
    if ('refused' in next) return refused(next.refused);
    if ('correction' in next) {
      corrections.push(next.correction);
      return unchanged;
    }
    if (game === undefined || !isDeepStrictEqual(game, next.game)) known.set(key, next.game);
    if (next.leftOut !== undefined) return leftOut(next.leftOut);
    return game === undefined ? added : isDeepStrictEqual(game, next.game) ? unchanged : updated;
  });
  const fresh = [...known].filter(([key]) => !before.has(key)).map(([, game]) => game);
  const changed = [...known]
    .filter(([key, game]) => before.has(key) && before.get(key) !== game)
    .map(([, game]) => game);
  if (fresh.length + changed.length > 0)
    // The triggers of a live log ignore it.
    await database.raw(`select set_config('public_picks.now', ?, true)`, [iso(intake.now)]);
  // If another transaction has added one of the games meanwhile, start over and find it.
  if ((await insertGames(database, fresh)) < fresh.length) return applyEach(database, rows, intake, nextOf);
  await updateGames(database, changed);
  return { outcomes, corrections };
}

type Next = { game: Game; leftOut?: string } | { refused: string } | { correction: string };

/** Returns a game after applying a row to it. */
function nextGame(game: Game | undefined, row: GameRow, origin: Origin, { now, imported }: Intake): Next {
  const vouchedAt = game?.vouchedAt ?? (origin.sheet ? null : now);
  const announcedStart = row.startsAt == null ? null : readInstant(row.startsAt);
  const startsAt = row.movedTo == null ? (game?.startsAt ?? announcedStart) : readInstant(row.movedTo);
  const open: Game = (game && { ...game, vouchedAt }) ?? {
    id: 0,
    sport: row.sport,
    name: row.game,
    homeKnown: !origin.homeGuessed,
    announcedStart,
    day: row.startsAt == null ? (row.day ?? null) : null,
    startsAt,
    heldStart: null,
    status: 'scheduled',
    ...given('final'),
    ...given('first', row),
    periodsE3: null,
    finalAt: null,
    wasPostponed: false,
    vouchedAt,
  };
  const fault = row.status === 'final' ? scoreFault(row) : undefined;
  if (fault !== undefined) return { refused: fault };
  if (game?.status === 'final' || game?.status === 'cancelled') {
    if (row.status !== 'final' && row.status !== 'cancelled') return { game };
    if (row.status !== game.status) return { correction: correctionOf(game, row) };
    if (row.status === 'cancelled') return { game };
    if (!sameScore(game, row) || contradictsHalf(game, row) || contradictsExtent(game, row))
      return { correction: correctionOf(game, row) };
    const { homeHalfScore = null, awayHalfScore = null } = row;
    const half = game.homeHalfScore === null && { homeHalfScore, awayHalfScore };
    return { game: { ...game, ...half, sets: game.sets ?? setsOf(row) } };
  }
  if (row.status === 'scheduled') return { game: { ...open, startsAt, status: 'scheduled' } };
  if (row.status === 'postponed') {
    if (imported && startsAt !== null && startsAt > now)
      return { game: { ...open, startsAt }, leftOut: `postponed after ${iso(now)}` };
    return { game: { ...open, startsAt, status: 'postponed', wasPostponed: true } };
  }
  const finalAt =
    row.finalAt == null
      ? imported
        ? (assumedEnd({ ...open, startsAt }) ?? now)
        : now
      : readInstant(row.finalAt);
  if (finalAt > now)
    return {
      game: { ...open, startsAt },
      leftOut: `the result is dated ${iso(finalAt)}, after the service's time, ${iso(now)}`,
    };
  if (row.status === 'cancelled') return { game: { ...open, startsAt, status: 'cancelled', finalAt } };
  if (startsAt !== null && finalAt < startsAt)
    return { refused: `the game ended at ${iso(finalAt)}, before its start at ${iso(startsAt)}` };
  if (startsAt === null && open.day !== null && finalAt < etDayStart(addDays(open.day, -1)))
    return { refused: `the game ended at ${iso(finalAt)}, before its day, ${open.day}` };
  return {
    game: {
      ...open,
      startsAt,
      status: 'final',
      ...given('final', row),
      periodsE3: row.periods == null ? null : lineToE3(row.periods),
      finalAt,
    },
  };
}

/** Returns why the scores of a final game are impossible, or undefined. */
function scoreFault(row: GameRow): string | undefined {
  const { homeScore, awayScore, homeHalfScore, awayHalfScore } = row;
  if (homeScore == null || awayScore == null)
    return 'a final game needs both scores: homeScore and awayScore';
  if ((homeHalfScore == null) !== (awayHalfScore == null))
    return 'homeHalfScore and awayHalfScore must be given together';
  const fault = finalScoreFault(row.sport, { homeScore, awayScore, played: row.played ?? null });
  if (fault !== undefined) return fault;
  const sets = setsOf(row);
  if (sets !== null && !isScoreOfSets(row, sets))
    return 'the score must be the number of sets that each side won';
  if ((homeHalfScore ?? 0) > homeScore || (awayHalfScore ?? 0) > awayScore)
    return 'a first-half score exceeds the final score';
  return undefined;
}

function setsOf({ sets }: GameRow): Sets | null {
  return (sets ?? null) as Sets | null;
}

/** Reports whether a score matches its sets. The last set of an unfinished match can be without a winner. */
function isScoreOfSets({ homeScore, awayScore, played }: GameRow, sets: Sets): boolean {
  const counted = played === 'shortened' ? sets.slice(0, completedSets(sets)) : sets;
  const won = (home: boolean) => counted.filter(([h, a]) => (home ? h > a : a > h)).length;
  return won(true) === homeScore && won(false) === awayScore;
}

function sameScore(game: Game, row: GameRow): boolean {
  return game.homeScore === row.homeScore && game.awayScore === row.awayScore;
}

function contradictsHalf(game: Game, row: GameRow): boolean {
  if (game.homeHalfScore === null || row.homeHalfScore == null) return false;
  return game.homeHalfScore !== row.homeHalfScore || game.awayHalfScore !== row.awayHalfScore;
}

/** Reports whether a row contradicts the length of a game, or its sets. A game without a reported length counts as full. */
function contradictsExtent(game: Game, row: GameRow): boolean {
  if (row.played != null && row.played !== (game.played ?? 'full')) return true;
  const sets = setsOf(row);
  return game.sets !== null && sets !== null && !isDeepStrictEqual(game.sets, sets);
}

function correctionOf(game: Game, row: GameRow): string {
  // Names more than the score only if the score is equal.
  const isSame = row.status === game.status && sameScore(game, row);
  const what = !isSame ? 'score' : contradictsExtent(game, row) ? 'extent' : 'half';
  const stands = scoreText(game, what);
  const given = scoreText(row, what);
  const start = game.announcedStart === null ? (game.day ?? 'no announced start') : iso(game.announcedStart);
  return `${game.sport}: ${game.name} (${start}) stands as ${stands}; a later report says ${given}. Nothing was changed.`;
}

function scoreText(from: Game | GameRow, what: 'score' | 'half' | 'extent'): string {
  if (from.status !== 'final') return 'cancelled';
  const final = `${from.awayScore}-${from.homeScore}`;
  if (what === 'half') return `${final} (first half ${from.awayHalfScore}-${from.homeHalfScore})`;
  if (what === 'score') return final;
  const sets = (from.sets ?? []).map(([home, away]) => `${away}-${home}`);
  return `${final} (${[from.played ?? 'full', ...sets].join(', ')})`;
}

async function insertGames(database: Database, games: readonly Game[]): Promise<number> {
  if (games.length === 0) return 0;
  const columns = stored.filter(({ field }) => field !== 'id').map(({ name }) => name);
  const { rowCount }: { rowCount: number } = await database.raw(
    `insert into games (${columns}) select ${columns} from json_to_recordset(?) as r (${record}) on conflict do nothing`,
    [recordsOf(games)],
  );
  return rowCount;
}

async function updateGames(database: Database, games: readonly Game[]): Promise<void> {
  if (games.length === 0) return;
  const changes = stored.filter(({ changes }) => changes).map(({ name }) => `${name} = r.${name}`);
  await database.raw(
    `update games g set ${changes} from json_to_recordset(?) as r (${record}) where g.id = r.id`,
    [recordsOf(games)],
  );
}

const stored = Object.entries(gameTable)
  .map(([field, column]) => ({ field: field as keyof Game, ...column }))
  .filter(({ given }) => given !== 'by a trigger');
const record = stored.map(({ name, type }) => `${name} ${type}`).join();

type Given<When> = {
  [Field in keyof Game & keyof GameRow as (typeof gameTable)[Field]['given'] extends When
    ? Field
    : never]: Game[Field];
};

/** Returns the fields that a row gives, or null for each. */
function given<When extends 'first' | 'final'>(when: When, row: Partial<GameRow> = {}): Given<When> {
  const fields = stored.filter((column) => column.given === when).map(({ field }) => field);
  return Object.fromEntries(
    fields.map((field) => [field, row[field as keyof GameRow] ?? null]),
  ) as unknown as Given<When>;
}

function recordsOf(games: readonly Game[]): string {
  const value = (game: Game, field: keyof Game, type: string) =>
    type === 'timestamptz' ? isoOrNull(game[field] as number | null) : game[field];
  return JSON.stringify(
    games.map((game) =>
      Object.fromEntries(stored.map(({ field, name, type }) => [name, value(game, field, type)])),
    ),
  );
}
