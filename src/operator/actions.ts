import type { Context } from 'koa';
import { createBatcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { RowOutcome } from '../platform/row-outcome.ts';

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
const maxItems = 250;

/** Requests that come together are recorded in one statement. Those with picks are recorded with them: `posting.ts`. */
export function createActions(database: Database, clock: Clock): Actions {
  const begin = createBatcher(
    async (actions: readonly Action[]) => {
      const rows: { id: number }[] = await database('operator_actions')
        .insert(actions.map((action) => actionRow(action, clock.now())))
        .returning('id');
      return rows.map(({ id }) => ({ status: 'fulfilled', value: id }) as const);
    },
    { maxItems },
  );
  const end = createBatcher(
    async (ended: readonly { id: number; answers: readonly Outcome[] }[]) => {
      await database('operator_outcomes').insert(
        ended.map(({ id, answers }) => {
          const { refusals, ...row } = outcomeRow(answers, clock.now());
          return { action_id: id, ...row, refusals: JSON.stringify(refusals) };
        }),
      );
      return ended.map(() => ({ status: 'fulfilled', value: undefined }) as const);
    },
    { maxItems },
  );
  return { begin, end: (id, answers) => end({ id, answers }) };
}

/** An action and what comes of it, for the function `post_picks`. */
export function recordOf(action: Action, answers: readonly Outcome[], now: number): object {
  return { ...actionRow(action, now), ...outcomeRow(answers, now) };
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
    refusals: refusals.slice(0, maxRefusals),
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
