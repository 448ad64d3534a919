import { type Html, html } from '../html.ts';

/** A rate within its interval on a scale from 0 to 1, with a notch at one half. It stands beside the same figures as text. */
export function intervalBar({ low, high, rate }: { low: number; high: number; rate: number }): Html {
  const at = (value: number) => (value * 96 + 2).toFixed(1);
  return html`<svg class="interval" viewBox="0 0 100 10" aria-hidden="true" focusable="false"><path class="track" d="M2 5h96"/><path class="half" d="M50 1v8"/><path class="span" d="M${at(low)} 5H${at(high)}"/><circle class="dot" cx="${at(rate)}" cy="5" r="3.4"/></svg>`;
}
