import { iso } from './days.ts';
import { decimals, fraction } from './fraction.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { betInWords } from './markets.ts';

/** Orders newest posted first, then by UUID. */
export const newestFirst = (a: LedgerPick, b: LedgerPick): number =>
  b.postedAt - a.postedAt || byText(a.uuid, b.uuid);

/** Orders oldest posted first, then by UUID. */
export const oldestFirst = (a: LedgerPick, b: LedgerPick): number =>
  a.postedAt - b.postedAt || byText(a.uuid, b.uuid);

/** Orders by start (unknown starts last), then oldest posted first. */
export const byStart = (a: LedgerPick, b: LedgerPick): number => startOrder(a, b) || oldestFirst(a, b);

/** Orders only by start, unknown starts last. */
export function startOrder(a: { start: number | null }, b: { start: number | null }): number {
  if (a.start === b.start) return 0;
  return (a.start ?? Number.POSITIVE_INFINITY) - (b.start ?? Number.POSITIVE_INFINITY);
}

/** Returns units from ten-thousandths. */
export const units = (e4: number): number => decimals(fraction(e4, 10_000), 2);

/** Returns the latest pick of each capper (by postedAt, then UUID), oldest first. */
export function latestOfEach(picks: LedgerPick[]): LedgerPick[] {
  const latest = new Map<string, LedgerPick>();
  for (const pick of [...picks].sort(oldestFirst)) latest.set(pick.capperHandle, pick);
  return [...latest.values()].sort(oldestFirst);
}

/** Returns the shared object Pick (docs/rules/answers.md#shape). */
export function pickBody(state: LedgerState, pick: LedgerPick) {
  return {
    pickUuid: pick.uuid,
    id: pick.id,
    capperHandle: pick.capperHandle,
    capperTier: pick.capperTier,
    capperVerified: pick.capperVerified,
    sport: pick.sport,
    gameId: pick.gameId,
    game: pick.game,
    startsAt: iso(pick.start),
    day: pick.day,
    market: pick.market,
    subject: pick.subject,
    side: pick.side,
    line: points(pick.lineE3),
    pick: pick.pick,
    bet: betInWords(pick, pick.game, points(pick.lineE3)),
    oddsAmerican: pick.oddsAmerican,
    oddsDecimal: decimals(pick.decimal, 4),
    stakeUnits: pick.stakeE4 / 10_000,
    postedAt: iso(pick.postedAt),
    status: pick.status,
    result: pick.result,
    half: pick.half,
    settledAt: iso(pick.settledAt),
    closingOddsAmerican: pick.closing?.oddsAmerican ?? null,
    closingLine: points(pick.closing?.lineE3 ?? null),
    clvBps: pick.closing?.clvBps ?? null,
    clvCountedBps: pick.closing?.clvCountedBps ?? null,
    netUnits: pick.netUnitsE4 === null ? null : units(pick.netUnitsE4),
    hashStatus: 'sealed',
    source: pick.source,
    provenance: pick.provenance,
    priceCheck: pick.priceCheck && {
      verdict: pick.priceCheck.verdict,
      provisional: pick.status === 'pending',
      oddsAmerican: pick.priceCheck.oddsAmerican,
      book: pick.priceCheck.book,
      capturedAt: iso(pick.priceCheck.capturedAt),
      countedAmerican: pick.priceCheck.countedAmerican,
    },
    postedBy: pick.provenance === 'imported' ? 'import' : pick.signed ? 'author' : 'operator',
    sealedAt: iso(pick.sealedAt),
    sealedInTime: pick.sealedInTime,
    verifyUrl: `${state.baseUrl}/p/${pick.uuid}`,
  };
}

/** Returns a line in points from thousandths. */
export const points = (lineE3: number | null): number | null => (lineE3 === null ? null : lineE3 / 1000);

/** Returns a list of picks on a board: at most `limit`, and never over 500. */
export function pickList(state: LedgerState, picks: LedgerPick[], limit = 500) {
  return wholeList(state, picks.slice(0, Math.min(limit, 500)));
}

export function wholeList(state: LedgerState, picks: LedgerPick[]) {
  const shown = picks.map((pick) => pickBody(state, pick));
  return { count: shown.length, picks: shown };
}

export function pickOf(state: LedgerState, uuid: string): LedgerPick {
  const pick = state.picks.find((one) => one.uuid === uuid);
  if (!pick) throw new RangeError(`no such pick: ${uuid}`);
  return pick;
}
