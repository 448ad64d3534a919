import { type Capper, findCappers } from '../cappers/cappers.ts';
import type { Database } from '../platform/database.ts';
import { type BoardPick, pickByUuid } from '../projections/board-picks.ts';
import { NotFound } from './endpoint.ts';

/** Ignores case. @throws NotFound */
export async function knownCapper(database: Database, handle: string): Promise<Capper> {
  const name = handle.toLowerCase();
  const capper = (await findCappers(database, [name])).get(name);
  if (capper === undefined)
    throw new NotFound(
      `There is no capper ${JSON.stringify(handle)}. Check the spelling, or search for part of the name.`,
    );
  return capper;
}

/** Sealed or not. @throws NotFound */
export async function knownPick(database: Database, uuid: string): Promise<BoardPick> {
  const pick = await pickByUuid(database, uuid);
  if (pick === undefined)
    throw new NotFound(
      `There is no pick ${uuid}. Check that the whole ID was copied, or search for its first characters.`,
    );
  return pick;
}
