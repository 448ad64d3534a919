import type { Database, Transaction } from '../platform/database.ts';
import { daysUpTo, etDay } from '../rules/et-day.ts';
import type { CheckResult, Status } from './check.ts';

/** ET days of stored history. */
export const historyDays = 90;

export type Rounds = Record<Status, number>;

/** Rounds not stored yet, by ET day and check name. */
export type Unsaved = Map<string, Map<string, Rounds>>;

/** Counts a round. Checks without a finding are not counted; a day without counts shows as not measured. */
export function count(unsaved: Unsaved, found: readonly CheckResult[], now: number): void {
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

/** Stores rounds and deletes days past {@link historyDays}. */
export async function saveHistory(transaction: Transaction, unsaved: Unsaved, now: number): Promise<void> {
  const rows = [...unsaved].flatMap(([day, names]) =>
    [...names].map(([name, rounds]) => ({ day, name, ...rounds })),
  );
  await transaction.raw(
    `insert into status_days as d (name, day, ok, degraded, down)
     select name, day, ok, degraded, down from json_to_recordset(?) as r (name text, day date, ok int, degraded int, down int)
     on conflict (day, name) do update set
       -- A count at its limit must not keep the rest of the state from being stored.
       ok = least(d.ok + excluded.ok::bigint, 2147483647), degraded = least(d.degraded + excluded.degraded::bigint, 2147483647),
       down = least(d.down + excluded.down::bigint, 2147483647)`,
    [JSON.stringify(rows)],
  );
  await transaction('status_days')
    .where('day', '<', daysUpTo(etDay(now), historyDays)[0] as string)
    .delete();
}

/** The last {@link historyDays} ET days by check name, oldest first; undefined for a day without measurements. */
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
