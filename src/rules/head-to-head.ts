import { contestOf } from './markets/index.ts';

/** A pick as a comparison of two cappers sees it. */
export interface ComparedPick {
  /** Anything that names the game. */
  gameId: string | number;
  market: string;
  subject: string | null;
  side: string;
  /** Epoch milliseconds. */
  postedAt: number;
  pickUuid: string;
}

export interface Shared {
  /** Games on which both have a pick, in any market. */
  games: number;
  /** Contests of those games in which both are on the same side: of a market most often one, of a team total one a team. */
  agreed: number;
  /** Contests of those games in which they are on different sides. */
  opposed: number;
}

/**
 * Where two cappers met. In each contest of a market of a game a capper's latest pick stands for him, so every shared
 * contest is either agreed or opposed. Lines are of no account. Symmetric, and blind to the order of picks.
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
