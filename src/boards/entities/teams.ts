import { notJoined } from '../../games/game.ts';
import { readTeams } from '../../games/names/aliases.ts';
import { similarTeams, type Teams, teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import type { GameStatus } from '../../rules/vocabulary.ts';
import type { BoardContext } from '../context.ts';
import { either, exactly, wordsOf } from '../search/words.ts';
import { orSimilar, slugOf } from './entity.ts';

/** A game of a team. */
export interface TeamGame {
  id: number;
  game: string;
  isHome: boolean;
  startsAt: EpochMs | null;
  day: string | null;
  status: GameStatus;
  awayScore: number | null;
  homeScore: number | null;
}

export interface Team {
  sport: string;
  name: string;
}

/** @param teams Default: the league's, without the operator's aliases */
export function teamPath({ sport, name }: Team, teams: Pick<Teams, 'keyOf'> = teamsOf(sport)): string {
  return `/team/${sport}/${encodeURIComponent(slugOf(name, teams.keyOf))}`;
}

/** Returns the team that a name means in a sport, with its games; undefined if no league lists it and no game has it. */
export async function teamNamed(
  database: BoardContext['database'],
  sport: string,
  name: string,
): Promise<{ name: string; teams: Teams; games: TeamGame[] } | undefined> {
  const teams = await readTeams(database, sport);
  const key = teams.keyOf(name);
  const names = teams.namesOf(name).filter((each) => wordsOf(each).length > 0);
  if (key === '' || names.length === 0) return undefined;
  const rows: Omit<TeamGame, 'isHome'>[] = await database('games as g')
    .where('g.sport', sport)
    .whereRaw(`words_of(g.name) @@ to_tsquery('simple', ?)`, [either([...new Set(names.map(exactly))])])
    .whereRaw(notJoined)
    .select({
      id: 'g.id',
      game: 'g.name',
      startsAt: 'g.starts_at',
      day: 'g.day',
      status: 'g.status',
      awayScore: 'g.away_score',
      homeScore: 'g.home_score',
    });
  let shown = teams.knows(name) ? teams.fullName(names[0]!) : undefined;
  const games = rows.flatMap((row) => {
    const fixture = readFixture(row.game, sport);
    const side =
      fixture && ([fixture.away, fixture.home] as const).findIndex((each) => teams.keyOf(each) === key);
    if (fixture === undefined || side === undefined || side === -1) return [];
    shown ??= side === 1 ? fixture.home : fixture.away;
    return { ...row, isHome: side === 1 };
  });
  return shown === undefined ? undefined : { name: shown, teams, games };
}

/** Says that a sport has no such team, with the most similar ones. */
export function unknownTeamText({ sport, name }: Team): string {
  const near = similarTeams(name, sport);
  return `No game in ${sport} has a team named ${JSON.stringify(name)}. ${orSimilar(near)}`;
}
