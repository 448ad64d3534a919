import type { Database } from '../platform/database.ts';
import { type ComparedPick, isUndecided, type Shared, sharedGames } from '../rules/head-to-head.ts';
import { type SidePicks, sidePicks } from './capper-sides.ts';

type Side = Pick<ComparedPick, 'market' | 'side'>;

/**
 * Where two cappers met. Most shared games are only counted, by the sides that both are on: picks themselves are read where the latest of
 * a capper on two sides of a contest decides.
 */
export async function sharedGamesOf(database: Database, leftId: number, rightId: number): Promise<Shared> {
  const { sides, left, right } = await sidePicks(database, leftId, rightId);
  const { met, undecided } = meetings(new SideSets(sides), left, right);
  if (undecided.length > 0)
    met.push({ games: 1, each: await comparedPicks(database, leftId, rightId, undecided) });
  const total = (of: keyof Shared) => met.reduce((sum, { games, each }) => sum + games * each[of], 0);
  return { games: total('games'), agreed: total('agreed'), opposed: total('opposed') };
}

/** What the sides of picks tell of the games that two cappers share, and the games of which they do not tell all. */
function meetings(
  sets: SideSets,
  left: SidePicks,
  right: SidePicks,
): { met: { games: number; each: Shared }[]; undecided: number[] } {
  // A place for each game that there is: a map of a capper's games would take several times as long.
  const mine = new Int32Array(largestOf(left.games) + 1);
  for (let index = 0; index < left.games.length; index += 1) {
    const game = left.games[index]!;
    mine[game] = sets.with(mine[game]!, left.sides[index]!);
  }
  const theirs = new Map<number, number>();
  for (let index = 0; index < right.games.length; index += 1) {
    const game = right.games[index]!;
    if (game < mine.length && mine[game] !== 0)
      theirs.set(game, sets.with(theirs.get(game) ?? 0, right.sides[index]!));
  }
  const games = new Map<number, number[]>();
  for (const [game, set] of theirs) {
    const both = mine[game]! * sets.size + set;
    const known = games.get(both);
    if (known === undefined) games.set(both, [game]);
    else known.push(game);
  }
  const met: { games: number; each: Shared }[] = [];
  const undecided: number[] = [];
  for (const some of games.values()) {
    const [one, other] = [sets.sides(mine[some[0]!]!), sets.sides(theirs.get(some[0]!)!)];
    if (isUndecided(one, other)) undecided.push(...some);
    else met.push({ games: some.length, each: sharedGames(one.map(latest), other.map(latest)) });
  }
  return { met, undecided };
}

function largestOf(numbers: Int32Array): number {
  let largest = 0;
  for (let index = 0; index < numbers.length; index += 1) largest = Math.max(largest, numbers[index]!);
  return largest;
}

/** Sets of sides by number. */
class SideSets {
  readonly #names: number;
  readonly #sets: Side[][];
  readonly #unions = new Map<number, number>();

  /** @param names of sides, as `market/side` */
  constructor(names: readonly string[]) {
    this.#names = names.length;
    const sides = names.map((name) => name.split('/') as [string, string]);
    this.#sets = [[], ...sides.map(([market, side]) => [{ market, side }])];
  }

  /** A set and one side. @param set 0 is the empty one */
  with(set: number, side: number): number {
    return set === 0 || set === side + 1 ? side + 1 : this.#union(set, side);
  }

  get size(): number {
    return this.#sets.length;
  }

  sides(set: number): readonly Side[] {
    return this.#sets[set]!;
  }

  #union(set: number, side: number): number {
    const both = set * this.#names + side;
    const union =
      this.#unions.get(both) ?? this.#sets.push([...this.#sets[set]!, ...this.#sets[side + 1]!]) - 1;
    this.#unions.set(both, union);
    return union;
  }
}

/** A pick that stands for its capper, whichever of his picks on that side is the latest. */
const latest = (side: Side): ComparedPick => ({ ...side, gameId: 0, postedAt: 0, pickUuid: '' });

async function comparedPicks(
  database: Database,
  leftId: number,
  rightId: number,
  games: readonly number[],
): Promise<Shared> {
  // All picks on these games are fewer than all picks of these cappers, which the planner would look through as well.
  const onGames = database.raw('(select * from board_picks where game_id = any(?::bigint[]) offset 0) as b', [
    [...games],
  ]);
  const picks: (ComparedPick & { capperId: number })[] = await database
    .from(onGames)
    .whereIn('capper_id', [leftId, rightId])
    .select({
      ...{ capperId: 'capper_id', gameId: 'game_id', market: 'market', side: 'side' },
      ...{ postedAt: 'posted_at', pickUuid: 'uuid' },
    });
  const of = (id: number) => picks.filter(({ capperId }) => capperId === id);
  return sharedGames(of(leftId), of(rightId));
}
