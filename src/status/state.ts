import { inCamelCase } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { statuses } from './check.ts';
import { saveHistory, type Unsaved } from './history.ts';
import { type Incident, shownMs, type Watched } from './incidents.ts';

/** The findings of the status worker after a round. PostgreSQL stores them; while that is away, the worker remembers them. */
export interface WatchState extends Watched {
  at: EpochMs;
  chat: {
    failures: number;
    /** No message is sent before this instant. */
    notBefore: EpochMs;
  };
  heartbeatAt: EpochMs;
}

/** Without incidents, which have a table of their own. */
type Rounds = Omit<WatchState, 'incidents'>;

export function initialState(): WatchState {
  return { at: 0, checks: {}, incidents: [], chat: { failures: 0, notBefore: 0 }, heartbeatAt: 0 };
}

const instant = Type.Number({ minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 });
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const checkRounds = checker(
  Type.Object({
    at: instant,
    checks: Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Enum([...statuses]),
        message: Type.String(),
        checkedAt: instant,
        bad: whole,
        downs: whole,
        good: whole,
        ageSeconds: Type.Optional(Type.Number()),
        value: Type.Optional(Type.Number()),
        badSince: Type.Optional(instant),
        goodSince: Type.Optional(instant),
        lastDownAt: Type.Optional(instant),
        remember: Type.Optional(Type.Object({ mark: Type.String(), since: instant })),
      }),
    ),
    chat: Type.Object({ failures: whole, notBefore: instant }),
    heartbeatAt: instant,
  }),
);

/** Undefined for the state of another release. */
function readRounds(stored: unknown): Rounds | undefined {
  return checkRounds(stored).ok ? (stored as Rounds) : undefined;
}

/** Undefined if none is stored. */
export async function storedRounds(database: Database): Promise<Rounds | undefined> {
  const row: { state: unknown } | undefined = await database('status_watch').first('state');
  return readRounds(row?.state);
}

const columns = {
  check: 'check_name',
  ...inCamelCase(
    'id title status worst message affects opened_at closed_at told_status told_at recovery_told_at',
  ),
};

/** Those that are open, were shown lately, or whose end the chat does not know. */
export async function storedIncidents(database: Database, now: number): Promise<Incident[]> {
  const rows: (Omit<Incident, 'told'> & { toldStatus: Incident['worst'] | null; toldAt: number | null })[] =
    await database('status_incidents')
      .whereNull('closed_at')
      .orWhereNull('recovery_told_at')
      .orWhere('closed_at', '>', new Date(now - shownMs))
      .orderByRaw('closed_at desc nulls first')
      .limit(1000)
      .select(columns);
  return rows.map(({ toldStatus, toldAt, ...incident }) => ({
    ...incident,
    told: toldStatus === null || toldAt === null ? null : { status: toldStatus, at: toldAt },
  }));
}

export type OpenIncident = Pick<Incident, 'id' | 'check' | 'title' | 'status' | 'message' | 'openedAt'>;

/** Worst first, then oldest. */
export async function openIncidents(database: Database): Promise<OpenIncident[]> {
  const { id, check, title, status, message, openedAt } = columns;
  return database('status_incidents')
    .whereNull('closed_at')
    .orderByRaw("status <> 'down', opened_at, check_name")
    .select({ id, check, title, status, message, openedAt });
}

/** How long a vanished worker keeps others from watching. */
const leaseEnd = "clock_timestamp() + interval '45 seconds'";

/**
 * Claims the right to watch, which one process has at a time, until it gives it up or is silent.
 * @param holder this process's UUID
 * @param isLoaded whether this process knows the state that it last stored
 * @returns the stored state; `kept` if this process knows it; undefined if another process watches
 */
export function claimWatch(
  database: Database,
  holder: string,
  now: number,
  isLoaded: boolean,
): Promise<WatchState | 'kept' | undefined> {
  return database.transaction(async (transaction) => {
    const { rows }: { rows: { state: unknown; mine: boolean; free: boolean }[] } = await transaction.raw(
      `select state, holder = :holder as mine, held_until not between clock_timestamp() and ${leaseEnd} as free
       from status_watch where id = 1 for update`,
      { holder },
    );
    const [row] = rows;
    if (row !== undefined && !row.mine && !row.free) return undefined;
    await transaction('status_watch')
      .insert({
        id: 1,
        state: '{}',
        written_at: new Date(now),
        holder,
        held_until: transaction.raw(leaseEnd),
      })
      .onConflict('id')
      .merge(['holder', 'held_until']);
    if (row?.mine && isLoaded) return 'kept';
    const incidents = await storedIncidents(transaction, now);
    return { ...initialState(), ...readRounds(row?.state), incidents };
  });
}

/** The next process then takes over at once. */
export async function releaseWatch(database: Database, holder: string): Promise<void> {
  await database('status_watch')
    .where({ holder })
    .update({ held_until: database.raw('clock_timestamp()') });
}

/** Stores the state and the history in one transaction. @returns false if this process has lost the right to watch */
export function saveState(
  database: Database,
  { incidents, ...rounds }: WatchState,
  unsaved: Unsaved,
  holder: string,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const stored = await transaction('status_watch')
      .where({ holder })
      .update({
        state: JSON.stringify(rounds),
        written_at: new Date(rounds.at),
        held_until: transaction.raw(leaseEnd),
      });
    if (stored === 0) return false;
    await saveIncidents(transaction, incidents);
    if (unsaved.size > 0) await saveHistory(transaction, unsaved, rounds.at);
    return true;
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
  const instantOf = (at: number | null) => (at === null ? null : new Date(at));
  // Closed ones first: a unique index allows one open incident per check.
  for (const incident of incidents.toSorted((a, b) => (a.closedAt ?? Infinity) - (b.closedAt ?? Infinity))) {
    const { check, openedAt, closedAt, told, recoveryToldAt, ...same } = incident;
    const row = {
      ...same,
      check_name: check,
      opened_at: new Date(openedAt),
      closed_at: instantOf(closedAt),
      told_status: told?.status ?? null,
      told_at: instantOf(told?.at ?? null),
      recovery_told_at: instantOf(recoveryToldAt),
    };
    await transaction('status_incidents').insert(row).onConflict('id').merge();
  }
}

/**
 * Adds to a stored state what this process has seen while it could not read it: incidents of other checks, and the latest findings. Only
 * the stored one has the memory of checks that read PostgreSQL, so that ages survive.
 */
export function joined(stored: WatchState, mine: WatchState): WatchState {
  const isKnown = ({ id, check, closedAt }: Incident) =>
    stored.incidents.some(
      (other) => other.id === id || (other.check === check && other.closedAt === null && closedAt === null),
    );
  const checks = Object.entries(mine.checks).map(([name, { remember, ...kept }]) => [
    name,
    { ...kept, remember: remember ?? stored.checks[name]?.remember },
  ]);
  return {
    ...mine,
    checks: { ...stored.checks, ...Object.fromEntries(checks) },
    incidents: [...stored.incidents, ...mine.incidents.filter((incident) => !isKnown(incident))],
  };
}
