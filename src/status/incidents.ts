import type { CheckResult, Finding, Remembered, Status, Subject } from './check.ts';

/** Consecutive bad rounds that open an incident, and good ones that close it. */
const roundsToOpen = 2;
const roundsToClose = 2;

/** How long a check that was down still explains its dependents, which need time to catch up, in ms. */
const graceMs = 5 * 60_000;

export const shownMs = 7 * 86_400_000;

export interface CheckState extends Pick<Finding, 'status' | 'message' | 'ageSeconds' | 'value'> {
  checkedAt: EpochMs;
  /** The check that explains this one's status. */
  cause?: string;
  /** Consecutive bad, down, and good rounds. Rounds explained by another check do not count. */
  bad: number;
  downs: number;
  good: number;
  badSince?: EpochMs | undefined;
  goodSince?: EpochMs | undefined;
  /** When it was last down without an explanation by another check. */
  lastDownAt?: EpochMs | undefined;
  remember?: Remembered | undefined;
}

export interface Incident {
  id: string;
  check: string;
  title: string;
  status: Exclude<Status, 'ok'>;
  worst: Exclude<Status, 'ok'>;
  message: string;
  affects: string[];
  openedAt: EpochMs;
  closedAt: EpochMs | null;
  /** The worst status that the chat accepted, and when; null before the first message. */
  told: { status: Exclude<Status, 'ok'>; at: EpochMs } | null;
  recoveryToldAt: EpochMs | null;
}

export interface Watched {
  /** By name. */
  checks: Readonly<Record<string, CheckState>>;
  incidents: readonly Incident[];
}

/**
 * Computes the state after a round: counters, opened and closed incidents. A check explained by another one opens no incident; the other's
 * incident lists it. Pure.
 * @param newId returns the id of a new incident
 * @param isStarting whether the service is still starting, so that no incident opens
 */
export function advance(
  before: Watched,
  found: readonly CheckResult[],
  now: number,
  newId: () => string,
  isStarting = false,
): Watched {
  const byName = new Map(found.map((each) => [each.subject.name, each]));
  const causeOf = (name: string): string | undefined => {
    for (const base of byName.get(name)?.subject.dependsOn ?? []) {
      const deeper = causeOf(base);
      if (deeper !== undefined) return deeper;
      const lastDownAt = byName.get(base)?.finding?.status === 'down' ? now : before.checks[base]?.lastDownAt;
      if (byName.has(base) && lastDownAt !== undefined && now - lastDownAt < graceMs) return base;
    }
    return undefined;
  };
  const checks: Record<string, CheckState> = {};
  for (const each of found) {
    const { name } = each.subject;
    const titleOf = (other: string) => byName.get(other)?.subject.title ?? other;
    checks[name] = nextCheckState(before.checks[name], each, causeOf(name), titleOf, now);
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
    const kept = checks[subject.name] as CheckState;
    const incident = open.get(subject.name);
    open.delete(subject.name);
    if (incident !== undefined) current.push(followed(incident, kept));
    else if (!isStarting) current.push(...opened(subject, kept, newId));
  }
  // A removed check cannot recover.
  for (const gone of open.values()) closed.push({ ...gone, closedAt: now, recoveryToldAt: now });
  for (const incident of current) {
    if (incident.closedAt !== null) continue;
    const explained = found.filter(({ subject }) => checks[subject.name]?.cause === incident.check);
    incident.affects = [...new Set([...incident.affects, ...explained.map(({ subject }) => subject.title)])];
  }
  return { checks, incidents: [...current, ...closed] };
}

function nextCheckState(
  before: CheckState | undefined,
  { finding }: CheckResult,
  cause: string | undefined,
  titleOf: (name: string) => string,
  now: number,
): CheckState {
  const { bad = 0, downs = 0, good = 0, badSince, goodSince, lastDownAt, remember } = before ?? {};
  const same = { checkedAt: now, bad, downs, good, badSince, goodSince, lastDownAt };
  const worse = { bad: bad + 1, downs: 0, good: 0, badSince: bad === 0 ? now : (badSince ?? now) };
  if (finding === undefined) {
    if (cause === undefined)
      return { status: 'degraded', message: 'The check could not run.', ...same, ...worse, remember };
    const message = `Cannot be measured while ${titleOf(cause)} is down.`;
    return { status: 'down', message, cause, ...same, remember };
  }
  if (finding.status === 'ok') {
    const since = good === 0 ? now : (goodSince ?? now);
    return { ...finding, ...same, bad: 0, downs: 0, good: good + 1, goodSince: since };
  }
  if (cause !== undefined) return { ...finding, ...same, cause };
  if (finding.status === 'degraded') return { ...finding, ...same, ...worse };
  return { ...finding, ...same, ...worse, downs: downs + 1, lastDownAt: now };
}

function opened({ name, title }: Subject, kept: CheckState, newId: () => string): Incident[] {
  const { status, bad, badSince, message, cause, checkedAt } = kept;
  if (status === 'ok' || cause !== undefined || bad < roundsToOpen) return [];
  return [
    {
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
    },
  ];
}

function followed(incident: Incident, kept: CheckState): Incident {
  const { status, message, cause, good, goodSince, downs, checkedAt } = kept;
  if (status === 'ok')
    return good < roundsToClose ? { ...incident } : { ...incident, closedAt: goodSince ?? checkedAt };
  if (cause !== undefined) return { ...incident };
  // A single down round does not escalate a degraded incident.
  if (status === 'down' && incident.status === 'degraded' && downs < roundsToOpen) return { ...incident };
  const worst = status === 'down' ? 'down' : incident.worst;
  return { ...incident, status, worst, message };
}
