import { capperPage } from './capper.ts';
import { capperPicksPage } from './capper-picks.ts';
import { cappersPage } from './cappers.ts';
import { marketPage, playerPage, teamPage } from './entities.ts';
import { gamePage } from './game.ts';
import { homePage } from './home.ts';
import { howPage } from './how/page.ts';
import { leaderboardPage } from './leaderboard.ts';
import type { DataPage } from './page.ts';
import { pickPage, recordEntryPage } from './pick.ts';
import { podPage } from './pod.ts';
import { searchPage } from './search.ts';
import { sharpPage } from './sharp.ts';
import { sportPage } from './sport.ts';
import { versusPage } from './versus.ts';
import { webhooksPage } from './webhooks/page.ts';
import { widgetPage } from './widget.ts';

export const pages: readonly DataPage[] = [
  homePage,
  podPage,
  pickPage,
  capperPage,
  sharpPage,
  leaderboardPage,
  recordEntryPage,
  widgetPage,
  searchPage,
  howPage,
  cappersPage,
  capperPicksPage,
  versusPage,
  gamePage,
  playerPage,
  teamPage,
  marketPage,
  sportPage,
  webhooksPage,
];
