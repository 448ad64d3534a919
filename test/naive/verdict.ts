import type { LedgerPick, LedgerState } from './ledger.ts';
import { chanceOf, decided, shownChance, yieldOf } from './record.ts';

/** Verdicts on cappers (docs/rules/verdicts.md#on-a-capper), from picks that name their game, result, odds, and edge. */

/** The fields of a settled live pick that a verdict depends on. Instants in epoch milliseconds. */
export interface Judged {
  game: string | number;
  uuid: string;
  postedAt: number;
  start: number | null;
  settledAt: number;
  result: string;
  half: boolean;
  oddsAmerican: number;
  netE4: number;
  price: string | null;
  edgeBps: number | null;
}

const inMillionths = (value: number): number => {
  const size = Math.round(Math.abs(value) * 1e6) / 1e6;
  return size === 0 ? 0 : Math.sign(value) * size;
};

const total = (values: number[]): number => values.reduce((a, b) => a + b, 0);

export function figuresOf(live: Judged[]) {
  const onOffer = live.filter(({ price }) => price === 'available' || price === 'above_market');
  const inOrder = onOffer.toSorted((a, b) => a.postedAt - b.postedAt || (a.uuid < b.uuid ? -1 : 1));
  const games = Object.values(Object.groupBy(inOrder, ({ game }) => String(game))) as Judged[][];
  const edges = games
    .map((picks) => picks.flatMap(({ edgeBps }) => (edgeBps === null ? [] : [edgeBps])))
    .filter((of) => of.length > 0)
    .map((of) => total(of) / of.length / 100);
  const mean = edges.length === 0 ? 0 : total(edges) / edges.length;
  const asPicks = (of: Judged[]) =>
    of.map((pick) => ({ ...pick, counted: pick.oddsAmerican, counts: true })) as unknown as LedgerPick[];
  const first = decided(asPicks(games.map(([pick]) => pick!)));
  return {
    live: live.length,
    voided: live.filter(
      ({ result, settledAt, start }) => result === 'void' && start !== null && settledAt < start,
    ).length,
    decided: decided(asPicks(inOrder)).length,
    yield: yieldOf(asPicks(inOrder)),
    netE4: total(inOrder.map(({ netE4 }) => netE4)),
    games: first.length,
    chancePct: shownChance(chanceOf(first)),
    n: edges.length,
    above: edges.filter((edge) => edge > 0).length,
    mean: inMillionths(mean),
    deviation:
      edges.length < 2
        ? 0
        : inMillionths(Math.sqrt(total(edges.map((edge) => (edge - mean) ** 2)) / (edges.length - 1))),
  };
}

/** Returns the probability of a t above a value, by integrating its density over the angle (Simpson's rule). */
export function above(t: number, degrees: number): number {
  const area = (from: number) => {
    const step = (Math.PI / 2 - from) / 2_000;
    const at = (k: number) => Math.cos(from + k * step) ** (degrees - 1);
    let sum = 0;
    for (let k = 0; k <= 2_000; k += 1) sum += (k === 0 || k === 2_000 ? 1 : k % 2 === 1 ? 4 : 2) * at(k);
    return (sum * step) / 3;
  };
  return area(Math.atan(t / Math.sqrt(degrees))) / (2 * area(0));
}

const many = (count: number, noun: string) =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

export function verdictOn(live: Judged[], isPart = false) {
  const {
    decided,
    n,
    mean,
    deviation,
    games,
    chancePct,
    netE4,
    voided,
    above: better,
    ...figures
  } = figuresOf(live);
  const result = figures.yield;
  const barred = voided / Math.max(1, live.length) > 0.05;
  const lucky =
    n < 2
      ? 0.5
      : deviation === 0
        ? mean > 0
          ? 0
          : mean < 0
            ? 1
            : 0.5
        : above((mean / deviation) * Math.sqrt(n), n - 1);
  const notLosing = result === null || result.high >= 0;
  const prices = `Took a better price than the market’s last one in ${better.toLocaleString('en-US')} of ${many(n, 'game')}, ${mean.toFixed(1)}% better on average`;
  const units = `${(-netE4 / 10_000).toFixed(1)} units`;
  const loss =
    netE4 >= 0
      ? ''
      : result !== null && result.flat > 0
        ? ` Equal stakes would have won: the loss of ${units} comes from their sizes.`
        : ` Bad luck explains the loss of ${units}.`;
  const gain = netE4 > 0 ? ` The gain of ${(netE4 / 10_000).toFixed(1)} units comes from stake sizes.` : '';
  const moreGames = `${many(50 - n, 'more game')} with prices to compare.`;
  if (!isPart && !barred && notLosing && n >= 200 && lucky < 0.0001)
    return {
      word: 'proven',
      sentence: `${prices}: luck does that less than once in 10,000.${loss}`,
      missing: null,
    };
  if (!isPart && !barred && games >= 500 && chancePct === 0)
    return {
      word: 'proven',
      sentence: `Fewer than 1 in 10,000 bettors without skill win as much with the same bets on ${many(games, 'game')}.${loss}`,
      missing: null,
    };
  if (!barred && notLosing && n >= 50 && lucky < 0.05)
    return {
      word: 'promising',
      sentence: `${prices}: luck does that less than once in 20.${loss}`,
      missing: isPart
        ? 'Only a whole record is ever called proven.'
        : n < 200
          ? `${many(200 - n, 'more game')} with prices to compare.`
          : 'Prices so much better that luck does it less than once in 10,000.',
    };
  if (decided >= 50 && result!.high < 0)
    return {
      word: 'losing',
      sentence: `Loses ${(-100 * result!.mean).toFixed(1)}% of equal stakes over ${many(decided, 'result')}: more than bad luck explains.${gain}`,
      missing: null,
    };
  if (n >= 50 && lucky > 0.975 && (result === null || result.mean <= 0))
    return {
      word: 'losing',
      sentence: `Takes prices that are ${(-mean).toFixed(1)}% worse than the market’s last ones on average, over ${many(n, 'game')}, and does not win at equal stakes.${gain}`,
      missing: null,
    };
  if (barred)
    return {
      word: 'unproven',
      sentence: `${voided.toLocaleString('en-US')} of ${many(live.length, 'pick')} were called off before the start: too many to judge the rest by.`,
      missing: 'Less than 5% of picks called off before the start.',
    };
  if (decided < 50 && n < 50)
    return {
      word: 'unproven',
      sentence:
        isPart || decided === 0
          ? 'Too few results at prices known to be on offer to tell skill from luck.'
          : `${many(decided, 'result')} at prices known to be on offer: too few to tell skill from luck.`,
      missing: isPart ? '50 games with prices to compare.' : moreGames,
    };
  return {
    word: 'unproven',
    sentence: `After ${many(decided, 'result')}, luck could explain this record.`,
    missing: n < 50 ? moreGames : 'Better prices than the market’s last ones, more often or by more.',
  };
}

/** Returns the verdict on a capper, or on the capper's picks in a sport or market. */
/** Reports whether a capper has no rank, since too many picks were called off (docs/rules/rankings.md#called-off-picks). */
export function hasNoRank(state: LedgerState, handle: string, at = state.now): boolean {
  const live = ((state.whole ?? state.byCapper).get(handle) ?? []).filter(
    (pick) => pick.provenance === 'live' && pick.settledAt !== null && pick.settledAt <= at,
  );
  const voided = live.filter(
    ({ result, settledAt, startPosted }) =>
      result === 'void' && startPosted !== null && settledAt! < startPosted,
  ).length;
  return voided >= 20 && voided / live.length > 0.05;
}

export function verdictOf(
  state: LedgerState,
  handle: string,
  { sport, market }: { sport?: string | undefined; market?: string | undefined } = {},
) {
  const live = ((state.whole ?? state.byCapper).get(handle) ?? []).filter(
    (pick) =>
      pick.status === 'settled' &&
      pick.provenance === 'live' &&
      (sport === undefined || pick.sport === sport) &&
      (market === undefined || pick.market === market),
  );
  return verdictOn(
    live.map((pick) => ({
      game: pick.gameKey,
      uuid: pick.uuid,
      postedAt: pick.postedAt,
      start: pick.startPosted,
      settledAt: pick.settledAt!,
      result: pick.result!,
      half: pick.half,
      netE4: pick.netUnitsE4!,
      oddsAmerican: pick.counted,
      price: pick.priceCheck?.verdict ?? null,
      edgeBps:
        pick.closing?.fair?.method === 'power' &&
        pick.closing.fair.source === 'provider' &&
        typeof pick.closing.edgePct === 'number'
          ? Math.round(pick.closing.edgePct * 100)
          : null,
    })),
    sport !== undefined || market !== undefined,
  );
}
