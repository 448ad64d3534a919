import { v5 } from 'uuid';
import { lineFromE3, unitsFromE4 } from './fixed-point.ts';
import { contestOf, opposes } from './markets/index.ts';
import { compareAmerican } from './odds.ts';
import { shownRatio } from './rounding.ts';
import { isSharp, type Tier } from './vocabulary.ts';

/** The fields of a pick that consensus needs. The tier is that at post time; instants are epoch milliseconds. */
export interface ConsensusPick extends GroupIdentity {
  pickUuid: string;
  capperHandle: string;
  capperTier: Tier;
  /** Whether the capper is currently verified. It has no effect on consensus. */
  capperVerified: boolean;
  startsAt: number | null;
  lineE3: number | null;
  pick: string;
  oddsAmerican: number;
  stakeE4: number;
  postedAt: number;
}

/** The Group object of the boards. All figures follow from the picks under `cappers`. */
export type Group = ReturnType<typeof groupOf>;

/** Time for which a pick keeps a group active after posting: 6 hours, inclusive. */
export const consensusWindowMs = 6 * 3_600_000;

/** Minimum number of sharp cappers in a group. */
export const consensusCappers = 2;

/**
 * Returns the consensus groups among picks: the sides of a game, market, and subject taken by at least two sharp cappers. Ignores picks
 * that are not sharp. The caller selects picks that are pending and recent.
 *
 * A capper counts once, with their latest pick on the side (by `postedAt`, then UUID). A capper with picks on several sides of a contest
 * counts on none. The order of the input does not matter. Groups are ordered as by {@link compareGroups}.
 *
 * @param all the picks that decide who is on several sides: these, and older picks on the same games
 */
export function consensusGroups(
  picks: readonly ConsensusPick[],
  all: readonly ConsensusPick[] = picks,
): Group[] {
  const groups: Group[] = [];
  const sharp = all.filter(({ capperTier }) => isSharp(capperTier));
  for (const bySide of sharpSides(withoutHedges(picks, sharp))) {
    for (const [side, members] of bySide) {
      if (members.size < consensusCappers) continue;
      const [{ market }] = [...members.values()] as [ConsensusPick];
      const opposing = new Set<string>();
      for (const [other, cappers] of bySide)
        if (opposes(market, side, other)) for (const handle of cappers.keys()) opposing.add(handle);
      groups.push(groupOf([...members.values()], opposing.size));
    }
  }
  return groups.sort(compareGroups);
}

type Bet = Pick<ConsensusPick, 'capperHandle' | 'market' | 'subject' | 'side'> & Partial<GroupIdentity>;

/**
 * Filters out the picks of cappers who bet on several sides of a contest, because they have no opinion on it.
 * @param all the picks that decide who is on several sides. Default: `picks`
 */
export function withoutHedges<P extends Bet>(picks: readonly P[], all: readonly Bet[] = picks): P[] {
  const sides = new Map<string, string>();
  const hedged = new Set<string>();
  for (const pick of all) {
    const key = betKey(pick);
    const side = sides.get(key);
    if (side === undefined) sides.set(key, pick.side);
    else if (side !== pick.side) hedged.add(key);
  }
  return picks.filter((pick) => !hedged.has(betKey(pick)));
}

function betKey({ capperHandle, sport, game, announcedStart, market, subject, side }: Bet): string {
  return JSON.stringify([
    capperHandle,
    sport,
    game,
    announcedStart,
    market,
    subject,
    contestOf(market, side),
  ]);
}

/** Compares groups as all boards order them: most cappers, then most elite cappers, then the latest post, then `groupId`. */
export function compareGroups(a: Group, b: Group): number {
  return (
    b.capperCount - a.capperCount ||
    b.eliteCount - a.eliteCount ||
    compareText(b.lastPostedAt, a.lastPostedAt) ||
    compareText(a.groupId, b.groupId)
  );
}

/** Groups each sharp capper's latest pick by game, market, and subject, then by side. */
function sharpSides(picks: readonly ConsensusPick[]): Map<string, Map<string, ConsensusPick>>[] {
  const sharp = picks.filter(({ capperTier }) => isSharp(capperTier)).sort(comparePosts);
  const markets = Map.groupBy(sharp, ({ sport, game, announcedStart, market, subject }) =>
    JSON.stringify([sport, game, announcedStart, market, subject]),
  );
  return [...markets.values()].map((own) => {
    const bySide = [...Map.groupBy(own, ({ side }) => side)];
    // The latest pick of a capper comes last.
    return new Map(bySide.map(([side, of]) => [side, new Map(of.map((pick) => [pick.capperHandle, pick]))]));
  });
}

function groupOf(picks: ConsensusPick[], opposingCount: number) {
  const byPost = picks.sort(comparePosts);
  const first = byPost[0]!;
  const last = byPost.at(-1)!;
  const lines = byPost.flatMap(({ lineE3 }) => (lineE3 === null ? [] : [lineE3]));
  const eliteCount = byPost.filter(({ capperTier }) => capperTier === 'elite').length;
  const best = byPost.reduce((a, b) => (compareAmerican(b.oddsAmerican, a.oddsAmerican) > 0 ? b : a));
  return {
    groupId: groupId(first),
    sport: first.sport,
    game: first.game,
    startsAt: first.startsAt === null ? null : iso(first.startsAt),
    market: first.market,
    subject: first.subject,
    side: first.side,
    pick: first.pick,
    lineMin: lines.length === 0 ? null : lineFromE3(Math.min(...lines)),
    lineMax: lines.length === 0 ? null : lineFromE3(Math.max(...lines)),
    bestOddsAmerican: best.oddsAmerican,
    capperCount: byPost.length,
    eliteCount,
    verifiedSharpCount: byPost.length - eliteCount,
    /** Number of sharp cappers on opposing sides of the same game and market. */
    opposingCount,
    consensusPct: shownRatio(100 * byPost.length, byPost.length + opposingCount, 1),
    totalStakeUnits: unitsFromE4(byPost.reduce((sum, { stakeE4 }) => sum + stakeE4, 0)),
    firstPostedAt: iso(first.postedAt),
    lastPostedAt: iso(last.postedAt),
    /** Ordered by post time. */
    cappers: byPost.map(capperOf),
  };
}

function capperOf(pick: ConsensusPick) {
  return {
    handle: pick.capperHandle,
    tier: pick.capperTier,
    verified: pick.capperVerified,
    pickUuid: pick.pickUuid,
    oddsAmerican: pick.oddsAmerican,
    line: lineFromE3(pick.lineE3),
    stakeUnits: unitsFromE4(pick.stakeE4),
    postedAt: iso(pick.postedAt),
  };
}

function comparePosts(a: ConsensusPick, b: ConsensusPick): number {
  return a.postedAt - b.postedAt || compareText(a.pickUuid, b.pickUuid);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

interface GroupIdentity {
  sport: string;
  game: string;
  /** The first announced start, in epoch milliseconds. It identifies the game, even after the start moves. */
  announcedStart: number | null;
  market: string;
  subject: string | null;
  side: string;
}

// A random UUID. Changing it would rename every group.
const groupNamespace = 'dd0fc2ed-8b9c-4e4e-9304-a19ab664c4b4';

/**
 * Returns the id of a group: the version 5 UUID of the JSON array `[sport, game, announced start or null, market, side]`, with the subject
 * before the side if there is one.
 */
export function groupId({ sport, game, announcedStart, market, subject, side }: GroupIdentity): string {
  const start = announcedStart === null ? null : new Date(announcedStart).toISOString();
  const about = subject === null ? [] : [subject];
  return v5(JSON.stringify([sport, game, start, market, ...about, side]), groupNamespace);
}
