import type { Static } from 'typebox';
import type { capperLuck } from '../../boards/cappers/luck.ts';
import { oddsText } from '../../boards/formats/odds-text.ts';
import { countText, percentText, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { hitRate } from './rate.ts';
import { fold } from './section.ts';

export type Luck = Static<typeof capperLuck.body>;

export function luckFigures({ units, losingRun, drawdown, calibration }: Luck): Html {
  return html`<p class="finding">${finding(units)}</p>
${fold('Units, losing streaks, and drawdowns', figures({ units, losingRun, drawdown }))}<details class="more"><summary>Wins by odds, actual and expected</summary>
<table class="standings split">
<thead><tr><th scope="col">Odds</th><th scope="col">Hit rate and break-even</th><th scope="col">Wins, actual and expected</th></tr></thead>
<tbody>${calibration.map(
    (band) =>
      html`<tr><th scope="row">${bandText(band)}</th><td data-label="Hit rate">${hitRate(band)}</td><td data-label="Wins">${countText(band.weightedWins)} <small>expected ${band.expectedWins.toFixed(1)}</small></td></tr>
`,
  )}</tbody></table></details>`;
}

function figures({ units, losingRun, drawdown }: Pick<Luck, 'units' | 'losingRun' | 'drawdown'>): Html {
  return html`<table class="standings split">
<thead><tr><th scope="col">Figure</th><th scope="col">Actual</th><th scope="col">Coin-flippers (95%)</th><th scope="col">By luck</th></tr></thead>
<tbody><tr><th scope="row">Net units</th><td data-label="Actual">${signedText(units.net, 2)}u</td><td data-label="Coin-flippers (95%)">${signedText(units.low, 1)}u to ${signedText(units.high, 1)}u</td><td data-label="By luck">${percentText(units.asHighPct)} of bettors without skill end this high or higher</td></tr>
<tr><th scope="row">Longest losing streak</th><td data-label="Actual">${countText(losingRun.length)}</td><td data-label="Coin-flippers (95%)">typically ${countText(losingRun.median)}, up to ${countText(losingRun.high)}</td><td data-label="By luck">${percentText(losingRun.asLongPct)} lose as many in a row</td></tr>
<tr><th scope="row">Largest drawdown</th><td data-label="Actual">${drawdown.units.toFixed(2)}u</td><td data-label="Coin-flippers (95%)">typically ${drawdown.median.toFixed(1)}u, up to ${drawdown.high.toFixed(1)}u</td><td data-label="By luck">${percentText(drawdown.asDeepPct)} have one as large</td></tr>
</tbody></table>`;
}

function finding({ net, low, high, asHighPct }: Luck['units']): string {
  return `${percentText(asHighPct)} of bettors without skill end at ${signedText(net, 2)} units or higher with the same picks and stakes. 95% of them end between ${signedText(low, 1)} and ${signedText(high, 1)}.`;
}

/** Formats a range of odds: `−150 to −121`, or with an open end. */
export function bandText({
  fromOdds,
  toOdds,
}: Pick<Luck['calibration'][number], 'fromOdds' | 'toOdds'>): string {
  if (fromOdds === null) return toOdds === null ? 'Any' : `${oddsText(toOdds)} or shorter`;
  if (toOdds === null) return `${oddsText(fromOdds)} or longer`;
  return `${fromOdds === -100 ? 'Even' : oddsText(fromOdds)} to ${oddsText(toOdds)}`;
}
