import { consensusOf } from './closing.ts';
import { confidenceBody, pickOfTheDay } from './confidence.ts';
import { HOUR, iso } from './days.ts';
import { decimals } from './fraction.ts';
import { byText, type LedgerState } from './ledger.ts';
import { newestFirst, pickBody, pickList, pickOf, points } from './pick-body.ts';
import { bounded, type Query } from './query.ts';
import { recordOf, settledIn, WINDOWS } from './record.ts';

/** `/api/pod`; the breakdown is the pick's present one. */
export function pod(state: LedgerState) {
  const chosen = pickOfTheDay(state);
  return {
    day: state.today,
    pick: chosen && pickBody(state, chosen.pick),
    confidence: chosen && confidenceBody(state, chosen.pick),
  };
}

/** `/api/pod/archive`. */
export function podArchive(state: LedgerState, params: Query) {
  const chosen = pickOfTheDay(state);
  const picks = [
    ...(chosen === null ? [] : [{ day: state.today, pick: chosen.pick }]),
    ...state.chosenBefore.map(({ day, uuid }) => ({ day, pick: pickOf(state, uuid) })),
  ];
  const days = picks.map(({ day, pick }) => ({ day, pick: pickBody(state, pick) }));
  const shown = days.filter(({ day }) => params.before === undefined || day < params.before);
  return {
    count: shown.length,
    record: recordOf(picks.map(({ pick }) => pick)),
    days: shown,
    nextBefore: null,
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
  const counts = new Map<string, { market: string; side: string; count: number }>();
  for (const { market, side } of picks) {
    const key = `${market} ${side}`;
    counts.set(key, { market, side, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return {
    ...pickList(state, picks.sort(newestFirst), bounded(params.limit, 100, 500)),
    sides: [...counts.values()].sort((a, b) => byText(a.market, b.market) || byText(a.side, b.side)),
  };
}

/** `/api/picks/:uuid/timeline`, without hashes and facts. */
export function timeline(state: LedgerState, params: { uuid: string }) {
  const pick = pickOf(state, params.uuid);
  return {
    pickUuid: pick.uuid,
    events: [
      { event: 'posted', at: iso(pick.postedAt) },
      ...(pick.closing ? [{ event: 'closed', at: iso(pick.start) }] : []),
      ...(pick.settledAt !== null ? [{ event: 'settled', at: iso(pick.settledAt) }] : []),
    ],
  };
}

/** `/api/picks/:uuid/confidence`, without `note`. */
export const confidence = (state: LedgerState, params: { uuid: string }) =>
  confidenceBody(state, pickOf(state, params.uuid));

/** `/api/picks/:uuid/closing`. */
export function closing(state: LedgerState, params: { uuid: string }) {
  const pick = pickOf(state, params.uuid);
  const price = pick.closing;
  const started = pick.start !== null && pick.start <= state.now;
  return {
    pickUuid: pick.uuid,
    status: price ? 'closed' : started || pick.status === 'settled' ? 'missing' : 'open',
    posted: {
      oddsAmerican: pick.oddsAmerican,
      oddsDecimal: decimals(pick.decimal, 4),
      line: points(pick.lineE3),
      at: iso(pick.postedAt),
    },
    closing: price && {
      oddsAmerican: price.oddsAmerican,
      oddsDecimal: decimals(price.decimal, 4),
      line: points(price.lineE3),
      at: iso(price.capturedAt),
      source: price.book ?? 'median',
    },
    clvBps: price?.clvBps ?? null,
    clvPct: price ? price.clvBps / 100 : null,
    edgePct: price?.edgePct ?? null,
    edgeMethod:
      typeof price?.edgePct !== 'number' ? null : price.sameLine ? 'multiplicative' : 'margin_model',
    consensus:
      price && consensusOf(pick, state.prices.get(`${pick.gameKey} ${pick.market}`) ?? [], pick.start!),
    lineMove: price?.lineMove ?? null,
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
