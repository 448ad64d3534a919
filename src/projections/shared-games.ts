import type { Database } from '../platform/database.ts';
import {
  type ComparedPick,
  type ContestedSide,
  contestedSide,
  metOn,
  type Shared,
  sharedGames,
} from '../rules/head-to-head.ts';
import { type PickedGames, pickedGames, picksPerRow, readPicks } from './capper-games.ts';

/**
 * Where two cappers met. Most shared games are only counted, by the sides that both are on: picks themselves are read where it takes their
 * instants to tell which of a capper's picks in a contest is the latest.
 */
export async function sharedGamesOf(database: Database, leftId: number, rightId: number): Promise<Shared> {
  const { shared, undecided } = meetings(...(await pickedGames(database, leftId, rightId)));
  if (undecided.length === 0) return shared;
  const others = await comparedPicks(database, leftId, rightId, undecided);
  const total = (of: keyof Shared) => shared[of] + others[of];
  return { games: total('games'), agreed: total('agreed'), opposed: total('opposed') };
}

/** What two cappers share, but for the games on which their rows do not tell it. */
function meetings(
  left: readonly PickedGames[],
  right: readonly PickedGames[],
): { shared: Shared; undecided: number[] } {
  const sets = new SideSets([...left, ...right]);
  const [mine, theirs] = places(1 + left.reduce((last, row) => Math.max(last, row.lastGame), 0));
  addPicks(sets, left, mine);
  const games = addPicks(sets, right, theirs, mine);
  // Of thousands of games few have different sides.
  const alike = new Map<number, number[]>();
  for (const game of games) {
    const both = mine[game]! * sets.size + theirs[game]!;
    const some = alike.get(both);
    if (some === undefined) alike.set(both, [game]);
    else some.push(game);
  }
  const shared = { games: 0, agreed: 0, opposed: 0 };
  const undecided: number[] = [];
  for (const [both, some] of alike) {
    const met = metOn(sets.sides(Math.floor(both / sets.size)), sets.sides(both % sets.size));
    if (met === undefined) {
      undecided.push(...some);
      continue;
    }
    shared.games += some.length;
    shared.agreed += some.length * met.agreed;
    shared.opposed += some.length * met.opposed;
  }
  return { shared, undecided };
}

/** What {@link places} gave last. New ones for each call would be megabytes of garbage, for which V8 collects all of its heap. */
let spare: readonly [Int32Array, Int32Array] = [new Int32Array(), new Int32Array()];

/**
 * Twice a place for each game that there is, all 0, until the next call: a map of a capper's games would take several times as long.
 * @param count of games
 */
function places(count: number): [Int32Array, Int32Array] {
  if (count > spare[0].length) spare = [new Int32Array(count), new Int32Array(count)];
  const [first, second] = spare;
  return [first.subarray(0, count).fill(0), second.subarray(0, count).fill(0)];
}

/**
 * Adds picks to the sets of sides of each game, the latest first as far as their rows tell.
 * @param on 0 for games that are left out
 * @returns the games, where some are left out
 */
function addPicks(
  sets: SideSets,
  rows: readonly PickedGames[],
  found: Int32Array,
  on?: Int32Array,
): number[] {
  const games = new Int32Array(picksPerRow);
  const places = new Uint8Array(picksPerRow);
  const added: number[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (const row of rows.toSorted((a, b) => b.from - a.from)) {
    const singles = sets.singles(row);
    const isEarlier = row.to < earliest;
    earliest = row.from;
    const count = readPicks(row, games, places);
    for (let index = 0; index < count; index += 1) {
      const game = games[index]!;
      if (on !== undefined && (game >= on.length || on[game] === 0)) continue;
      const known = found[game]!;
      const single = singles[places[index]!]!;
      found[game] = known === 0 ? single : sets.union(known, single, isEarlier);
      if (on !== undefined && known === 0) added.push(game);
    }
  }
  return added;
}

/** Sets of sides by number. */
class SideSets {
  /** The first is empty, then come those of one side. */
  readonly #sets: ContestedSide[][] = [[]];
  /** By the names of the sides of a row; most rows have the same ones. */
  readonly #singles = new Map<string, number[]>();
  readonly #single: number;
  /** By both sets. */
  readonly #withEarlier = new Map<number, number>();
  readonly #withAny = new Map<number, number>();

  /** @param rows that name all sides */
  constructor(rows: readonly PickedGames[]) {
    const known = new Map<string, number>();
    const singleOf = (name: string) => {
      const [market, side, ...subject] = name.split('/') as [string, string, ...string[]];
      const about = subject.length === 0 ? null : subject.join('/');
      const single = known.get(name) ?? this.#sets.push([contestedSide(market, about, side)]) - 1;
      known.set(name, single);
      return single;
    };
    for (const { sides } of rows)
      if (!this.#singles.has(sides)) this.#singles.set(sides, sides.split('\n').map(singleOf));
    this.#single = this.#sets.length;
  }

  /** A set for each side of a row, with nothing else. */
  singles({ sides }: PickedGames): readonly number[] {
    return this.#singles.get(sides)!;
  }

  /**
   * A set that is not empty, and one of one side.
   * @param isEarlier than all in the first set: where that has a side of the same contest, the later one stands
   */
  union(set: number, single: number, isEarlier: boolean): number {
    const unions = isEarlier ? this.#withEarlier : this.#withAny;
    return unions.get(set * this.#single + single) ?? this.#unite(unions, set, single, isEarlier);
  }

  get size(): number {
    return this.#sets.length;
  }

  sides(set: number): readonly ContestedSide[] {
    return this.#sets[set]!;
  }

  #unite(unions: Map<number, number>, set: number, single: number, isEarlier: boolean): number {
    const [added] = this.#sets[single] as [ContestedSide];
    const stands = this.#sets[set]!.some((other) =>
      isEarlier ? other.contest === added.contest : other === added,
    );
    const union = stands ? set : this.#sets.push([...this.#sets[set]!, added]) - 1;
    unions.set(set * this.#single + single, union);
    return union;
  }
}

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
      ...{ capperId: 'capper_id', gameId: 'game_id', market: 'market', subject: 'subject', side: 'side' },
      ...{ postedAt: 'posted_at', pickUuid: 'uuid' },
    });
  const of = (id: number) => picks.filter(({ capperId }) => capperId === id);
  return sharedGames(of(leftId), of(rightId));
}
