import { type Capper, findCappers } from '../cappers/cappers.ts';
import type { Database } from '../platform/database.ts';
import { NotFound } from './board.ts';

/**
 * The capper of a handle, in any case.
 * @throws NotFound
 */
export async function knownCapper(database: Database, handle: string): Promise<Capper> {
  const name = handle.toLowerCase();
  const capper = (await findCappers(database, [name])).get(name);
  if (capper === undefined)
    throw new NotFound(`There is no capper ${JSON.stringify(handle)}: /api/cappers lists all there are.`);
  return capper;
}
