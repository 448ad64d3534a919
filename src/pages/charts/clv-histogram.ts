import type { HistogramBin } from '../../rules/clv-histogram.ts';
import { bpsText, countText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { pictured } from '../parts/figures-table.ts';

const box = { left: 8, right: 352, top: 26, bottom: 150 };

/**
 * How a capper's CLV is spread: a bar for each percent from −10 to 10 and one for each open end, with the mean marked.
 * @param bins in ascending order, the first and last open
 * @param meanBps null where the sample is empty
 */
export function clvHistogram(bins: readonly HistogramBin[], meanBps: number | null, sample: number): Html {
  const width = (box.right - box.left) / bins.length;
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const lowest = bins[0]?.toBps ?? 0;
  const highest = bins.at(-1)?.fromBps ?? 0;
  const ofBps = (bps: number) =>
    round(box.left + width + ((bps - lowest) / (highest - lowest)) * (width * (bins.length - 2)));
  const mean = meanBps === null ? undefined : ofBps(Math.min(highest + 50, Math.max(lowest - 50, meanBps)));
  const anchor = mean === undefined || mean < 90 ? 'start' : mean > 270 ? 'end' : 'middle';
  const picture = html`<svg class="chart" viewBox="0 0 360 180" role="img" aria-label="${`Spread of closing line value over ${countText(sample)} picks, mean ${bpsText(meanBps)}.`}">
${bins.map(({ count, toBps }, index) => {
  const height = round((count / most) * (box.bottom - box.top));
  return (
    count > 0 &&
    html`<rect class="${(toBps ?? 1) <= 0 ? 'bar-cost' : 'bar-gain'}" x="${round(box.left + index * width + 1)}" y="${round(box.bottom - height)}" width="${round(width - 2)}" height="${height}"/>`
  );
})}
<g class="axis"><path class="zero" d="M${box.left} ${box.bottom}H${box.right}M${ofBps(0)} ${box.bottom}v6"/>${[
    lowest,
    lowest / 2,
    0,
    highest / 2,
    highest,
  ].map(
    (bps) =>
      html`<text x="${ofBps(bps)}" y="168" text-anchor="middle">${bps / 100 > 0 ? '+' : bps < 0 ? '−' : ''}${Math.abs(bps / 100)}%</text>`,
  )}</g>
${
  mean !== undefined &&
  html`<path class="mean" d="M${mean} ${box.top - 8}V${box.bottom}"/><text class="mean-text" x="${mean}" y="${box.top - 12}" text-anchor="${anchor}">mean ${bpsText(meanBps)}</text>`
}
</svg>`;
  return pictured(picture, {
    caption: 'Picks by closing line value',
    columns: ['CLV', 'Picks'],
    rows: bins.map(({ fromBps, toBps, count }) => [range(fromBps, toBps), countText(count)]),
  });
}

function range(fromBps: number | null, toBps: number | null): string {
  if (fromBps === null) return `below ${bpsText(toBps)}`;
  if (toBps === null) return `${bpsText(fromBps)} and above`;
  return `${bpsText(fromBps)} to under ${bpsText(toBps)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
