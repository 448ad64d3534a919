import { iso } from '../../platform/clock.ts';
import type { Line } from '../../webhooks/platforms/platform.ts';
import type { Incident } from '../incidents.ts';
import { entryOf } from '../runbook.ts';
import { counted, span } from '../span.ts';
import type { News } from './news.ts';

/**
 * Everything there is to tell, the worst first.
 * @param baseUrl address of the site: lines then say what readers notice, what to try first, and where to look
 */
export function linesOf(list: readonly News[], now: number, baseUrl?: string): Line[] {
  const order = ['worse', 'opened', 'reminder', 'passed', 'recovered'];
  return list
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || severity(b) - severity(a))
    .map((item) => lineOf(item, now, baseUrl));
}

function severity({ incident }: News): number {
  return incident.status === 'down' ? 1 : 0;
}

function lineOf({ kind, incident }: News, now: number, baseUrl: string | undefined): Line {
  const { title, status, worst, openedAt, closedAt, affects } = incident;
  const lasted = span(((closedAt ?? now) - openedAt) / 1000);
  const affected = affects.length === 0 ? '' : ` ${counted(affects.length, 'other check')} affected.`;
  const text = `${title}. ${incident.message}${affected}${baseUrl === undefined ? '' : ` ${advice(incident, baseUrl)}`}`;
  switch (kind) {
    case 'opened':
      return { head: status.toUpperCase(), text };
    case 'worse':
      return { head: `NOW ${status.toUpperCase()}`, text };
    case 'reminder':
      return { head: `STILL ${status.toUpperCase()} after ${lasted}`, text };
    case 'recovered':
      return { head: `RECOVERED after ${lasted}`, text: `${title}.` };
    case 'passed':
      return {
        head: 'RECOVERED',
        text: `${title}. It was ${worst} for ${lasted}, before this could be told.`,
      };
  }
}

/** Since when, what readers notice, what to try first, and where to look. */
function advice({ id, check, openedAt }: Incident, baseUrl: string): string {
  const entry = entryOf(check);
  const known = entry === undefined ? '' : ` Readers: ${entry.readers} First: ${entry.first}`;
  return `Since ${iso(openedAt)}.${known} ${baseUrl}/ops (incident ${id}).`;
}
