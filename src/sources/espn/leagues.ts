import { type EspnLeague, leagueFiles } from '../../games/names/league-files.ts';

export type League = EspnLeague;

/** Soccer competitions included in `all`: large leagues and cups. */
const competitions = 'eng.1 esp.1 ger.1 ita.1 fra.1 usa.1 mex.1 uefa.champions uefa.europa fifa.world'.split(
  ' ',
);

/**
 * Returns the leagues that a setting names: by key, `soccer/<competition>` in ESPN's spelling, or `all`. Tennis is excluded: ESPN's starts
 * of matches are not the real ones, and a retirement looks like a result.
 */
export function leaguesOf(names: readonly string[]): League[] {
  const leagues = leagueFiles().flatMap(({ espn }) => espn);
  const all = [...leagues, ...competitions.map(soccer)];
  const wanted = names.flatMap((name) =>
    name === 'all'
      ? all
      : name.startsWith('soccer/')
        ? soccer(name.slice('soccer/'.length))
        : leagues.filter(({ key }) => key === name),
  );
  return [...new Map(wanted.map((league) => [league.key, league])).values()];
}

function soccer(competition: string): League {
  const periods = { all: 2, firstHalf: 1 };
  return {
    key: `soccer.${competition}`,
    sport: 'soccer',
    path: `soccer/${competition}`,
    aheadDays: 7,
    periods,
  };
}
