import { marketNamed } from '../../rules/markets/index.ts';
import { counts } from '../../rules/price-check.ts';
import { withSign } from '../../rules/written-numbers.ts';
import { type PublicPick, type Selection, selectionOf } from '../pick.ts';
import { oddsText, signed } from './odds-text.ts';
import type { Item } from './rss.ts';
import { escapeHtml, isolated } from './safe-text.ts';

/** Returns a capper's tier, marked if the capper is not verified: `verified sharp`, `listed, not verified`. */
export function standing({ tier, verified }: { tier: string; verified: boolean }): string {
  return `${tier.replaceAll('_', ' ')}${verified ? '' : ', not verified'}`;
}

export function marketName(market: string): string {
  return marketNamed(market)?.label ?? market.replaceAll('_', ' ');
}

/** Names of sports whose keys are not abbreviations. */
const sportNames = new Map([
  ['soccer', 'Soccer'],
  ['tennis', 'Tennis'],
]);

/** Returns the short name of a sport, for use next to a game: `NBA`, `Soccer`. */
export function sportTag(key: string): string {
  return sportNames.get(key) ?? key.toUpperCase();
}

/** Formats a line as its market does: `−3`, `+1.5`, `PK`. A total has no sign; an undeclared market has one. */
export function lineText(line: number, market: string): string {
  const text = marketNamed(market)?.line?.text ?? withSign;
  return line === 0 && text(1) === withSign(1) ? 'PK' : text(line).replace('-', '−');
}

/** Returns {@link selectionOf} with a true minus sign before a line. */
export function selectionText(bet: Selection | PublicPick): string {
  return ('bet' in bet ? bet.bet : selectionOf(bet)).replace(/(?<=^|\s)-(?=\d)/g, '−');
}

/** Returns the text that a pick was posted with if it does not say its bet in the same words; else null. */
export function ownWords(pick: PublicPick): string | null {
  return pick.pick.trim().toLowerCase() === pick.bet.toLowerCase() ? null : pick.pick;
}

export function utcText(instant: string): string {
  const text = new Date(instant).toUTCString();
  return `${text.slice(0, 16)}, ${text.slice(17, 22)} UTC`;
}

/** Formats an ET day as `Fri, 27 Nov 2026`. */
function shortDay(day: string): string {
  return new Date(day).toUTCString().slice(0, 16);
}

export function units(value: number): string {
  return `${value} ${value === 1 ? 'unit' : 'units'}`;
}

/** Returns what is proven about a pick's time, in a few words; null while nothing is (docs/rules/provenance.md#sealed-in-time). */
export function timing({ provenance, sealedInTime }: PublicPick): string | null {
  if (provenance === 'imported') return 'imported, time not proven';
  if (sealedInTime === 'witnessed') return 'witnessed before the start';
  if (sealedInTime === 'signed') return 'signed before the start';
  return sealedInTime === 'late' ? 'sealed after the start' : null;
}

/** Returns `win`, `half win`, and so on; null while the pick is pending. */
export function outcomeText({ result, half }: Pick<PublicPick, 'result' | 'half'>): string | null {
  return result !== null && half ? `half ${result}` : result;
}

/** Returns why a pick does not count in records, in a few words; null if it counts (docs/rules/prices.md). */
export function notCounted({ priceCheck }: Pick<PublicPick, 'priceCheck'>): string | null {
  if (priceCheck === null || counts(priceCheck.verdict)) return null;
  return priceCheck.provisional ? 'no odds to compare with so far' : 'no odds to compare with';
}

/** Returns at which odds a pick counts, if these are not the posted ones; else null. */
export function countedAt({
  oddsAmerican,
  priceCheck,
}: Pick<PublicPick, 'oddsAmerican' | 'priceCheck'>): string | null {
  const counted = priceCheck?.countedAmerican ?? oddsAmerican;
  return counted === oddsAmerican ? null : `counted at ${oddsText(counted)}`;
}

export function pickLines(pick: PublicPick): string[] {
  const { startsAt, day, netUnits } = pick;
  const result = outcomeText(pick);
  const time = timing(pick);
  const closing = closingText(pick);
  const leftOut = notCounted(pick);
  const counted = countedAt(pick);
  const verb = closing === null && result === null ? 'starts' : 'started';
  const when =
    startsAt !== null
      ? `, ${verb} ${utcText(startsAt)}`
      : day === null
        ? ''
        : `, ${shortDay(day)}, time unknown`;
  return [
    `${selectionText(pick)} at ${oddsText(pick.oddsAmerican)}${counted === null ? '' : ` (${counted})`}, ${units(pick.stakeUnits)} (${marketName(pick.market)})`,
    `${sportTag(pick.sport)}: ${pick.game}${when}`,
    `By ${pick.capperHandle} (${standing({ tier: pick.capperTier, verified: pick.capperVerified })}), posted ${utcText(pick.postedAt)}${time === null ? '' : `; ${time}`}`,
    ...(closing === null ? [] : [closing]),
    ...(leftOut === null ? [] : [`Not counted: ${leftOut}`]),
    ...(result === null
      ? []
      : [
          `Result: ${result}${netUnits === null ? '' : `, ${signed(netUnits)} ${Math.abs(netUnits) === 1 ? 'unit' : 'units'}`}`,
        ]),
  ];
}

/** With the CLV, or with the line move, because odds for two lines cannot be compared. Null until the pick has closed. */
function closingText(pick: PublicPick): string | null {
  const { closingOddsAmerican, clvBps } = pick;
  if (closingOddsAmerican === null) return null;
  const moved = lineMoved(pick);
  const compared = moved ?? (clvBps === null ? null : `CLV ${signed(clvBps / 100)}%`);
  return `Closing odds ${oddsText(closingOddsAmerican)}${compared === null ? '' : `, ${compared}`}`;
}

/** Returns `line moved from 2.5 to 3`; null if the pick closed at its own line. */
export function lineMoved({
  line,
  closingLine,
  market,
}: Pick<PublicPick, 'line' | 'closingLine' | 'market'>): string | null {
  if (line === null || closingLine === null || line === closingLine) return null;
  return `line moved from ${lineText(line, market)} to ${lineText(closingLine, market)}`;
}

export function changedAt({ postedAt, startsAt, settledAt, closingOddsAmerican }: PublicPick): number {
  const closedAt = closingOddsAmerican === null ? null : startsAt;
  return Math.max(...[postedAt, closedAt, settledAt].map((at) => (at === null ? 0 : Date.parse(at))));
}

/** Returns a pick as a feed item. Its guid is the pick's UUID and never changes. */
export function pickItem(pick: PublicPick): Item {
  const outcome = outcomeText(pick);
  return {
    title: `${outcome === null ? '' : `${outcome.toUpperCase()}: `}${isolated(selectionText(pick))} (${oddsText(pick.oddsAmerican)}), ${isolated(pick.game)}`,
    link: pick.verifyUrl,
    guid: pick.pickUuid,
    description: paragraphs(pickLines(pick)),
    categories: [pick.sport, pick.market],
    creators: [pick.capperHandle],
    publishedAt: Date.parse(pick.postedAt),
    changedAt: changedAt(pick),
  };
}

export function paragraphs(lines: readonly string[]): string {
  return lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`).join('');
}
