import { type Price, snapshotsOf } from './closing.ts';
import { confidenceBody, pickOfTheDay } from './confidence.ts';
import { HOUR, iso, MINUTE } from './days.ts';
import { DELAYS, priceAfter } from './follow.ts';
import { compare, decimalOdds, decimals, fraction, multiply } from './fraction.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { newestFirst, pickBody, pickList, pickOf, points, units } from './pick-body.ts';
import { bounded, type Query } from './query.ts';
import { recordOf, settledIn, WINDOWS } from './record.ts';

/** `/api/pod`; the breakdown is the pick's current one. */
export function pod(state: LedgerState) {
  const chosen = pickOfTheDay(state);
  return {
    day: state.today,
    pick: chosen && pickBody(state, chosen.pick),
    confidence: chosen && confidenceBody(state, chosen.pick),
    now: chosen && bestNow(state, chosen.pick),
  };
}

/** Returns the best of the books' latest prices for a pick, the first book by name among equals; null once it has started. */
export function bestNow(state: LedgerState, pick: LedgerPick) {
  if (pick.status === 'settled' || (pick.start !== null && pick.start <= state.now)) return null;
  const known = pick.prices;
  const offers = [...new Set(known.map((one) => one.book))].sort(byText).flatMap((book) => {
    const latest = snapshotsOf(known, book).at(-1)!;
    const here = latest.filter((one) => one.side === pick.side && one.lineE3 === pick.lineE3);
    return here.sort((a, b) => byPrice(a, b))[0] ?? [];
  });
  const best = offers.sort((a, b) => byPrice(b, a))[0];
  return best === undefined
    ? null
    : {
        oddsAmerican: best.oddsAmerican,
        oddsDecimal: decimals(decimalOdds(best.oddsAmerican), 4),
        book: best.book,
        seenAt: iso(best.capturedAt),
      };
}

const byPrice = (a: Price, b: Price): number =>
  compare(decimalOdds(a.oddsAmerican), decimalOdds(b.oddsAmerican));

/** `/api/pod/archive`. */
export function podArchive(state: LedgerState, params: Query) {
  const chosen = pickOfTheDay(state);
  const picks = [
    ...(chosen === null ? [] : [{ day: state.today, pick: chosen.pick }]),
    ...state.chosenBefore.map(({ day, uuid }) => ({ day, pick: pickOf(state, uuid) })),
  ];
  const days = picks.map(({ day, pick }) => ({ day, pick: pickBody(state, pick) }));
  const left = days.filter(({ day }) => params.before === undefined || day < params.before);
  const shown = left.slice(0, bounded(params.limit, 30, 200));
  return {
    count: shown.length,
    record: recordOf(picks.map(({ pick }) => pick)),
    days: shown,
    nextBefore: left.length > shown.length ? shown.at(-1)!.day : null,
  };
}

/** `/api/picks/:uuid`, without `pickHash`. */
export function onePick(state: LedgerState, params: { uuid: string }) {
  const pick = pickOf(state, params.uuid);
  return { ...pickBody(state, pick), recordUrl: `${state.baseUrl}/record/${pick.id}` };
}

/** `/api/picks/by-game`. */
export function byGame(state: LedgerState, params: Query & { sport: string; game: string }) {
  const name = params.game.normalize('NFC').toLowerCase();
  const picks = state.picks.filter((pick) => pick.sport === params.sport && pick.game.toLowerCase() === name);
  const counts = new Map<string, { market: string; subject: string | null; side: string; count: number }>();
  for (const { market, subject, side } of picks) {
    const key = JSON.stringify([market, subject, side]);
    counts.set(key, { market, subject, side, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return {
    ...pickList(state, picks.sort(newestFirst), bounded(params.limit, 100, 500)),
    sides: [...counts.values()].sort(
      (a, b) =>
        byText(a.market, b.market) || byText(a.subject ?? '', b.subject ?? '') || byText(a.side, b.side),
    ),
  };
}

/** `/api/picks/:uuid/timeline`, without hashes and the position in the log. */
export function timeline(state: LedgerState, params: { uuid: string }) {
  const pick = pickOf(state, params.uuid);
  const { closing: price, settlement } = pick;
  const priced = (oddsAmerican: number, lineE3: number | null) => ({
    line: points(lineE3),
    oddsAmerican,
    oddsDecimal: decimals(decimalOdds(oddsAmerican), 4),
    book: pick.book,
  });
  const posted = {
    event: 'posted',
    at: iso(pick.postedAt),
    ...priced(pick.oddsAmerican, pick.lineE3),
    capperHandle: pick.capperHandle,
    capperTier: pick.capperTier,
    startsAt: iso(pick.startPosted),
    stakeUnits: pick.stakeE4 / 10_000,
  };
  const closed = price && {
    event: 'closed',
    at: iso(pick.start),
    ...priced(price.oddsAmerican, price.lineE3),
    capturedAt: iso(price.capturedAt),
    clvBps: price.clvBps,
  };
  const settled = settlement && {
    event: 'settled',
    at: iso(settlement.settledAt),
    result: settlement.result,
    half: settlement.half,
    awayScore: settlement.awayScore,
    homeScore: settlement.homeScore,
    sets: settlement.sets,
    played: settlement.played,
    stat: settlement.stat,
    priceCheck: pick.priceCheck && {
      verdict: pick.priceCheck.verdict,
      oddsAmerican: pick.priceCheck.oddsAmerican,
      book: pick.priceCheck.book,
      capturedAt: iso(pick.priceCheck.capturedAt),
      countedAmerican: pick.priceCheck.countedAmerican,
    },
    netUnits: units(pick.netUnitsE4!),
    grader: settlement.grader,
  };
  const events = [posted, closed, settled].filter((event) => event !== null);
  return { pickUuid: pick.uuid, count: events.length, events };
}

/** `/api/picks/:uuid/confidence`, without `note`. */
export const confidence = (state: LedgerState, params: { uuid: string }) =>
  confidenceBody(state, pickOf(state, params.uuid));

/** `/api/picks/:uuid/closing`. */
export function closing(state: LedgerState, params: { uuid: string }) {
  const pick = pickOf(state, params.uuid);
  const price = pick.closing;
  const waits = pick.start === null || state.now < pick.start + 15 * MINUTE;
  return {
    pickUuid: pick.uuid,
    status: price ? 'closed' : pick.status === 'pending' && waits ? 'open' : 'missing',
    posted: {
      oddsAmerican: pick.oddsAmerican,
      oddsDecimal: decimals(pick.decimal, 4),
      line: points(pick.lineE3),
      at: iso(pick.postedAt),
    },
    closing: price && {
      oddsAmerican: price.oddsAmerican,
      oddsDecimal: decimals(decimalOdds(price.oddsAmerican), 4),
      line: points(price.lineE3),
      at: iso(price.capturedAt),
      source: price.book ?? 'median',
      closedAt: iso(pick.start),
    },
    clvBps: price?.clvBps ?? null,
    clvPct: price ? price.clvBps / 100 : null,
    edgePct: price?.edgePct ?? null,
    edgeMethod: price?.fair?.method ?? null,
    consensus: price?.fair
      ? { books: price.fair.books, fairPct: decimals(multiply(fraction(100), price.fair.chance), 2) }
      : null,
    lineMove: price?.lineMove ?? null,
    followers:
      pick.status === 'settled' && pick.provenance === 'live'
        ? DELAYS.map((delay) => {
            const found = priceAfter(pick, pick.startHeld, pick.prices, delay);
            const missed = found === 'missed';
            if (found === null || missed) return { delay, missed, oddsAmerican: null, book: null, at: null };
            const { oddsAmerican, book, capturedAt } = found;
            return { delay, missed, oddsAmerican, book, at: iso(capturedAt) };
          })
        : null,
  };
}

/** `/api/picks/:uuid/related`. */
export function related(state: LedgerState, params: Query & { uuid: string }) {
  const pick = pickOf(state, params.uuid);
  const reach = bounded(params.hours, 6, 72) * HOUR;
  const picks = state.picks.filter(
    (one) =>
      one.sideKey === pick.sideKey &&
      one.uuid !== pick.uuid &&
      Math.abs(one.postedAt - pick.postedAt) <= reach,
  );
  return pickList(state, picks.sort(newestFirst));
}

/** `/api/record/windows`. */
export const recordWindows = (state: LedgerState) => ({
  windows: Object.fromEntries(
    WINDOWS.map((window) => [window, recordOf(settledIn(state, state.picks, window))]),
  ),
});
