/** A pick as a comparison of two cappers sees it. */
export interface ComparedPick {
  /** Anything that names the game. */
  gameId: string | number;
  market: string;
  side: string;
  /** Epoch milliseconds. */
  postedAt: number;
  pickUuid: string;
}

export interface Shared {
  /** Games on which both have a pick, in any market. */
  games: number;
  /** Markets of those games in which both are on the same side. */
  agreed: number;
  /** Markets of those games in which they are on different sides. */
  opposed: number;
}

/**
 * Where two cappers met (decisions: Bodies, vs). In each market of a game a capper's latest pick stands for him, so
 * every shared market is either agreed or opposed. Lines are of no account. Symmetric, and blind to the order of picks.
 */
export function sharedGames(left: Iterable<ComparedPick>, right: Iterable<ComparedPick>): Shared {
  const mine = latestSides(left);
  const theirs = latestSides(right);
  const shared = { games: 0, agreed: 0, opposed: 0 };
  for (const [game, markets] of mine) {
    const others = theirs.get(game);
    if (others === undefined) continue;
    shared.games += 1;
    for (const [market, { side }] of markets) {
      const other = others.get(market);
      if (other !== undefined) shared[side === other.side ? 'agreed' : 'opposed'] += 1;
    }
  }
  return shared;
}

function latestSides(picks: Iterable<ComparedPick>): Map<string | number, Map<string, ComparedPick>> {
  const games = new Map<string | number, Map<string, ComparedPick>>();
  for (const pick of picks) {
    const markets = games.get(pick.gameId) ?? new Map<string, ComparedPick>();
    games.set(pick.gameId, markets);
    const known = markets.get(pick.market);
    if (known === undefined || isLater(pick, known)) markets.set(pick.market, pick);
  }
  return games;
}

function isLater(pick: ComparedPick, than: ComparedPick): boolean {
  return pick.postedAt === than.postedAt ? pick.pickUuid > than.pickUuid : pick.postedAt > than.postedAt;
}
