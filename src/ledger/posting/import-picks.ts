import { v5 } from 'uuid';
import { gameKey, gamesJoinedInto } from '../../games/game.ts';
import { added, type Intake, leftOut, type RowOutcome, refused, unchanged } from '../../games/row-outcome.ts';
import { instant } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { givenText } from '../pick-forms.ts';
import type { ImportedPickRow } from './pick-row.ts';
import { postAll } from './post-picks.ts';

/** Namespace of imported picks' UUIDs (RFC 9562, section 5.5). A change would import every pick a second time. */
export const importNamespace = 'b2f6d6a4-3c0e-4d43-9d0c-5f2f5a3d7c11';

/** Returns the UUID of an imported pick. It is derived from all fields, so importing the same row again finds the same pick. */
export function importedUuid(row: ImportedPickRow): string {
  // `v5` converts a string to bytes one character at a time, which is slow; a buffer avoids that.
  return v5(Buffer.from(givenText(row)), importNamespace);
}

/** Imports past picks. A row that was imported before changes nothing; a row posted after `now` is left out. */
export async function importPicks(
  database: Database,
  rows: readonly ImportedPickRow[],
  { now }: Intake,
): Promise<RowOutcome[]> {
  // A row can have been imported before its game was joined with another, under the name that the game had then.
  const joined = await gamesJoinedInto(database, rows);
  const earlierUuids = (row: ImportedPickRow) =>
    (joined.get(gameKey(row)) ?? []).map((name) => importedUuid({ ...row, ...name }));
  const uuidsOf = new Map(
    rows.map((row) => [row, [...(row.uuid == null ? [] : [row.uuid]), ...earlierUuids(row)]]),
  );
  const given = [...uuidsOf.values()].flat();
  const stored = new Set<string>(
    given.length === 0
      ? []
      : await database('picks').whereRaw('uuid = any(?::uuid[])', [given]).pluck('uuid'),
  );
  const isStored = ({ row }: { row: ImportedPickRow }) => uuidsOf.get(row)!.some((uuid) => stored.has(uuid));
  const posts = rows.map((row) => ({ row, uuid: importedUuid(row), postedAt: instant(row.postedAt) }));
  const isPast = ({ postedAt }: { postedAt: number }) => postedAt <= now;
  const past = posts.filter((post) => isPast(post) && !isStored(post));
  const ended = await postAll(database, past, 'imported', now, async (transaction, all) => {
    const claims = all.flatMap((one, at) => {
      const { result, half } = past[at]!.row;
      return one.state === 'refused' || result == null
        ? []
        : [{ pickId: one.pick.id, result, half: half === true }];
    });
    await storeClaims(transaction, claims, now);
    return all;
  });
  const outcomes = ended.values();
  return posts.map((post): RowOutcome => {
    if (isStored(post)) return unchanged;
    if (!isPast(post)) return leftOut(`posted after ${new Date(now).toISOString()}`);
    const one = outcomes.next().value!;
    if (one.state === 'refused') return refused(one.reason);
    return one.isNew ? added : unchanged;
  });
}

/** Hours after the start at which the result of an imported pick counts as known; 23:59 ET of the day if only that is known. */
const claimAfterHours = 3;

/** Stores the results that imported picks came with (docs/rules/grading.md#claims). The first claim of a pick stands. */
async function storeClaims(
  transaction: Transaction,
  claims: readonly { pickId: number; result: string; half: boolean }[],
  now: number,
): Promise<void> {
  if (claims.length === 0) return;
  await transaction.raw(
    `insert into claims (pick_id, game_id, result, half, final_at)
     select p.id, p.game_id, c.result::pick_result, c.half and c.result in ('win', 'loss'), e.final_at
     from json_to_recordset(?) as c ("pickId" bigint, result text, half boolean)
     join picks p on p.id = c."pickId"
     join games g on g.id = p.game_id
     cross join lateral (select coalesce(g.starts_at + make_interval(hours => ?),
       (g.day + 1)::timestamp at time zone 'America/New_York' - interval '1 minute') as final_at) e
     where p.provenance = 'imported' and e.final_at <= ?
     on conflict do nothing`,
    [JSON.stringify(claims), claimAfterHours, new Date(now)],
  );
}
