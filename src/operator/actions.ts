import type { Context } from 'koa';
import type { RowOutcome } from '../games/row-outcome.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';

/** A change that an operator asks for. */
export interface Action {
  operator: string;
  /** A slug, such as `picks`. */
  action: string;
  /** In a few words what it is about. */
  about: string;
  rows: number;
  requestId: string;
}

/** Records who changes what: docs/decisions/0043-operators-by-name.md. */
export interface Actions {
  /** Records an action before it is made. @returns its id */
  begin(action: Action): Promise<number>;
  /** Records what came of it. */
  end(id: number, answers: readonly Outcome[]): Promise<void>;
}

/** What came of a row. */
export interface Outcome {
  index: number;
  outcome: RowOutcome['outcome'];
  pickUuid?: string;
  reason?: string;
}

const maxAbout = 200;
const maxRefusals = 50;

/** Records actions other than posting picks, which `posting.ts` records in the transaction that stores them. */
export function createActions(database: Database, clock: Clock): Actions {
  return {
    async begin(action) {
      const [row]: { id: number }[] = await insertActions(database, [action], clock.now());
      return row!.id;
    },
    async end(id, answers) {
      await database('operator_outcomes').insert({ action_id: id, ...outcomeRow(answers, clock.now()) });
    },
  };
}

/** Records actions together with what came of them. */
export async function recordActions(
  transaction: Transaction,
  ended: readonly { action: Action; answers: readonly Outcome[] }[],
  now: number,
): Promise<void> {
  const actions: { id: number }[] = await insertActions(
    transaction,
    ended.map(({ action }) => action),
    now,
  );
  await transaction('operator_outcomes').insert(
    ended.map(({ answers }, at) => ({ action_id: actions[at]!.id, ...outcomeRow(answers, now) })),
  );
}

function insertActions(database: Database, actions: readonly Action[], now: number) {
  return database('operator_actions')
    .insert(actions.map((action) => actionRow(action, now)))
    .returning('id');
}

function actionRow({ operator, action, about, rows, requestId }: Action, now: number) {
  return {
    ...{ at: new Date(now), operator, action, rows },
    about: about.slice(0, maxAbout).toWellFormed().replaceAll('\0', ''),
    request_id: requestId,
  };
}

function outcomeRow(answers: readonly Outcome[], now: number) {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const refusals = answers
    .filter(({ reason }) => reason !== undefined)
    .map(({ index, reason }) => ({ index, reason }))
    .sort((one, other) => one.index - other.index);
  return {
    at: new Date(now),
    counts,
    refused: refusals.length,
    refusals: JSON.stringify(refusals.slice(0, maxRefusals)),
    picks: answers.flatMap(({ pickUuid }) => (pickUuid === undefined ? [] : [pickUuid])),
  };
}

/** Who asks, and under which request. */
export function byWhom({ state }: Pick<Context, 'state'>): Pick<Action, 'operator' | 'requestId'> {
  return { operator: String(state.operator), requestId: String(state.requestId) };
}

/** A row in a few words: its values, without what is no text or number. */
export function aboutOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return '';
  return Object.values(row)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(', ');
}

/** An action as it is shown. Instants in epoch milliseconds. */
export interface ShownAction extends Action {
  id: number;
  at: number;
  /** Null where it failed or was cut off. */
  counts: Readonly<Record<string, number>> | null;
  refusals: readonly { index: number; reason: string }[] | null;
  picks: readonly string[] | null;
}

/** The latest actions. @param refusedOnly only those with refused rows */
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
