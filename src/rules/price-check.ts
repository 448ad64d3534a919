import { closingSnapshots, marketLine, type PriceRow } from './closing-snapshot.ts';
import { chanceAtLine } from './margin-model.ts';
import { marketNamed } from './markets/index.ts';
import { normalBelow } from './normal.ts';
import { breakEvenOf, compareAmerican, compareRatios, decimalOf, nearestAmerican } from './odds.ts';
import type { Selection } from './selection.ts';

/** Whether a live pick's odds were on offer (docs/rules/prices.md). The words are hashed, so they never change. */
export const priceVerdicts = ['available', 'above_market', 'unseen', 'unchecked'] as const;
export type PriceVerdict = (typeof priceVerdicts)[number];

/** A stored price of a selection. */
export interface SeenPrice extends PriceRow, Selection {
  /** Whether an operator or a file gave the price, not a provider. */
  byHand: boolean;
}

/** A price that a pick is compared with. */
export interface FoundPrice {
  oddsAmerican: number;
  book: string;
  /** Epoch milliseconds. */
  capturedAt: number;
}

/** The verdict on a pick's odds, and the price they were compared with. */
export type PriceCheck =
  | ({ verdict: 'available' | 'above_market' } & FoundPrice)
  | { verdict: 'unseen' | 'unchecked'; oddsAmerican: null; book: null; capturedAt: null };

/** The fields of a pick that a check needs. */
export interface CheckedPick extends Selection {
  sport: string;
  oddsAmerican: number;
  /** The book of the odds; null if the pick names none. */
  book: string | null;
  /** Epoch milliseconds. */
  postedAt: number;
}

export interface CheckedAgainst {
  /** The game's start, in epoch milliseconds. Prices captured later belong to another bet, so they are ignored. */
  start: number | null;
  /** Whether a provider has prices for the sport: see {@link withoutHandFed}. */
  hasSource: boolean;
}

/** Maximum age at posting of prices that {@link checkPrice} uses, unless a book marks them as closing. */
export const checkedBeforeMs = 6 * 3_600_000;

/** Percentage by which a pick may pay more than a price, by the time between posting and capture. */
const ages = [
  { withinMs: 15 * 60_000, percent: 1 },
  { withinMs: checkedBeforeMs, percent: 10 },
] as const;
const closePercent = 25;

/** A day on which a provider had prices for a sport, with its first price's capture time and id. */
export interface PricedDay {
  capturedAt: number;
  lineId: number;
}

/** A sport has a price source if a provider had prices for it within this time before posting: 30 days. */
export const sourceWindowMs = 30 * 86_400_000;

/** Reports whether a pick's sport has a price source for it. @param lastLineId ignores prices with larger ids */
export function hasPriceSource(
  days: readonly PricedDay[],
  { postedAt }: Pick<CheckedPick, 'postedAt'>,
  start: number | null,
  lastLineId: number,
): boolean {
  return days.some(
    ({ capturedAt, lineId }) =>
      capturedAt >= postedAt - sourceWindowMs &&
      (start === null || capturedAt <= start) &&
      lineId <= lastLineId,
  );
}

/** Returns the prices that count for a live pick: with a price source, only those of providers. */
export function withoutHandFed<Price extends Pick<SeenPrice, 'byHand'>>(
  prices: readonly Price[],
  hasSource: boolean,
): readonly Price[] {
  return hasSource ? prices.filter(({ byHand }) => !byHand) : prices;
}

/** The spread markets, each with its moneyline, which is as hard to win as a line of half a point. */
const moneylineOf: ReadonlyMap<string, string> = new Map([
  ['spread', 'moneyline'],
  ['first_half_spread', 'first_half_moneyline'],
]);

/** Returns the markets whose prices {@link checkPrice} uses for a pick. */
export function checkedMarkets({ market, lineE3 }: Pick<Selection, 'market' | 'lineE3'>): string[] {
  const moneyline = Math.abs(lineE3 ?? 0) === 500 ? moneylineOf.get(market) : undefined;
  return moneyline === undefined ? [market] : [market, moneyline];
}

/**
 * Decides whether a pick's odds were on offer, from the stored prices of its game (docs/rules/prices.md).
 * @param prices prices of the pick's {@link checkedMarkets}, in any order; others are ignored
 */
export function checkPrice(
  pick: CheckedPick,
  prices: readonly SeenPrice[],
  { start, hasSource }: CheckedAgainst,
): PriceCheck {
  const counted = withoutHandFed(prices, hasSource).filter(
    ({ capturedAt }) => start === null || capturedAt <= start,
  );
  for (const selection of [pick, ...harderSelections(pick, counted)]) {
    const found = referenceOf(pick, selection, counted, start);
    if (found === undefined) continue;
    const { percent, ...seen } = found;
    const price = { ...seen, oddsAmerican: worthAtLine(pick, selection, seen.oddsAmerican) };
    const verdict = paysAtMost(pick.oddsAmerican, price.oddsAmerican, percent) ? 'available' : 'above_market';
    return { verdict, ...price };
  }
  return {
    verdict: hasSource ? 'unseen' : 'unchecked',
    ...{ oddsAmerican: null, book: null, capturedAt: null },
  };
}

/** Percentage by which a harder line's price may exceed its value by a model of scores at the pick's line. */
const modelPercent = 25;

/** Lower bound of a model's probability. Below it, all prices are at the upper bound of odds. */
const leastChance = 0.001;

/**
 * Returns the value at the pick's line of a price at an equal or harder line: the price itself, but at most 25% above its value by a model
 * of scores. Without this limit, a price of one line would allow the same odds for every easier line.
 * @param seen a selection of the same market and side, or of the moneyline
 */
function worthAtLine(pick: CheckedPick, seen: Selection, oddsAmerican: number): number {
  const { sport, market, side, lineE3 } = pick;
  if (lineE3 === null || seen.lineE3 === null || lineE3 === seen.lineE3) return oddsAmerican;
  const harder = { lineE3: seen.lineE3, chance: breakEvenOf(oddsAmerican) };
  const chance = chanceAtLine(sport, { market, side }, harder, lineE3) ?? chanceOnWideCurve(pick, harder);
  const den = 1e6;
  const modelled = nearestAmerican({
    num: Math.max(den, Math.round(((100 + modelPercent) * den) / (100 * Math.max(chance, leastChance)))),
    den,
  });
  return compareAmerican(modelled, oddsAmerican) < 0 ? modelled : oddsAmerican;
}

/** The standard deviation of a spread without a model, in points. In markets that count something, it is this part of the line. */
const wideSpread = 15;
const widePart = 0.6;

/**
 * Returns the probability at a pick's own line in a market without a model of scores. It uses a normal distribution wider than those of
 * real games and players, so that the probability is no higher than theirs.
 */
function chanceOnWideCurve(
  { market, side, lineE3 }: CheckedPick,
  harder: { lineE3: number; chance: number },
): number {
  const easier = (marketNamed(market)!.line!.better(side) * (lineE3! - harder.lineE3)) / 1000;
  const line = Math.max(Math.abs(lineE3!), Math.abs(harder.lineE3)) / 1000;
  const sd = moneylineOf.has(market) ? wideSpread : Math.max(1, widePart * line);
  let [low, high] = [-8, 8];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < harder.chance) low = middle;
    else high = middle;
  }
  return normalBelow(low + easier / sd);
}

/** Returns the priced selections that win only if the pick wins, closest to the pick first. */
function harderSelections(pick: CheckedPick, prices: readonly SeenPrice[]): Selection[] {
  const { market, subject, side, lineE3 } = pick;
  const better = marketNamed(market)?.line?.better(side);
  if (lineE3 === null || better === undefined) return [];
  const isHarder = (other: number | null) => other !== null && (lineE3 - other) * better > 0;
  const lines = new Set(
    prices.flatMap((price) =>
      price.market === market && price.subject === subject && price.side === side && isHarder(price.lineE3)
        ? [price.lineE3!]
        : [],
    ),
  );
  const harder = [...lines].map((line): { line: number; selection: Selection } => ({
    line,
    selection: { market, subject, side, lineE3: line },
  }));
  const [, moneyline] = checkedMarkets(pick);
  // Winning outright is winning by half a point.
  if (moneyline !== undefined)
    harder.push({ line: -500, selection: { market: moneyline, subject, side, lineE3: null } });
  return harder
    .sort((one, other) => Math.abs(one.line - lineE3) - Math.abs(other.line - lineE3))
    .map(({ selection }) => selection);
}

/** Returns the price to compare a pick with, and the tolerance for its age; undefined if the selection has no price of any age. */
function referenceOf(
  pick: CheckedPick,
  selection: Selection,
  prices: readonly SeenPrice[],
  start: number | null,
): (FoundPrice & { percent: number }) | undefined {
  const own = prices.filter((price) => isOf(price, selection));
  for (const { withinMs, percent } of ages) {
    const found = aroundPosting(own, pick.postedAt, withinMs);
    if (found.length > 0) return { ...bestReference(found, pick.book), percent };
  }
  const found = start === null ? [] : atTheClose(prices, selection, start);
  return found.length > 0 ? { ...bestReference(found, pick.book), percent: closePercent } : undefined;
}

function isOf(price: SeenPrice, { market, subject, side, lineE3 }: Selection): boolean {
  return (
    price.market === market && price.subject === subject && price.side === side && price.lineE3 === lineE3
  );
}

/**
 * Returns a price of each book near posting: of its last price up to posting and its first one after, the one that pays more, because the
 * time of the change is unknown. If a snapshot has several, the one that pays least counts.
 */
function aroundPosting(prices: readonly SeenPrice[], postedAt: number, withinMs: number): FoundPrice[] {
  const near = prices.filter(({ capturedAt }) => Math.abs(capturedAt - postedAt) <= withinMs);
  return [...Map.groupBy(near, ({ book }) => book).values()].map((own) => {
    const instants = own.map(({ capturedAt }) => capturedAt);
    const before = Math.max(...instants.filter((at) => at <= postedAt));
    const after = Math.min(...instants.filter((at) => at > postedAt));
    return [before, after]
      .flatMap((at) => own.filter(({ capturedAt }) => capturedAt === at).sort(byPayout)[0] ?? [])
      .reduce((first, second) =>
        compareAmerican(second.oddsAmerican, first.oddsAmerican) > 0 ? second : first,
      );
  });
}

function atTheClose(prices: readonly SeenPrice[], selection: Selection, start: number): FoundPrice[] {
  const { market, subject, side, lineE3 } = selection;
  const rows = prices.filter((price) => price.market === market && price.subject === subject);
  return [...closingSnapshots(market, rows, start)].flatMap(([book, { capturedAt, lines }]) => {
    const oddsAmerican = lines.get(marketLine(market, side, lineE3))?.get(side);
    return oddsAmerican === undefined ? [] : [{ book, capturedAt, oddsAmerican }];
  });
}

/**
 * Returns the price of the pick's own book, or else the highest price. Among three or more, it is the second highest, so that a single
 * mistaken book does not count.
 */
function bestReference(found: readonly FoundPrice[], ownBook: string | null): FoundPrice {
  const sorted = found.toSorted((a, b) => byPayout(b, a) || (a.book < b.book ? -1 : 1));
  const { oddsAmerican, book, capturedAt } =
    sorted.find((price) => price.book === ownBook) ?? sorted[sorted.length >= 3 ? 1 : 0]!;
  return { oddsAmerican, book, capturedAt };
}

function byPayout(a: FoundPrice, b: FoundPrice): number {
  return compareAmerican(a.oddsAmerican, b.oddsAmerican) || a.oddsAmerican - b.oddsAmerican;
}

function paysAtMost(posted: number, reference: number, percentMore: number): boolean {
  const { num, den } = decimalOf(reference);
  return compareRatios(decimalOf(posted), { num: num * (100 + percentMore), den: den * 100 }) <= 0;
}

/** Reports whether a pick counts in records and all figures that depend on them. Null: no check, as for imports. */
export function counts(verdict: PriceVerdict | null): boolean {
  return verdict !== 'above_market' && verdict !== 'unseen';
}
