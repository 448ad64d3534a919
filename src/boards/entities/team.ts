import { notJoined } from '../../games/game.ts';
import { readTeams } from '../../games/names/aliases.ts';
import { similarTeams, type Teams, teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import { sportSchema } from '../../ledger/schemas.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { boardPicks } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { recordOf, tallyOf } from '../../rules/tally.ts';
import { type GameStatus, gameStatuses } from '../../rules/vocabulary.ts';
import { beyond, board } from '../board.ts';
import { type BoardContext, NotFound } from '../endpoint.ts';
import { entityName, entityPath, sport } from '../params.ts';
import { recordSchema } from '../record.ts';
import { either, exactly, wordsOf } from '../search/words.ts';
import { bettorsOf, entityLists, entityRss, openPicks, orSimilar, settledPicks, slugOf } from './entity.ts';

interface TeamGame {
  id: number;
  game: string;
  isHome: boolean;
  startsAt: EpochMs | null;
  day: string | null;
  status: GameStatus;
  awayScore: number | null;
  homeScore: number | null;
}

interface Team {
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
      ...inCamelCase('g.starts_at g.day g.status g.away_score g.home_score'),
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
function unknownTeamText({ sport, name }: Team): string {
  const near = similarTeams(name, sport);
  return `No game in ${sport} has a team named ${JSON.stringify(name)}. ${orSimilar(near)}`;
}

const shownGames = 5;

const gameSchema = Type.Object({
  id: Field.integer(),
  game: Field.text(),
  startsAt: Field.orNull.instant(),
  day: Field.orNull.day(),
  status: Type.Enum(gameStatuses, { title: 'GameStatus' }),
  awayScore: Field.orNull.integer(),
  homeScore: Field.orNull.integer(),
});

export const teamBoard = board({
  path: '/api/teams/:sport/:name',
  group: 'feeds',
  about:
    'A team or athlete: next games with pending picks, last results, cappers, and the records of settled picks that took its side (`backing`), to win or with a spread, or that of its opponent (`against`).',
  params: Type.Object({ sport, name: entityName('team') }),
  tags: (params) => eventsOf(params.sport),
  body: Type.Object({
    sport: sportSchema,
    name: Field.text(),
    path: entityPath,
    coming: Type.Array(gameSchema, { description: `Upcoming games, soonest first; at most ${shownGames}.` }),
    played: Type.Array(gameSchema, {
      description: `Games with a score, latest first; at most ${shownGames}.`,
    }),
    open: { ...entityLists.open, description: 'Pending picks on the upcoming games, by start.' },
    backing: recordSchema,
    against: recordSchema,
    cappers: entityLists.cappers,
  }),
  formats: [entityRss<{ name: string }>('team', ({ name }) => `Picks on games of ${name}`)],
  beyondLog: { 'cappers[].tier': beyond.tier, coming: beyond.game, played: beyond.game },
  examples: [{ sport: '{sport}', name: '{team}' }],
  keep: ({ path }, { sport: key, name }) => path === `/team/${key}/${encodeURIComponent(name)}`,
  async compute(context, params) {
    const { database, now } = context;
    const team = await teamNamed(database, params.sport, params.name);
    if (team === undefined) throw new NotFound(unknownTeamText(params));
    const coming = team.games
      .filter((game) => isComing(game, now))
      .sort(soonestFirst)
      .slice(0, shownGames);
    const played = team.games
      .filter(({ status }) => status === 'final')
      .sort((a, b) => soonestFirst(b, a))
      .slice(0, shownGames);
    const isHome = new Map(team.games.map(({ id, isHome }) => [id, isHome]));
    const [open, settled] = await Promise.all([
      openPicks(
        context,
        boardPicks(database).whereRaw('p.game_id = any(?::bigint[])', [coming.map(({ id }) => id)]),
      ),
      settledPicks(context, (query) =>
        query
          .whereRaw('b.game_id = any(?::bigint[])', [[...isHome.keys()]])
          .whereIn('b.side', ['home', 'away']),
      ),
    ]);
    const [backing, against] = [true, false].map((backs) =>
      recordOf(
        tallyOf(settled.filter(({ side, gameId }) => ((side === 'home') === isHome.get(gameId)) === backs)),
      ),
    );
    return {
      sport: params.sport,
      name: team.name,
      path: teamPath({ sport: params.sport, name: team.name }, team.teams),
      coming: coming.map(shownGame),
      played: played.map(shownGame),
      open,
      backing: backing!,
      against: against!,
      cappers: await bettorsOf(context, settled, params.sport),
    };
  },
});

/** Reports whether a game has not started. Without a known start, its day decides. */
function isComing({ status, startsAt, day }: TeamGame, now: number): boolean {
  if (status !== 'scheduled') return false;
  return startsAt === null ? day === null || day >= etDay(now) : startsAt > now;
}

/** Orders games by start; those without one follow, by id. */
function soonestFirst(a: TeamGame, b: TeamGame): number {
  return (a.startsAt ?? Infinity) - (b.startsAt ?? Infinity) || a.id - b.id;
}

const shownGame = ({ id, game, startsAt, day, status, awayScore, homeScore }: TeamGame) => ({
  id,
  game,
  startsAt: isoOrNull(startsAt),
  day,
  status,
  awayScore,
  homeScore,
});
