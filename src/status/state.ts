import type { Watched } from './incidents.ts';
import type { Counted, Totals } from './totals.ts';

/** What the status worker knows: kept in PostgreSQL, and in Redis for while that is away. Instants in epoch milliseconds. */
export interface WatchState extends Watched {
  /** Another version of the service may keep it in another form. */
  form: typeof stateForm;
  /** Grows with every change that is kept: tells which of two copies is the newer one. */
  version: number;
  /** When the last round was made. */
  at: number;
  chat: ChatState;
  heartbeatAt: number;
  counted?: Counted;
  totals?: Totals;
  /** The process that wrote this last, where it has ended in order. */
  left?: string;
}

/** How the chat takes messages. */
export interface ChatState {
  /** Attempts in a row that failed. */
  failures: number;
  /** It is left alone until then. */
  notBefore: number;
}

/** Grows with every change of {@link WatchState} that older code would misread. */
export const stateForm = 1;

export function freshState(): WatchState {
  return {
    form: stateForm,
    version: 0,
    at: 0,
    checks: {},
    incidents: [],
    chat: { failures: 0, notBefore: 0 },
    heartbeatAt: 0,
  };
}

/** A stored copy, or undefined for what is none of this form. */
export function readState(stored: unknown): WatchState | undefined {
  const state = stored as WatchState | null | undefined;
  return state?.form === stateForm && Array.isArray(state.incidents) ? state : undefined;
}

/**
 * What one process knew is joined with what another one had stored before it: an incident that both know is the stored one, with
 * whatever the chat was told by either. So a worker that started while PostgreSQL was away repeats nothing afterwards.
 */
export function joined(mine: WatchState, stored: WatchState): WatchState {
  const known = new Set(mine.incidents.map(({ id }) => id));
  const before = new Map(
    stored.incidents
      .filter(({ closedAt }) => closedAt === null)
      .map((incident) => [incident.check, incident]),
  );
  const incidents = mine.incidents.map((incident) => {
    const other = incident.closedAt === null ? before.get(incident.check) : undefined;
    if (other === undefined || other.id === incident.id) return incident;
    before.delete(incident.check);
    const told = incident.told ?? other.told;
    const openedAt = Math.min(incident.openedAt, other.openedAt);
    return { ...incident, id: other.id, openedAt, told };
  });
  const joinedIds = new Set(incidents.map(({ id }) => id));
  const others = stored.incidents.filter(({ id }) => !known.has(id) && !joinedIds.has(id));
  return {
    ...mine,
    version: Math.max(mine.version, stored.version),
    checks: { ...stored.checks, ...remembering(mine.checks, stored.checks) },
    incidents: [...incidents, ...others],
  };
}

/** What has been so since before this process looked. */
function remembering(mine: WatchState['checks'], stored: WatchState['checks']): WatchState['checks'] {
  return Object.fromEntries(
    Object.entries(mine).map(([name, kept]) => {
      const before = stored[name]?.remember;
      const isOlder =
        before !== undefined && (kept.remember === undefined || kept.remember.mark === before.mark);
      return [name, isOlder ? { ...kept, remember: before } : kept];
    }),
  );
}
