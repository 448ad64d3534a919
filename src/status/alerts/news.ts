import type { Incident } from '../incidents.ts';

/** An open incident is reported again after this long. */
const reminderMs = 6 * 3_600_000;

/** What the chat has not been told of an incident yet. */
export interface News {
  /** `passed`: opened and closed again before anything of it could be told. */
  kind: 'opened' | 'worse' | 'reminder' | 'recovered' | 'passed';
  incident: Incident;
}

/**
 * The messages that are due, in the order of the incidents. They follow from the incidents and from what the chat has accepted, so
 * a failed message is sent later and an accepted one is not repeated.
 * @param now epoch milliseconds
 */
export function news(incidents: readonly Incident[], now: number): News[] {
  return incidents.flatMap((incident) => {
    const kind = kindOf(incident, now);
    return kind === undefined ? [] : [{ kind, incident }];
  });
}

function kindOf({ status, told, closedAt, recoveryToldAt }: Incident, now: number): News['kind'] | undefined {
  if (closedAt !== null) {
    if (recoveryToldAt !== null) return undefined;
    return told === null ? 'passed' : 'recovered';
  }
  if (told === null) return 'opened';
  if (status === 'down' && told.status === 'degraded') return 'worse';
  return now - told.at >= reminderMs ? 'reminder' : undefined;
}

/** The incidents after the chat has taken the news. */
export function afterTelling(incidents: readonly Incident[], told: readonly News[], now: number): Incident[] {
  const tellings = new Map(told.map(({ incident }) => [incident.id, incident]));
  return incidents.map((incident) => {
    const telling = tellings.get(incident.id);
    if (telling === undefined) return incident;
    const status = telling.status === 'down' || incident.told?.status === 'down' ? 'down' : 'degraded';
    const recoveryToldAt = incident.closedAt === null ? null : now;
    return { ...incident, told: { status, at: now }, recoveryToldAt };
  });
}
