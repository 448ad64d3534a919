import { oddsText } from '../formats/odds-text.ts';
import {
  marketName,
  paragraphs,
  selectionText,
  sportTag,
  standing,
  units,
  utcText,
} from '../formats/pick-text.ts';
import type { Item } from '../formats/rss.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import { isolated } from '../formats/safe-text.ts';

/** The fields of a consensus group that a feed shows. */
export interface ConsensusGroup {
  groupId: string;
  sport: string;
  game: string;
  startsAt: string | null;
  market: string;
  side: string;
  lineMin: number | null;
  lineMax: number | null;
  subject: string | null;
  bestOddsAmerican: number;
  capperCount: number;
  opposingCount: number;
  consensusPct: number | null;
  totalStakeUnits: number;
  lastPostedAt: string;
  cappers: readonly { handle: string; tier: string; verified: boolean; oddsAmerican: number }[];
}

interface Groups {
  groups: readonly ConsensusGroup[];
}

/** `/sharp/consensus.rss`: sides that several sharp cappers took in the last six hours. */
export const consensusRss = rssFormat<Groups>({
  path: '/sharp/consensus.rss',
  title: (context) => `Sharp consensus${narrowed(context)}`,
  about: () => 'Sides that two or more elite or verified sharp cappers took within six hours.',
  page: () => '/sharp',
  items: ({ groups }, { baseUrl }) => groups.map((group) => groupItem(group, baseUrl)),
});

/** `/sharp/today.rss`: sides of games on today's slate that several sharp cappers took. */
export const sharpTodayRss = rssFormat<Groups>({
  path: '/sharp/today.rss',
  title: (context) => `Sharp consensus today${narrowed(context)}`,
  about: () => "Sides of today's games (ET) that two or more elite or verified sharp cappers took.",
  page: () => '/sharp',
  items: ({ groups }, { baseUrl }) => groups.map((group) => groupItem(group, baseUrl)),
});

function groupItem(group: ConsensusGroup, baseUrl: string): Item {
  const { sport, game, startsAt, market, capperCount, opposingCount } = group;
  const at = Date.parse(group.lastPostedAt);
  return {
    title: `${capperCount} sharp cappers on ${isolated(selectionText(group))}, ${isolated(game)}`,
    link: `${baseUrl}/sharp#${encodeURIComponent(group.groupId)}`,
    guid: group.groupId,
    description: paragraphs([
      `${capperCount} sharp cappers on ${selectionText(group)} (${marketName(market)}), ${opposingCount} against. Best odds ${oddsText(group.bestOddsAmerican)}, ${units(group.totalStakeUnits)} in total.`,
      `${sportTag(sport)}: ${game}${startsAt === null ? '' : `, starts ${utcText(startsAt)}`}`,
      ...group.cappers.map(
        ({ handle, oddsAmerican, ...capper }) =>
          `${handle} (${standing(capper)}) at ${oddsText(oddsAmerican)}`,
      ),
    ]),
    categories: [sport, market],
    creators: group.cappers.map(({ handle }) => handle),
    publishedAt: at,
    changedAt: at,
  };
}
