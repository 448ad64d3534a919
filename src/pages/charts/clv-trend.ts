import type { Static } from 'typebox';
import type { capperClvTrend } from '../../boards/cappers/clv.ts';
import { bpsText, countText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { pictured } from '../parts/figures-table.ts';
import { shortDayText } from '../times.ts';
import { heights, levels, round, steps } from './scale.ts';

type Day = Static<typeof capperClvTrend.body>['days'][number];

const box = { left: 48, right: 352, top: 14, bottom: 110 };

/** Draws the running mean CLV by day. At least one day must have a mean. */
export function clvTrend(days: readonly Day[]): Html {
  const points = days.flatMap((day, index) =>
    day.runningMeanBps === null ? [] : { ...day, index, bps: day.runningMeanBps },
  );
  const percents = points.map(({ bps }) => bps / 100);
  const ticks = steps(Math.min(0, ...percents), Math.max(0, ...percents), 3);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const x = (index: number) => round(box.left + ((index + 1) / days.length) * (box.right - box.left));
  const y = heights(box, low, high);
  const last = points.at(-1)!;
  const label = `Running average of closing line value by day: ${bpsText(last.bps)} over ${countText(last.runningSample)} picks.`;
  const picture = html`<svg class="chart" viewBox="0 0 360 134" role="img" aria-label="${label}">
<g class="axis">${levels(ticks, box, y, tickText)}
<text x="${box.left}" y="130">${shortDayText(days[0]!.day)}</text><text x="${box.right}" y="130" text-anchor="end">${shortDayText(days.at(-1)!.day)}</text></g>
<path class="curve" d="M${points.map(({ index, bps }) => `${x(index)} ${y(bps / 100)}`).join('L')}"/>
<circle class="end" cx="${x(last.index)}" cy="${y(last.bps / 100)}" r="3.5"/>
</svg>
<figcaption>Running average over the days shown: <b>${bpsText(last.bps)}</b> from ${countText(last.runningSample)} picks.</figcaption>`;
  return pictured(picture, {
    caption: 'Running average CLV of picks that closed at the line taken, every seventh day',
    columns: ['Day (ET)', 'Picks', 'Average'],
    // A row per day would make the page heavier than it is worth.
    rows: points
      .filter(({ index }) => (days.length - 1 - index) % 7 === 0)
      .map(({ day, runningSample, bps }) => [shortDayText(day), countText(runningSample), bpsText(bps)]),
  });
}

function tickText(percent: number): string {
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)}%`;
}
