import type { Board } from './board.ts';
import { capperBreakdown } from './cappers/breakdown.ts';
import { capperClv, capperClvBySport, capperClvTrend, capperExtremes } from './cappers/clv.ts';
import { capperFollow } from './cappers/follow.ts';
import { clvLeaderboard, leaderboard, unitsLeaderboard } from './cappers/leaderboard.ts';
import { capperLuck } from './cappers/luck.ts';
import { capperPicks } from './cappers/picks.ts';
import { cappersByTier, roster } from './cappers/roster.ts';
import { capperMarkets, capperSports, capperStats } from './cappers/stats.ts';
import { capperStreak, streaks } from './cappers/streaks.ts';
import { capperTimeline, capperUnitsCurve } from './cappers/timeline.ts';
import { cappersVersus } from './cappers/versus.ts';
import { marketBoard } from './entities/market.ts';
import { playerBoard } from './entities/player.ts';
import { teamBoard } from './entities/team.ts';
import { latestFeed, settledFeed, tierFeed } from './feeds/latest.ts';
import { marketsBoard, sportsBoard } from './feeds/sports.ts';
import { gamesToday, todayFeed, upcomingFeed } from './feeds/today.ts';
import { picksByGame } from './picks/by-game.ts';
import { pickClosing } from './picks/closing.ts';
import { pickTimeline } from './picks/events.ts';
import { pickBoard, recordWindows, relatedPicks } from './picks/pick.ts';
import { pickConfidence, podArchive, podBoard } from './picks/pod.ts';
import { search } from './search/search.ts';
import {
  consensus,
  sharpHot,
  sharpMarkets,
  sharpRecent,
  sharpSports,
  sharpToday,
  sharpTodayCappers,
} from './sharp/consensus.ts';
import { snapshot, sportSnapshot } from './status/snapshot.ts';

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
