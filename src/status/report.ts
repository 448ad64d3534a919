import { iso, isoOrNull } from '../platform/clock.ts';
import type { LeftOut } from '../sources/answer.ts';
import { type Check, type Status, type Thresholds, worst } from './check.ts';
import type { Incident } from './incidents.ts';
import type { WatchState } from './state.ts';
import type { Totals } from './totals.ts';

/** A check in `/api/status`. */
export interface ShownCheck {
  name: string;
  title: string;
  status: Status;
  ageSeconds?: number;
  value?: number;
  threshold: Thresholds & { unit: Check['unit'] };
  message: string;
  checkedAt: string;
  /** The check that explains this one's status. */
  cause?: string;
}

export interface ShownIncident {
  id: string;
  check: string;
  title: string;
  status: Exclude<Status, 'ok'>;
  worst: Exclude<Status, 'ok'>;
  message: string;
  affects: readonly string[];
  openedAt: string;
  closedAt: string | null;
  durationSeconds: number;
}

/** A feed of a source in `/api/status`. */
export interface ShownSource {
  feed: string;
  /** Display name of the source. */
  title: string;
  ok: boolean;
  /** Result of the last request, or why it failed. */
  message: string;
  askedAt: string | null;
  nextAt: string | null;
  /** Ignored parts of the last answer: counts by reason. */
  leftOut: LeftOut;
}

/** An operator's remark, or a correction of a score that settled picks keep. */
export interface Notice {
  id: number;
  at: string;
  topic: string;
  text: string;
}

/** The body of `/api/status`. */
export interface StatusReport {
  generatedAt: string;
  status: Status;
  checks: readonly ShownCheck[];
  /** Null only if this process has never read them. */
  totals: Totals | null;
  incidents: readonly ShownIncident[];
  /** Empty if no source is configured. */
  sources: readonly ShownSource[];
  notices: readonly Notice[];
}

/** Returns the status worker's findings in the order of the checks, without checks that have no finding yet. */
export function shownChecks(checks: readonly Check[], state: WatchState): ShownCheck[] {
  return checks.flatMap(({ subjects, thresholds, unit }) =>
    subjects.flatMap(({ name, title }) => {
      const kept = state.checks[name];
      if (kept === undefined) return [];
      const { status, ageSeconds, value, message, checkedAt, cause } = kept;
      return {
        name,
        title,
        status,
        ...(ageSeconds === undefined ? {} : { ageSeconds }),
        ...(value === undefined ? {} : { value }),
        threshold: { ...thresholds, unit },
        message,
        checkedAt: iso(checkedAt),
        ...(cause === undefined ? {} : { cause }),
      };
    }),
  );
}

/** Returns open incidents, then closed ones, newest first. */
export function shownIncidents(incidents: readonly Incident[], now: number): ShownIncident[] {
  return incidents
    .toSorted((a, b) => (b.closedAt ?? Infinity) - (a.closedAt ?? Infinity) || b.openedAt - a.openedAt)
    .slice(0, 100)
    .map(({ openedAt, closedAt, id, check, title, status, worst: worstStatus, message, affects }) => ({
      id,
      check,
      title,
      status,
      worst: worstStatus,
      message,
      affects,
      openedAt: iso(openedAt),
      closedAt: isoOrNull(closedAt),
      durationSeconds: Math.max(0, Math.round(((closedAt ?? now) - openedAt) / 1000)),
    }));
}

export function overall(checks: readonly ShownCheck[]): Status {
  return worst(checks.map(({ status }) => status));
}
