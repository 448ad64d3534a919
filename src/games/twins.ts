import type { Database, Transaction } from '../platform/database.ts';
import { plainName } from '../rules/plain-name.ts';
import { type Game, gameColumns, notJoined } from './game.ts';
import { swapHomes } from './home-team.ts';
import { readTeams, teamAliases } from './names/aliases.ts';
import { isSwapped, type Teams } from './names/teams.ts';
import { type Fixture, readFixture } from './names/title.ts';
import { isUndecided } from './names/undecided.ts';

/*
 * Games that are stored twice, because two sources name an opponent differently. `findTwins` finds them, and an operator joins them
 * (docs/rules/games.md#one-fixture-one-game). A join never changes what is sealed: both games stay, the triggers of `game_joins` give each
 * the scores of the other, and boards show the picks of both on the earlier one.
 */

/** Two games that look like one fixture. `to` was stored first and would continue. */
export interface Twins {
  from: Game;
  to: Game;
}

/** Twins that were found. `swapped`: home and away are, so they can only be joined while that is a guess in one of them. */
export type FoundTwins = Twins & { swapped: boolean };

/** A join that the rules do not allow; the message says why. */
export class JoinRefused extends Error {
  override name = 'JoinRefused';
}

const hour = 3_600_000;

/** Span of starts around the present in which twins are found. */
const span = { behind: 48 * hour, ahead: 14 * 24 * hour } as const;

/** Maximum time between the starts of twins that are found. */
const twinMs = hour;

/**
 * Finds pairs of games of one sport that start within an hour, share an opponent, and whose other opponents can be one: not two teams that
 * the league knows.
 */
export async function findTwins(database: Database, now: EpochMs): Promise<FoundTwins[]> {
  const games: Game[] = await database('games as g')
    .whereBetween('g.starts_at', [new Date(now - span.behind), new Date(now + span.ahead)])
    .whereNot('g.status', 'cancelled')
    .whereRaw(notJoined)
    // Most games start at a time of their own, or only share it with games that the index below tells apart.
    .whereRaw(
      `exists (select from games o where o.sport = g.sport and o.id <> g.id
         and o.starts_at between g.starts_at - interval '1 hour' and g.starts_at + interval '1 hour')`,
    )
    .orderBy(['g.starts_at', 'g.id'])
    .select(gameColumns);
  const found: FoundTwins[] = [];
  for (const [sport, all] of Map.groupBy(games, (game) => game.sport)) {
    const teams = await readTeams(database, sport);
    const byOpponent = new Map<string, Game[]>();
    for (const game of all) {
      const fixture = readFixture(game.name, sport);
      if (fixture === undefined) continue;
      const pairs = new Set<Game>();
      for (const key of new Set([fixture.away, fixture.home].map(teams.keyOf))) {
        const before = byOpponent.get(key) ?? [];
        for (const other of before) if (game.startsAt! - other.startsAt! <= twinMs) pairs.add(other);
        byOpponent.set(key, [...before, game]);
      }
      for (const other of pairs)
        if (twoTeams(fixture, other, teams) === undefined)
          found.push({ ...inOrder(game, other), swapped: areSwapped(game, other, teams) });
    }
  }
  return found;
}

/**
 * Joins two games. Future rows and reports that name either mean the earlier one, because a name of the later one that the league does not
 * know becomes an alias.
 * @returns the games, and the alias that was added
 * @throws JoinRefused
 */
export async function joinGames(
  transaction: Transaction,
  one: number,
  other: number,
  now: number,
): Promise<Twins & { alias?: { alias: string; team: string } }> {
  await transaction('games').whereIn('id', [one, other]).orderBy('id').forUpdate().select('id');
  const read = (): Promise<Game[]> =>
    transaction('games as g').whereIn('g.id', [one, other]).select(gameColumns);
  let [first, second] = await read();
  if (first === undefined || second === undefined)
    throw new JoinRefused(
      'Name two different games that exist, by the numbers in the addresses of their pages.',
    );
  const teams = await readTeams(transaction, first.sport);
  if (areSwapped(first, second, teams)) {
    // If the home team is a guess and nothing refers to a side, the other game knows better.
    const game = first.homeKnown ? second : first;
    if ((await swapHomes(transaction, [{ game, known: false }])).size > 0)
      [first, second] = (await read()) as [Game, Game];
  }
  const twins = inOrder(first, second);
  const { from, to } = twins;
  // The triggers take the time from here, except in a live log.
  await transaction.raw(`select set_config('public_picks.now', ?, true)`, [new Date(now).toISOString()]);
  await transaction('game_joins')
    .insert({ from_game: from.id, to_game: to.id })
    .catch((error: { code?: string; message: string }) => {
      throw error.code === restricted ? refusal(twins, error.message.split(' - ').at(-1)!) : error;
    });
  const renamed = namesDiffering(twins, teams);
  const alias =
    renamed === undefined ? undefined : { alias: plainName(renamed.from), team: plainName(renamed.to) };
  if (alias !== undefined) await teamAliases.put(transaction, { sport: to.sport, ...alias });
  if (await takesStart(transaction, twins, now))
    await transaction('games')
      .where({ id: to.id })
      .update({ starts_at: new Date(from.startsAt!) });
  return { ...twins, ...(alias === undefined ? {} : { alias }) };
}

/** Reports whether the earlier start of the later game holds from now on. Picks keep the start that they were posted with. */
async function takesStart(transaction: Transaction, { from, to }: Twins, now: number): Promise<boolean> {
  if (from.startsAt === null || from.startsAt <= now || to.status === 'final' || to.status === 'cancelled')
    return false;
  if (to.startsAt !== null && to.startsAt <= from.startsAt) return false;
  return (await transaction('picks').where({ game_id: to.id }).first('id')) === undefined;
}

/** PostgreSQL's code with which the trigger `check_join` refuses a join. */
const restricted = '23001';

const refusal = ({ from, to }: Twins, why: string) =>
  new JoinRefused(`${to.name} and ${from.name} cannot be joined: ${why}.`);

/** Returns why two games cannot be one fixture by the names of their opponents, or undefined. */
export function opponentsFault({ from, to }: Twins, teams: Teams): string | undefined {
  const [later, earlier] = [from, to].map(({ name }) => readFixture(name, to.sport));
  if (later === undefined || earlier === undefined) return 'one of them does not name two opponents';
  if (areSwapped(from, to, teams))
    return 'home and away are swapped, so their picks and scores are about other sides';
  const two = twoTeams(later, to, teams);
  return (
    two ??
    (differingSides(later, earlier, teams).length > 1
      ? 'no opponent is the same: add an alias of one first'
      : undefined)
  );
}

const differingSides = (one: Fixture, other: Fixture, teams: Teams) =>
  (['away', 'home'] as const).filter((side) => teams.keyOf(one[side]) !== teams.keyOf(other[side]));

/** Returns the opponent's name that only one of the games has, with its name in the other. @throws JoinRefused */
function namesDiffering(twins: Twins, teams: Teams): { from: string; to: string } | undefined {
  const fault = opponentsFault(twins, teams);
  if (fault !== undefined) throw refusal(twins, fault);
  const { sport } = twins.to;
  const [later, earlier] = [twins.from, twins.to].map(({ name }) => readFixture(name, sport)!) as [
    Fixture,
    Fixture,
  ];
  const [side] = differingSides(later, earlier, teams);
  if (side === undefined) return undefined;
  const names = teams.knows(later[side])
    ? { from: earlier[side], to: later[side] }
    : { from: later[side], to: earlier[side] };
  return isUndecided(names.from, sport, teams.knows) ? undefined : names;
}

/** Reports whether the opponent that two games share is home in only one of them. */
function areSwapped(one: Game, other: Game, teams: Teams): boolean {
  const [ours, theirs] = [one, other].map(({ name, sport }) => readFixture(name, sport));
  return (
    ours !== undefined &&
    theirs !== undefined &&
    (isSwapped(ours, other.name, teams) || isSwapped(theirs, one.name, teams))
  );
}

/** Returns why the opponents of two games cannot be the same, or undefined. */
function twoTeams(fixture: Fixture, other: Game, teams: Teams): string | undefined {
  const theirs = readFixture(other.name, other.sport);
  if (theirs === undefined) return 'one of them does not name two opponents';
  const ours = [fixture.away, fixture.home];
  const keys = new Set([theirs.away, theirs.home].map(teams.keyOf));
  const mine = new Set(ours.map(teams.keyOf));
  const left = ours.find((name) => !keys.has(teams.keyOf(name)));
  const right = [theirs.away, theirs.home].find((name) => !mine.has(teams.keyOf(name)));
  if (left === undefined || right === undefined) return undefined;
  return teams.knows(left) && teams.knows(right) ? `${right} and ${left} are two teams` : undefined;
}

function inOrder(one: Game, other: Game): Twins {
  return one.id < other.id ? { from: other, to: one } : { from: one, to: other };
}
