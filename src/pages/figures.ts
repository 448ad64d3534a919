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

/** Says how likely it is that luck explains a record. @param percent how often a record without skill does as well */
export function chanceText(percent: number): string {
  if (percent >= 50) return 'no better than chance';
  if (percent < 0.1) return 'fewer than 1 in 1,000 coin-flippers would do as well';
  return `1 in ${countText(Math.round(100 / percent))} coin-flippers would do as well`;
}

/** Formats a signed percentage: `+4.13%`, or a dash for null. */
export function signedPercentText(value: number | null): string {
  return value === null ? none : `${signedText(value, 2)}%`;
}

/** Formats CLV given in basis points: `+4.13%`, or a dash for null. */
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

/** Renders odds, followed by the other format. */
export function odds(american: number): Html {
  return html`<span class="odds"><b>${oddsText(american)}</b> <small>${otherOddsText(american)}</small></span>`;
}

/** Renders the net units of a pick or a day in the color of their sign, because they have no uncertainty. */
export function netUnits(value: number | null): Html {
  if (value === null) return html`<span class="quiet">${none}</span>`;
  return html`<span class="${tone({ low: value, high: value })}">${signedText(value, 2)}u</span>`;
}

/** Both ends of a figure's 95% interval; null without one. */
export interface Ends {
  low: number | null;
  high: number | null;
}

/** A figure without an interval is neither good nor bad. */
const unknownEnds: Ends = { low: null, high: null };

/** Renders a signed percentage in the color of its interval. */
export function signedPercent(value: number | null, ends: Ends = unknownEnds): Html {
  if (value === null) return html`<span class="quiet">${none}</span>`;
  return html`<span class="${tone(ends)}">${signedPercentText(value)}</span>`;
}

/** Renders CLV without color: without skill its mean is about 0, and the bettor still pays the margin. */
export function clv(bps: number | null): Html {
  return signedPercent(bps === null ? null : bps / 100);
}

/** Renders a record's net units in the color of its ROI's interval. */
export function recordUnits({
  unitsNet,
  roiLowPct,
  roiHighPct,
}: {
  unitsNet: number;
  roiLowPct: number | null;
  roiHighPct: number | null;
}): Html {
  return html`<span class="${tone({ low: roiLowPct, high: roiHighPct })}">${signedText(unitsNet, 2)}u</span>`;
}

/** Returns the class of a figure: good or bad only if its whole interval is. */
export function tone({ low, high }: Ends): 'gain' | 'cost' | 'even' {
  if (low !== null && low > 0) return 'gain';
  return high !== null && high < 0 ? 'cost' : 'even';
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}
