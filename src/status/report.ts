import { iso, isoOrNull } from '../platform/clock.ts';
import type { LeftOut } from '../sources/answer.ts';
import { type Check, type Status, type Thresholds, worst } from './check.ts';
import type { Incident } from './incidents.ts';
import type { WatchState } from './state.ts';
import type { Totals } from './totals.ts';

/** A check as `/api/status` shows it. */
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

/** A feed of a source as `/api/status` shows it. */
export interface ShownSource {
  feed: string;
  /** Name of the source for people. */
  title: string;
  ok: boolean;
  /** What came of the last request, or why it failed. */
  message: string;
  askedAt: string | null;
  nextAt: string | null;
  /** What the last answer had that was left out: counts by reason. */
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
  /** Empty where no source is configured. */
  sources: readonly ShownSource[];
  notices: readonly Notice[];
}

/** The status worker's findings in the order of the checks. Checks without a finding yet are left out. */
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

/** Open incidents, then closed ones; within each the latest first. */
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
