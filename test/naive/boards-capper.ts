import { daysUpTo, etDay, iso } from './days.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { luckOf, priceBands } from './luck.ts';
import { newestFirst, oldestFirst, pickBody, pickList, units } from './pick-body.ts';
import { bounded, type Query } from './query.ts';
import {
  clvFigures,
  clvsOf,
  counting,
  netE4,
  recordOf,
  settledIn,
  settledOnly,
  streakBody,
  streakOf,
  withResult,
} from './record.ts';
import { verdictOf } from './verdict.ts';

interface OfCapper {
  handle: string;
}

/** Returns a capper's picks of the requested sport. The state contains only those of the requested market. */
function picksOf(state: LedgerState, { handle, sport }: OfCapper & Query) {
  const { picks } = capperOf(state, handle);
  return sport === undefined ? picks : picks.filter((pick) => pick.sport === sport);
}

/** Returns a capper and their picks, by handle in any case. Throws for an unknown handle. */
function capperOf(state: LedgerState, handle: string) {
  const capper = state.cappers.find((one) => one.handle === handle.toLowerCase());
  if (!capper) throw new RangeError(`no such capper: ${handle}`);
  return { ...capper, picks: state.byCapper.get(capper.handle) ?? [] };
}

/** Groups picks by one of their fields, in the order of its values. */
function groupedBy(picks: LedgerPick[], field: 'sport' | 'market'): [string, LedgerPick[]][] {
  const names = [...new Set(picks.map((pick) => pick[field]))].sort(byText);
  return names.map((name) => [name, picks.filter((pick) => pick[field] === name)]);
}

/** `/api/cappers/:handle/stats`. */
export function stats(state: LedgerState, params: OfCapper & Query) {
  const { handle, tier, verified } = capperOf(state, params.handle);
  const picks = picksOf(state, params);
  return {
    handle,
    tier,
    verified,
    verdict: verdictOf(state, handle, params),
    lifetime: recordOf(picks),
    last30d: recordOf(settledIn(state, picks, '30d')),
    bySport: groupedBy(settledOnly(picks), 'sport')
      .filter(([, of]) => counting(of).length > 0)
      .map(([sport, of]) => ({
        sport,
        verdict: verdictOf(state, handle, { sport, market: params.market }),
        ...recordOf(of),
      })),
    lastPicks: [...picks]
      .sort(newestFirst)
      .slice(0, 10)
      .map((pick) => pickBody(state, pick)),
  };
}

const stakeBands = [
  [null, 1],
  [1, 2],
  [2, 3],
  [3, 5],
  [5, null],
] as const;

/** `/api/cappers/:handle/breakdown`, for a capper within the number of picks that it covers. */
export function breakdown(state: LedgerState, params: OfCapper & Query) {
  const picks = settledIn(state, picksOf(state, params), params.window ?? 'all');
  const monthOf = (pick: LedgerPick) => etDay(pick.settledAt!).slice(0, 7);
  const [year = 0, month = 0] = state.today.split('-').map(Number);
  const isRecent = (text: string) => {
    const [y = 0, m = 0] = text.split('-').map(Number);
    return 12 * (year - y) + (month - m) < 24;
  };
  const months = [...new Set(picks.map(monthOf))].filter(isRecent).sort(byText).reverse();
  const within = (low: number | null, high: number | null, of: (pick: LedgerPick) => number, open: boolean) =>
    picks.filter((pick) => {
      const value = of(pick);
      return (low === null || value >= low) && (high === null || (open ? value < high : value <= high));
    });
  return {
    record: recordOf(picks),
    months: months.map((name) => ({
      month: name,
      ...recordOf(picks.filter((pick) => monthOf(pick) === name)),
    })),
    odds: priceBands
      .map(([fromOdds, toOdds]) => ({
        fromOdds,
        toOdds,
        of: within(fromOdds, toOdds, (pick) => pick.counted, false),
      }))
      .filter(({ of }) => of.length > 0)
      .map(({ of, ...band }) => ({ ...band, ...recordOf(of) })),
    stakes: stakeBands
      .map(([fromUnits, toUnits]) => ({
        fromUnits,
        toUnits,
        of: within(fromUnits, toUnits, (pick) => pick.stakeE4 / 10_000, true),
      }))
      .filter(({ of }) => of.length > 0)
      .map(({ of, ...band }) => ({ ...band, ...recordOf(of) })),
    claimed: recordOf(picks.filter(({ settlement }) => settlement?.grader === 'claim')),
  };
}

/** `/api/cappers/:handle/picks`, for a capper within the number of picks that one page searches. */
export function capperPicks(state: LedgerState, params: OfCapper & Query) {
  const { sport, market, result, month, cursor } = params;
  const [, at = '', after = ''] = /^(\d+)-(.*)$/.exec(String(cursor ?? '')) ?? [];
  const picks = [...capperOf(state, params.handle).picks]
    .sort(newestFirst)
    .filter((pick) => sport === undefined || pick.sport === sport)
    .filter((pick) => market === undefined || pick.market === market)
    .filter((pick) => result === undefined || (pick.result ?? 'pending') === result)
    .filter((pick) => month === undefined || etDay(pick.postedAt).startsWith(month))
    .filter(
      (pick) =>
        cursor === undefined ||
        pick.postedAt < Number(at) ||
        (pick.postedAt === Number(at) && pick.uuid > after),
    );
  const shown = picks.slice(0, bounded(params.limit, 100, 200));
  const last = shown.at(-1);
  return {
    verdict: verdictOf(state, capperOf(state, params.handle).handle, { sport, market }),
    ...pickList(state, shown, shown.length),
    nextCursor: last !== undefined && picks.length > shown.length ? `${last.postedAt}-${last.uuid}` : null,
  };
}

/** `/api/cappers/:handle/streak`. */
export function streak(state: LedgerState, params: OfCapper) {
  const { handle, picks } = capperOf(state, params.handle);
  return { handle, ...streakBody(streakOf(picks)) };
}

const split = (picks: LedgerPick[]) => {
  const { record, hitRatePct, breakEvenPct } = recordOf(picks);
  return { picks: picks.length, record, hitRatePct, breakEvenPct, lastPostedAt: iso(picks.at(-1)!.postedAt) };
};

/** `/api/cappers/:handle/sports`. */
export function capperSports(state: LedgerState, params: OfCapper) {
  const { handle, picks } = capperOf(state, params.handle);
  const sports = groupedBy(picks, 'sport').map(([sport, of]) => ({
    sport,
    verdict: verdictOf(state, handle, { sport }),
    ...split(of),
  }));
  return { count: sports.length, sports };
}

/** `/api/cappers/:handle/markets`. */
export function capperMarkets(state: LedgerState, params: OfCapper & Query) {
  const { handle } = capperOf(state, params.handle);
  const markets = groupedBy(picksOf(state, params), 'market').map(([market, of]) => ({
    market,
    verdict: verdictOf(state, handle, { sport: params.sport, market }),
    ...split(of),
  }));
  return { count: markets.length, markets };
}

/** Counts CLVs in bins of 100 bps from -1000 to 1000, lower ends included and upper ends excluded, and in two open bins. */
export function histogram(clvs: number[]) {
  const edges = Array.from({ length: 21 }, (_, index) => -1000 + 100 * index);
  const bins = [null, ...edges].map((fromBps, index) => ({ fromBps, toBps: edges[index] ?? null }));
  return bins.map((bin) => ({
    ...bin,
    count: clvs.filter((bps) => bps >= (bin.fromBps ?? -Infinity) && bps < (bin.toBps ?? Infinity)).length,
  }));
}

/** `/api/cappers/:handle/clv`. */
export function clv(state: LedgerState, params: OfCapper & Query) {
  const { picks } = capperOf(state, params.handle);
  const priced = counting(picks)
    .filter((pick) => pick.closing)
    .sort(newestFirst);
  const shown = priced.slice(0, bounded(params.last_n, 50, 200));
  return {
    ...clvFigures(clvsOf(priced)),
    histogram: histogram(clvsOf(priced)),
    count: shown.length,
    picks: shown.map((pick) => ({
      pickUuid: pick.uuid,
      postedAt: iso(pick.postedAt),
      sport: pick.sport,
      market: pick.market,
      side: pick.side,
      oddsAmerican: pick.oddsAmerican,
      closingOddsAmerican: pick.closing!.oddsAmerican,
      clvBps: pick.closing!.clvBps,
      sameLine: pick.closing!.sameLine,
    })),
  };
}

/** `/api/cappers/:handle/clv-by-sport`. */
export function clvBySport(state: LedgerState, params: OfCapper) {
  const priced = counting(capperOf(state, params.handle).picks).filter((pick) => pick.closing?.sameLine);
  const sports = groupedBy(priced, 'sport').map(([sport, of]) => ({ sport, ...clvFigures(clvsOf(of)) }));
  return { count: sports.length, sports };
}

/** `/api/cappers/:handle/clv-trend`. */
export function clvTrend(state: LedgerState, params: OfCapper & Query) {
  const settled = settledOnly(capperOf(state, params.handle).picks);
  const shown = daysUpTo(state.today, bounded(params.days, 30, 90));
  const days = shown.map((day) => {
    const of = clvsOf(settled.filter((pick) => etDay(pick.settledAt!) === day));
    const upTo = clvsOf(
      settled.filter((pick) => etDay(pick.settledAt!) >= shown[0]! && etDay(pick.settledAt!) <= day),
    );
    return {
      day,
      sample: of.length,
      meanBps: clvFigures(of).meanBps,
      runningSample: upTo.length,
      runningMeanBps: clvFigures(upTo).meanBps,
    };
  });
  return { count: days.length, days };
}

/** `/api/cappers/:handle/timeline`; `pending` counts the day's posted picks that are still open. */
export function capperTimeline(state: LedgerState, params: OfCapper & Query) {
  const picks = picksOf(state, params);
  const days = daysUpTo(state.today, bounded(params.days, 30, 90)).map((day) => {
    const posted = picks.filter((pick) => etDay(pick.postedAt) === day);
    const settled = settledOnly(picks).filter((pick) => etDay(pick.settledAt!) === day);
    return {
      day,
      picks: posted.length,
      wins: withResult(settled, 'win'),
      losses: withResult(settled, 'loss'),
      pushes: withResult(settled, 'push'),
      voids: withResult(settled, 'void'),
      pending: posted.filter((pick) => pick.status === 'pending').length,
    };
  });
  return { count: days.length, days };
}

/** `/api/cappers/:handle/units-curve`. */
export function unitsCurve(state: LedgerState, params: OfCapper & Query) {
  const settled = settledOnly(picksOf(state, params));
  let cumulativeE4 = 0;
  const days = daysUpTo(state.today, bounded(params.days, 30, 90)).map((day) => {
    const dayE4 = netE4(settled.filter((pick) => etDay(pick.settledAt!) === day));
    cumulativeE4 += dayE4;
    return { day, unitsNet: units(dayE4), cumulative: units(cumulativeE4) };
  });
  return { count: days.length, days };
}

/** `/api/cappers/:handle/luck`. */
export function luck(state: LedgerState, params: OfCapper & Query) {
  const picks = settledIn(state, picksOf(state, params), params.window ?? 'all');
  const body = luckOf(state, picks, bounded(params.days, 30, 90));
  return { count: body.days.length, ...body };
}

/** `/api/cappers/:handle/extremes`. */
export function extremes(state: LedgerState, params: OfCapper & Query) {
  const priced = counting(capperOf(state, params.handle).picks).filter((pick) => pick.closing?.sameLine);
  const top = (sign: number) =>
    [...priced]
      .sort((a, b) => sign * (b.closing!.clvCountedBps - a.closing!.clvCountedBps) || newestFirst(a, b))
      .slice(0, bounded(params.n, 5, 25))
      .map((pick) => pickBody(state, pick));
  return { best: top(1), worst: top(-1) };
}

/** Returns a capper's latest pick of each contest of a game, the one that counts there. */
function standing(picks: LedgerPick[]): Map<string, LedgerPick> {
  const latest = new Map<string, LedgerPick>();
  for (const pick of [...picks].sort(oldestFirst)) latest.set(pick.contestKey, pick);
  return latest;
}

/** `/api/cappers/:handle/vs/:other`; agreed and opposed count contests of games: markets, and totals of each team. */
export function versus(state: LedgerState, params: OfCapper & { other: string }) {
  const [left, right] = [capperOf(state, params.handle), capperOf(state, params.other)];
  const side = ({ handle, tier, verified, picks }: typeof left) => ({
    handle,
    tier,
    verified,
    lifetime: recordOf(picks),
    last30d: recordOf(settledIn(state, picks, '30d')),
    streak: streakBody(streakOf(picks)),
  });
  const [mine, others] = [counting(left.picks), counting(right.picks)];
  const games = new Set(mine.map((pick) => pick.gameKey));
  const theirs = standing(others);
  const met = [...standing(mine)].flatMap(([contest, { side: one }]) => {
    const other = theirs.get(contest);
    return other === undefined ? [] : [one === other.side];
  });
  return {
    left: side(left),
    right: side(right),
    shared: {
      games: new Set(others.map((pick) => pick.gameKey).filter((game) => games.has(game))).size,
      agreed: met.filter((same) => same).length,
      opposed: met.filter((same) => !same).length,
    },
  };
}
