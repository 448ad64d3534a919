import type { Context } from 'koa';
import type { RowOutcome } from '../games/row-outcome.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';

/** A change requested by an operator. */
export interface Action {
  operator: string;
  /** A slug, such as `picks`. */
  action: string;
  /** A short summary of its subject. */
  about: string;
  rows: number;
  requestId: string;
}

/** The requester of a change. */
export type By = Pick<Action, 'operator' | 'requestId'>;

/** Records operators' changes: docs/operations.md#the-operators-port. */
export type Actions = ReturnType<typeof createActions>;

export interface Outcome {
  index: number;
  outcome: RowOutcome['outcome'];
  pickUuid?: string;
  reason?: string;
}

const maxAbout = 200;
const maxRefusals = 50;

/** Records all actions except posting picks. `posting.ts` records those in the transaction that stores them. */
export function createActions(database: Database, clock: Clock) {
  return {
    /** Before it runs. @returns its ID */
    async begin(action: Action): Promise<number> {
      const [row]: { id: number }[] = await database('operator_actions')
        .insert(actionRow(action, clock.now()))
        .returning('id');
      return row!.id;
    },
    /** @param counts rows by outcome. Default: those of `answers` */
    async end(
      id: number,
      answers: readonly Outcome[],
      counts?: Readonly<Record<string, number>>,
    ): Promise<void> {
      const { refusals, ...outcome } = outcomeRow(answers, clock.now(), counts);
      await database('operator_outcomes').insert({
        action_id: id,
        ...outcome,
        refusals: JSON.stringify(refusals),
      });
    },
  };
}

/** Records finished actions with their outcomes, in one statement. */
export async function recordActions(
  transaction: Transaction,
  ended: readonly { action: Action; answers: readonly Outcome[] }[],
  now: number,
): Promise<void> {
  const rows = ended.map(({ action, answers }, position) => ({
    position,
    ...actionRow(action, now),
    ...outcomeRow(answers, now),
  }));
  // IDs follow the order of positions.
  await transaction.raw(
    `with ended as (
       select * from json_to_recordset(?) as e (position int, at timestamptz, operator text, action text, about text, rows int,
         request_id text, counts jsonb, refused int, refusals jsonb, picks uuid[])
     ), begun as (
       insert into operator_actions (at, operator, action, about, rows, request_id)
       select at, operator, action, about, rows, request_id from ended order by position
       returning id
     )
     insert into operator_outcomes (action_id, at, counts, refused, refusals, picks)
     select id, at, counts, refused, refusals, picks
     from ended join (select id, row_number() over (order by id) - 1 as position from begun) b using (position)`,
    [JSON.stringify(rows)],
  );
}

function actionRow({ operator, action, about, rows, requestId }: Action, now: number) {
  return {
    at: new Date(now),
    operator,
    action,
    rows,
    about: about.slice(0, maxAbout).toWellFormed().replaceAll('\0', ''),
    request_id: requestId,
  };
}

export function countsOf(answers: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Writes the counts of an action: `picks added: 2, picks refused: 1`. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ');
}

function outcomeRow(answers: readonly Outcome[], now: number, counts = countsOf(answers)) {
  const refusals = answers
    .filter(({ reason }) => reason !== undefined)
    .map(({ index, reason }) => ({ index, reason }))
    .sort((one, other) => one.index - other.index);
  return {
    at: new Date(now),
    counts,
    refused: refusals.length,
    refusals: refusals.slice(0, maxRefusals),
    picks: answers.flatMap(({ pickUuid }) => (pickUuid === undefined ? [] : [pickUuid])),
  };
}

export function requesterOf({ state }: Pick<Context, 'state'>): By {
  return { operator: String(state.operator), requestId: String(state.requestId) };
}

/** Summarizes a row: its texts and numbers. */
export function summaryOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return '';
  return Object.values(row)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(', ');
}

/** An action for display. Instants in epoch milliseconds. */
export interface ShownAction extends Action {
  id: number;
  at: number;
  /** Null if it failed or was interrupted. */
  counts: Readonly<Record<string, number>> | null;
  refusals: readonly { index: number; reason: string }[] | null;
  picks: readonly string[] | null;
}

/** Newest first. @param refusedOnly only those with refused rows */
export async function latestActions(
  database: Database,
  limit: number,
  refusedOnly = false,
): Promise<ShownAction[]> {
  const query = database('operator_actions as a')
    .leftJoin('operator_outcomes as o', 'o.action_id', 'a.id')
    .orderBy(refusedOnly ? 'o.action_id' : 'a.id', 'desc')
    .limit(limit)
    .select('a.id', 'a.at', 'a.operator', 'a.action', 'a.about', 'a.rows', 'a.request_id as requestId')
    .select('o.counts', 'o.refusals', 'o.picks');
  return refusedOnly ? query.where('o.refused', '>', 0) : query;
}
