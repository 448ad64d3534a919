import { addDays, etDay, etDayStart, etMonthStart } from '../../rules/et-day.ts';
import { type OpenGame, scoresDue } from '../open-games.ts';
import type { SourceRun } from '../runs.ts';
import { isRefused, type SourceRequest } from '../source-requests.ts';
import { type BoxGame, boxesDue, hasBoxes } from './boxes.ts';
import type { League } from './leagues.ts';
import { espnSource } from './source.ts';

const minute = 60_000;

export interface Feed {
  /** `espn/<league>/schedule`, `espn/<league>/scores`, or `espn/<league>/boxes`. */
  source: string;
  /** `espn/<league>`, the source of its events. */
  base: string;
  league: League;
  /** Null if nothing is to be requested. */
  dueAt: EpochMs | null;
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

const hour = 60 * minute;

/** Requested number of events. ESPN lists 100 without a limit, and silently 25 with one above 500. */
export const maxListed = 500;

/** A request for all games that start on some days. */
export interface Ask {
  form: FormName;
  /** Its name among the requests of a league, such as `month 202611`. */
  name: string;
  /** Path and query. */
  path: string;
  /** First and last ET day. */
  first: string;
  last: string;
  /** Instants between which the answer lists every game. */
  from: EpochMs;
  to: number;
  /** Games before this instant are left to other requests. */
  appliedFrom: EpochMs;
  /** Minimum interval between these requests, in ms. */
  everyMs: number;
  /** Set for a day whose games this service never followed: nothing is expected of the answer. */
  isPast?: true;
}

type Span = readonly [value: string, first: string, last: string];

/**
 * A form of asking for days. ESPN's days are in Eastern Time.
 *
 * Each form has been taken away from some callers before, so a league that is refused one (400 or 404) uses the next one for a day.
 */
interface Form {
  /** Whether ESPN understands it for a league. */
  suits(league: League): boolean;
  /** The requests that cover some days. */
  spans(days: readonly string[], league: League): Span[];
  /** Address of a span, if not `dates` of the scoreboard. */
  path?(league: League, span: Span): string;
  /** Minimum interval between requests for a day this many days ahead, in ms. */
  everyMs(daysAhead: number): number;
  /** How far from the edges of a span games may be listed in the next one, in ms. */
  edgeMs: number;
}

const compact = (day: string) => day.replaceAll('-', '');

/** One request for all days. */
const whole = (days: readonly string[]): Span[] => {
  const [first, last] = [days[0]!, days.at(-1)!];
  return [[`${compact(first)}-${compact(last)}`, first, last]];
};

const forms = {
  // Since September 2026 refused for every team sport.
  range: { suits: ({ sport }) => sport === 'mma', spans: whole, everyMs: () => 30 * minute, edgeMs: 0 },
  // Megabytes. A month of college basketball exceeds the limit.
  month: {
    suits: ({ key }) => key !== 'ncaab',
    spans: (days) =>
      [...new Set(days.map((day) => day.slice(0, 7)))].map((month) => {
        const last = addDays(etDay(etMonthStart(month, 1)), -1);
        return [compact(month), `${month}-01`, last];
      }),
    everyMs: (daysAhead) => (daysAhead > 0 ? 12 : 6) * hour,
    edgeMs: 6 * hour,
  },
  day: {
    suits: () => true,
    spans: (days) => days.map((day) => [compact(day), day, day]),
    everyMs: (daysAhead) => (daysAhead <= 0 ? 30 * minute : daysAhead === 1 ? 3 * hour : 12 * hour),
    edgeMs: 0,
  },
  week: {
    suits: ({ path }) => path.startsWith('football/'),
    spans: (days, league) => [
      ...new Map(days.map((day) => weekOf(day, league)).map((w) => [w[0], w])).values(),
    ],
    everyMs: () => 30 * minute,
    edgeMs: 6 * hour,
  },
  // Only ids: each event needs another request. Its cards of bouts have other ids than the scoreboard.
  core: {
    suits: ({ sport }) => sport !== 'mma',
    spans: whole,
    path: ({ path }, [dates]) => {
      const [sport, league] = path.split('/');
      return `/v2/sports/${sport}/leagues/${league}/events?limit=${maxListed}&dates=${dates}`;
    },
    everyMs: () => 10 * minute,
    edgeMs: 0,
  },
} as const satisfies Record<string, Form>;

export type FormName = keyof typeof forms;

/** Forms for what lies ahead, best first: few requests. And for single days, whose scores are due: few bytes. */
const ahead = ['range', 'month', 'day', 'week', 'core'] as const;
const due = ['day', 'range', 'month', 'week', 'core'] as const;

/** Returns the forms of a league, best first. */
export function formsOf(league: League, purpose: 'schedule' | 'scores'): FormName[] {
  return (purpose === 'schedule' ? ahead : due).filter((name) => forms[name].suits(league));
}

/** Returns the requests in a form that cover some ET days. */
export function asksFor(name: FormName, league: League, days: readonly string[], now: number): Ask[] {
  const form: Form = forms[name];
  const today = etDay(now);
  // ESPN lists no soccer on single days beyond about tomorrow.
  const isListed = (day: string) => name !== 'day' || league.sport !== 'soccer' || day <= addDays(today, 1);
  const wanted = days.filter(isListed);
  if (wanted.length === 0) return [];
  return form.spans(wanted, league).map((span) => {
    const [value, first, last] = span;
    const daysAhead = Math.round((etDayStart(first) - etDayStart(today)) / (24 * hour));
    return {
      form: name,
      name: `${name} ${value.replaceAll('&', ' ')}`,
      path: form.path?.(league, span) ?? scoreboard(league, value),
      first,
      last,
      from: etDayStart(first) + form.edgeMs,
      to: etDayStart(addDays(last, 1)) - form.edgeMs,
      appliedFrom: 0,
      everyMs: form.everyMs(daysAhead),
    };
  });
}

function scoreboard({ path, query = {} }: League, dates: string): string {
  const fixed = new URLSearchParams({ ...query, limit: String(maxListed) });
  return `/apis/site/v2/sports/${path}/scoreboard?${fixed}&dates=${dates}`;
}

/**
 * Returns the week of a football season that a day belongs to. Weeks end before the Wednesday (NFL) or Tuesday (college) after each weekend; week
 * 1 of the regular season is that of Labor Day.
 */
function weekOf(day: string, { key }: League): Span {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < '07-01' ? 1 : 0);
  const first = new Date(Date.UTC(year, 8, 1));
  const laborDay = addDays(`${year}-09-01`, (8 - first.getUTCDay()) % 7);
  const isCollege = key === 'ncaaf';
  const begin = addDays(laborDay, isCollege ? -6 : 2);
  const index = Math.floor((Date.parse(day) - Date.parse(begin)) / (7 * 24 * hour));
  const start = addDays(begin, 7 * index);
  const weeks = isCollege ? 16 : 18;
  // The preseason of the NFL has weeks 1 to 4 and ends a week before the regular season.
  if (index < 0 && !isCollege)
    return [`${year}&seasontype=1&week=${Math.max(1, index + 6)}`, start, addDays(start, 6)];
  // Week 1 of college football includes the games of the week before, and all its bowls are one week.
  if (isCollege && index < 1) return [`${year}&seasontype=2&week=1`, addDays(begin, -7), addDays(begin, 6)];
  if (index < weeks) return [`${year}&seasontype=2&week=${index + 1}`, start, addDays(start, 6)];
  if (isCollege) return [`${year}&seasontype=3&week=1`, addDays(begin, 7 * weeks), `${year + 1}-01-31`];
  return [`${year}&seasontype=3&week=${index - weeks + 1}`, start, addDays(start, 6)];
}
