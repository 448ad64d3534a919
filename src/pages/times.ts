import { type Html, html } from './html.ts';

const nbsp = '\u00A0';

const zoned = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...options });
const clockTime = zoned({ hour: 'numeric', minute: '2-digit' });
const date = zoned({ weekday: 'short', month: 'short', day: 'numeric' });
const dateWithYear = zoned({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
const longDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' });
const shortDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const monthAndYear = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', year: 'numeric' });
const year = zoned({ year: 'numeric' });

/** Eastern Time with the zone: `Sun, Dec 30, 1:05 PM ET`. The year is shown if it is not the current one. The attribute is in UTC. */
export function when(instant: string, now: number): Html {
  const same = year.format(new Date(instant)) === year.format(now);
  return timeElement(instant, etText(instant, same ? date : dateWithYear));
}

/** Renders an instant in Eastern Time with its year: `Sun, Dec 30, 2018, 1:05 PM ET`. */
export function fullWhen(instant: string): Html {
  return html`<time datetime="${instant}" data-full>${fullText(instant)}</time>`;
}

/** Formats an instant as {@link fullWhen} does, without markup. */
export function fullText(instant: string): string {
  return etText(instant, dateWithYear);
}

/** Formats the ET date of an instant: `Sun, Dec 30, 2018`. */
export function dateText(instant: string): string {
  return dateWithYear.format(new Date(instant));
}

/** When a game starts: `day` is its ET day if only that was announced. */
export interface Start {
  startsAt: string | null;
  day: string | null;
}

/** Says of a game without a known start what is known: `Nov 27, time unknown`. */
export function unknownStart({ day }: Pick<Start, 'day'>): string {
  return day === null ? 'start time not announced' : `${shortDayText(day)}, time unknown`;
}

export function startText({ startsAt, day }: Start, now: number): Html | string {
  if (startsAt === null) return unknownStart({ day });
  if (hasStarted(startsAt, now)) return html`started ${when(startsAt, now)}`;
  return html`${countdown(startsAt, now)}, ${when(startsAt, now)}`;
}

export function startDate({ startsAt, day }: Start): { startDate?: string } {
  const start = startsAt ?? day;
  return start === null ? {} : { startDate: start };
}

export function hasStarted(startsAt: string | null, now: number): boolean {
  return startsAt !== null && Date.parse(startsAt) <= now;
}

/** Renders the time until an instant, as of the page: `in 40 min`, `in 3 h 20 min`, `in 2 days`. `src/pages/client.js` updates it. */
export function countdown(instant: string, now: number): Html {
  const minutes = Math.max(1, Math.ceil((Date.parse(instant) - now) / 60_000));
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  const text =
    minutes < 60
      ? `in ${minutes} min`
      : hours < 24
        ? `in ${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
        : `in ${days} ${days === 1 ? 'day' : 'days'}`;
  return html`<time class="countdown" datetime="${instant}">${text.replaceAll(' ', nbsp)}</time>`;
}

/** Formats an ET date in full: `Sunday, December 30, 2018`. */
export function dayText(day: string): string {
  return longDay.format(new Date(`${day}T00:00:00Z`));
}

/** Formats an ET date in short: `Dec 30`. */
export function shortDayText(day: string): string {
  return shortDay.format(new Date(`${day}T00:00:00Z`)).replace(' ', nbsp);
}

/** `src/pages/client.js` shows the age. */
export function updated(now: number): Html {
  const at = new Date(now).toISOString();
  return html`<p class="updated">Updated <time class="age" datetime="${at}">${etText(at, date)}</time></p>
`;
}

export const updatedMark = /<p class="updated">.*<\/p>/;

/** Formats a month: `Jan 2026`. @param month as `2026-01` */
export function monthText(month: string): string {
  return monthAndYear.format(new Date(`${month}-01T00:00:00Z`));
}

function etText(instant: string, format: Intl.DateTimeFormat): string {
  const at = new Date(instant);
  return `${format.format(at)}, ${clockTime.format(at).replace(/\s/g, nbsp)}${nbsp}ET`;
}

function timeElement(instant: string, text: string): Html {
  return html`<time datetime="${instant}">${text}</time>`;
}
