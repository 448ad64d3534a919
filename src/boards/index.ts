import type { Board } from './board.ts';
import { capperBreakdown } from './cappers/breakdown.ts';
import { cappersByTier } from './cappers/by-tier.ts';
import { capperClv } from './cappers/clv.ts';
import { capperClvBySport } from './cappers/clv-by-sport.ts';
import { capperClvTrend } from './cappers/clv-trend.ts';
import { capperExtremes } from './cappers/extremes.ts';
import { capperFollow } from './cappers/follow.ts';
import { leaderboard } from './cappers/leaderboard.ts';
import { clvLeaderboard } from './cappers/leaderboard-clv.ts';
import { unitsLeaderboard } from './cappers/leaderboard-units.ts';
import { capperLuck } from './cappers/luck.ts';
import { capperMarkets } from './cappers/markets.ts';
import { capperPicks } from './cappers/picks.ts';
import { roster } from './cappers/roster.ts';
import { capperSports } from './cappers/sports.ts';
import { capperStats } from './cappers/stats.ts';
import { capperStreak } from './cappers/streak.ts';
import { streaks } from './cappers/streaks.ts';
import { capperTimeline } from './cappers/timeline.ts';
import { capperUnitsCurve } from './cappers/units-curve.ts';
import { cappersVersus } from './cappers/versus.ts';
import { marketBoard } from './entities/market.ts';
import { playerBoard } from './entities/player.ts';
import { teamBoard } from './entities/team.ts';
import { tierFeed } from './feeds/by-tier.ts';
import { gamesToday } from './feeds/games-today.ts';
import { latestFeed } from './feeds/latest.ts';
import { marketsBoard } from './feeds/markets.ts';
import { settledFeed } from './feeds/settled.ts';
import { sportsBoard } from './feeds/sports.ts';
import { todayFeed } from './feeds/today.ts';
import { upcomingFeed } from './feeds/upcoming.ts';
import { picksByGame } from './picks/by-game.ts';
import { pickClosing } from './picks/closing.ts';
import { pickConfidence } from './picks/confidence.ts';
import { pickBoard } from './picks/pick.ts';
import { podBoard } from './picks/pod.ts';
import { podArchive } from './picks/pod-archive.ts';
import { recordWindows } from './picks/record-windows.ts';
import { relatedPicks } from './picks/related.ts';
import { pickTimeline } from './picks/timeline.ts';
import { search } from './search/search.ts';
import { consensus } from './sharp/consensus.ts';
import { sharpHot } from './sharp/hot.ts';
import { sharpMarkets } from './sharp/markets.ts';
import { sharpRecent } from './sharp/recent.ts';
import { sharpSports } from './sharp/sports.ts';
import { sharpToday } from './sharp/today.ts';
import { sharpTodayCappers } from './sharp/today-cappers.ts';
import { snapshot } from './status/snapshot.ts';
import { sportSnapshot } from './status/snapshot-sport.ts';

/** All boards, in the order of the reference. The router matches more literal paths first (`http/routes.ts`). */
export const boards: readonly Board[] = [
  podBoard,
  podArchive,
  picksByGame,
  pickBoard,
  pickTimeline,
  pickConfidence,
  pickClosing,
  relatedPicks,
  recordWindows,
  consensus,
  sharpToday,
  sharpSports,
  sharpHot,
  sharpMarkets,
  sharpTodayCappers,
  sharpRecent,
  streaks,
  roster,
  cappersByTier,
  leaderboard,
  clvLeaderboard,
  unitsLeaderboard,
  capperStats,
  capperBreakdown,
  capperPicks,
  capperStreak,
  capperSports,
  capperClv,
  capperMarkets,
  capperClvBySport,
  capperClvTrend,
  capperTimeline,
  capperUnitsCurve,
  capperLuck,
  capperFollow,
  capperExtremes,
  cappersVersus,
  latestFeed,
  todayFeed,
  upcomingFeed,
  gamesToday,
  settledFeed,
  tierFeed,
  sportsBoard,
  marketsBoard,
  marketBoard,
  playerBoard,
  teamBoard,
  search,
  snapshot,
  sportSnapshot,
];
