import { HOUR, iso } from './days.ts';
import { compare, decimals, fraction } from './fraction.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { sameContest } from './markets.ts';
import { latestOfEach, points } from './pick-body.ts';
import { withResult } from './record.ts';

/** One side with picks of at least two different sharp cappers. */
export interface Group {
  id: string;
  sideKey: string;
  /** Every qualifying pick on the side. */
  all: LedgerPick[];
  /** One pick per capper, the latest. Oldest first. */
  members: LedgerPick[];
  /** The number of different sharp cappers with a qualifying pick against the side. */
  opposing: number;
}

const distinctCappers = (picks: LedgerPick[]): number => new Set(picks.map((pick) => pick.capperHandle)).size;

const elite = (group: Group): number => group.members.filter((pick) => pick.capperTier === 'elite').length;

const lastPostedAt = (group: Group): number => Math.max(...group.members.map((pick) => pick.postedAt));

/** Orders by most cappers, most elite ones, newest pick, and id. */
export const mostCappersFirst = (a: Group, b: Group): number =>
  b.members.length - a.members.length ||
  elite(b) - elite(a) ||
  lastPostedAt(b) - lastPostedAt(a) ||
  byText(a.id, b.id);

/** Reports whether the pick's capper is also on another side of its contest. */
export const isHedged = (pick: LedgerPick, picks: LedgerPick[]): boolean =>
  picks.some(
    (other) =>
      other.capperHandle === pick.capperHandle &&
      other.marketKey === pick.marketKey &&
      other.side !== pick.side &&
      sameContest(pick.market, pick.side, other.side),
  );

/** Returns the groups among the candidates, without cappers who are on both sides. */
function groupsOf(state: LedgerState, candidates: LedgerPick[], open = candidates): Group[] {
  const qualifying = candidates.filter((pick) => !isHedged(pick, open));
  const sides = new Map<string, LedgerPick[]>();
  for (const pick of qualifying) sides.set(pick.sideKey, [...(sides.get(pick.sideKey) ?? []), pick]);
  const groups: Group[] = [];
  for (const [sideKey, all] of sides) {
    if (distinctCappers(all) < 2) continue;
    const first = all[0]!;
    const others = qualifying.filter(
      (pick) =>
        pick.marketKey === first.marketKey &&
        pick.sideKey !== sideKey &&
        sameContest(pick.market, pick.side, first.side),
    );
    groups.push({
      id: state.ids.groupIdOf?.(first) ?? sideKey,
      sideKey,
      all,
      members: latestOfEach(all),
      opposing: distinctCappers(others),
    });
  }
  return groups.sort(mostCappersFirst);
}

const inSport = (picks: LedgerPick[], sport: string | undefined): LedgerPick[] =>
  picks.filter((pick) => sport === undefined || pick.sport === sport);

/** Returns the active groups: pending sharp picks posted within the last 6 hours. */
export const activeGroups = (state: LedgerState, sport?: string): Group[] =>
  groupsOf(
    state,
    inSport(state.picks, sport).filter(
      (pick) =>
        pick.sharp && pick.counts && pick.status === 'pending' && pick.postedAt >= state.now - 6 * HOUR,
    ),
    state.picks.filter((pick) => pick.sharp && pick.counts && pick.status === 'pending'),
  );

/** Returns the groups of pending sharp picks on today's slate, of any age. */
export const todayGroups = (state: LedgerState, sport?: string): Group[] =>
  groupsOf(
    state,
    inSport(state.picks, sport).filter(
      (pick) => pick.sharp && pick.counts && pick.status === 'pending' && pick.slate === state.today,
    ),
  );

/**
 * Reports whether two of the picks, of different cappers, were ever pending together, both posted within the previous six hours. The
 * first such instant is that of the later posting.
 */
export function everActive(picks: LedgerPick[]): boolean {
  return picks.some((a) =>
    picks.some((b) => {
      const both = Math.max(a.postedAt, b.postedAt);
      const firstSettled = Math.min(
        a.settledAt ?? Number.POSITIVE_INFINITY,
        b.settledAt ?? Number.POSITIVE_INFINITY,
      );
      const fresh = both <= Math.min(a.postedAt, b.postedAt) + 6 * HOUR;
      return a.capperHandle !== b.capperHandle && fresh && both < firstSettled;
    }),
  );
}

/** Returns the groups that were ever active and whose member picks (every sharp pick on the side) have all settled. */
export const resolvedGroups = (state: LedgerState, sport?: string): Group[] =>
  groupsOf(
    state,
    inSport(state.picks, sport).filter((pick) => pick.sharp && pick.counts),
  ).filter((group) => group.all.every((pick) => pick.status === 'settled') && everActive(group.all));

export const resolvedAt = (group: Group): number => Math.max(...group.all.map((pick) => pick.settledAt!));

/** Returns the shared object Group (docs/rules/consensus.md). */
export function groupBody(state: LedgerState, group: Group) {
  const { members } = group;
  const first = members[0]!;
  const lines = members.flatMap((pick) => (pick.lineE3 === null ? [] : [pick.lineE3]));
  const best = [...members].sort((a, b) => compare(b.decimal, a.decimal))[0]!;
  return {
    ...(state.ids.groupIdOf ? { groupId: group.id } : {}),
    sport: first.sport,
    game: first.game,
    startsAt: iso(first.start),
    market: first.market,
    subject: first.subject,
    side: first.side,
    pick: first.pick,
    lineMin: lines.length === 0 ? null : points(Math.min(...lines)),
    lineMax: lines.length === 0 ? null : points(Math.max(...lines)),
    bestOddsAmerican: best.oddsAmerican,
    capperCount: members.length,
    eliteCount: elite(group),
    verifiedSharpCount: members.length - elite(group),
    opposingCount: group.opposing,
    consensusPct: decimals(fraction(100 * members.length, members.length + group.opposing), 1),
    totalStakeUnits: members.reduce((total, pick) => total + pick.stakeE4, 0) / 10_000,
    firstPostedAt: iso(first.postedAt),
    lastPostedAt: iso(lastPostedAt(group)),
    cappers: members.map((pick) => ({
      handle: pick.capperHandle,
      tier: pick.capperTier,
      verified: pick.capperVerified,
      pickUuid: pick.uuid,
      oddsAmerican: pick.oddsAmerican,
      line: points(pick.lineE3),
      stakeUnits: pick.stakeE4 / 10_000,
      postedAt: iso(pick.postedAt),
    })),
  };
}

/** Returns a group of `/api/sharp/recent`. The counts cover every member pick. */
export function resolvedBody(state: LedgerState, group: Group) {
  const results = [...new Set(group.all.map((pick) => pick.result!))];
  return {
    ...groupBody(state, group),
    result: results.length === 1 ? results[0]! : 'mixed',
    resolvedAt: iso(resolvedAt(group)),
    wins: withResult(group.all, 'win'),
    losses: withResult(group.all, 'loss'),
    pushes: withResult(group.all, 'push'),
    voids: withResult(group.all, 'void'),
  };
}
