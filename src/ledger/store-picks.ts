import { hash } from 'node:crypto';
import { instant, iso, isoOrNull } from '../platform/clock.ts';
import { columnsOf } from '../platform/columns.ts';
import { ask, type Database } from '../platform/database.ts';
import type { PostedPick } from '../proof/acknowledgement.ts';
import { canonical } from '../proof/canonical.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';
import type { Provenance } from '../rules/vocabulary.ts';
import type { PickRow } from './pick-row.ts';
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
  return hash('sha256', canonical(pick), 'hex');
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

/** A pick as it is stored, before the database gives it an id. Instants in epoch milliseconds. */
export interface NewPick {
  uuid: string;
  capperId: number;
  tier: string;
  gameId: number;
  startsAt: number | null;
  market: string;
  side: string;
  lineE3: number | null;
  pick: string;
  oddsAmerican: number;
  stakeE4: number;
  book: string | null;
  source: string;
  provenance: Provenance;
  postedAt: number;
}

/** What claims an Idempotency-Key. */
export interface KeyClaim {
  key: string;
  /** Of the pick, in hex: {@link fingerprintOf}. */
  print: string;
}

const pickTypes = {
  uuid: 'uuid',
  capper_id: 'int',
  tier: 'text',
  game_id: 'bigint',
  starts_at: 'timestamptz',
  market: 'text',
  side: 'text',
  line_e3: 'int',
  pick: 'text',
  odds_american: 'int',
  stake_e4: 'int',
  book: 'text',
  source: 'text',
  provenance: 'text',
  posted_at: 'timestamptz',
} as const;

/**
 * Stores imported picks, in order. One whose uuid is known is passed over.
 * @returns the uuids of those that were new
 */
export async function storePicks(database: Database, picks: readonly NewPick[]): Promise<Set<string>> {
  if (picks.length === 0) return new Set();
  const { table, bindings } = columnsOf(
    pickTypes,
    picks.map((pick) => ({
      uuid: pick.uuid,
      capper_id: pick.capperId,
      tier: pick.tier,
      game_id: pick.gameId,
      starts_at: isoOrNull(pick.startsAt),
      market: pick.market,
      side: pick.side,
      line_e3: pick.lineE3,
      pick: pick.pick,
      odds_american: pick.oddsAmerican,
      stake_e4: pick.stakeE4,
      book: pick.book,
      source: pick.source,
      provenance: pick.provenance,
      posted_at: iso(pick.postedAt),
    })),
  );
  const { rows }: { rows: { uuid: string }[] } = await database.raw(
    `insert into picks (${Object.keys(pickTypes).join(', ')}) select * from ${table}
     on conflict (uuid) do nothing
     returning uuid`,
    bindings,
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

/** A live pick, its game by the name under which the pick means a side of it, and what else an acknowledgement has. */
export type LivePick = NewPick & Partial<KeyClaim> & { game: string; handle: string; sport: string };

/**
 * Stores live picks, in order, and claims their keys, by one statement (the function `store_live_picks`): alone it is its own transaction. The
 * games cannot be moved, renamed or end until that ends. They are locked before any key is claimed, each in one order, so that two such
 * statements do not wait for each other.
 * @param record rows for `operator_actions`, each with its row for `operator_outcomes`: with them all picks are stored or none
 * @returns what is stored, by uuid. One is missing whose key another transaction has claimed, or whose game was renamed, meanwhile; with a
 *   record that is an error
 */
export async function storeLivePicks(
  database: Database,
  picks: readonly LivePick[],
  record?: readonly object[],
): Promise<Map<string, StoredPick & { game_id: number }>> {
  if (picks.length === 0 && record === undefined) return new Map();
  const games = new Map(picks.map(({ gameId, game }) => [gameId, `${gameId} ${game}`]));
  const [answer] = await ask<{ stored: [uuid: string, id: number][] | null }>(
    database,
    'select store_live_picks($1, $2, $3, $4, $5) as stored',
    [
      jsonOf(picks),
      picks.some(({ key }) => key !== undefined),
      [...games.keys()],
      [...games.values()],
      record === undefined ? null : JSON.stringify(record),
    ],
  );
  const given = new Map(picks.map((pick) => [pick.uuid, pick]));
  return new Map(answer!.stored?.map(([uuid, id]) => [uuid, storedAs(given.get(uuid)!, id)]));
}

/** A pick as it is stored: PostgreSQL changes nothing of what it is given. */
function storedAs(pick: LivePick, id: number): StoredPick & { game_id: number } {
  return {
    id,
    uuid: pick.uuid,
    handle: pick.handle,
    tier: pick.tier,
    game_id: pick.gameId,
    sport: pick.sport,
    name: pick.game,
    starts_at: pick.startsAt,
    market: pick.market,
    side: pick.side,
    line_e3: pick.lineE3,
    pick: pick.pick,
    odds_american: pick.oddsAmerican,
    stake_e4: pick.stakeE4,
    book: pick.book,
    source: pick.source,
    provenance: pick.provenance,
    posted_at: pick.postedAt,
  };
}

function jsonOf(picks: readonly LivePick[]): string {
  return JSON.stringify(
    picks.map((pick) => ({
      key: pick.key,
      print: pick.print,
      uuid: pick.uuid,
      capperId: pick.capperId,
      tier: pick.tier,
      gameId: pick.gameId,
      startsAt: isoOrNull(pick.startsAt),
      market: pick.market,
      side: pick.side,
      lineE3: pick.lineE3,
      pick: pick.pick,
      oddsAmerican: pick.oddsAmerican,
      stakeE4: pick.stakeE4,
      book: pick.book,
      source: pick.source,
      provenance: pick.provenance,
      postedAt: iso(pick.postedAt),
    })),
  );
}
