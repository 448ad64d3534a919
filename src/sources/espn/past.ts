import type { Database } from '../../platform/database.ts';
import { addDays, etDay } from '../../rules/et-day.ts';
import { LeftOutCounts } from '../answer.ts';
import { recordRun } from '../runs.ts';
import { askDays, type EspnDeps, Refusal } from './ask.ts';
import { asksFor } from './forms.ts';
import type { League } from './leagues.ts';
import { espnSource } from './source.ts';

const minute = 60_000;

export const pastFeed = `${espnSource.name}/past`;

/** At most 60 requests an hour. An imported history of years takes a day or two. */
const maxAsks = 5;
const everyMs = 5 * minute;

/** ESPN's oldest scoreboards are from 2001 or 2002, by league. */
const oldest = '2001-08-01';

interface PastDay {
  league: League;
  day: string;
}

/**
 * Requests past days on which imported picks wait for a score, newest first, each league and day once a month. ESPN never listed these games
 * here before, so the other feeds do not ask for them.
 */
export async function askPastDays(deps: EspnDeps, leagues: readonly League[]): Promise<void> {
  const { database, clock, closing } = deps;
  const days = await pastDays(database, leagues, clock.now());
  let finals = 0;
  let games = 0;
  let refused = 0;
  for (const { league, day } of days.slice(0, maxAsks)) {
    if (closing.aborted) return;
    const base = `${espnSource.name}/${league.key}`;
    const [ask] = asksFor('day', league, [day], clock.now());
    const past = { ...ask!, name: nameOf(day), isPast: true as const };
    try {
      // Unknown events of past days are no games here, so nothing is left out.
      await askDays(deps, { base, league }, past, true, new LeftOutCounts(), (taken) => {
        games += taken.events ?? 0;
        finals += taken.finals ?? 0;
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused += 1;
    }
  }
  const asked = Math.min(days.length, maxAsks);
  const parts = [`${asked} past days: ${games} games`, ...(finals > 0 ? [`${finals} finals`] : [])];
  const more = [
    ...(refused > 0 ? [` ${refused} are refused.`] : []),
    ...(days.length > asked ? [` ${days.length - asked} more wait.`] : []),
  ];
  const message =
    days.length === 0 ? 'No imported picks wait for a past day.' : `${parts.join(', ')}.${more.join('')}`;
  await recordRun(database, pastFeed, clock.now(), true, message, { nextAt: clock.now() + everyMs });
}

const nameOf = (day: string) => `past ${day.replaceAll('-', '')}`;

/** Returns the days that are over and were not requested within a month, by league. */
async function pastDays(database: Database, leagues: readonly League[], now: number): Promise<PastDay[]> {
  // Games in the west end after midnight in New York.
  const last = addDays(etDay(now - 8 * 60 * minute), -1);
  const { rows }: { rows: { sport: string; day: string }[] } = await database.raw(
    `select sport, day from (
       select distinct g.sport, coalesce(g.day, (g.starts_at at time zone 'America/New_York')::date)::text as day
       from pending_picks q join picks p on p.id = q.pick_id join games g on g.id = q.game_id
       where p.provenance = 'imported' and g.status = 'scheduled' and g.sport = any(?)
     ) d where day between ? and ? order by day desc, sport`,
    [[...new Set(leagues.map(({ sport }) => sport))], oldest, last],
  );
  const asked = new Set<string>(
    (await database('source_requests').where('request', 'like', 'past %').select('source', 'request')).map(
      ({ source, request }) => `${source} ${request}`,
    ),
  );
  return rows.flatMap(({ sport, day }) =>
    leagues
      .filter(
        (league) => league.sport === sport && !asked.has(`${espnSource.name}/${league.key} ${nameOf(day)}`),
      )
      .map((league) => ({ league, day })),
  );
}
