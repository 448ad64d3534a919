import { Difference } from '../ledger/difference.ts';
import type { Database } from '../platform/database.ts';
import { confidence } from '../rules/confidence.ts';
import { etDay } from '../rules/et-day.ts';
import { choosePickOfTheDay as choose, pickOfTheDayFrom } from '../rules/pick-of-the-day.ts';
import { counts } from '../rules/price-check.ts';
import { type SettledPick, type Tally, tallyOf } from '../rules/tally.ts';
import { type BoardPick, boardPicks } from './board-picks.ts';
import { confidenceInputs } from './confidence-inputs.ts';
import { settledFields } from './settled-picks.ts';
import { slatePicks } from './slate.ts';

/**
 * Chooses the Pick of the Day, once per ET day: from 09:00 ET on, as soon as there is a candidate.
 * @param now epoch milliseconds
 * @returns whether it was chosen now
 */
export async function choosePickOfTheDay(database: Database, now: number): Promise<boolean> {
  const day = etDay(now);
  if (now < pickOfTheDayFrom(day)) return false;
  const { rows }: { rows: { possible: boolean }[] } = await database.raw(
    `select exists (select from pending_picks) and not exists (select from picks_of_the_day where day = ?) as possible`,
    [day],
  );
  if (!rows[0]!.possible) return false;
  const open = (await slatePicks(database, now)).filter(
    ({ result, startsAt, priceVerdict }) =>
      result === null && counts(priceVerdict) && (startsAt === null || startsAt > now),
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

/** The stored choice of an ET day, or undefined while there is none. */
export async function pickOfTheDay(database: Database, day: string): Promise<BoardPick | undefined> {
  const [row]: BoardPick[] = await boardPicks(database)
    .join('picks_of_the_day as d', 'd.pick_id', 'p.pick_id')
    .where('d.day', day);
  return row;
}

/** Choices with their picks, the latest day first. @param before an ET date: days before it */
export async function pastPicksOfTheDay(
  database: Database,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<(BoardPick & { day: string })[]> {
  return boardPicks(database)
    .join('picks_of_the_day as d', 'd.pick_id', 'p.pick_id')
    .modify((query) => {
      // As text: a day that there is not, such as February 30, is no error then.
      if (before !== undefined) query.whereRaw('d.day::text < ?', [before]);
    })
    .orderBy('d.day', 'desc')
    .limit(limit)
    .select({ day: 'd.day' });
}

/** The tally of all picks that were chosen: a pick a day. */
export async function picksOfTheDayTally(database: Database): Promise<Tally> {
  const picks: SettledPick[] = await database('picks_of_the_day as d')
    .join('board_picks as b', 'b.pick_id', 'd.pick_id')
    .whereNotNull('b.result')
    .select(settledFields);
  return tallyOf(picks);
}

/**
 * Finds choices that cannot have been made: at another time, or of a pick that was not on the slate of the day or had started. Which of
 * the picks had the highest index at that moment is not recomputed, since prices and starts may be stored later.
 */
export async function* auditPicksOfTheDay(database: Database): AsyncGenerator<Difference> {
  const rows: Choice[] = await database('picks_of_the_day as d')
    .leftJoin('board_picks as p', 'p.pick_id', 'd.pick_id')
    .leftJoin('games as g', 'g.id', 'p.game_id')
    .orderBy('d.day')
    .select({
      day: 'd.day',
      chosenAt: 'd.chosen_at',
      pickId: 'd.pick_id',
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
  /** Null where no sealed pick is of that number. */
  postedAt: number | null;
  startsAt: number | null;
  announcedStart: number | null;
  earlierStarts: (number | null)[] | null;
}

function faultOf(choice: Choice): [column: string, sentence: string] | null {
  const { day, chosenAt, pickId, postedAt, startsAt, announcedStart, earlierStarts } = choice;
  if (!Number.isFinite(chosenAt) || etDay(chosenAt) !== day || chosenAt < pickOfTheDayFrom(day))
    return ['chosen_at', 'it is not on that day, from 09:00 Eastern time on'];
  if (postedAt === null) return ['pick_id', `no sealed pick has the number ${pickId}`];
  if (postedAt > chosenAt) return ['pick_id', 'the pick was posted later'];
  const wasOpen = [startsAt, announcedStart, ...(earlierStarts ?? [])].some((start) =>
    start === null ? etDay(postedAt) === day : etDay(start) === day && start > chosenAt,
  );
  return wasOpen ? null : ['pick_id', 'the game of the pick did not start on that day, or had started'];
}
