import { hash } from 'node:crypto';
import { iso } from '../../platform/clock.ts';
import { columnsOf } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database.ts';
import type { StoredPick } from '../pick.ts';
import { givenText, pickSources } from '../pick-forms.ts';
import type { PickRow } from './pick-row.ts';

export interface KeyedPick {
  key: string;
  row: PickRow;
  uuid: string;
}

const claimTypes = {
  idempotency_key: 'text',
  fingerprint: 'bytea',
  pick_uuid: 'uuid',
  posted_at: 'timestamptz',
} as const;

/**
 * Claims Idempotency-Keys for the picks, which must be distinct. Waits for open transactions that claimed the same keys.
 * @returns the keys that this call claimed
 */
export async function claimKeys(
  transaction: Transaction,
  picks: readonly KeyedPick[],
  now: EpochMs,
): Promise<Set<string>> {
  if (picks.length === 0) return new Set();
  const columns = Object.keys(claimTypes).join(', ');
  const { table, bindings } = columnsOf(
    claimTypes,
    picks.map(({ key, row, uuid }) => ({
      idempotency_key: key,
      fingerprint: `\\x${fingerprintOf(row)}`,
      pick_uuid: uuid,
      posted_at: iso(now),
    })),
  );
  // Sorted, so that two transactions with the same keys cannot deadlock.
  const { rows }: { rows: { key: string }[] } = await transaction.raw(
    `insert into pick_requests (${columns})
     select * from ${table} as claim (${columns}) order by idempotency_key
     on conflict do nothing
     returning idempotency_key as key`,
    bindings,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Releases keys claimed in this transaction whose picks were not stored. */
export async function releaseKeys(transaction: Transaction, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await transaction('pick_requests')
    .whereRaw('idempotency_key = any(?::text[])', [[...keys]])
    .delete();
}

/** Finds the picks stored under the given keys, by key. `isSame` reports whether the stored pick equals the given one. */
export async function earlierPicks(
  transaction: Transaction,
  picks: readonly KeyedPick[],
): Promise<Map<string, { pick: StoredPick; isSame: boolean }>> {
  if (picks.length === 0) return new Map();
  const rows: (StoredPick & { key: string; print: string })[] = await transaction('pick_requests as r')
    .join('picks as p', 'p.uuid', 'r.pick_uuid')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .whereRaw('r.idempotency_key = any(?::text[])', [picks.map(({ key }) => key)])
    .select({
      ...pickSources,
      key: 'r.idempotency_key',
      print: transaction.raw(`encode(r.fingerprint, 'hex')`),
    });
  const prints = new Map(picks.map(({ key, row }) => [key, fingerprintOf(row)]));
  return new Map(rows.map(({ key, print, ...pick }) => [key, { pick, isSame: prints.get(key) === print }]));
}

/** Returns the hash, in hex, by which two picks under one key count as the same. */
function fingerprintOf(row: PickRow): string {
  return hash('sha256', givenText(row), 'hex');
}
