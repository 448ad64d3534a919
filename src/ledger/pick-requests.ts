import { createHash } from 'node:crypto';
import { instant, iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { PostedPick } from '../proof/acknowledgement.ts';
import { canonical } from '../proof/canonical.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';
import type { PickRow } from './pick-row.ts';
import type { KeyClaim } from './store-picks.ts';
import { postedBody, type StoredPick } from './stored-events.ts';

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
      /** As it is stored: what an acknowledgement promises to seal. */
      body: PostedPick;
      /** What the sender should know of the game: it has home and away the other way round. */
      note?: string;
    }
  | { outcome: 'refused'; reason: string };

/** A row of `picks` as what was posted. @param note what the sender should know */
export function postedAs(
  outcome: 'added' | 'unchanged',
  row: StoredPick & { game_id: number },
  note?: string,
): Posted {
  return {
    outcome,
    pickId: row.id,
    pickUuid: row.uuid,
    postedAt: iso(row.posted_at),
    gameId: row.game_id,
    body: postedBody(row),
    ...(note === undefined ? {} : { note }),
  };
}

/** What was posted before under keys that come again, by key. */
export async function earlierPosts(
  database: Database,
  claims: readonly KeyClaim[],
): Promise<Map<string, Posted>> {
  if (claims.length === 0) return new Map();
  const rows: (StoredPick & { game_id: number; key: string; print: string })[] = await database(
    'pick_requests as r',
  )
    .join('picks as p', 'p.uuid', 'r.pick_uuid')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .whereRaw('r.idempotency_key = any(?::text[])', [claims.map(({ key }) => key)])
    .select('p.*', 'c.handle', 'g.sport', 'g.name', {
      key: 'r.idempotency_key',
      print: database.raw(`encode(r.fingerprint, 'hex')`),
    });
  const prints = new Map(claims.map(({ key, print }) => [key, print]));
  return new Map(
    rows.map(({ key, print, ...row }): [string, Posted] =>
      prints.get(key) === print
        ? [key, postedAs('unchanged', row)]
        : [key, { outcome: 'refused', reason: 'this Idempotency-Key was used for another pick' }],
    ),
  );
}

/** What makes two picks the same under one key, in hex. */
export function fingerprintOf(row: PickRow): string {
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

/**
 * Waits for other transactions that have claimed one of these keys and are not over.
 * @returns whether one of them has stored its pick: it is known now
 */
export async function othersClaimed(database: Database, keys: readonly string[]): Promise<boolean> {
  const trying = await database.transaction();
  try {
    const { rowCount }: { rowCount: number } = await trying.raw(
      `insert into pick_requests (idempotency_key, fingerprint, pick_uuid, posted_at)
       select key, '', gen_random_uuid(), now() from unnest(?::text[]) as r (key) order by key
       on conflict do nothing`,
      [[...keys]],
    );
    return rowCount < keys.length;
  } finally {
    await trying.rollback();
  }
}
