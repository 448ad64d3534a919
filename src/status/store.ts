import type { Database, Transaction } from '../platform/database.ts';
import type { RedisClient } from '../platform/redis.ts';
import { saveHistory, type Unsaved } from './history.ts';
import type { Incident } from './incidents.ts';
import { mergeStates, readState, type WatchState } from './state.ts';

/** The Redis key of the state's mirror. */
export const mirrorKey = 'status:watch';

/** Largest valid version. No service makes that many rounds, and no version could follow a larger one. */
const maxVersion = 2 ** 48;

/** Seconds until the lease of a vanished worker expires. */
const leaseSeconds = 45;

/** Reads the state from PostgreSQL; undefined if none is stored. */
export async function storedState(database: Database): Promise<WatchState | undefined> {
  const row: { state: unknown } | undefined = await database('status_watch').first('state');
  return readState(row?.state);
}

/**
 * Reads the state's mirror in Redis; undefined if there is none that this release can read.
 * @throws any error of Redis
 */
export async function mirroredState(redis: RedisClient): Promise<WatchState | undefined> {
  const copy = await redis.get(mirrorKey);
  try {
    return copy === null ? undefined : readState(JSON.parse(copy));
  } catch {
    return undefined;
  }
}

export interface Save {
  state: WatchState;
  /** The version that this process last stored or loaded. */
  base: number;
  unsaved: Unsaved;
  /** This process's UUID, as lease holder. */
  holder: string;
  /** A holder known to have shut down. */
  predecessor: string | undefined;
}

/**
 * Stores state, incidents, and history in one transaction, under a lease. One process watches at a time, until it releases the lease or is
 * silent for 45 seconds.
 * @returns the stored state, merged with what another process had stored; undefined if another process holds the lease
 */
export function saveState(database: Database, save: Save): Promise<WatchState | undefined> {
  return database.transaction(async (transaction) => {
    const { rows }: { rows: { version: number; state: unknown; taken: boolean }[] } = await transaction.raw(
      `select version, state, holder <> all(:mine::uuid[]) and held_until > clock_timestamp()
           and held_until <= clock_timestamp() + make_interval(secs => ${leaseSeconds}) as taken
       from status_watch where id = 1 for update`,
      { mine: [save.holder, ...(save.predecessor === undefined ? [] : [save.predecessor])] },
    );
    const row = rows[0];
    if (row?.taken === true) return undefined;
    const stored = row !== undefined && row.version <= maxVersion ? row.version : 0;
    const other = row !== undefined && stored > save.base ? readState(row.state) : undefined;
    const next = other === undefined ? save.state : mergeStates(save.state, other);
    const state = { ...next, version: Math.max(next.version, stored) + 1 };
    const values = {
      version: state.version,
      state: JSON.stringify(state),
      written_at: new Date(state.at),
      holder: save.holder,
      held_until: transaction.raw(`clock_timestamp() + make_interval(secs => ${leaseSeconds})`),
    };
    await transaction('status_watch')
      .insert({ id: 1, ...values })
      .onConflict('id')
      .merge();
    await saveIncidents(transaction, state.incidents);
    if (save.unsaved.size > 0) await saveHistory(transaction, save.unsaved, state.at);
    return state;
  });
}

async function saveIncidents(transaction: Transaction, incidents: readonly Incident[]): Promise<void> {
  // An unknown open incident would keep the check's own from being stored.
  await transaction('status_incidents')
    .whereNull('closed_at')
    .whereNotIn(
      'id',
      incidents.map(({ id }) => id),
    )
    .update({ closed_at: transaction.raw('greatest(opened_at, clock_timestamp())') });
  // Closed ones first: a unique index allows one open incident per check.
  for (const incident of incidents.toSorted((a, b) => (a.closedAt ?? Infinity) - (b.closedAt ?? Infinity))) {
    const values = {
      check_name: incident.check,
      title: incident.title,
      status: incident.status,
      worst: incident.worst,
      message: incident.message,
      affects: incident.affects,
      opened_at: new Date(incident.openedAt),
      closed_at: instant(incident.closedAt),
      told_status: incident.told?.status ?? null,
      told_at: instant(incident.told?.at ?? null),
      recovery_told_at: instant(incident.recoveryToldAt),
    };
    await transaction('status_incidents')
      .insert({ id: incident.id, ...values })
      .onConflict('id')
      .merge();
  }
}

/** An open incident as pages show it. */
export type OpenIncident = Pick<Incident, 'check' | 'status' | 'openedAt'>;

/** Returns open incidents, worst first, then oldest. */
export async function openIncidents(database: Database): Promise<OpenIncident[]> {
  return database('status_incidents')
    .whereNull('closed_at')
    .orderByRaw("status <> 'down', opened_at, check_name")
    .select('check_name as check', 'status', 'opened_at as openedAt');
}

function instant(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}

/** Writes the mirror. Never rejects. @returns whether Redis accepted it */
export async function mirrorState(redis: RedisClient, state: WatchState): Promise<boolean> {
  return redis.set(mirrorKey, JSON.stringify(state)).then(
    () => true,
    () => false,
  );
}

/** Releases the lease, so that the next process takes over at once. */
export async function releaseLease(database: Database, holder: string): Promise<void> {
  await database('status_watch')
    .where({ holder })
    .update({ held_until: database.raw('clock_timestamp()') });
}
