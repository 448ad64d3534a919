import { wilsonLowerBound } from '../../rules/wilson.ts';
import { intervalBar } from '../charts/interval-bar.ts';
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

/** Marks a figure that rests on few picks; nothing where there are enough. */
export function sampleMark(n: number): Html | false {
  return n < smallSample && html` <span class="small-sample">small sample</span>`;
}
