import type { Database } from '../../platform/database.ts';
import { addDays, etDay } from '../../rules/et-day.ts';
import type { SourceRun } from '../runs.ts';
import type { League } from './leagues.ts';
import { espnSource } from './source.ts';

const minute = 60_000;
const hour = 60 * minute;

/** One request, or several, that a feed is due to make. */
export interface Feed {
  /** `espn/<league>/schedule` or `espn/<league>/scores`. */
  source: string;
  league: League;
  /** Epoch milliseconds; null while there is nothing to ask. */
  dueAt: number | null;
  /** Values of the parameter `dates`, of a request each. ESPN counts days in Eastern Time. */
  dates: readonly string[];
}

/** A game of a league that has begun, or begins soon, and has not ended here. Instants in epoch milliseconds. */
export interface OpenGame {
  startsAt: number;
  /** When four fifths of the sport's usual duration are over. */
  overAt: number;
  /** Whether picks wait for its end. */
  isAwaited: boolean;
}

/** How long after its end a game without picks is still asked for. */
const unawaitedMs = 6 * hour;
/** How long any game is asked for; after that it is the operator's. */
const askedMs = 4 * 24 * hour;

/** Open games by feed (`espn/<league>`). */
export async function openGames(database: Database, now: number): Promise<Map<string, OpenGame[]>> {
  const { rows }: { rows: (OpenGame & { source: string })[] } = await database.raw(
    `select e.source, g.starts_at as "startsAt", g.starts_at + s.event_minutes * interval '48 seconds' as "overAt",
       exists (select from pending_picks p where p.game_id = g.id) as "isAwaited"
     from games g
     join source_events e on e.game_id = g.id and starts_with(e.source, :prefix)
     join sports s on s.key = g.sport
     where g.status in ('scheduled', 'postponed') and g.starts_at between :oldest and :latest`,
    { prefix: `${espnSource.name}/`, oldest: new Date(now - askedMs), latest: new Date(now + hour) },
  );
  return Map.groupBy(rows, ({ source }) => source);
}

/** What a league's schedule and scores are asked for next. */
export function feedsOf(
  league: League,
  runs: ReadonlyMap<string, SourceRun>,
  open: readonly OpenGame[],
  now: number,
): Feed[] {
  const base = `${espnSource.name}/${league.key}`;
  const feed = (kind: string, due: (lastAt: number | null) => Pick<Feed, 'dueAt' | 'dates'>): Feed => {
    const source = `${base}/${kind}`;
    const run = runs.get(source);
    const failed = run?.ok === false;
    const { dueAt, dates } = due(failed ? null : (run?.ranAt ?? null));
    const backedOff = failed ? (run.nextAt ?? 0) : 0;
    return { source, league, dates, dueAt: dueAt === null ? null : Math.max(backedOff, dueAt) };
  };
  return [
    feed('schedule', (lastAt) => ({
      dueAt: lastAt === null ? now : lastAt + espnSource.offers.schedule.everyMs,
      dates: [range(etDay(now), league.aheadDays)],
    })),
    feed('scores', (lastAt) => scoresDue(open, lastAt, now)),
  ];
}

/** Seldom while a game is on, often when it must be over, then with backoff while no result comes. */
function scoresDue(
  open: readonly OpenGame[],
  lastAt: number | null,
  now: number,
): Pick<Feed, 'dueAt' | 'dates'> {
  const due = open
    .filter(({ overAt, isAwaited }) => isAwaited || now - overAt < unawaitedMs)
    .map((game) => ({
      ...game,
      dueAt: lastAt === null ? game.startsAt : Math.max(game.startsAt, lastAt + everyMs(game, now)),
    }));
  if (due.length === 0) return { dueAt: null, dates: [] };
  const days = due.filter(({ dueAt }) => dueAt <= now).map(({ startsAt }) => compact(etDay(startsAt)));
  return { dueAt: Math.min(...due.map(({ dueAt }) => dueAt)), dates: [...new Set(days)].sort() };
}

function everyMs({ overAt }: OpenGame, now: number): number {
  if (now < overAt) return 10 * minute;
  return Math.min(Math.max(espnSource.offers.scores.everyMs, (now - overAt) / 15), hour);
}

function range(first: string, aheadDays: number): string {
  return `${compact(first)}-${compact(addDays(first, aheadDays))}`;
}

function compact(day: string): string {
  return day.replaceAll('-', '');
}
