import { oddsText } from '../../boards/formats/odds-text.ts';
import { lineText } from '../../boards/formats/pick-text.ts';
import { bookName } from '../../rules/book-words.ts';
import { mainLine, marketLine, type PriceRow, sideLine } from '../../rules/closing-snapshot.ts';
import { lineFromE3 } from '../../rules/fixed-point.ts';
import { marketNamed } from '../../rules/markets/index.ts';
import { shownDecimal } from '../../rules/odds.ts';
import { type Html, html } from '../html.ts';
import { fullWhen } from '../times.ts';
import { heights, levels, pictured, round, steps } from './scale.ts';

export interface PricePoint {
  book: string;
  at: number;
  /** In thousandths; null in a market without lines. */
  lineE3: number | null;
  oddsAmerican: number;
}

export function firstSide(market: string, rows: readonly PriceRow[]): string | undefined {
  const sides = new Set(rows.map(({ side }) => side));
  return (
    marketNamed(market)
      ?.contests(3)
      .flat()
      .find((side) => sides.has(side)) ?? [...sides].sort()[0]
  );
}

/** Each book's points in order of time. */
export function pricePoints(market: string, side: string, rows: readonly PriceRow[]): PricePoint[] {
  const snapshots = Map.groupBy(rows, ({ book, capturedAt }) => `${book}\n${capturedAt}`);
  const points = [...snapshots.values()].flatMap((prices): PricePoint[] => {
    const [{ book, capturedAt: at }] = prices as [PriceRow];
    const lines = new Map<number | null, Map<string, number>>();
    for (const price of prices) {
      const line = marketLine(market, price.side, price.lineE3);
      lines.set(line, (lines.get(line) ?? new Map()).set(price.side, price.oddsAmerican));
    }
    const line = mainLine(market, { capturedAt: at, lines }, side) ?? onlyLine(lines, side);
    const oddsAmerican = line === undefined ? undefined : lines.get(line)?.get(side);
    if (line === undefined || oddsAmerican === undefined) return [];
    return [{ book, at, lineE3: sideLine(market, side, line), oddsAmerican }];
  });
  return points.sort((a, b) => a.at - b.at || (a.book < b.book ? -1 : 1));
}

function onlyLine(
  lines: ReadonlyMap<number | null, ReadonlyMap<string, number>>,
  side: string,
): number | null | undefined {
  const priced = [...lines].filter(([, prices]) => prices.has(side));
  return priced.length === 1 ? priced[0]![0] : undefined;
}

const box = { left: 44, right: 352, top: 14, bottom: 130 };
const maxRows = 60;

/** A curve per book: the line, or decimal odds in a market without lines. @param points at least two */
export function priceHistory(market: string, points: readonly PricePoint[]): Html {
  const hasLine = points.some(({ lineE3 }) => lineE3 !== null);
  const shownOf = ({ lineE3, oddsAmerican }: PricePoint) =>
    hasLine ? (lineFromE3(lineE3) ?? 0) : shownDecimal(oddsAmerican);
  const values = points.map(shownOf);
  const ticks = steps(Math.min(...values), Math.max(...values), 4);
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const x = (at: number) => round(box.left + ((at - first) / (last - first || 1)) * (box.right - box.left));
  const y = heights(box, low, high);
  const books = [...new Set(points.map(({ book }) => book))].sort();
  const curves = books.map((book) => {
    const own = points.filter((point) => point.book === book);
    const [start, ...rest] = own;
    // Odds hold until the next ones are seen.
    return `M${x(start!.at)} ${y(shownOf(start!))}${rest.map((point) => `H${x(point.at)}V${y(shownOf(point))}`).join('')}`;
  });
  const tick = (value: number) => (hasLine ? lineText(value, market) : value.toFixed(2));
  const [from, to] = [points[0]!, points.at(-1)!];
  const textOf = (point: PricePoint) =>
    `${point.lineE3 === null ? '' : `${lineText(lineFromE3(point.lineE3) ?? 0, market)} at `}${oddsText(point.oddsAmerican)}`;
  const label = `From ${textOf(from)} to ${textOf(to)}, ${books.length} ${books.length === 1 ? 'book' : 'books'}.`;
  const picture = html`<svg class="chart" viewBox="0 0 360 152" role="img" aria-label="${label}">
<g class="axis">${levels(ticks, box, y, tick)}
<text x="${box.left}" y="148">first seen</text><text x="${box.right}" y="148" text-anchor="end">last seen</text></g>
${curves.map((curve) => html`<path class="curve book" d="${curve}"/>`)}
</svg>
<figcaption>${label} ${hasLine ? 'The chart shows the line.' : 'The chart shows decimal odds.'}</figcaption>`;
  const shown = points.slice(-maxRows);
  return pictured(picture, {
    caption: `${shown.length < points.length ? `The latest ${shown.length} odds` : 'Odds'} for this side, newest last`,
    columns: ['Time', 'Book', ...(hasLine ? ['Line'] : []), 'Odds'],
    rows: shown.map(({ at, book, lineE3, oddsAmerican }) => [
      fullWhen(new Date(at).toISOString()),
      html`<bdi>${bookName(book)}</bdi>`,
      ...(hasLine ? [lineE3 === null ? '–' : lineText(lineFromE3(lineE3) ?? 0, market)] : []),
      oddsText(oddsAmerican),
    ]),
  });
}
