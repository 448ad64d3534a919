import { Difference, differencesIn } from '../ledger/difference.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { choosePickOfTheDay as choose, confidence, pickOfTheDayFrom } from '../rules/confidence.ts';
import { etDay } from '../rules/et-day.ts';
import { counts } from '../rules/price-check.ts';
import { type SettledPick, type Tally, tallyOf } from '../rules/tally.ts';
import { type BoardPick, boardPicks } from './board-picks.ts';
import { confidenceInputs } from './confidence-inputs.ts';
import { settledFields } from './settled-picks.ts';
import { slatePicks } from './slate.ts';
import { calledOffOften } from './verdicts.ts';

/** Once per ET day, as soon as there is a candidate after 09:00 ET. @returns whether this call chose it */
export async function choosePickOfTheDay(database: Database, now: EpochMs): Promise<boolean> {
  const day = etDay(now);
  if (now < pickOfTheDayFrom(day)) return false;
  const { rows }: { rows: { possible: boolean }[] } = await database.raw(
    `select exists (select from pending_picks) and not exists (select from picks_of_the_day where day = ?) as possible`,
    [day],
  );
  if (!rows[0]!.possible) return false;
  const barred = await calledOffOften(database);
  const open = (await slatePicks(database, now)).filter(
    ({ capperId, result, startsAt, priceVerdict }) =>
      result === null &&
      counts(priceVerdict) &&
      !barred.has(capperId) &&
      (startsAt === null || startsAt > now),
  );
  const candidates = [];
  for (const picks of Map.groupBy(open, ({ gameId }) => gameId).values()) {
    const inputs = await confidenceInputs(database, picks, now);
    for (const [at, { uuid: pickUuid, tier, postedAt, id }] of picks.entries())
      candidates.push({ pickUuid, index: confidence(inputs[at]!).index, tier, postedAt, id });
  }
  const chosen = choose(candidates);
  if (chosen === null) return false;
  const stored = await database('picks_of_the_day')
    .insert({ day, pick_id: chosen.id, chosen_at: new Date(now) })
    .onConflict('day')
    .ignore()
    .returning('day');
  return stored.length > 0;
}

export async function pickOfTheDay(database: Database, day: string): Promise<BoardPick | undefined> {
  const [row]: BoardPick[] = await boardPicks(database)
    .join('picks_of_the_day as d', 'd.pick_id', 'p.pick_id')
    .where('d.day', day);
  return row;
}

/** Latest day first. @param before an ET date, exclusive */
export async function pastPicksOfTheDay(
  database: Database,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<(BoardPick & { day: string })[]> {
  return boardPicks(database)
    .join('picks_of_the_day as d', 'd.pick_id', 'p.pick_id')
    .modify((query) => {
      // Compared as text, so that a nonexistent day such as February 30 is not an error.
      if (before !== undefined) query.whereRaw('d.day::text < ?', [before]);
    })
    .orderBy('d.day', 'desc')
    .limit(limit)
    .select({ day: 'd.day' });
}

export async function picksOfTheDayTally(database: Database): Promise<Tally> {
  const picks: SettledPick[] = await database('picks_of_the_day as d')
    .join('board_picks as b', 'b.pick_id', 'd.pick_id')
    .whereNotNull('b.result')
    .select(settledFields);
  return tallyOf(picks);
}

/**
 * Finds impossible choices: made at another time, or of a pick that was not on the day's slate or had started. Does not recompute which
 * pick had the highest index, because prices and starts can be stored later.
 */
export async function* auditPicksOfTheDay(database: Database): AsyncGenerator<Difference> {
  const rows: Choice[] = await database('picks_of_the_day as d')
    .leftJoin('board_picks as p', 'p.pick_id', 'd.pick_id')
    .leftJoin('games as g', 'g.id', 'p.game_id')
    .orderBy('d.day')
    .select({
      ...inCamelCase('d.day d.chosen_at d.pick_id'),
      postedAt: 'p.posted_at',
      startsAt: 'g.starts_at',
      announcedStart: 'g.announced_start',
      earlierStarts: database.raw(
        `(select jsonb_agg(extract(epoch from from_start) * 1000) from start_moves m where m.game_id = g.id)`,
      ),
    });
  for (const row of rows) {
    const fault = faultOf(row);
    if (fault !== null) yield new Difference('picks_of_the_day', `day ${row.day}`, ...fault);
  }
}

interface Choice {
  day: string;
  chosenAt: number;
  pickId: number;
  /** Null if no sealed pick has this id. */
  postedAt: number | null;
  startsAt: number | null;
  announcedStart: number | null;
  earlierStarts: (number | null)[] | null;
}

function faultOf(choice: Choice): [column: string, sentence: string] | null {
  const { day, chosenAt, pickId, postedAt, startsAt, announcedStart, earlierStarts } = choice;
  if (!Number.isFinite(chosenAt) || etDay(chosenAt) !== day || chosenAt < pickOfTheDayFrom(day))
    return ['chosen_at', 'it is not on that day after 09:00 Eastern time'];
  if (postedAt === null) return ['pick_id', `no sealed pick has the number ${pickId}`];
  if (postedAt > chosenAt) return ['pick_id', 'the pick was posted later'];
  const wasOpen = [startsAt, announcedStart, ...(earlierStarts ?? [])].some((start) =>
    start === null ? etDay(postedAt) === day : etDay(start) === day && start > chosenAt,
  );
  return wasOpen ? null : ['pick_id', "the pick's game did not start on that day, or had already started"];
}

/**
 * Finds past days of a live log that lack a Pick of the Day, although one was possible: a pick at an available price was sealed an hour
 * before its start, and checkpoints were signed between 09:00 Eastern time and that start (docs/rules/confidence.md#pick-of-the-day).
 * Ignores moved starts, which prove nothing.
 */
export function auditMissingChoices(database: Database): AsyncGenerator<Difference> {
  return differencesIn(
    database,
    `select distinct on (c.day) 'picks_of_the_day' as "table", 'day ' || c.day as row, null as column, format(
         'it is missing, but pick %s was eligible; restore it from a backup, or name it in AUDIT_EXPECTED if the boards worker did not run',
         b.uuid) as sentence
     from board_picks b join games g on g.id = b.game_id
     cross join lateral (select (g.starts_at at time zone 'America/New_York')::date as day) c
     cross join lateral (select (c.day + time '09:00') at time zone 'America/New_York' as nine) n
     where exists (select from log_kind where kind = 'live')
       and c.day < (clock_timestamp() at time zone 'America/New_York')::date
       and b.provenance = 'live' and b.price_verdict = 'available'
       and g.starts_at = g.announced_start and not exists (select from start_moves m where m.game_id = g.id)
       and b.sealed_at < g.starts_at - interval '1 hour' and n.nine < g.starts_at - interval '1 hour'
       and exists (select from checkpoint_times t where t.signed_at > n.nine and t.signed_at < g.starts_at)
       and not exists (select from picks_of_the_day d where d.day = c.day)
     order by c.day, b.uuid`,
  );
}
