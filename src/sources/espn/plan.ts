import { addDays, etDay, etDayStart } from '../../rules/et-day.ts';
import { type OpenGame, scoresDue } from '../open-games.ts';
import type { SourceRun } from '../runs.ts';
import { isRefused, type SourceRequest } from '../source-requests.ts';
import { type BoxGame, boxesDue, hasBoxes } from './boxes.ts';
import { type Ask, asksFor, type FormName, formsOf } from './forms.ts';
import type { League } from './leagues.ts';
import { espnSource } from './source.ts';

const minute = 60_000;

export interface Feed {
  /** `espn/<league>/schedule`, `espn/<league>/scores`, or `espn/<league>/boxes`. */
  source: string;
  /** `espn/<league>`, the source of its events. */
  base: string;
  league: League;
  /** Epoch milliseconds; null if nothing is to be requested. */
  dueAt: number | null;
  /** Forms of asking, best first; empty for box scores. */
  forms: readonly FormName[];
  asks(form: FormName, refused: ReadonlySet<FormName>): Ask[];
  /** Games whose box scores to request, one per request. */
  boxes: readonly BoxGame[];
}

/** Returns the forms that were refused within the last day; none if all of them were. */
export function refusedForms(
  forms: readonly FormName[],
  requests: readonly SourceRequest[],
  now: number,
): Set<FormName> {
  const refused = requests.filter((row) => isRefused(row, now)).map(({ request }) => request.split(' ')[0]);
  const found = forms.filter((form) => refused.includes(form));
  return new Set(found.length < forms.length ? found : []);
}

/** Plans the next requests for a league's schedule, scores, and box scores. */
export function feedsOf(
  league: League,
  runs: ReadonlyMap<string, SourceRun>,
  requests: readonly SourceRequest[],
  open: readonly OpenGame[],
  boxes: readonly BoxGame[],
  now: number,
): Feed[] {
  const base = `${espnSource.name}/${league.key}`;
  const lastAt = new Map(
    requests.filter((row) => !isRefused(row, now)).map((row) => [row.request, row.askedAt]),
  );
  const askAt = ({ name, everyMs }: Ask) => {
    const last = lastAt.get(name);
    return last === undefined ? now : last + everyMs;
  };
  const feed = (
    kind: string,
    plan: (last: number | null) => Pick<Feed, 'dueAt'> & Partial<Pick<Feed, 'forms' | 'asks' | 'boxes'>>,
  ): Feed => {
    const source = `${base}/${kind}`;
    const run = runs.get(source);
    const failed = run?.ok === false;
    const { dueAt, ...rest } = plan(failed ? null : (run?.ranAt ?? null));
    const backedOff = failed ? (run.nextAt ?? 0) : 0;
    const none = { forms: [], asks: () => [], boxes: [] };
    return {
      ...none,
      ...rest,
      source,
      base,
      league,
      dueAt: dueAt === null ? null : Math.max(backedOff, dueAt),
    };
  };
  const today = etDay(now);
  const coming = Array.from({ length: league.aheadDays + 1 }, (_, days) => addDays(today, days));
  const ahead = formsOf(league, 'schedule');
  /** Requests for the coming days. Months are large and rare, so the next games are also requested by day. */
  const aheadAsks = (form: FormName, refused: ReadonlySet<FormName>) => {
    const asks = asksFor(form, league, coming, now);
    if (form !== 'month' || refused.has('day')) return asks;
    // Tomorrow's soccer may be missing on its day.
    const days = coming.slice(0, league.sport === 'soccer' ? 1 : 2);
    const appliedFrom = etDayStart(addDays(days.at(-1)!, 1));
    return [...asksFor('day', league, days, now), ...asks.map((ask) => ({ ...ask, appliedFrom }))];
  };
  const refused = refusedForms(ahead, requests, now);
  const best = ahead.find((form) => !refused.has(form))!;
  return [
    feed('schedule', () => ({
      dueAt: Math.min(...aheadAsks(best, refused).map(askAt)),
      forms: ahead,
      asks: (form, without) => aheadAsks(form, without).filter((ask) => askAt(ask) <= now),
    })),
    feed('scores', (last) => {
      const { dueAt, due } = scoresDue(open, last, espnSource.offers.scores.everyMs, now);
      const days = [...new Set(due.map(({ startsAt }) => etDay(startsAt)))].sort();
      return {
        dueAt,
        forms: formsOf(league, 'scores'),
        // A day is small. Larger answers are requested no more often than for a schedule.
        asks: (form) =>
          asksFor(form, league, days, now).filter(
            (ask) => form === 'day' || askAt({ ...ask, everyMs: Math.min(ask.everyMs, 30 * minute) }) <= now,
          ),
      };
    }),
    ...(hasBoxes(league.sport)
      ? [
          feed('boxes', (last) => {
            const { dueAt, due } = boxesDue(boxes, last, now);
            return { dueAt, boxes: due };
          }),
        ]
      : []),
  ];
}
