import { iso } from './days.ts';
import type { LedgerPick, LedgerState } from './ledger.ts';
import { bounded, type Query } from './query.ts';

/** Returns the picks of `/record/export.*`: newest first, or by id with `since` or `after_id`. */
function exported(state: LedgerState, params: Query = {}): LedgerPick[] {
  const since = params.since === undefined ? Number.NaN : Date.parse(params.since);
  const forward = !Number.isNaN(since) || params.after_id !== undefined;
  return state.picks
    .filter((pick) => params.sport === undefined || pick.sport === params.sport)
    .filter((pick) => params.capper_handle === undefined || pick.capperHandle === params.capper_handle)
    .filter((pick) => Number.isNaN(since) || pick.postedAt >= since)
    .filter((pick) => params.after_id === undefined || pick.id > params.after_id)
    .sort((a, b) => (forward ? a.id - b.id : b.postedAt - a.postedAt || b.id - a.id))
    .slice(0, bounded(params.limit, 1000, 5000));
}

/** Returns the rows of `/record/export.json` (interface 2.5). */
export const exportJson = (state: LedgerState, params: Query = {}) =>
  exported(state, params).map((pick) => ({
    id: pick.id,
    sport: pick.sport.toUpperCase(),
    game: pick.game,
    market: pick.market,
    pick: pick.pick,
    odds_american: pick.oddsAmerican,
    stake_units: pick.stakeE4 / 10_000,
    result: pick.result ?? 'pending',
    posted_at: iso(pick.postedAt),
    graded_at: iso(pick.settledAt),
    closing_odds: pick.closing?.oddsAmerican ?? null,
    clv_bps: pick.closing?.clvBps ?? null,
    source: pick.source,
    permalink: `${state.baseUrl}/record/${pick.id}`,
    uuid: pick.uuid,
    capper: pick.capperHandle,
    capper_tier: pick.capperTier,
    subject: pick.subject,
    side: pick.side,
    line: pick.lineE3 === null ? null : pick.lineE3 / 1000,
    starts_at: iso(pick.startPosted),
    book: pick.book,
    provenance: pick.provenance,
    half: pick.half,
    closing_line: pick.closing?.lineE3 == null ? null : pick.closing.lineE3 / 1000,
    edge_bps: pick.closing?.edgePct == null ? null : Math.round(pick.closing.edgePct * 100),
    net_units: pick.netUnitsE4 === null ? null : pick.netUnitsE4 / 10_000,
    price_verdict: pick.status === 'settled' ? (pick.priceCheck?.verdict ?? null) : null,
    author_signed: pick.signed,
    counted_odds: pick.status === 'settled' && pick.counts ? pick.counted : null,
    counted_clv_bps: pick.status === 'settled' ? (pick.closing?.clvCountedBps ?? null) : null,
    edge_method: pick.closing?.fair?.method ?? null,
    edge_source: pick.closing?.fair?.source ?? null,
    game_id: pick.gameId,
  }));

export const CSV_COLUMNS = [
  ...['id', 'sport', 'game', 'market', 'pick', 'odds_american', 'closing_odds_american', 'clv_bps'],
  ...['stake_units', 'result', 'posted_at', 'graded_at', 'permalink', 'uuid', 'capper', 'capper_tier'],
  ...['subject', 'side', 'line', 'starts_at', 'book', 'provenance', 'half', 'closing_line', 'edge_bps'],
  ...['net_units', 'price_verdict', 'author_signed', 'counted_odds', 'counted_clv_bps', 'edge_method'],
  ...['edge_source', 'game_id'],
];

/** Returns the fields of `/record/export.csv`, row by row, unescaped and without the header row. */
export const exportCsv = (state: LedgerState, params: Query = {}): string[][] =>
  exportJson(state, params).map((row) => {
    const named: Record<string, string | number | boolean | null> = {
      ...row,
      sport: row.sport.toLowerCase(),
      closing_odds_american: row.closing_odds,
    };
    return CSV_COLUMNS.map((column) => String(named[column] ?? ''));
  });
