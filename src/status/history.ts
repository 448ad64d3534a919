import type { Database, Transaction } from '../platform/database.ts';
import { daysUpTo, etDay } from '../rules/et-day.ts';
import type { Status } from './check.ts';
import type { Found } from './incidents.ts';

/** ET days that are kept. */
export const historyDays = 90;

/** Rounds by how they found a check. */
export type Rounds = Record<Status, number>;

/** Rounds that are not stored yet, by ET day and name. */
export type Unsaved = Map<string, Map<string, Rounds>>;

/** Adds a round. What could not be measured is not counted: a day without counts is shown as not measured. */
export function count(unsaved: Unsaved, found: readonly Found[], now: number): void {
  const day = etDay(now);
  const names = unsaved.get(day) ?? new Map<string, Rounds>();
  unsaved.set(day, names);
  for (const { subject, finding } of found) {
    if (finding === undefined) continue;
    const rounds = names.get(subject.name) ?? { ok: 0, degraded: 0, down: 0 };
    rounds[finding.status] += 1;
    names.set(subject.name, rounds);
  }
}

/** Stores rounds, and forgets days that are older than is kept. */
export async function saveHistory(transaction: Transaction, unsaved: Unsaved, now: number): Promise<void> {
  const rows = [...unsaved].flatMap(([day, names]) =>
    [...names].map(([name, rounds]) => ({ day, name, ...rounds })),
  );
  await transaction.raw(
    `insert into status_days as d (name, day, ok, degraded, down)
     select name, day, ok, degraded, down from json_to_recordset(?) as r (name text, day date, ok int, degraded int, down int)
     on conflict (day, name) do update set
       ok = d.ok + excluded.ok, degraded = d.degraded + excluded.degraded, down = d.down + excluded.down`,
    [JSON.stringify(rows)],
  );
  await transaction('status_days')
    .where('day', '<', daysUpTo(etDay(now), historyDays)[0] as string)
    .delete();
}

/** A check's days, by name: the last {@link historyDays} ET days, oldest first; undefined for a day that was not measured. */
export interface History {
  days: readonly string[];
  byName: ReadonlyMap<string, readonly (Rounds | undefined)[]>;
}

export async function readHistory(database: Database, now: number): Promise<History> {
  const days = daysUpTo(etDay(now), historyDays);
  const indexOf = new Map(days.map((day, index) => [day, index]));
  const rows: ({ name: string; day: string } & Rounds)[] = await database('status_days')
    .where('day', '>=', days[0] as string)
    .select('name', 'day', 'ok', 'degraded', 'down');
  const byName = new Map<string, (Rounds | undefined)[]>();
  for (const { name, day, ...rounds } of rows) {
    const list = byName.get(name) ?? new Array<Rounds | undefined>(historyDays).fill(undefined);
    byName.set(name, list);
    const index = indexOf.get(day);
    if (index !== undefined) list[index] = rounds;
  }
  return { days, byName };
}
