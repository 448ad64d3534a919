import type { Static } from 'typebox';
import { readAliases } from '../../games/names/aliases.ts';
import { sportsWithTeams } from '../../games/names/league-files.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { Type } from '../../platform/type.ts';
import type { SlateFilter } from '../../projections/slate.ts';
import { eventsOf, tags } from '../../projections/tags.ts';
import type { BoardContext } from '../context.ts';
import { subjectsNamed } from '../entities/players.ts';
import { optionalCapper, optionalMarket, optionalPlayer, optionalSport, optionalTeam } from '../params.ts';
import { knownCapper } from '../subjects.ts';

/** Filters of the picks on coming games. */
export const slateFilters = {
  sport: optionalSport,
  capper_handle: optionalCapper,
  market: optionalMarket,
  team: optionalTeam,
  player: optionalPlayer,
};

const given = Type.Object(slateFilters);
type Given = Static<typeof given>;

/** @throws NotFound for an unknown capper */
export async function slateFilter(
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

export function slateTags({ sport, capper_handle }: Given): string[] {
  return capper_handle === undefined ? eventsOf(sport) : [tags.capper(capper_handle), tags.world];
}

/** Any text could be a team or player, so only answers with picks are cached. */
export function keepSlate({ picks }: { picks: readonly unknown[] }, { team, player }: Given): boolean {
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
