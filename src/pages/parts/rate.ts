import { wilsonLowerBound } from '../../rules/wilson.ts';
import { countText, percentText, smallSample } from '../figures.ts';
import { type Html, html } from '../html.ts';

/** A rate's 95% interval after Wilson, from 0 to 1. */
interface Interval {
  low: number;
  high: number;
}

/** The Wilson score interval of a hit rate; undefined where nothing was won or lost. The upper bound mirrors that of the losses. */
export function wilsonInterval(wins: number, losses: number): Interval | undefined {
  const low = wilsonLowerBound(wins, losses);
  const missed = wilsonLowerBound(losses, wins);
  return low === null || missed === null ? undefined : { low, high: 1 - missed };
}

/** A hit rate, never without its sample and its interval. */
export function hitRate({ wins, losses }: { wins: number; losses: number }): Html {
  const interval = wilsonInterval(wins, losses);
  if (interval === undefined)
    return html`<span class="rate"><b class="quiet">–</b> <small>nothing won or lost yet</small></span>`;
  const { low, high } = interval;
  const n = wins + losses;
  return html`<span class="rate"><b>${percentText((100 * wins) / n)}</b> ${intervalBar({ low, high, rate: wins / n })}
<small>${percentText(100 * low, 0)} to ${percentText(100 * high, 0)} · n ${countText(n)}</small>${sampleMark(n)}</span>`;
}

/** Marks a figure of a small sample; empty where there are enough picks. */
export function sampleMark(n: number): Html | false {
  return n < smallSample && html` <span class="small-sample">small sample</span>`;
}

/** A rate within its interval on a scale from 0 to 1, with a notch at one half. It stands beside the same figures as text. */
export function intervalBar({ low, high, rate }: { low: number; high: number; rate: number }): Html {
  const at = (value: number) => (value * 96 + 2).toFixed(1);
  return html`<svg class="interval" viewBox="0 0 100 10" aria-hidden="true" focusable="false"><path class="track" d="M2 5h96"/><path class="half" d="M50 1v8"/><path class="span" d="M${at(low)} 5H${at(high)}"/><circle class="dot" cx="${at(rate)}" cy="5" r="3.4"/></svg>`;
}
