import type { Static } from 'typebox';
import { teamAliases } from '../../games/names/aliases.ts';
import { sportsWithTeams } from '../../games/names/league-files.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { sportSchema } from '../../ledger/schemas.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import {
  type SlateFilter,
  type SlateGame,
  slateGames,
  slatePicks,
  upcomingPicks,
} from '../../projections/slate.ts';
import { eventsOf, tags } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { subjectsNamed } from '../entities/player.ts';
import {
  count,
  optionalCapper,
  optionalMarket,
  optionalPlayer,
  optionalSport,
  optionalTeam,
} from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { knownCapper } from '../subjects.ts';
import { todayIcs } from './today-ics.ts';

const slateFilters = {
  sport: optionalSport,
  capper_handle: optionalCapper,
  market: optionalMarket,
  team: optionalTeam,
  player: optionalPlayer,
};

const given = Type.Object(slateFilters);
type Given = Static<typeof given>;

/** @throws NotFound for an unknown capper */
async function slateFilter(
  { database }: Pick<BoardContext, 'database'>,
  { sport, capper_handle, market, team, player }: Given,
): Promise<SlateFilter> {
  const capper = capper_handle === undefined ? undefined : await knownCapper(database, capper_handle);
  return {
    sport,
    capperId: capper?.id,
    market,
    teams: team === undefined ? undefined : await namesOf(database, team, sport),
    subjects: player === undefined ? undefined : await subjectsNamed(database, player, sport),
  };
}

function slateTags({ sport, capper_handle }: Given): string[] {
  return capper_handle === undefined ? eventsOf(sport) : [tags.capper(capper_handle), tags.world];
}

/** Any text could be a team or player, so only answers with picks are cached. */
function keepSlate({ picks }: { picks: readonly unknown[] }, { team, player }: Given): boolean {
  return (team ?? player) === undefined || picks.length > 0;
}

async function namesOf(database: BoardContext['database'], team: string, sport?: string): Promise<string[]> {
  const aliases = await teamAliases.read(database, sport);
  const names = (sport === undefined ? sportsWithTeams() : [sport]).flatMap((each) =>
    teamsOf(
      each,
      aliases.filter((alias) => alias.sport === each),
    ).namesOf(team),
  );
  return [team, ...names].map((name) => name.toLowerCase());
}

export const todayFeed = board({
  path: '/api/feed/today',
  group: 'feeds',
  about: "All picks on today's games (ET), by start time.",
  params: Type.Object(slateFilters),
  tags: slateTags,
  ahead: [{}],
  body: Type.Object({ day: Field.day(), picks: Type.Array(pickSchema) }),
  collection: 'picks',
  formats: [todayIcs],
  examples: [{}, { sport: '{sport}' }, { capper_handle: '{handle}', market: 'spread' }],
  keep: keepSlate,
  async compute({ database, now, baseUrl }, params) {
    const rows = await slatePicks(database, now, await slateFilter({ database }, params));
    return { day: etDay(now), picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});

export const upcomingFeed = board({
  path: '/api/feed/upcoming',
  group: 'feeds',
  about: 'Pending picks on games that start in the next hours, soonest first.',
  params: Type.Object({ hours: count(4, 24, 'How many hours ahead.'), ...slateFilters }),
  tags: slateTags,
  ahead: [{}],
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [{}, { hours: '24', sport: '{sport}' }],
  keep: keepSlate,
  async compute({ database, now, baseUrl }, { hours, ...filter }) {
    const until = now + hours * 3_600_000;
    const rows = await upcomingPicks(database, now, until, await slateFilter({ database }, filter));
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});

export const gamesToday = board({
  path: '/api/games/today',
  group: 'feeds',
  about: "Today's games (ET) that have picks, with the number of cappers and markets.",
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({
    day: Field.day(),
    games: Type.Array(
      Type.Object({
        gameId: Field.integer("The game's page is `/game/<gameId>`."),
        sport: sportSchema,
        game: Field.text(),
        startsAt: Field.orNull.instant(),
        day: Field.orNull.day('The ET day of a game of which only that was announced, else null.'),
        pickCount: Field.integer('Picks posted on it, settled or not.'),
        capperCount: Field.integer(),
        marketCount: Field.integer(),
        tiers: Type.Object(
          { elite: Field.integer(), verified_sharp: Field.integer(), listed: Field.integer() },
          { description: 'Number of cappers by tier when they posted.' },
        ),
      }),
    ),
  }),
  collection: 'games',
  examples: [{}, { sport: '{sport}' }],
  async compute({ database, now }, { sport }) {
    const games = await slateGames(database, now, sport);
    return { day: etDay(now), games: games.sort(byStart).map(shown) };
  },
});

function shown({
  startsAt,
  pickCount,
  capperCount,
  marketCount,
  elite,
  verified_sharp,
  listed,
  ...game
}: SlateGame) {
  const tiers = { elite, verified_sharp, listed };
  return { ...game, startsAt: isoOrNull(startsAt), pickCount, capperCount, marketCount, tiers };
}

function byStart(a: SlateGame, b: SlateGame): number {
  const start = (game: SlateGame) => game.startsAt ?? Number.MAX_SAFE_INTEGER;
  const text = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
  return start(a) - start(b) || text(a.sport, b.sport) || text(a.game, b.game) || a.gameId - b.gameId;
}
