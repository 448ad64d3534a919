import type { Static } from 'typebox';
import type { capperLuck } from '../../boards/cappers/luck.ts';
import { oddsText } from '../../boards/formats/odds-text.ts';
import { countText, netUnits, percentText, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { hitRate } from './rate.ts';
import { fold } from './section.ts';

export type Luck = Static<typeof capperLuck.body>;

/** What of a record chance explains: a sentence, the figures beside those of records without skill, and hits by price. */
export function luckFigures({ units, losingRun, drawdown, calibration }: Luck): Html {
  return html`<p class="finding">${verdict(units)}</p>
${fold('Units, losing runs and drawdowns', figures({ units, losingRun, drawdown }))}<details class="more"><summary>Hits by price, beside what each price expects</summary>
<table class="standings split">
<thead><tr><th scope="col">Price</th><th scope="col">Hit rate, against its break-even</th><th scope="col">Won, expected without skill</th></tr></thead>
<tbody>${calibration.map(
    (band) =>
      html`<tr><th scope="row">${bandText(band)}</th><td data-label="Hit rate">${hitRate(band)}</td><td data-label="Won">${countText(band.wins)} <small>expected ${band.expectedWins.toFixed(1)}</small></td></tr>
`,
  )}</tbody></table></details>`;
}

function figures({ units, losingRun, drawdown }: Pick<Luck, 'units' | 'losingRun' | 'drawdown'>): Html {
  return html`<table class="standings split">
<thead><tr><th scope="col">Figure</th><th scope="col">On record</th><th scope="col">Without skill</th><th scope="col">By chance alone</th></tr></thead>
<tbody><tr><th scope="row">Net units</th><td data-label="On record">${netUnits(units.net)}</td><td data-label="Without skill">${signedText(units.low, 1)}u to ${signedText(units.high, 1)}u in 95%</td><td data-label="By chance">${percentText(units.asHighPct)} end as high</td></tr>
<tr><th scope="row">Longest losing run</th><td data-label="On record">${countText(losingRun.length)}</td><td data-label="Without skill">usually ${countText(losingRun.median)}, at most ${countText(losingRun.high)} in 95%</td><td data-label="By chance">${percentText(losingRun.asLongPct)} lose as many in a row</td></tr>
<tr><th scope="row">Deepest drawdown</th><td data-label="On record">${drawdown.units.toFixed(2)}u</td><td data-label="Without skill">usually ${drawdown.median.toFixed(1)}u, at most ${drawdown.high.toFixed(1)}u in 95%</td><td data-label="By chance">${percentText(drawdown.asDeepPct)} fall as deep</td></tr>
</tbody></table>`;
}

/** Whether chance explains where a record ended, in a sentence. */
function verdict({ net, low, high, asHighPct }: Luck['units']): string {
  if (net > high)
    return `Chance alone rarely ends this high: ${percentText(asHighPct)} of records without skill at the same prices do.`;
  if (net < low)
    return `Chance alone rarely ends this low: ${percentText(100 - asHighPct)} of records without skill at the same prices do.`;
  return `Chance explains this record: it ends within the band in which 95% of records without skill at the same prices end.`;
}

/** `−150 to −121`, or an open end. */
export function bandText({
  fromOdds,
  toOdds,
}: Pick<Luck['calibration'][number], 'fromOdds' | 'toOdds'>): string {
  if (fromOdds === null) return toOdds === null ? 'any' : `${oddsText(toOdds)} and shorter`;
  if (toOdds === null) return `${oddsText(fromOdds)} and longer`;
  return `${fromOdds === -100 ? 'even' : oddsText(fromOdds)} to ${oddsText(toOdds)}`;
}
