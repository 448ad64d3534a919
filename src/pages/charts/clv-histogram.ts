import type { ClvSummary, HistogramBin } from '../../rules/percentiles.ts';
import { bpsText, countText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { heights, levels, pictured, round, steps } from './scale.ts';

const box = { left: 40, right: 352, top: 32, bottom: 150 };

/** A bar per percent from −10 to 10 and one per open end. @param bins ascending; the first and last are open */
export function clvHistogram(
  bins: readonly HistogramBin[],
  { sample, evenSample, meanBps, medianBps }: Omit<ClvSummary, 'beatSample' | 'p25Bps' | 'p75Bps'>,
): Html {
  const width = (box.right - box.left) / bins.length;
  const ticks = countTicks(Math.max(1, ...bins.map(({ count }) => count)));
  const most = ticks.at(-1)!;
  const lowest = bins[0]?.toBps ?? 0;
  const highest = bins.at(-1)?.fromBps ?? 0;
  const ofBps = (bps: number) =>
    round(box.left + width + ((bps - lowest) / (highest - lowest)) * (width * (bins.length - 2)));
  const y = heights(box, 0, most);
  const bar = (tone: string, index: number, from: number, to: number) =>
    to > from &&
    html`<rect class="bar-${tone}" x="${round(box.left + index * width + 1)}" y="${y(to)}" width="${round(width - 2)}" height="${round(y(from) - y(to))}"/>`;
  const within = (bps: number) => ofBps(Math.min(highest + 50, Math.max(lowest - 50, bps)));
  // The smaller mark is labeled on its left, the larger on its right, unless the label would leave the frame.
  const marks = [
    { name: 'average', bps: meanBps, row: 10 },
    { name: 'median', bps: medianBps, row: 25 },
  ].flatMap(({ bps, ...mark }) => (bps === null ? [] : { ...mark, bps, at: within(bps) }));
  const least = Math.min(...marks.map(({ bps }) => bps));
  const anchor = ({ bps, at }: { bps: number; at: number }) =>
    bps === least ? (at < 120 ? 'start' : 'end') : at > 260 ? 'end' : 'start';
  const label = `Distribution of closing line value over ${countText(sample)} picks: average ${bpsText(meanBps)}, median ${bpsText(medianBps)}.`;
  const picture = html`<svg class="chart" viewBox="0 0 360 180" role="img" aria-label="${label}">
<g class="axis">${levels(ticks, box, y, countText)}<text x="${ofBps(0)}" y="168" text-anchor="middle">0%</text><text x="${box.left}" y="168">below ${percent(lowest)}</text><text x="${box.right}" y="168" text-anchor="end">${percent(highest)} and up</text></g>
${bins.map(({ count, fromBps, toBps }, index) =>
  // Picks at exactly the closing odds gained and lost nothing.
  fromBps === 0
    ? [bar('even', index, 0, evenSample), bar('gain', index, evenSample, count)]
    : bar((toBps ?? 1) <= 0 ? 'cost' : 'gain', index, 0, count),
)}
${marks.map(
  (mark) =>
    html`<path class="mean" d="M${mark.at} ${mark.row - 8}V${box.bottom}"/><text class="mean-text" x="${mark.at + (anchor(mark) === 'end' ? -4 : 4)}" y="${mark.row}" text-anchor="${anchor(mark)}">${mark.name} ${bpsText(mark.bps)}</text>`,
)}
</svg>`;
  return pictured(picture, {
    caption: 'Picks by closing line value',
    columns: ['CLV', 'Picks'],
    rows: bins.map(({ fromBps, toBps, count }) => [range(fromBps, toBps), countText(count)]),
  });
}

/** Returns evenly spaced whole numbers from 0 to at least `most`. */
function countTicks(most: number): number[] {
  const step = Math.ceil(steps(0, most, 3)[1] ?? 1);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

function percent(bps: number): string {
  return `${bps > 0 ? '+' : bps < 0 ? '−' : ''}${Math.abs(bps / 100)}%`;
}

function range(fromBps: number | null, toBps: number | null): string {
  if (fromBps === null) return `Below ${percent(toBps ?? 0)}`;
  if (toBps === null) return `${percent(fromBps)} and up`;
  return `${percent(fromBps)} to under ${percent(toBps)}`;
}
