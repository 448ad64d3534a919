import { checker } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { Watched } from './incidents.ts';
import type { CountProgress, Totals } from './totals.ts';

/** The status worker's state. PostgreSQL stores it, and Redis mirrors it for outages of PostgreSQL. Instants in epoch milliseconds. */
export interface WatchState extends Watched {
  /** Format of this state; other releases may use another one. */
  form: typeof stateForm;
  /** Increases with every stored change; the larger one of two copies is newer. */
  version: number;
  /** When the last round ended. */
  at: number;
  chat: ChatState;
  heartbeatAt: number;
  counted?: CountProgress;
  totals?: Totals;
  /** The process that wrote this state and then shut down cleanly, so that its lease is free. */
  left?: string;
}

export interface ChatState {
  /** Consecutive failed attempts. */
  failures: number;
  /** No message is sent before this instant. */
  notBefore: number;
}

/** Raised with every change of {@link WatchState} that older code would misread. */
export const stateForm = 1;

export function initialState(): WatchState {
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

const status = Type.Union([Type.Literal('ok'), Type.Literal('degraded'), Type.Literal('down')]);
const bad = Type.Union([Type.Literal('degraded'), Type.Literal('down')]);
const instant = Type.Number({ minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 });
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const remembered = Type.Object({ mark: Type.String(), since: instant });

const checkState = checker(
  Type.Object({
    form: Type.Literal(stateForm),
    version: whole,
    at: instant,
    checks: Type.Record(
      Type.String(),
      Type.Object({
        status,
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
        remember: Type.Optional(remembered),
      }),
    ),
    incidents: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        check: Type.String(),
        title: Type.String(),
        message: Type.String(),
        status: bad,
        worst: bad,
        affects: Type.Array(Type.String()),
        openedAt: instant,
        closedAt: Type.Union([instant, Type.Null()]),
        told: Type.Union([Type.Object({ status: bad, at: instant }), Type.Null()]),
        recoveryToldAt: Type.Union([instant, Type.Null()]),
      }),
    ),
    chat: Type.Object({ failures: whole, notBefore: instant }),
    heartbeatAt: instant,
    counted: Type.Optional(
      Type.Object({
        nextSeq: whole,
        posted: whole,
        settled: whole,
        deliveriesUntil: instant,
        deliveries: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
      }),
    ),
  }),
);

/** Parses a stored state; undefined for another format or invalid data. */
export function readState(stored: unknown): WatchState | undefined {
  return checkState(stored).ok ? (stored as WatchState) : undefined;
}

/**
 * Merges this process's state with one stored by another process. An incident known to both keeps the stored id and what either told the
 * chat. A worker that started during an outage of PostgreSQL thus repeats no message.
 */
export function mergeStates(mine: WatchState, stored: WatchState): WatchState {
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

/** Keeps the older observation of an unchanged state, so that ages survive a restart. */
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
