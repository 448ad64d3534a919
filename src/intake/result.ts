import { assumedEnd, findGames, type Game, gameKey, noGame } from '../games/game.ts';
import { added, type Intake, leftOut, type NotedOutcome, refused, unchanged } from '../games/row-outcome.ts';
import { selectionChecker } from '../games/selection-checker.ts';
import { readStarts } from '../games/starts.ts';
import { knownSubjects, subjectFaultIn } from '../games/subjects.ts';
import { gradeDueJob, seal } from '../jobs/declared.ts';
import type { Job } from '../jobs/job.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { iso, instant as readInstant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { orNull, plainText, slug } from '../platform/fields.ts';
import type { Checked } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { marketSides } from '../rules/markets/index.ts';
import type { Outcome } from '../rules/markets/market.ts';
import { subjectFault } from '../rules/selection.ts';
import { passedStarts } from '../rules/starts.ts';
import { gradingScoreName } from '../rules/units.ts';
import { results } from '../rules/vocabulary.ts';
import { booleanCell } from './cells.ts';
import { type Fields, type RowKind, type RowOf, schemaOf, withCorrections } from './kind.ts';
import { aboutSubjects, finalAtField, gameFields, pastGame, selectionFields } from './of-games.ts';

const fields = {
  ...gameFields,
  ...selectionFields,
  side: {
    ...selectionFields.side,
    schema: Type.Optional(slug),
    about: `${selectionFields.side.about} Required, unless there is a \`reason\`.`,
  },
  result: {
    schema: Type.Enum(results),
    about: 'How the selection ended.',
  },
  half: {
    schema: orNull(Type.Boolean()),
    about: 'Whether the result applies to half the stake.',
    label: 'half the stake only',
    hint: 'For a quarter line, when the other half was returned.',
    cell: booleanCell,
  },
  reason: {
    schema: orNull(plainText(1, 300)),
    about:
      'Why the bet is void before the start, such as a scratched player. Without side and line, the row voids every pick on the market and subject that was posted until then.',
  },
  finalAt: finalAtField,
} satisfies Fields;

const schema = schemaOf(fields);
const checkFields = selectionChecker(schema);

/** The result of a selection that no score grades. */
export type ResultRow = RowOf<typeof fields>;
export function checkResult(value: unknown): Checked<ResultRow> {
  const checked = checkFields(value);
  const { side, line, reason, result, half } = (value ?? {}) as Record<string, unknown>;
  const faults = (checked.ok ? [] : checked.faults).concat(
    reason == null
      ? side === undefined
        ? [{ path: '/side', message: 'is missing' }]
        : []
      : side !== undefined || line != null || half != null
        ? [
            {
              path: '/reason',
              message: 'is for a void of every side and line: leave out side, line, and half',
            },
          ]
        : result !== 'void'
          ? [{ path: '/reason', message: 'is only for a void before the start' }]
          : [],
  );
  return faults.length === 0 ? checked : { ok: false, faults };
}

export const result: RowKind<ResultRow> = {
  title: 'ResultRow',
  about:
    'Sets results of bets that no score grades. The first result stays; a different one becomes a notice.',
  identity:
    'game, market, subject, side, line; the first result stands. A void with a reason: game, market, subject, instant',
  example: { ...pastGame, market: 'first_touchdown', subject: 'Ada Cole', side: 'yes', result: 'win' },
  fields,
  schema,
  check: checkResult,
  apply: aboutSubjects(async (transaction, rows, intake) =>
    withCorrections(transaction, await applyResults(transaction, rows, intake), intake),
  ),
  wakes: [gradeDueJob as Job, seal as Job],
};

export interface AppliedResults {
  outcomes: NotedOutcome[];
  /** Contradictions of stored results, as sentences for notices. */
  corrections: string[];
}

/**
 * Stores results that no score decides: those of undeclared markets, and of first halves without a known score. The first result stands.
 */
export async function applyResults(
  database: Database,
  rows: readonly ResultRow[],
  intake: Intake,
): Promise<AppliedResults> {
  const games = await findGames(database, rows);
  const applied: AppliedResults = { outcomes: [], corrections: [] };
  for (const row of rows) {
    const game = games.get(gameKey(row));
    const outcome: NotedOutcome =
      game === undefined ? refused(noGame(row)) : await applyResult(database, row, game, intake);
    applied.outcomes.push(outcome);
    if (outcome.note !== undefined) applied.corrections.push(outcome.note);
  }
  return applied;
}

/** Stores a result. @returns its outcome, with a note if it contradicts the stored one */
async function applyResult(
  database: Database,
  row: ResultRow,
  game: Game,
  { now, imported }: Intake,
): Promise<NotedOutcome> {
  const { market, side, result, reason } = row;
  if (await isGradedByScore(database, row, game))
    return refused(`the market ${market} is graded from the score, so give its game the final score instead`);
  const given = { market, subject: row.subject ?? null };
  const fault = subjectFault(given, row) ?? subjectFaultIn(game, given);
  const knownSubject = async () => {
    const about = { ...given, gameId: game.id, sport: game.sport, game: game.name };
    return (await knownSubjects(database, [about]))[0] ?? null;
  };
  if (reason != null) {
    if (fault !== undefined) return refused(fault);
    return applyVoid(database, { ...row, reason }, knownSubject, game, { now, imported });
  }
  const end = imported ? (assumedEnd(game) ?? now) : now;
  const finalAt = row.finalAt == null ? end : readInstant(row.finalAt);
  if (finalAt > now) return leftOut(`the result is dated ${iso(finalAt)}, after the service's time`);
  if (game.startsAt !== null && finalAt < game.startsAt)
    return refused(
      `the result is dated before the game's start at ${iso(game.startsAt)}${result === 'void' ? ': for a bet that is void before it, give a reason instead of side and line' : ''}`,
    );
  if (fault !== undefined) return refused(fault);
  const half = row.half === true;
  if (half && result !== 'win' && result !== 'loss')
    return refused('half must be false unless the result is a win or a loss');
  const of = { game_id: game.id, market, subject: await knownSubject() };
  const selection = { ...of, side: side!, line_e3: lineToE3(row.line) };
  const inserted = await database('results')
    .insert({ ...selection, result, half, final_at: new Date(finalAt) })
    .onConflict()
    .ignore()
    .returning('id');
  if (inserted.length > 0) return added;
  const [stands]: Outcome[] = await database('results')
    .where({ game_id: game.id, market, side: side! })
    .whereRaw('subject is not distinct from ?::text and line_e3 is not distinct from ?::int', [
      selection.subject,
      selection.line_e3,
    ])
    .select('result', 'half');
  if (stands!.result === result && stands!.half === half) return unchanged;
  const note = `${game.sport}: ${game.name}, ${selectionText(row)} stands as ${outcomeText(stands!)}; a later report says ${outcomeText({ result, half })}. Nothing was changed.`;
  return { ...unchanged, note };
}

/** Voids every pick on a market and subject that was posted by an instant before the start, with a notice in the log. */
async function applyVoid(
  database: Database,
  row: ResultRow & { reason: string },
  knownSubject: () => Promise<string | null>,
  game: Game,
  { now, imported }: Intake,
): Promise<NotedOutcome> {
  if (row.subject == null) return refused(`a ${row.market} is void before the start only with its game`);
  const end = imported && game.startsAt !== null ? game.startsAt - 60_000 : now;
  const at = row.finalAt == null ? end : readInstant(row.finalAt);
  if (at > now) return leftOut(`the void is dated ${iso(at)}, after the service's time`);
  const started = imported ? startedBy(game, at) : await startedNow(database, game, now);
  if (started)
    return refused('the game has started: give the result of each side and line instead of a reason');
  const subject = await knownSubject();
  const { rowCount }: { rowCount: number } = await database.raw(
    'insert into voids (game_id, market, subject, at, reason) values (?, ?, ?, ?, ?) on conflict do nothing',
    [game.id, row.market, subject, iso(at), row.reason],
  );
  if (rowCount === 0) return unchanged;
  const bets = `${game.sport}: ${game.name}, ${row.market} of ${subject}`;
  const text = `${bets}: picks posted until ${iso(at)} are void. ${row.reason}`;
  await recordNotices(database, 'void', [text], now);
  return added;
}

const startedBy = ({ startsAt, status }: Game, at: number) =>
  status === 'final' || (startsAt !== null && at >= startsAt);

/** Reports whether a start of a game has passed, even one that was moved later. */
async function startedNow(database: Database, game: Game, now: number): Promise<boolean> {
  if (startedBy(game, now)) return true;
  const [known] = await readStarts(database, 'select cast(:id as bigint)', { id: game.id });
  return passedStarts(known!, now).length > 0;
}

/** Writes an outcome: `loss`, `half a win`. */
export function outcomeText({ result, half }: Outcome): string {
  return half ? `half a ${result}` : result;
}

/** Returns a selection as text: `player_points Ada Lovelace over 20.5`. */
export function selectionText({ market, subject, side, line }: Partial<ResultRow>): string {
  return [market, subject, side, line].filter((part) => part != null).join(' ');
}

/**
 * Reports whether a score grades a selection, now or once the game is final. Only first-half scores and sets can stay unknown. No score
 * grades a pick that was posted before its market was declared, on a side that the market does not have.
 */
async function isGradedByScore(
  database: Database,
  { market, side = '' }: ResultRow,
  game: Game,
): Promise<boolean> {
  const score = gradingScoreName(market, game.sport);
  if (score === null) return false;
  if (score === 'firstHalf' && game.homeHalfScore === null) return false;
  // The score of a shortened game does not always decide the market.
  if (game.status === 'final' && game.played === 'shortened') return false;
  if (score === 'sets' && game.sets === null) return false;
  if (marketSides(market, 3)?.includes(side) === true) return true;
  const posted = await database('picks').where({ game_id: game.id, market, side }).first('id');
  return posted === undefined;
}
