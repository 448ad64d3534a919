import { applyCappers } from '../cappers/cappers.ts';
import { applyGames } from '../games/apply-games.ts';
import { instant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { addDemoKeys } from './authors.ts';
import { demoCappers } from './cappers.ts';
import { announcedBefore } from './game.ts';
import { readProgress, writeProgress } from './progress.ts';
import { worldRows } from './world.ts';

/**
 * Begins the demo, unless it has begun: makes its cappers, the keys of those who sign, and the games that are to start, and sets the clock of
 * its log. It takes the owner's role, since no worker may give cappers keys.
 * @param at epoch milliseconds
 * @returns whether the ledger is the demo's own: demo data never enters one with picks from another source
 */
export async function beginDemo(database: Database, at: number): Promise<boolean> {
  if ((await readProgress(database)) !== undefined) return true;
  if ((await database('picks').whereNot('source', 'demo').first('id')) !== undefined) return false;
  await database.transaction(async (transaction) => {
    const cappers = demoCappers.map(({ handle, tier, verified, displayName }) => ({
      ...{ handle, tier, verified, displayName },
    }));
    const intake = { now: at, imported: false };
    await applyCappers(transaction, cappers, intake);
    await addDemoKeys(transaction, at);
    const announced = worldRows(at - announcedBefore, at)
      .games.map(({ row }) => row)
      .filter(({ status, startsAt }) => status === 'scheduled' && instant(startsAt!) > at);
    await applyGames(transaction, announced, intake);
    await writeProgress(transaction, at);
  });
  return true;
}
