import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { addDays, etDay } from '../rules/et-day.ts';

/** An answer that lists games, as the rules see it. */
export interface Answer {
  /** Number of events, readable or not. */
  listed: number;
  /** Number of games by ET day. Days that the answer says nothing about are absent. */
  days: ReadonlyMap<string, number>;
  /** Fields that its games have, and fields that none of several games has. */
  had: readonly string[];
  lacked: readonly string[];
  /** Unknown states of games, in the source's words. */
  unknown: readonly string[];
}

/** The last sound answer of a feed about a day. */
export interface DayCount extends Pick<Answer, 'had' | 'lacked'> {
  day: string;
  listed: number | null;
  seenAt: EpochMs | null;
}

/** Numbers of events at which ESPN cuts off answers. */
const cuts = [25, 100];
/** Minimum number of expected games for a comparison: half of fewer proves nothing. */
const fewest = 8;
/** How long an announcement of a day stands, in ms. */
const freshMs = 2 * 86_400_000;
/** How far back days are compared. */
const usualDays = 28;
/** Minimum number of days on which a field was there. */
const fieldDays = 3;

interface Comparison {
  listed: number;
  expected: number;
  what: string;
}

/** A reason to doubt an answer that can be read. */
export interface Fault {
  text: string;
  /** Whether the answer is a part of the true one. */
  isCut?: true;
}

/**
 * Returns what is wrong with an answer that can be read; undefined if nothing is. Each day is compared with what the source announced for it
 * before. Only a source that announced nothing lately is compared with the same days of the week: a break between seasons is announced, and
 * an empty day is no reason for doubt then.
 */
export function findingOf(answer: Answer, known: readonly DayCount[], now: number): Fault | undefined {
  const isFresh = ({ seenAt }: DayCount) => seenAt !== null && now - seenAt <= freshMs;
  const rows = new Map(known.map((row) => [row.day, row]));
  const announced = [...answer.days].flatMap(([day, listed]): Comparison[] => {
    const row = rows.get(day);
    return row?.listed == null || !isFresh(row)
      ? []
      : [{ listed, expected: row.listed, what: `of ${row.listed} announced for ${day}` }];
  });
  const usual = [...answer.days].flatMap(([day, listed]): Comparison[] => {
    const expected = usualOn(day, known);
    return listed === 0 || expected === undefined
      ? []
      : [{ listed, expected, what: `after ${expected} on the same days of the weeks before` }];
  });
  const some = announced.length > 0 ? announced : usual;
  const all = total(some, announced.length > 0 ? 'announced' : 'usual on these days of the week');
  if (
    cuts.includes(answer.listed) &&
    !(all.expected > 0 && all.listed >= all.expected * (announced.length > 0 ? 0.9 : 0.5))
  )
    return {
      text: `it lists exactly ${answer.listed} events, like an answer that was cut off${all.expected > 0 ? `: ${all.listed} games ${all.what}` : ''}`,
      isCut: true,
    };
  const compared = announced.length > 0 || !known.some(isFresh) ? some : [];
  const few = [...compared, ...(compared.length > 1 ? [all] : [])].find(
    ({ listed, expected }) => expected >= fewest && listed < expected / 2,
  );
  if (few !== undefined) return { text: `it lists only ${few.listed} games, ${few.what}` };
  const gone = answer.lacked.filter(
    (field) =>
      known.filter(({ had }) => had.includes(field)).length >= fieldDays &&
      !known.some(({ lacked }) => lacked.includes(field)),
  );
  if (gone.length > 0) return { text: `its games lack ${gone.join(', ')}, which they always had` };
  if (answer.unknown.length > 0)
    return { text: `it has unknown states: ${answer.unknown.slice(0, 3).join(', ')}` };
  return undefined;
}

/** Returns the median number of games on the same day of the last weeks; undefined with fewer than two. */
function usualOn(day: string, known: readonly DayCount[]): number | undefined {
  const counts = known
    .filter((row) => row.listed !== null && row.day < day && daysBetween(row.day, day) % 7 === 0)
    .map(({ listed }) => listed!)
    .sort((a, b) => a - b);
  return counts.length < 2 ? undefined : counts[Math.floor(counts.length / 2)];
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

function total(parts: readonly Comparison[], what: string): Comparison {
  const sum = (field: 'listed' | 'expected') => parts.reduce((all, part) => all + part[field], 0);
  return { listed: sum('listed'), expected: sum('expected'), what: `of ${sum('expected')} ${what}` };
}

/** Judges an answer of a feed by {@link findingOf}, and remembers a sound one. */
export async function judgeAnswer(
  database: Database,
  source: string,
  answer: Answer,
  now: number,
): Promise<Fault | undefined> {
  const today = etDay(now);
  const known: DayCount[] = await database('source_days')
    .where({ source })
    .where('day', '>=', addDays(today, -usualDays))
    .select({ day: database.raw('day::text') }, inCamelCase('listed seen_at had lacked'));
  const finding = findingOf(answer, known, now);
  if (finding !== undefined) return finding;
  const days = new Map([[today, null as number | null], ...answer.days]);
  await database.raw(
    `insert into source_days as d (source, day, listed, seen_at, had, lacked)
     select :source, day, listed, case when listed is not null then :now::timestamptz end,
       case when day = :today then :had::text[] else '{}' end, case when day = :today then :lacked::text[] else '{}' end
     from json_to_recordset(:days) as r (day date, listed int)
     on conflict (source, day) do update set listed = coalesce(excluded.listed, d.listed),
       seen_at = coalesce(excluded.seen_at, d.seen_at),
       had = array(select distinct unnest(d.had || excluded.had) order by 1),
       lacked = array(select distinct unnest(d.lacked || excluded.lacked) order by 1)`,
    {
      source,
      today,
      now: new Date(now),
      days: JSON.stringify([...days].map(([day, listed]) => ({ day, listed }))),
      had: [...answer.had],
      lacked: [...answer.lacked],
    },
  );
  await database('source_days').where({ source }).where('day', '<', addDays(today, -usualDays)).delete();
  return undefined;
}
