import { NotFound } from '../../cache/renderable.ts';
import { sportSchema } from '../../ledger/schemas.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { boardPicks } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { recordOf, tallyOf } from '../../rules/tally.ts';
import { gameStatuses } from '../../rules/vocabulary.ts';
import { beyond, board } from '../board.ts';
import { entityName, entityPath, sport } from '../params.ts';
import { recordSchema } from '../record.ts';
import { bettorsOf, entityLists, entityRss, openPicks, settledPicks } from './entity.ts';
import { type TeamGame, teamNamed, teamPath, unknownTeamText } from './teams.ts';

/** Number of games shown in each list. */
const shownGames = 5;

const gameSchema = Type.Object({
  id: Type.Integer(),
  game: Type.String(),
  startsAt: nullable(Type.String({ format: 'date-time' })),
  day: nullable(Type.String({ format: 'date' })),
  status: Type.Enum(gameStatuses, { title: 'GameStatus' }),
  awayScore: nullable(Type.Integer()),
  homeScore: nullable(Type.Integer()),
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
    name: Type.String(),
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
