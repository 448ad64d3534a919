import { contestOf } from './markets/index.ts';

export interface ComparedPick {
  gameId: string | number;
  market: string;
  subject: string | null;
  side: string;
  postedAt: EpochMs;
  pickUuid: string;
}

export interface Shared {
  games: number;
  /** Contests of those games with both on the same side. Most markets have one contest, a team total has one per team. */
  agreed: number;
  /** Contests of those games with the cappers on different sides. */
  opposed: number;
}

/**
 * Counts the games and contests that two cappers share. In each contest a capper's latest pick counts, so every shared contest is either
 * agreed or opposed. Lines do not matter. The result is symmetric and independent of the order of picks.
 */
export function sharedGames(left: Iterable<ComparedPick>, right: Iterable<ComparedPick>): Shared {
  const mine = latestSides(left);
  const theirs = latestSides(right);
  const shared = { games: 0, agreed: 0, opposed: 0 };
  for (const [game, contests] of mine) {
    const others = theirs.get(game);
    if (others === undefined) continue;
    shared.games += 1;
    for (const [contest, { side }] of contests) {
      const other = others.get(contest);
      if (other !== undefined) shared[side === other.side ? 'agreed' : 'opposed'] += 1;
    }
  }
  return shared;
}

function latestSides(picks: Iterable<ComparedPick>): Map<string | number, Map<string, ComparedPick>> {
  const games = new Map<string | number, Map<string, ComparedPick>>();
  for (const pick of picks) {
    const contests = games.get(pick.gameId) ?? new Map<string, ComparedPick>();
    games.set(pick.gameId, contests);
    const about = pick.subject === null ? '' : `/${pick.subject}`;
    const contest = `${pick.market}/${contestOf(pick.market, pick.side)}${about}`;
    const known = contests.get(contest);
    if (known === undefined || isLater(pick, known)) contests.set(contest, pick);
  }
  return games;
}

function isLater(pick: ComparedPick, than: ComparedPick): boolean {
  return pick.postedAt === than.postedAt ? pick.pickUuid > than.pickUuid : pick.postedAt > than.postedAt;
}
