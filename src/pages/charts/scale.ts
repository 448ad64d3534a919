import { type Html, html, type Value } from '../html.ts';
import { table } from '../parts/lists.ts';

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function heights({ top, bottom }: Box, low: number, high: number): (value: number) => number {
  return (value) => round(bottom - ((value - low) / (high - low)) * (bottom - top));
}

export function levels(
  ticks: readonly number[],
  { left, right }: Box,
  y: (value: number) => number,
  textOf: (value: number) => string,
): Html[] {
  return ticks.map(
    (value) =>
      html`<path class="${value === 0 ? 'zero' : 'line'}" d="M${left} ${y(value)}H${right}"/><text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${textOf(value)}</text>`,
  );
}

/**
 * Returns the ticks of an axis: round, evenly spaced values that cover a range, ascending. They include 0 if the range does.
 * @param low not above `high`; both have at most a few decimals
 * @param most number of ticks, or one more if the ends need it
 */
export function steps(low: number, high: number, most: number): number[] {
  const span = high - low || 1;
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  // Multiples do not accumulate rounding errors.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** Renders a chart and, folded below it, its figures as a table, for readers who cannot see the chart or want to copy them. */
export function pictured(
  picture: Html,
  {
    caption,
    columns,
    rows,
  }: { caption: string; columns: readonly string[]; rows: readonly (readonly Value[])[] },
): Html {
  return html`<div class="picture"><figure>${picture}</figure>
<details><summary>View as table</summary>
${table(columns, rows, { kind: 'plain', scroll: caption, caption })}</details></div>
`;
}
