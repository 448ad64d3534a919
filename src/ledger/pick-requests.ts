import { createHash } from 'node:crypto';
import { instant, iso } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { canonical } from '../proof/canonical.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';
import type { PickRow } from './pick-row.ts';

/** A pick as it was asked to be posted. */
export interface Post {
  row: PickRow;
  /** The Idempotency-Key: the same pick again under it is answered with the first one, another pick is refused. */
  key?: string | undefined;
}

export type Posted =
  | {
      outcome: 'added' | 'unchanged';
      pickId: number;
      pickUuid: string;
      postedAt: string;
      gameId: number;
      /** What the sender should know of the game: it has home and away the other way round. */
      note?: string;
    }
  | { outcome: 'refused'; reason: string };

/** A pick that claims its key. */
export interface Claim extends Post {
  /** Of the pick, if it is added. */
  uuid: string;
}

/**
 * Claims the keys for this transaction, in one order, so that two transactions do not wait for each other.
 * @returns what was posted before, by the keys that were known
 */
export async function claimKeys(
  transaction: Transaction,
  claims: readonly Claim[],
  now: number,
): Promise<Map<string, Posted>> {
  const keyed = claims.flatMap(({ row, key, uuid }) =>
    key === undefined ? [] : [{ key, uuid, print: fingerprintOf(row) }],
  );
  if (keyed.length === 0) return new Map();
  const { rows: claimed }: { rows: { key: string }[] } = await transaction.raw(
    `insert into pick_requests (idempotency_key, fingerprint, pick_uuid, posted_at)
     select key, decode(print, 'hex'), uuid, :now from json_to_recordset(:keyed) as r (key text, print text, uuid uuid)
     order by key
     on conflict (idempotency_key) do nothing
     returning idempotency_key as key`,
    { keyed: JSON.stringify(keyed), now: new Date(now) },
  );
  if (claimed.length === keyed.length) return new Map();
  const own = new Set(claimed.map(({ key }) => key));
  const known = keyed.filter(({ key }) => !own.has(key));
  const rows: { key: string; print: string; id: number; uuid: string; postedAt: number; gameId: number }[] =
    await transaction('pick_requests as r')
      .join('picks as p', 'p.uuid', 'r.pick_uuid')
      .whereRaw('r.idempotency_key = any(?::text[])', [known.map(({ key }) => key)])
      .select({
        key: 'r.idempotency_key',
        print: transaction.raw(`encode(r.fingerprint, 'hex')`),
        id: 'p.id',
        uuid: 'p.uuid',
        postedAt: 'p.posted_at',
        gameId: 'p.game_id',
      });
  const before = new Map(rows.map((row) => [row.key, row]));
  return new Map(
    known.map(({ key, print }): [string, Posted] => {
      const row = before.get(key);
      if (row === undefined || row.print !== print)
        return [key, { outcome: 'refused', reason: 'this Idempotency-Key was used for another pick' }];
      const { id, uuid, postedAt, gameId } = row;
      return [key, { outcome: 'unchanged', pickId: id, pickUuid: uuid, postedAt: iso(postedAt), gameId }];
    }),
  );
}

/** What makes two picks the same under one key, in hex. */
function fingerprintOf(row: PickRow): string {
  const pick = {
    ...row,
    capperHandle: row.capperHandle.toLowerCase(),
    startsAt: row.startsAt == null ? null : iso(instant(row.startsAt)),
    line: lineToE3(row.line),
    stakeUnits: unitsToE4(row.stakeUnits),
    book: row.book ?? null,
    source: row.source ?? null,
  };
  return createHash('sha256').update(canonical(pick)).digest('hex');
}

/** Gives keys back: a refused pick uses up none. */
export async function releaseKeys(transaction: Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await transaction('pick_requests')
    .whereRaw('idempotency_key = any(?::text[])', [[...keys]])
    .delete();
}
