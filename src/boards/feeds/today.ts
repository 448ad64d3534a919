import type { Static } from 'typebox';
import { readAliases } from '../../games/names/aliases.ts';
import { sportsWithTeams } from '../../games/names/league-files.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { Type } from '../../platform/type.ts';
import { type SlateFilter, slatePicks, upcomingPicks } from '../../projections/slate.ts';
import { eventsOf, tags } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import type { BoardContext } from '../context.ts';
import { subjectsNamed } from '../entities/players.ts';
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

/** Filters of the picks on coming games. */
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

/** Returns the names of a team in a sport, or in any sport, in lower case. */
async function namesOf(database: BoardContext['database'], team: string, sport?: string): Promise<string[]> {
  const aliases = await readAliases(database, sport);
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
  body: Type.Object({ day: Type.String({ format: 'date' }), picks: Type.Array(pickSchema) }),
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
