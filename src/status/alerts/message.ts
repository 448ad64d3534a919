import type { Line } from '../../webhooks/platforms/platform.ts';
import { counted, span } from '../span.ts';
import type { News } from './news.ts';

/** Everything there is to tell, the worst first. */
export function linesOf(list: readonly News[], now: number): Line[] {
  const order = ['worse', 'opened', 'reminder', 'passed', 'recovered'];
  return list
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || severity(b) - severity(a))
    .map((item) => lineOf(item, now));
}

function severity({ incident }: News): number {
  return incident.status === 'down' ? 1 : 0;
}

function lineOf({ kind, incident }: News, now: number): Line {
  const { title, status, worst, openedAt, closedAt, affects } = incident;
  const lasted = span(((closedAt ?? now) - openedAt) / 1000);
  const affected = affects.length === 0 ? '' : ` ${counted(affects.length, 'other check')} affected.`;
  const text = `${title}. ${incident.message}${affected}`;
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
