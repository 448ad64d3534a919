import { applyCappers } from '../intake/capper.ts';
import { applyGames } from '../intake/game.ts';
import { ledgerOrigin, type OriginConfig } from '../ledger/publishing/identity.ts';
import { instant } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { addDemoKeys } from './authors.ts';
import { demoCappers } from './cappers.ts';
import { announcedBefore } from './game.ts';
import { readProgress, writeProgress } from './progress.ts';
import { worldRows } from './world.ts';

/**
 * Begins the demo, unless it has begun: adds its cappers, their keys, and the upcoming games, and sets the clock of its log. Needs the
 * owner's role, because no worker may give keys to cappers.
 * @param log its origin, which the cappers' statements name
 * @returns whether the ledger belongs to the demo: demo data never enters a ledger with picks from another source
 */
export async function beginDemo(database: Database, at: EpochMs, log: OriginConfig): Promise<boolean> {
  if ((await readProgress(database)) !== undefined) return true;
  if ((await database('picks').whereNot('source', 'demo').first('id')) !== undefined) return false;
  await database.transaction(async (transaction) => {
    const intake = { now: at, imported: false };
    await applyCappers(transaction, demoCappers, intake);
    await ledgerOrigin(transaction, log);
    await addDemoKeys(transaction, at);
    const announced = worldRows(at - announcedBefore, at)
      .games.map(({ row }) => row)
      .filter(({ status, startsAt }) => status === 'scheduled' && instant(startsAt!) > at);
    await applyGames(transaction, announced, intake);
    await writeProgress(transaction, at);
  });
  return true;
}
