import type { CloseFigures } from '../../boards/cappers/close-figures.ts';
import { oddsText } from '../../boards/formats/odds-text.ts';
import { chanceText } from '../../rules/chance.ts';
import type { ShownRecord } from '../../rules/tally.ts';
import { wilsonLowerBound } from '../../rules/wilson.ts';
import type { ShownYield } from '../../rules/yield.ts';
import { clv, counted, percentText, recordText, signedPercent, signedText, smallSample } from '../figures.ts';
import { type Html, html } from '../html.ts';

/** From 0 to 1. */
interface Interval {
  low: number;
  high: number;
}

/** Returns the Wilson score interval of a hit rate; undefined without wins and losses. The upper bound mirrors that of the losses. */
export function wilsonInterval(wins: number, losses: number): Interval | undefined {
  const low = wilsonLowerBound(wins, losses);
  const missed = wilsonLowerBound(losses, wins);
  return low === null || missed === null ? undefined : { low, high: 1 - missed };
}

/** Always with the interval and break-even. @param record the sample as `W-L-P`; default: the number of wins and losses */
export function hitRate({
  wins,
  losses,
  breakEvenPct,
  averageOddsAmerican,
  record,
}: Pick<ShownRecord, 'wins' | 'losses' | 'breakEvenPct'> & {
  averageOddsAmerican?: number | null;
  record?: string | undefined;
}): Html {
  const interval = wilsonInterval(wins, losses);
  if (interval === undefined || breakEvenPct === null)
    return html`<span class="rate"><b class="quiet">–</b> <small>no wins or losses yet</small></span>`;
  const { low, high } = interval;
  const n = wins + losses;
  const average = averageOddsAmerican == null ? '' : ` (${oddsText(averageOddsAmerican)})`;
  return html`<span class="rate"><b>${percentText((100 * wins) / n)}</b> ${intervalBar({ low, high, rate: wins / n, mark: breakEvenPct / 100 })}
<small>${record === undefined ? counted(n, 'pick') : recordText(record)} · ${percentText(100 * low, 0)} to ${percentText(100 * high, 0)}</small>${sampleMark(n)}
<small class="whole">break-even ${percentText(breakEvenPct)}${average}</small></span>`;
}

/** Renders a yield with its 95% interval, and how many bettors without skill do as well if that is known. */
export function yieldText({
  yieldPct,
  yieldLowPct,
  yieldHighPct,
  chancePct = null,
}: Pick<ShownYield, 'yieldPct' | 'yieldLowPct' | 'yieldHighPct'> & { chancePct?: number | null }): Html {
  if (yieldPct === null || yieldLowPct === null || yieldHighPct === null)
    return html`<span class="quiet">–</span>`;
  return html`${signedText(yieldPct, 1)}% <small>(${signedText(yieldLowPct, 1)} to ${signedText(yieldHighPct, 1)})</small>${chancePct !== null && html` <small>${chanceText(chancePct)}</small>`}`;
}

export function units({ unitsNet, roiPct }: Pick<ShownRecord, 'unitsNet' | 'roiPct'>): Html {
  return html`${signedText(unitsNet, 2)}u <small>ROI ${percentText(roiPct)}</small>`;
}

export function edgeText(
  { edgeMeanPct }: Pick<ShownRecord, 'edgeMeanPct'>,
  { edgeLowPct: low = null, edgeHighPct: high = null }: Partial<CloseFigures> = {},
): Html {
  return html`${signedPercent(edgeMeanPct)}${low !== null && high !== null && html` <small>(${signedText(low, 1)} to ${signedText(high, 1)})</small>`}`;
}

export function meanEdge(
  edge: Pick<ShownRecord, 'edgeMeanPct' | 'edgeSample'>,
  close?: Partial<CloseFigures>,
): Html {
  return html`${edgeText(edge, close)} <small>${counted(edge.edgeSample, 'pick')}</small>${edge.edgeSample > 0 && sampleMark(edge.edgeSample)}`;
}

export function sampleText({
  picks,
  record,
  wins,
  losses,
}: Pick<ShownRecord, 'picks' | 'record' | 'wins' | 'losses'>): Html {
  return html`${counted(picks, 'pick')} <small>${recordText(record)}</small>${sampleMark(wins + losses)}`;
}

export function closeOf({ sample, beatSample, medianBps }: CloseFigures): Html {
  if (sample === 0) return html`<span class="quiet">–</span>`;
  return html`${clv(medianBps)} <small>median; ${percentText((100 * beatSample) / sample, 0)} of ${counted(sample, 'pick')} beat the close</small>`;
}

export function sampleMark(n: number): Html | false {
  return n < smallSample && html` <span class="small-sample">small sample</span>`;
}

/** On a scale from 0 to 1, with a notch at its mark. The same figures are next to it as text. */
export function intervalBar({ low, high, rate, mark }: Interval & { rate: number; mark: number }): Html {
  const at = (value: number) => (value * 96 + 2).toFixed(1);
  return html`<svg class="interval" viewBox="0 0 100 10" aria-hidden="true" focusable="false"><path class="track" d="M2 5h96"/><path class="mark" d="M${at(mark)} 1v8"/><path class="span" d="M${at(low)} 5H${at(high)}"/><circle class="dot" cx="${at(rate)}" cy="5" r="3.4"/></svg>`;
}
