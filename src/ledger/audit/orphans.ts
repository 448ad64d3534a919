import type { Database } from '../../platform/database.ts';
import { kinds } from '../../proof/bodies.ts';
import { Difference } from '../difference.ts';
import { subjects } from '../sealing/stored-events.ts';

/**
 * Finds rows that are neither in the log nor waiting to be sealed. Someone inserted them without the service, or deleted their entries.
 * @throws Difference
 */
export async function auditOrphans(database: Database): Promise<void> {
  for (const kind of kinds) {
    const { table, key, column, onlyIf } = subjects[kind];
    const { rows }: { rows: { id: number }[] } = await database.raw(
      `select t.${key} as id from ${table} t
       where ${onlyIf}
         and not exists (select from ledger_entries e where e.${column} = t.${key} and e.kind = '${kind}')
         and not exists (select from unsealed_events u where u.subject_id = t.${key} and u.kind = '${kind}')
         and not exists (select from events_set_aside a where a.subject_id = t.${key} and a.kind = '${kind}')
       order by t.${key} limit 1`,
    );
    if (rows[0] !== undefined)
      throw new Difference(
        table,
        `${key} ${rows[0].id}`,
        null,
        'it is neither in the log nor waiting to be sealed',
      );
  }
  await auditGames(database);
}

/** Finds picks that were moved to another game of the same name. A pick's hash covers its game's sport, name, and start, but not its id. */
async function auditGames(database: Database): Promise<void> {
  const { rows }: { rows: { id: number; other: number }[] } = await database.raw(
    `select p.id, o.id as other from picks p
     join games g on g.id = p.game_id
     join games o on o.sport = g.sport and o.name = g.name and o.id <> g.id
       and (o.announced_start is not distinct from p.starts_at or o.starts_at is not distinct from p.starts_at)
     where g.announced_start is distinct from p.starts_at and g.starts_at is distinct from p.starts_at
     order by p.id limit 1`,
  );
  const [moved] = rows;
  if (moved !== undefined)
    throw new Difference(
      'picks',
      `id ${moved.id}`,
      'game_id',
      `its game never had the pick's start, but game ${moved.other} did`,
    );
}
