import type { Static } from 'typebox';
import { instant as readInstant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { instant, orNull, slug } from '../platform/fields.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { marketNamed, marketSides } from '../rules/markets/index.ts';
import { subjectFault } from '../rules/selection.ts';
import { gameFields, priceLine, subject } from './fields.ts';
import { findGames, type Game, gameKey } from './game.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from './row-outcome.ts';

const resultRow = Type.Object({
  ...gameFields,
  market: slug,
  subject,
  side: slug,
  line: priceLine,
  result: Type.Union([Type.Literal('win'), Type.Literal('loss'), Type.Literal('push'), Type.Literal('void')]),
  finalAt: orNull(instant),
});

export type ResultRow = Static<typeof resultRow>;
export const checkResult = checker(resultRow);

export interface AppliedResults {
  outcomes: RowOutcome[];
  /** Results that contradict one that stands, as sentences for a notice. */
  corrections: string[];
}

/**
 * Takes results of what no score grades: markets that are not declared, and those of a first half whose score is not known.
 * The first one stands.
 */
export async function applyResults(
  database: Database,
  rows: readonly ResultRow[],
  { now, imported }: Intake,
): Promise<AppliedResults> {
  const games = await findGames(database, rows);
  const corrections: string[] = [];
  const outcomes: RowOutcome[] = [];
  for (const row of rows) {
    const game = games.get(gameKey(row));
    if (game === undefined) {
      outcomes.push(refused(`no game ${row.sport}: ${row.game} announced for ${row.startsAt ?? 'no start'}`));
      continue;
    }
    if (await isGradedByScore(database, row, game)) {
      outcomes.push(refused(`the market ${row.market} is graded from the score`));
      continue;
    }
    const end = game.startsAt === null || !imported ? now : game.startsAt + 3 * 3_600_000;
    const finalAt = row.finalAt == null ? end : readInstant(row.finalAt);
    if (finalAt > now) {
      outcomes.push(leftOut(`the result is of ${new Date(finalAt).toISOString()}`));
      continue;
    }
    if (game.startsAt !== null && finalAt < game.startsAt && row.result !== 'void') {
      outcomes.push(refused(`the game starts at ${new Date(game.startsAt).toISOString()}`));
      continue;
    }
    const about = { market: row.market, subject: row.subject ?? null };
    const fault = subjectFault(about);
    if (fault !== undefined) {
      outcomes.push(refused(fault));
      continue;
    }
    const lineE3 = lineToE3(row.line);
    const inserted = await database('results')
      .insert({
        game_id: game.id,
        ...about,
        side: row.side,
        line_e3: lineE3,
        result: row.result,
        final_at: new Date(finalAt),
      })
      .onConflict()
      .ignore()
      .returning('id');
    if (inserted.length > 0) {
      outcomes.push(added);
      continue;
    }
    outcomes.push(unchanged);
    const [stands] = await database('results')
      .where({ game_id: game.id, market: row.market, side: row.side })
      .whereRaw('subject is not distinct from ?::text and line_e3 is not distinct from ?::int', [
        about.subject,
        lineE3,
      ])
      .pluck('result');
    if (stands !== row.result)
      corrections.push(
        `${game.sport}: ${game.name}, ${selectionText(row)} stands as ${stands}; a later report says ${row.result}. Nothing was changed.`,
      );
  }
  return { outcomes, corrections };
}

/** A selection in words: `player_points Ada Lovelace over 20.5`. */
export function selectionText({ market, subject, side, line }: Partial<ResultRow>): string {
  return [market, subject, side, line].filter((part) => part != null).join(' ');
}

/**
 * Whether a score grades this, now or once the game is final: only the score of a first half may stay unknown. No score
 * grades a pick that was posted before its market was declared, on a side that the market does not have.
 */
async function isGradedByScore(
  database: Database,
  { market, side }: ResultRow,
  game: Game,
): Promise<boolean> {
  const declared = marketNamed(market);
  if (declared === undefined) return false;
  if (declared.gradedBy === 'firstHalf' && game.homeHalfScore === null) return false;
  if (marketSides(market, 3)?.includes(side) === true) return true;
  const posted = await database('picks').where({ game_id: game.id, market, side }).first('id');
  return posted === undefined;
}
