import { type Pick, pickByUuid, toPick } from '../boards/pick.ts';
import { type PickEventBody, pickEvents } from '../boards/picks/events.ts';
import type { Database } from '../database.ts';

/** A pick of the record and what happened to it, in order; undefined where no pick has the number. Sealed or not yet. */
export async function recordEntry(
  database: Database,
  id: number,
  baseUrl: string,
): Promise<{ pick: Pick; events: PickEventBody[] } | undefined> {
  const [uuid]: string[] = await database('picks').where({ id }).pluck('uuid');
  if (uuid === undefined) return undefined;
  const [row, events] = await Promise.all([pickByUuid(database, uuid), pickEvents(database, id)]);
  return row === undefined ? undefined : { pick: toPick(row, baseUrl), events };
}
