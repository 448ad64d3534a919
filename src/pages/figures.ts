import { oddsText, otherOddsText } from '../boards/formats/odds-text.ts';
import { type Html, html } from './html.ts';

/** Figures on pages have a true minus sign, a plus sign where it matters, and no false precision. */

const none = '–';

/** Settled picks below which a sample is marked as small. */
export const smallSample = 30;

/** Formats a signed number: `+1.5`, `−0.4`, `0`. @param decimals always shown */
export function signedText(value: number, decimals = 0): string {
  const size = Math.abs(value).toFixed(decimals);
  if (Number(size) === 0) return size;
  return `${value < 0 ? '−' : '+'}${grouped(size)}`;
}

/** Formats a percentage: `57.1%`, or a dash for null. */
export function percentText(value: number | null, decimals = 1): string {
  if (value === null) return none;
  const size = Math.abs(value).toFixed(decimals);
  return `${value < 0 && Number(size) !== 0 ? '−' : ''}${size}%`;
}

export function signedPercentText(value: number | null): string {
  return value === null ? none : `${signedText(value, 2)}%`;
}

export function bpsText(bps: number | null): string {
  return signedPercentText(bps === null ? null : bps / 100);
}

/** Formats a count: `1,234`. */
export function countText(count: number): string {
  return grouped(String(count));
}

/** Formats a count with its noun: `1 pick`, `2 picks`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : more}`;
}

/** Formats a record: `12–9–1`, won, lost, and pushed. */
export function recordText(record: string): string {
  return record.replaceAll('-', '–');
}

export function odds(american: number): Html {
  return html`<span class="odds"><b>${oddsText(american)}</b> <small>${otherOddsText(american)}</small></span>`;
}

/** Renders the net units of a pick or a day in the color of their sign, because they have no uncertainty. */
export function netUnits(value: number | null): Html {
  if (value === null) return html`<span class="quiet">${none}</span>`;
  return html`<span class="${value > 0 ? 'gain' : value < 0 ? 'cost' : 'even'}">${signedText(value, 2)}u</span>`;
}

export function signedPercent(value: number | null): Html {
  return value === null ? html`<span class="quiet">${none}</span>` : html`${signedPercentText(value)}`;
}

export function clv(bps: number | null): Html {
  return signedPercent(bps === null ? null : bps / 100);
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}
