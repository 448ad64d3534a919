import { oddsText } from '../../boards/formats/odds-text.ts';
import { odds, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { fullWhen } from '../times.ts';
import { pictured } from './scale.ts';

export interface Price {
  oddsAmerican: number;
  oddsDecimal: number;
  /** When the odds were posted, or seen at the book. */
  at: string;
}

const box = { left: 64, right: 296, top: 16, bottom: 76 };

/** Decimal odds: falling ones favor the bettor who took the posted ones. @param counts if false, no gain or loss is shaded */
export function lineField(posted: Price, closing: Price, counts: boolean): Html {
  // The scale spans at least a tenth of the odds, so that a small move looks small.
  const middle = (posted.oddsDecimal + closing.oddsDecimal) / 2;
  const half = Math.max(Math.abs(posted.oddsDecimal - closing.oddsDecimal), middle / 10) / 2;
  const [low, high] = [middle - half, middle + half];
  const y = (decimal: number) =>
    Math.round(box.bottom - ((decimal - low) / (high - low)) * (box.bottom - box.top));
  const [from, to] = [y(posted.oddsDecimal), y(closing.oddsDecimal)];
  const gained = posted.oddsDecimal >= closing.oddsDecimal;
  const move = closing.oddsDecimal - posted.oddsDecimal;
  const label = `Odds from ${oddsText(posted.oddsAmerican)} when posted to ${oddsText(closing.oddsAmerican)} at the close.`;
  const picture = html`<svg class="chart price" viewBox="0 0 360 108" role="img" aria-label="${label}">
<path class="guide" d="M${box.left} ${from}H${box.right}"/>
${counts && html`<path class="${gained ? 'area-gain' : 'area-cost'}" d="M${box.left} ${from}H${box.right}V${to}Z"/>`}
<path class="curve" d="M${box.left} ${from}L${box.right} ${to}"/>
<circle class="end" cx="${box.left}" cy="${from}" r="4"/><circle class="end" cx="${box.right}" cy="${to}" r="4"/>
<text class="big" x="${box.left - 10}" y="${from + 5}" text-anchor="end">${oddsText(posted.oddsAmerican)}</text>
<text class="big" x="${box.right + 10}" y="${to + 5}">${oddsText(closing.oddsAmerican)}</text>
<g class="axis"><text x="${box.left}" y="102" text-anchor="middle">posted</text><text x="${box.right}" y="102" text-anchor="middle">close</text>${move !== 0 && html`<text x="180" y="102" text-anchor="middle">${signedText(move, 2)} decimal</text>`}</g>
</svg>`;
  return pictured(picture, {
    caption: 'Odds when posted and at the close',
    columns: ['Odds', 'American and decimal', 'Time'],
    rows: [
      ['Posted', odds(posted.oddsAmerican), fullWhen(posted.at)],
      ['Close', odds(closing.oddsAmerican), fullWhen(closing.at)],
    ],
  });
}
