import { unitsFromE4, unitsToE4 } from '../../rules/fixed-point.ts';
import { deepestDrawdown } from '../../rules/luck.ts';
import { counted, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { shortDayText } from '../times.ts';
import { heights, levels, pictured, round, steps } from './scale.ts';

export interface UnitsDay {
  day: string;
  unitsNet: number;
  cumulative: number;
}

/** Undefined if the curve, which starts at 0, never fell. */
export function greatestDrawdown(days: readonly UnitsDay[]): { units: number; at: number } | undefined {
  const totals = days.map(({ cumulative }) => unitsToE4(cumulative));
  const deepest = deepestDrawdown(totals.map((total, at) => total - (totals[at - 1] ?? 0)));
  return deepest && { units: unitsFromE4(deepest.fallE4), at: deepest.to };
}

const box = { left: 40, right: 352, top: 14, bottom: 150 };

/** Range of net units of 95% of bettors without skill on a day. */
export interface UnitsBand {
  low: number;
  high: number;
}

/** Losses since the last peak are shaded. Needs at least one day. @param bands of the same days, drawn behind the curve */
export function unitsCurve(days: readonly UnitsDay[], bands: readonly UnitsBand[] = []): Html {
  const values = days.map(({ cumulative }) => cumulative);
  const lows = bands.map(({ low }) => low);
  const highs = bands.map(({ high }) => high);
  const ticks = steps(Math.min(0, ...values, ...lows), Math.max(0, ...values, ...highs), 4);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const x = (index: number) => round(box.left + ((index + 1) / days.length) * (box.right - box.left));
  const y = heights(box, low, high);
  const peaks: number[] = [];
  for (const value of values) peaks.push(Math.max(peaks.at(-1) ?? 0, value));
  const along = (list: readonly number[]) => list.map((value, index) => `${x(index)} ${y(value)}`);
  const start = `${box.left} ${y(0)}`;
  const fall = `M${start}L${along(peaks).join('L')}L${along(values).reverse().join('L')}Z`;
  const end = values.at(-1) ?? 0;
  const deepest = greatestDrawdown(days);
  const last = x(days.length - 1);
  const middle = Math.floor((days.length - 1) / 2);
  const label = `Net units over ${counted(days.length, 'day')}: ${signedText(end, 2)}. ${
    deepest === undefined ? 'No drawdown.' : `Largest drawdown ${deepest.units.toFixed(2)} units.`
  }`;
  const picture = html`<svg class="chart" viewBox="0 0 360 180" role="img" aria-label="${label}">
${bands.length > 0 && html`<path class="band" d="M${start}L${along(highs).join('L')}L${along(lows).reverse().join('L')}Z"/>`}
<g class="axis">${levels(ticks, box, y, (value) => signedText(value, Number.isInteger(value) ? 0 : Number.isInteger(value * 10) ? 1 : 2))}
<text x="${box.left}" y="170">${shortDayText(days[0]?.day ?? '')}</text><text x="${x(middle)}" y="170" text-anchor="middle">${shortDayText(days[middle]?.day ?? '')}</text><text x="${box.right}" y="170" text-anchor="end">${shortDayText(days.at(-1)?.day ?? '')}</text></g>
<path class="fall" d="${fall}"/>
<path class="curve" d="M${start}L${along(values).join('L')}"/>
${
  deepest !== undefined &&
  html`<circle class="bottom" cx="${x(deepest.at)}" cy="${y(values[deepest.at]!)}" r="3"/>`
}
<circle class="end" cx="${last}" cy="${y(end)}" r="3.5"/>
</svg>
<figcaption><b>${signedText(end, 2)}u</b> over ${counted(days.length, 'day')}. ${
    deepest === undefined
      ? 'No drawdown.'
      : html`<span class="key key-fall">Largest drawdown</span> ${deepest.units.toFixed(2)}u, on ${shortDayText(days[deepest.at]!.day)}.`
  }${bands.length > 0 && html` <span class="key key-band">Range of 95% of bettors without skill</span>`}</figcaption>`;
  const active = days.flatMap((day, index) => (day.unitsNet === 0 ? [] : { ...day, ...bands[index] }));
  return pictured(picture, {
    caption: 'Net units by day; days without results are omitted',
    columns: ['Day (ET)', 'Units', 'Total', ...(bands.length > 0 ? ['Coin-flippers'] : [])],
    rows: active.map(({ day, unitsNet, cumulative, low, high }) => [
      shortDayText(day),
      signedText(unitsNet, 2),
      signedText(cumulative, 2),
      ...(low === undefined || high === undefined ? [] : [`${signedText(low, 2)} to ${signedText(high, 2)}`]),
    ]),
  });
}
