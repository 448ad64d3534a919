import type { Database } from '../platform/database.ts';
import { confidence } from '../rules/confidence.ts';
import { etDay } from '../rules/et-day.ts';
import { choosePickOfTheDay as choose, pickOfTheDayFrom } from '../rules/pick-of-the-day.ts';
import type { Tier } from '../rules/vocabulary.ts';
import { type BoardPick, boardPicks } from './board-picks.ts';
import { confidenceInputs } from './confidence-inputs.ts';
import { slatePicks } from './slate.ts';

/**
 * Chooses the Pick of the Day, once per ET day: from 09:00 ET on, as soon as there is a candidate.
 * @param now epoch milliseconds
 * @returns whether it was chosen now
 */
export async function choosePickOfTheDay(database: Database, now: number): Promise<boolean> {
  const day = etDay(now);
  if (now < pickOfTheDayFrom(day)) return false;
  if ((await database('picks_of_the_day').where({ day }).first('day')) !== undefined) return false;
  const candidates = [];
  for (const row of await slatePicks(database, now)) {
    if (row.result !== null || (row.startsAt !== null && row.startsAt <= now)) continue;
    const { index } = confidence(await confidenceInputs(database, row, now));
    candidates.push({
      pickUuid: row.uuid,
      index,
      tier: row.tier as Tier,
      postedAt: row.postedAt,
      id: row.pickId,
    });
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
