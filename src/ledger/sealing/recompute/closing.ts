import type { StoredPrice } from '../../../games/lines.ts';
import { iso } from '../../../platform/clock.ts';
import { type ClosingMarket, closingMarket, closingOf } from '../../../rules/closing.ts';
import { scoreGraders } from '../../../rules/grading.ts';
import type { MoneylineWays } from '../../../rules/markets/market.ts';
import { admitted, hasPriceSource, type PricedDay } from '../../../rules/price-check.ts';
import { holdingStart } from '../../../rules/starts.ts';
import { Difference, differing } from '../../difference.ts';
import { closedFields, closingFields } from '../../events.ts';
import { otherValues } from '../../field.ts';
import type { FullPick } from './read-picks.ts';

export interface PricedMarket {
  prices: readonly StoredPrice[];
  days: readonly PricedDay[];
}

/** From the prices that were stored when it closed. @param starts those that can have closed it */
export function* closingFaults(
  pick: FullPick,
  market: PricedMarket,
  starts: ReadonlySet<number | null>,
  moneylineWays: MoneylineWays,
): Generator<Difference> {
  const { closing } = pick;
  if (closing === null) return;
  const differs = differing('closings', `pick ${pick.uuid}`);
  if (!starts.has(closing.closedAt)) yield differs('closed_at', 'its game did not start then');
  if (closing.capturedAt > closing.closedAt) yield differs('captured_at', 'it is after the start');
  const given = closingGiven(pick, market, moneylineWays);
  if (given === null) return yield differs(null, 'no stored price closes the pick');
  const [other] = otherValues(closedFields, closing, given);
  if (other !== undefined) yield differs(other.column, `the stored prices give ${shown(given)}`);
}

/** From the prices stored by the time of the pick's closing; null: none. */
export function closingGiven(pick: FullPick, market: PricedMarket, moneylineWays: MoneylineWays) {
  const { closedAt, lastLineId } = pick.closing!;
  const known = marketBy(pick, market, closedAt, lastLineId);
  const closing = closingOf(known, pick);
  if (closing === null) return null;
  return closingFields(closing, closedAt, known, { ...pick, sport: pick.game.sport, moneylineWays });
}

/** Graders that act only after the game. By then, every pick with a closing price has closed. */
const afterTheGame: readonly string[] = [...scoreGraders, 'stat'];

/** Finds a price that should have closed a pick. The pick has no closing, and a score or statistic graded it. */
export function* missingClosing(pick: FullPick, market: PricedMarket): Generator<Difference> {
  const { closing, settlement, game, provenance } = pick;
  const start = holdingStart(game, provenance);
  if (closing !== null || settlement === null || start === null) return;
  if (!afterTheGame.includes(settlement.grader)) return;
  if (start > settlement.settledAt) return;
  const expected = closingOf(marketBy(pick, market, start, settlement.lastLineId), pick);
  if (expected !== null)
    yield new Difference(
      'closings',
      `pick ${pick.uuid}`,
      null,
      `it is missing: a price captured at ${iso(expected.capturedAt)} closes the pick`,
    );
}

/** Returns the prices, up to an id, that can close a pick at a start: docs/rules/closing.md#prices-fed-by-hand. */
export function pricesThatClose(
  pick: Pick<FullPick, 'postedAt' | 'provenance'>,
  { prices, days }: PricedMarket,
  start: number,
  lastLineId: number,
): StoredPrice[] {
  const stored = prices.filter(({ id }) => id <= lastLineId);
  const hasSource = hasPriceSource(days, pick, start, lastLineId);
  return pick.provenance === 'live' ? admitted(stored, { start, hasSource }) : stored;
}

function marketBy(pick: FullPick, market: PricedMarket, start: number, lastLineId: number): ClosingMarket {
  return closingMarket(pick.market, pricesThatClose(pick, market, start, lastLineId), start);
}

function shown({ oddsAmerican, lineE3, book, capturedAt, clvBps }: ReturnType<typeof closingFields>): string {
  const at = lineE3 === null ? '' : ` at ${lineE3} thousandths`;
  return `${oddsAmerican}${at} of ${book ?? 'all books'}, captured at ${iso(capturedAt)}, a CLV of ${clvBps} bps`;
}
