import type { Database } from '../../platform/database.ts';
import { NotFound } from '../board.ts';
import { type PickRow, pickByUuid } from '../pick.ts';

/**
 * The pick of a uuid, sealed or not yet.
 * @throws NotFound
 */
export async function knownPick(database: Database, uuid: string): Promise<PickRow> {
  const pick = await pickByUuid(database, uuid);
  if (pick === undefined)
    throw new NotFound(`There is no pick ${uuid}: /record/export.json lists all there are.`);
  return pick;
}
