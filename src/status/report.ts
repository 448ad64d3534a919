import type { Static } from 'typebox';
import { iso, isoOrNull } from '../platform/clock.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { Check } from './check.ts';
import type { Incident } from './incidents.ts';
import type { WatchState } from './state.ts';

const instant = Type.String({ format: 'date-time' });
const count = Type.Integer({ minimum: 0 });
const status = Type.Enum(['ok', 'degraded', 'down'], { title: 'Health' });
const badStatus = Type.Enum(['degraded', 'down']);

const check = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    status,
    ageSeconds: Type.Optional(Type.Integer({ description: 'The measured age, if the check measures one.' })),
    value: Type.Optional(
      Type.Number({ description: 'The measured count or duration, if the check measures one.' }),
    ),
    threshold: Type.Object({
      degraded: Type.Number({ description: 'The check is degraded from this value.' }),
      down: Type.Number({ description: 'The check is down from this value.' }),
      unit: Type.String(),
    }),
    message: Type.String(),
    checkedAt: instant,
    cause: Type.Optional(Type.String({ description: 'The name of the check that caused this status.' })),
  },
  { title: 'Check' },
);

const incident = Type.Object(
  {
    id: Type.String(),
    check: Type.String({ description: 'The name of the check that opened it.' }),
    title: Type.String(),
    status: badStatus,
    worst: badStatus,
    message: Type.String(),
    affects: Type.Array(Type.String(), { description: 'Names of the other checks it affects.' }),
    openedAt: instant,
    closedAt: nullable(instant),
    durationSeconds: Type.Integer({ minimum: 0 }),
  },
  { title: 'Incident' },
);

const source = Type.Object(
  {
    feed: Type.String(),
    title: Type.String({ description: 'The source of the feed.' }),
    ok: Type.Boolean(),
    message: Type.String({ description: 'The outcome of the last request.' }),
    askedAt: nullable(instant),
    nextAt: nullable(instant),
    leftOut: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of skipped rows in the last response, by reason.',
    }),
  },
  { title: 'Source', description: 'A feed of games, odds, or scores.' },
);

const notice = Type.Object(
  {
    id: Type.Integer(),
    at: instant,
    topic: Type.String(),
    text: Type.String(),
  },
  { title: 'Notice', description: "An operator's remark, or a correction that changed no settled pick." },
);

export const statusReport = Type.Object(
  {
    generatedAt: instant,
    status,
    checks: Type.Array(check),
    totals: Type.Union(
      [
        Type.Object({
          picks: { ...count, description: 'Picks posted, settled or not.' },
          settled: count,
          pending: count,
          cappers: count,
          // Active ones.
          subscriptions: count,
          // Events that receivers accepted within the last 24 hours.
          deliveries24h: count,
        }),
        Type.Null(),
      ],
      { description: 'Null until they are counted.' },
    ),
    incidents: Type.Array(incident, { description: 'Open incidents first, then closed ones, newest first.' }),
    sources: Type.Array(source, { description: 'Feeds of all sources, failing ones first.' }),
    notices: Type.Array(notice),
  },
  { title: 'Status' },
);

export type StatusReport = Static<typeof statusReport>;
export type ShownCheck = StatusReport['checks'][number];
export type ShownIncident = StatusReport['incidents'][number];
export type ShownSource = StatusReport['sources'][number];
export type Notice = StatusReport['notices'][number];

/** In the order of the checks, without those that have no finding yet. */
export function shownChecks(checks: readonly Check[], state: Pick<WatchState, 'checks'>): ShownCheck[] {
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

/** Open ones, then closed ones, newest first. */
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
      affects: [...affects],
      openedAt: iso(openedAt),
      closedAt: isoOrNull(closedAt),
      durationSeconds: Math.max(0, Math.round(((closedAt ?? now) - openedAt) / 1000)),
    }));
}
