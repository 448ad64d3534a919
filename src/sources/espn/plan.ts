import { addDays, etDay } from '../../rules/et-day.ts';
import { type OpenGame, scoresDue } from '../open-games.ts';
import type { SourceRun } from '../runs.ts';
import { type BoxGame, boxesDue, hasBoxes } from './boxes.ts';
import type { League } from './leagues.ts';
import { espnSource } from './source.ts';

/** A feed's due requests. */
export interface Feed {
  /** `espn/<league>/schedule`, `espn/<league>/scores`, or `espn/<league>/boxes`. */
  source: string;
  league: League;
  /** Epoch milliseconds; null if nothing is to be requested. */
  dueAt: number | null;
  /** Values of the parameter `dates`, one per request. ESPN's days are in Eastern Time. */
  dates: readonly string[];
  /** Games whose box scores to request, one per request. */
  boxes: readonly BoxGame[];
}

/** Plans the next requests for a league's schedule, scores, and box scores. */
export function feedsOf(
  league: League,
  runs: ReadonlyMap<string, SourceRun>,
  open: readonly OpenGame[],
  boxes: readonly BoxGame[],
  now: number,
): Feed[] {
  const base = `${espnSource.name}/${league.key}`;
  const feed = (
    kind: string,
    due: (lastAt: number | null) => Pick<Feed, 'dueAt' | 'dates'> & Partial<Feed>,
  ): Feed => {
    const source = `${base}/${kind}`;
    const run = runs.get(source);
    const failed = run?.ok === false;
    const { dueAt, ...rest } = due(failed ? null : (run?.ranAt ?? null));
    const backedOff = failed ? (run.nextAt ?? 0) : 0;
    return { boxes: [], ...rest, source, league, dueAt: dueAt === null ? null : Math.max(backedOff, dueAt) };
  };
  return [
    feed('schedule', (lastAt) => ({
      dueAt: lastAt === null ? now : lastAt + espnSource.offers.schedule.everyMs,
      dates: [range(etDay(now), league.aheadDays)],
    })),
    feed('scores', (lastAt) => {
      const { dueAt, due } = scoresDue(open, lastAt, espnSource.offers.scores.everyMs, now);
      return { dueAt, dates: [...new Set(due.map(({ startsAt }) => compact(etDay(startsAt))))].sort() };
    }),
    ...(hasBoxes(league.sport)
      ? [
          feed('boxes', (lastAt) => {
            const { dueAt, due } = boxesDue(boxes, lastAt, now);
            return { dueAt, dates: [], boxes: due };
          }),
        ]
      : []),
  ];
}

function range(first: string, aheadDays: number): string {
  return `${compact(first)}-${compact(addDays(first, aheadDays))}`;
}

function compact(day: string): string {
  return day.replaceAll('-', '');
}
