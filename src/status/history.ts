import { Difference } from '../ledger/difference.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { daysUpTo, etDay } from '../rules/et-day.ts';
import type { CheckResult, Status } from './check.ts';

export const historyDays = 90;

export type Rounds = Record<Status, number>;

/** Rounds not stored yet, of each ET day and check, by both. */
export type Unsaved = Map<string, Rounds & { day: string; name: string }>;

/** Checks without a finding are not counted; a day without counts shows as not measured. */
export function count(unsaved: Unsaved, found: readonly CheckResult[], now: number): void {
  const day = etDay(now);
  for (const { subject, finding } of found) {
    if (finding === undefined) continue;
    const { name } = subject;
    const rounds = unsaved.get(`${day} ${name}`) ?? { day, name, ok: 0, degraded: 0, down: 0 };
    rounds[finding.status] += 1;
    unsaved.set(`${day} ${name}`, rounds);
  }
}

export async function saveHistory(transaction: Transaction, unsaved: Unsaved, now: number): Promise<void> {
  await transaction.raw(
    `insert into status_days as d (name, day, ok, degraded, down)
     select name, day, ok, degraded, down from json_to_recordset(?) as r (name text, day date, ok int, degraded int, down int)
     on conflict (day, name) do update set
       -- A count at its limit must not keep the rest of the state from being stored.
       ok = least(d.ok + excluded.ok::bigint, 2147483647), degraded = least(d.degraded + excluded.degraded::bigint, 2147483647),
       down = least(d.down + excluded.down::bigint, 2147483647)`,
    [JSON.stringify([...unsaved.values()])],
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

/**
 * Finds missing days of history. A day with signed checkpoints must have rounds of checks, and a day on which an incident opened must have
 * bad rounds of that check. Only a live log has real days.
 */
export async function* auditStatusDays(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { row: string; sentence: string }[] } = await database.raw(
    `with et as (
       select day::date as today, day::date - :days::int as since from (select clock_timestamp() at time zone 'America/New_York' as day) n
       where exists (select from log_kind where kind = 'live')),
     signed as (select distinct (signed_at at time zone 'America/New_York')::date as day from checkpoint_times),
     opened as (
       select check_name as name, (opened_at at time zone 'America/New_York')::date as day from status_incidents
       where opened_at < clock_timestamp() - interval '1 hour')
     select format('day %s', s.day) as row, 'no round of checks is stored, although checkpoints were signed on that day' as sentence
     from signed s join et on s.day > since and s.day < today and s.day > (select min(day) from signed)
     where not exists (select from status_days d where d.day = s.day)
     union
     select format('day %s of %s', o.day, o.name), 'no bad round is stored, although an incident opened on that day'
     from opened o join et on o.day > since
     where not exists (select from status_days d where d.day = o.day and d.name = o.name and d.degraded + d.down > 0)
     order by 1`,
    { days: historyDays },
  );
  for (const { row, sentence } of rows)
    yield new Difference(
      'status_days',
      row,
      null,
      `${sentence}; restore it from a backup, or name it in AUDIT_EXPECTED if the status worker did not run`,
    );
}
