import * as capper from './boards-capper.ts';
import * as entities from './boards-entities.ts';
import * as feeds from './boards-feeds.ts';
import * as leaderboards from './boards-leaderboards.ts';
import * as picks from './boards-picks.ts';
import * as searches from './boards-search.ts';
import * as sharp from './boards-sharp.ts';
import { exportJson } from './export-rows.ts';
import { follow } from './follow.ts';
import type { LedgerPick, LedgerState } from './ledger.ts';

/** Path and query parameters under their names on the wire, with parsed numbers. */
export type Params = Record<string, string | number | undefined>;

const boards = {
  '/api/pod': picks.pod,
  '/api/pod/archive': picks.podArchive,
  '/api/picks/by-game': picks.byGame,
  '/api/picks/:uuid': picks.onePick,
  '/api/picks/:uuid/timeline': picks.timeline,
  '/api/picks/:uuid/confidence': picks.confidence,
  '/api/picks/:uuid/closing': picks.closing,
  '/api/picks/:uuid/related': picks.related,
  '/api/record/windows': picks.recordWindows,
  '/api/sharp/consensus': sharp.consensus,
  '/api/sharp/today': sharp.today,
  '/api/sharp/sports': sharp.sharpSports,
  '/api/sharp/hot': sharp.sharpHot,
  '/api/sharp/markets': sharp.sharpMarkets,
  '/api/sharp/today/cappers': sharp.todayCappers,
  '/api/sharp/recent': sharp.sharpRecent,
  '/api/cappers': leaderboards.cappers,
  '/api/cappers/by-tier/:tier': leaderboards.cappersByTier,
  '/api/cappers/streaks': sharp.streaks,
  '/api/leaderboard': leaderboards.leaderboard,
  '/api/leaderboard/clv': leaderboards.clvLeaderboard,
  '/api/leaderboard/units': leaderboards.unitsLeaderboard,
  '/api/cappers/:handle/stats': capper.stats,
  '/api/cappers/:handle/breakdown': capper.breakdown,
  '/api/cappers/:handle/picks': capper.capperPicks,
  '/api/cappers/:handle/streak': capper.streak,
  '/api/cappers/:handle/sports': capper.capperSports,
  '/api/cappers/:handle/clv': capper.clv,
  '/api/cappers/:handle/markets': capper.capperMarkets,
  '/api/cappers/:handle/clv-by-sport': capper.clvBySport,
  '/api/cappers/:handle/clv-trend': capper.clvTrend,
  '/api/cappers/:handle/timeline': capper.capperTimeline,
  '/api/cappers/:handle/units-curve': capper.unitsCurve,
  '/api/cappers/:handle/luck': capper.luck,
  '/api/cappers/:handle/follow': follow,
  '/api/cappers/:handle/extremes': capper.extremes,
  '/api/cappers/:handle/vs/:other': capper.versus,
  '/api/feed/picks': feeds.feedPicks,
  '/api/feed/today': feeds.feedToday,
  '/api/feed/upcoming': feeds.feedUpcoming,
  '/api/games/today': feeds.gamesToday,
  '/api/feed/settled': feeds.feedSettled,
  '/api/feed/by-tier': feeds.feedByTier,
  '/api/sports': feeds.sports,
  '/api/markets': feeds.markets,
  '/api/markets/:sport/:market': entities.market,
  '/api/players/:sport/:name': entities.player,
  '/api/teams/:sport/:name': entities.team,
  '/api/search': searches.search,
  '/api/snapshot': feeds.snapshot,
  '/api/snapshot/sport/:sport': feeds.snapshotOfSport,
  '/record/export.json': (state: LedgerState, params: Params) => ({ picks: exportJson(state, params) }),
};

export type BoardPath = keyof typeof boards;

export const BOARD_PATHS = Object.keys(boards) as BoardPath[];

/**
 * Returns an endpoint's expected body: every field that follows from the input, without `generatedAt`, `query`, hashes, and sentences. The
 * parameters must be valid; values above a maximum count as the maximum.
 */
export const expectedBody = (path: BoardPath, state: LedgerState, params: Params = {}): unknown =>
  (boards[path] as (state: LedgerState, params: Params) => unknown)(of(state, params), params);

/** Returns the ledger with only the picks of one market and provenance. */
function of(state: LedgerState, { provenance = 'all', market }: Params): LedgerState {
  if (provenance === 'all' && market === undefined) return state;
  const kept = (picks: LedgerPick[]) =>
    picks.filter(
      (pick) =>
        (provenance === 'all' || pick.provenance === provenance) &&
        (market === undefined || pick.market === market),
    );
  return {
    ...state,
    whole: state.byCapper,
    picks: kept(state.picks),
    byCapper: new Map([...state.byCapper].map(([handle, picks]) => [handle, kept(picks)])),
  };
}
