import type { Database } from '../platform/database.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { moneylineWays } from './game.ts';
import { readTeams } from './names/aliases.ts';
import type { Teams } from './names/teams.ts';
import { readFixture } from './names/title.ts';

const hour = 3_600_000;

/** How far ahead a text finds its game, and how long after the start, in milliseconds. */
export const betWindow = { ahead: 36 * hour, behind: 0 } as const;

interface BetGameRow {
  id: number;
  sport: string;
  name: string;
  announcedStart: number | null;
  startsAt: number;
}

/**
 * The games that a bet can be about, with the names of their teams and of the players that prices, picks, and box scores name, the earliest
 * start first.
 * @param from epoch milliseconds; games that start then or later
 * @param to games that start before it
 */
export async function betGamesBetween(database: Database, from: number, to: number): Promise<BetGame[]> {
  const rows: BetGameRow[] = await database('games')
    .where('starts_at', '>=', new Date(from))
    .where('starts_at', '<', new Date(to))
    .whereIn('status', ['scheduled', 'postponed'])
    .orderBy(['starts_at', 'sport', 'name', 'id'])
    .select({
      id: 'id',
      sport: 'sport',
      name: 'name',
      announcedStart: 'announced_start',
      startsAt: 'starts_at',
    });
  const subjects: { gameId: number; spelling: string; subject: string }[] = await database('subjects')
    .whereRaw('game_id = any(?::bigint[])', [rows.map(({ id }) => id)])
    .orderBy(['game_id', 'form'])
    .select({ gameId: 'game_id', spelling: 'spelling', subject: 'subject' });
  const byGame = Map.groupBy(subjects, ({ gameId }) => gameId);
  const ways = await moneylineWays(database);
  const teams = new Map<string, Teams>();
  for (const { sport } of rows) if (!teams.has(sport)) teams.set(sport, await readTeams(database, sport));
  return rows.flatMap((row) => {
    const own = teams.get(row.sport)!;
    const fixture = readFixture(row.name, row.sport);
    if (fixture === undefined) return [];
    const players = Map.groupBy(byGame.get(row.id) ?? [], ({ subject }) => subject);
    const opponent = (name: string) => ({ name: own.fullName(name), names: own.namesOf(name) });
    return {
      sport: row.sport,
      game: row.name,
      startsAt: row.announcedStart,
      away: opponent(fixture.away),
      home: opponent(fixture.home),
      players: [...players]
        // A question or a game that a market is about is no player.
        .filter(([name]) => name !== row.name)
        .map(([name, spellings]) => ({ name, names: spellings.map(({ spelling }) => spelling) })),
      moneylineWays: ways.get(row.sport) ?? 2,
    };
  });
}
