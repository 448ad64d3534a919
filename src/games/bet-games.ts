import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { endOfDay, etDay } from '../rules/et-day.ts';
import type { GameScores } from '../rules/grading.ts';
import { type Game, moneylineWays, notJoined } from './game.ts';
import { readTeams } from './names/aliases.ts';
import type { Teams } from './names/teams.ts';
import { readFixture } from './names/title.ts';

/** A game that a past bet can be about, with its result. */
export interface PastBetGame extends BetGame, GameScores {
  status: 'scheduled' | 'final' | 'postponed' | 'cancelled';
  /** The current start; 23:59 ET of the day if only that is known. */
  begins: EpochMs;
  /** The day of a game that was announced without a start. */
  day?: string | null;
}

export interface StoredBetGame extends PastBetGame {
  id: number;
  /** Whether its start is known: otherwise, `begins` says only the day. */
  hasStart: boolean;
}

type BetGameRow = Pick<Game, keyof typeof columns>;

const columns = inCamelCase(
  'id sport name status announced_start day starts_at home_score away_score home_half_score away_half_score sets played periods_e3',
);

/**
 * Returns games that a bet can be about, by start: ended ones and those of which only the day is known, too. Includes the names of their
 * teams, and of players named in prices, picks, and box scores.
 * @param from inclusive
 * @param to exclusive
 */
export async function pastBetGames(database: Database, from: EpochMs, to: EpochMs): Promise<StoredBetGame[]> {
  const rows: BetGameRow[] = await database('games as g')
    .whereRaw(notJoined)
    .where((either) =>
      either
        .where((timed) =>
          timed.where('starts_at', '>=', new Date(from)).where('starts_at', '<', new Date(to)),
        )
        .orWhere((ofDay) => ofDay.whereNull('starts_at').whereBetween('day', [etDay(from), etDay(to - 1)])),
    )
    .orderBy(['starts_at', 'sport', 'name', 'id'])
    .select(columns);
  return withNames(database, rows);
}

/** Finds a game by id; undefined unless it has a start or a day, and two opponents. */
export async function betGame(database: Database, id: number): Promise<StoredBetGame | undefined> {
  const rows: BetGameRow[] = await database('games')
    .where({ id })
    .whereRaw('coalesce(starts_at::text, day::text) is not null')
    .select(columns);
  const [game] = await withNames(database, rows);
  return game;
}

async function withNames(database: Database, rows: readonly BetGameRow[]): Promise<StoredBetGame[]> {
  const subjects: { gameId: number; spelling: string; subject: string }[] = await database('subjects')
    .whereRaw('game_id = any(?::bigint[])', [rows.map(({ id }) => id)])
    .orderBy(['game_id', 'form'])
    .select(inCamelCase('game_id spelling subject'));
  const byGame = Map.groupBy(subjects, ({ gameId }) => gameId);
  const ways = await moneylineWays(database);
  const teams = new Map<string, Teams>();
  for (const { sport } of rows) if (!teams.has(sport)) teams.set(sport, await readTeams(database, sport));
  return rows.flatMap(({ id, name, announcedStart, startsAt, ...row }) => {
    const own = teams.get(row.sport)!;
    const fixture = readFixture(name, row.sport);
    if (fixture === undefined) return [];
    const players = Map.groupBy(byGame.get(id) ?? [], ({ subject }) => subject);
    const opponent = (team: string) => ({ name: own.fullName(team), names: own.namesOf(team) });
    return {
      ...row,
      id,
      game: name,
      // The end of the day tells apart the games of which only the day is known. Rows name them by `day`.
      startsAt: announcedStart ?? (row.day == null ? null : endOfDay(row.day)),
      begins: startsAt ?? endOfDay(row.day!),
      hasStart: startsAt !== null,
      away: opponent(fixture.away),
      home: opponent(fixture.home),
      players: [...players]
        // Leaves out subjects that are questions or the game itself.
        .filter(([subject]) => subject !== name)
        .map(([subject, spellings]) => ({ name: subject, names: spellings.map(({ spelling }) => spelling) })),
      moneylineWays: ways.get(row.sport) ?? 2,
    };
  });
}
