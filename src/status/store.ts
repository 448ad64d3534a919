import type { Redis } from 'ioredis';
import type { Database, Transaction } from '../platform/database.ts';
import { saveHistory, type Unsaved } from './history.ts';
import type { Incident } from './incidents.ts';
import { joined, readState, type WatchState } from './state.ts';

/** The copy for while PostgreSQL is away. */
export const copyKey = 'status:watch';

/** A worker that stopped without a word is succeeded after so many seconds. */
const heldSeconds = 45;

/** The state as PostgreSQL has it; undefined where none is stored. */
export async function storedState(database: Database): Promise<WatchState | undefined> {
  const row: { state: unknown } | undefined = await database('status_watch').first('state');
  return readState(row?.state);
}

/** The state as Redis has it; undefined where there is none, or Redis is away. */
export async function copiedState(redis: Redis): Promise<WatchState | undefined> {
  try {
    const copy = await redis.get(copyKey);
    return copy === null ? undefined : readState(JSON.parse(copy));
  } catch {
    return undefined;
  }
}

export interface Save {
  state: WatchState;
  /** The version from which this process went on. */
  base: number;
  unsaved: Unsaved;
  /** A uuid of this process. */
  holder: string;
  /** One that is known to have ended. */
  predecessor: string | undefined;
}

/**
 * Stores the state, the incidents and the history in one transaction. One process at a time may: the first to come holds on to it until it
 * lets go or is silent for 45 seconds.
 * @returns the state as it is stored now, joined with what another process had stored; undefined where another process is at it
 */
export function saveState(database: Database, save: Save): Promise<WatchState | undefined> {
  return database.transaction(async (transaction) => {
    const { rows }: { rows: { version: number; state: unknown; taken: boolean }[] } = await transaction.raw(
      `select version, state, holder <> all(:mine::uuid[]) and held_until > clock_timestamp() as taken
       from status_watch where id = 1 for update`,
      { mine: [save.holder, ...(save.predecessor === undefined ? [] : [save.predecessor])] },
    );
    const row = rows[0];
    if (row?.taken === true) return undefined;
    const other = row !== undefined && row.version > save.base ? readState(row.state) : undefined;
    const next = other === undefined ? save.state : joined(save.state, other);
    const state = { ...next, version: Math.max(next.version, row?.version ?? 0) + 1 };
    const values = {
      version: state.version,
      state: JSON.stringify(state),
      written_at: new Date(state.at),
      holder: save.holder,
      held_until: transaction.raw(`clock_timestamp() + make_interval(secs => ${heldSeconds})`),
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
  // Closed ones first: a check has one open incident at most, at every moment.
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

function instant(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}

/** Keeps the copy. Never rejects. @returns whether Redis took it */
export async function copyState(redis: Redis, state: WatchState): Promise<boolean> {
  return redis.set(copyKey, JSON.stringify(state)).then(
    () => true,
    () => false,
  );
}

/** Lets the next process take over at once. */
export async function letGo(database: Database, holder: string): Promise<void> {
  await database('status_watch')
    .where({ holder })
    .update({ held_until: database.raw('clock_timestamp()') });
}
