import type { Finding, Remembered, Status, Subject, Thresholds } from './check.ts';

/** An incident is opened after so many bad rounds in a row, and closed after so many good ones. */
const roundsToOpen = 2;
const roundsToClose = 2;

/** After a check was last down it still explains those that rest on it: they need a while to catch up. */
const graceMs = 5 * 60_000;

/** Closed incidents are shown, and kept in mind, for so long. */
const shownMs = 7 * 86_400_000;

/** What is kept of a check from round to round. Instants in epoch milliseconds. */
export interface Kept extends Pick<Finding, 'status' | 'message' | 'ageSeconds' | 'value'> {
  checkedAt: number;
  /** The check that explains why this one is not well. */
  cause?: string;
  /** Rounds in a row that were bad, down and good; those that another check explains are not counted. */
  bad: number;
  downs: number;
  good: number;
  badSince?: number;
  goodSince?: number;
  /** When it was last found down by itself. */
  lastDownAt?: number;
  remember?: Remembered;
}

/** A check was not well for some time. Instants in epoch milliseconds. */
export interface Incident {
  id: string;
  check: string;
  title: string;
  status: Exclude<Status, 'ok'>;
  worst: Exclude<Status, 'ok'>;
  message: string;
  /** Titles of the checks that this one explains. */
  affects: string[];
  openedAt: number;
  closedAt: number | null;
  /** The worst that the chat has taken, and when it was last told; null where it was not told yet. */
  told: { status: Exclude<Status, 'ok'>; at: number } | null;
  recoveryToldAt: number | null;
}

/** What a round found of one subject. */
export interface Found {
  subject: Subject;
  thresholds: Thresholds;
  /** Undefined where it could not be measured. */
  finding: Finding | undefined;
}

export interface Watched {
  /** By name. */
  checks: Readonly<Record<string, Kept>>;
  incidents: readonly Incident[];
}

/**
 * Goes on from one round to the next: counts, opens and closes incidents. A check whose trouble another one explains has no incident of
 * its own; it is listed with the one that does. Pure.
 * @param newId gives an incident its id
 */
export function advance(before: Watched, found: readonly Found[], now: number, newId: () => string): Watched {
  const byName = new Map(found.map((each) => [each.subject.name, each]));
  const causeOf = (name: string): string | undefined => {
    for (const base of byName.get(name)?.subject.restsOn ?? []) {
      const deeper = causeOf(base);
      if (deeper !== undefined) return deeper;
      const lastDownAt = byName.get(base)?.finding?.status === 'down' ? now : before.checks[base]?.lastDownAt;
      if (byName.has(base) && lastDownAt !== undefined && now - lastDownAt < graceMs) return base;
    }
    return undefined;
  };
  const checks: Record<string, Kept> = {};
  for (const each of found) {
    const { name } = each.subject;
    checks[name] = nextKept(before.checks[name], each, causeOf(name), titleIn(byName), now);
  }
  const open = new Map(
    before.incidents.filter(({ closedAt }) => closedAt === null).map((each) => [each.check, each]),
  );
  const closed = before.incidents.filter(
    ({ closedAt, recoveryToldAt }) =>
      closedAt !== null && (recoveryToldAt === null || now - closedAt < shownMs),
  );
  const current: Incident[] = [];
  for (const { subject } of found) {
    const kept = checks[subject.name] as Kept;
    const incident = open.get(subject.name);
    open.delete(subject.name);
    const next = incident === undefined ? opened(subject, kept, newId) : followed(incident, kept);
    if (next !== undefined) current.push(next);
  }
  // What is not looked at any more cannot recover.
  for (const gone of open.values()) closed.push({ ...gone, closedAt: now, recoveryToldAt: now });
  for (const incident of current) {
    if (incident.closedAt !== null) continue;
    const explained = found.filter(({ subject }) => checks[subject.name]?.cause === incident.check);
    incident.affects = [...new Set([...incident.affects, ...explained.map(({ subject }) => subject.title)])];
  }
  return { checks, incidents: [...current, ...closed] };
}

function titleIn(byName: ReadonlyMap<string, Found>): (name: string) => string {
  return (name) => byName.get(name)?.subject.title ?? name;
}

function nextKept(
  before: Kept | undefined,
  { finding }: Found,
  cause: string | undefined,
  titleOf: (name: string) => string,
  now: number,
): Kept {
  const { bad = 0, downs = 0, good = 0, badSince, goodSince, lastDownAt, remember } = before ?? {};
  const counters = {
    bad,
    downs,
    good,
    ...(badSince === undefined ? {} : { badSince }),
    ...(goodSince === undefined ? {} : { goodSince }),
    ...(lastDownAt === undefined ? {} : { lastDownAt }),
  };
  if (finding === undefined) {
    const memory = remember === undefined ? {} : { remember };
    if (cause !== undefined) {
      const message = `It cannot be measured: ${titleOf(cause)} is down.`;
      return { status: 'down', message, checkedAt: now, cause, ...counters, ...memory };
    }
    return {
      status: 'degraded',
      message: 'It could not be measured.',
      checkedAt: now,
      ...counters,
      ...memory,
      bad: bad + 1,
      downs: 0,
      good: 0,
      badSince: bad === 0 ? now : (badSince ?? now),
    };
  }
  const kept = { ...finding, checkedAt: now };
  if (finding.status === 'ok')
    return {
      ...kept,
      ...counters,
      bad: 0,
      downs: 0,
      good: good + 1,
      goodSince: good === 0 ? now : (goodSince ?? now),
    };
  if (cause !== undefined) return { ...kept, ...counters, cause };
  const isDown = finding.status === 'down';
  return {
    ...kept,
    ...counters,
    bad: bad + 1,
    downs: isDown ? downs + 1 : 0,
    good: 0,
    badSince: bad === 0 ? now : (badSince ?? now),
    ...(isDown ? { lastDownAt: now } : {}),
  };
}

function opened({ name, title }: Subject, kept: Kept, newId: () => string): Incident | undefined {
  const { status, bad, badSince, message, cause, checkedAt } = kept;
  if (status === 'ok' || cause !== undefined || bad < roundsToOpen) return undefined;
  return {
    id: newId(),
    check: name,
    title,
    status,
    worst: status,
    message,
    affects: [],
    openedAt: badSince ?? checkedAt,
    closedAt: null,
    told: null,
    recoveryToldAt: null,
  };
}

function followed(incident: Incident, kept: Kept): Incident {
  const { status, message, cause, good, goodSince, downs, checkedAt } = kept;
  if (status === 'ok')
    return good < roundsToClose ? { ...incident } : { ...incident, closedAt: goodSince ?? checkedAt };
  if (cause !== undefined) return { ...incident };
  // One bad reading does not make it worse.
  if (status === 'down' && incident.status === 'degraded' && downs < roundsToOpen) return { ...incident };
  const worst = status === 'down' ? 'down' : incident.worst;
  return { ...incident, status, worst, message };
}
