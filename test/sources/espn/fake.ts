import type { IncomingMessage, ServerResponse } from 'node:http';
import { etDay } from '../../../src/rules/et-day.ts';
import type { Told } from '../odds-api/fake.ts';

/** A game in the format of ESPN's scoreboard. */
export interface FakeGame {
  id?: string;
  date?: string;
  away?: string;
  home?: string;
  status?: string;
  state?: string;
  completed?: boolean;
  detail?: string;
  period?: number;
  /** Seconds. */
  clock?: number;
  /** The scheduled number of periods. */
  scheduled?: number;
  details?: readonly unknown[];
  score?: readonly [away: string, home: string];
  linescores?: readonly [away: readonly number[], home: readonly number[]];
  winner?: 'away' | 'home';
  timeValid?: boolean;
}

/** ESPN's state and completion for a status. The others are `post` and completed. */
const usual: Record<string, readonly [state: string, completed: boolean]> = {
  STATUS_SCHEDULED: ['pre', false],
  STATUS_DELAYED: ['pre', false],
  STATUS_RAIN_DELAY: ['in', false],
  STATUS_IN_PROGRESS: ['in', false],
  STATUS_SUSPENDED: ['post', false],
  STATUS_ABANDONED: ['post', false],
  STATUS_POSTPONED: ['post', false],
  STATUS_CANCELED: ['post', false],
};

export function fakeGame(game: FakeGame = {}): unknown {
  const { id = '401700001', date = '2026-01-11T18:00Z', status = 'STATUS_SCHEDULED', period = 0 } = game;
  const [state, completed] = usual[status] ?? ['post', true];
  const { detail = 'x', timeValid = true, clock = 0, scheduled, details } = game;
  const competitor = (side: 'away' | 'home', index: 0 | 1, displayName: string) => ({
    id: String(index + 1),
    homeAway: side,
    ...(game.winner === undefined ? {} : { winner: game.winner === side }),
    score: game.score?.[index] ?? '0',
    ...(game.linescores === undefined
      ? {}
      : { linescores: game.linescores[index].map((value, at) => ({ value, period: at + 1 })) }),
    team: { id: String(index + 1), displayName, abbreviation: displayName.slice(0, 3).toUpperCase() },
  });
  const type = {
    id: '1',
    name: status,
    state: game.state ?? state,
    completed: game.completed ?? completed,
    detail,
  };
  const competitors = [
    competitor('home', 1, game.home ?? 'Copper Foxes'),
    competitor('away', 0, game.away ?? 'Harbor Gulls'),
  ];
  const format = scheduled === undefined ? {} : { format: { regulation: { periods: scheduled } } };
  const more = { ...format, ...(details === undefined ? {} : { details }) };
  const competition = { id, date, timeValid, status: { period, clock, type }, competitors, ...more };
  return { id, date, name: 'a game', competitions: [competition] };
}

interface FakeBout {
  id: string;
  fighters: readonly [string, string];
  status?: string;
  winner?: 0 | 1;
  detail?: string;
  method?: string;
}

/** Returns a goal as ESPN lists it, such as at `90'+2'`. */
export function fakeGoal(side: 'away' | 'home', at: string, more: object = {}): unknown {
  const team = { id: side === 'home' ? '2' : '1' };
  const kind = { ownGoal: false, shootout: false, redCard: false };
  return {
    type: { id: '70', text: 'Goal' },
    clock: { displayValue: at },
    team,
    scoreValue: 1,
    scoringPlay: true,
    ...kind,
    ...more,
  };
}

/** Returns a card: one event with many competitions, whose fighters are neither home nor away. */
export function fakeCard(bouts: readonly FakeBout[], date = '2026-01-11T23:00Z'): unknown {
  const competitions = bouts.map(({ id, fighters, status = 'STATUS_SCHEDULED', winner, ...bout }) => {
    const [state, completed] = usual[status] ?? ['post', true];
    const competitors = fighters.map((displayName, index) => ({
      id: String(index),
      order: index + 1,
      winner: winner === index,
      athlete: { displayName },
    }));
    return {
      id,
      date,
      status: { period: 3, type: { id: '3', name: status, state, completed, detail: bout.detail ?? 'x' } },
      competitors,
      ...(bout.method === undefined ? {} : { details: [{ type: { id: '22', text: bout.method } }] }),
    };
  });
  return { id: '600001', date, name: 'Card 1', competitions };
}

/** A player of a group: values in the order of its keys, and additional fields. */
interface FakePlayer {
  name: string;
  values: readonly (string | number)[];
  more?: object;
}

/** A group of a team in a box score. */
export interface FakeGroup {
  /** `name` in football and hockey, `type` in baseball, neither in basketball. */
  name?: string;
  type?: string;
  keys: readonly string[];
  players: readonly FakePlayer[];
}

export interface FakeSummary {
  id?: string;
  away?: string;
  home?: string;
  completed?: boolean;
  teams?: readonly [away: readonly FakeGroup[], home: readonly FakeGroup[]];
  plays?: readonly unknown[];
  scoringPlays?: readonly unknown[];
}

export function fakeId(name: string): string {
  return String([...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9_999_991, 7));
}

/** Returns a summary with a box score. The away team has the id 1, the home team 2. */
export function fakeSummary({
  id = '401700001',
  completed = true,
  teams,
  ...more
}: FakeSummary = {}): unknown {
  const { away = 'Harbor Gulls', home = 'Copper Foxes', plays, scoringPlays } = more;
  const type = {
    id: '3',
    name: 'STATUS_FINAL',
    state: completed ? 'post' : 'in',
    completed,
    detail: 'Final',
  };
  const competitors = [
    { homeAway: 'home', team: { id: '2', displayName: home } },
    { homeAway: 'away', team: { id: '1', displayName: away } },
  ];
  const players = teams?.map((groups, index) => ({
    team: { id: String(index + 1) },
    statistics: groups.map(({ keys, players: own, ...named }) => ({
      ...named,
      keys,
      labels: keys.map((key) => key.slice(0, 3).toUpperCase()),
      athletes: own.map(({ name, values, more: fields = {} }) => ({
        athlete: { id: fakeId(name), displayName: name, shortName: name.slice(0, 3) },
        stats: values.map(String),
        ...fields,
      })),
    })),
  }));
  return {
    header: { id, competitions: [{ id, status: { type }, competitors }] },
    boxscore: { teams: [], ...(players === undefined ? {} : { players }) },
    ...(plays === undefined ? {} : { plays }),
    ...(scoringPlays === undefined ? {} : { scoringPlays }),
  };
}

/** Forms of `dates` that ESPN understands, or did until September 2026. */
const datesForms = {
  range: /^(\d{8})-(\d{8})$/,
  month: /^\d{6}$/,
  day: /^\d{8}$/,
  week: /^\d{4}$/,
} as const;

type AskForm = keyof typeof datesForms | 'core';

/**
 * ESPN with its rules of November 2026:
 * - ranges of days are refused with 400 for team sports, past days included; MMA and the core API take them;
 * - a month has all its games, past and coming;
 * - at most 100 events without `limit`, and silently 25 with one above 500;
 * - single days of soccer after tomorrow are empty;
 * - days are in Eastern Time, and each answer has an entity tag of its own.
 *
 * Answers say the day that they are of, and when they were made.
 */
export class FakeEspn {
  /** Events of all leagues without events of their own. */
  events: unknown[] = [];
  /** Events by league, as in its path: `basketball/nba`. */
  leagues = new Map<string, unknown[]>();
  /** By event id. */
  summaries = new Map<string, unknown>();
  /** Forms that are refused for team sports, and for MMA. */
  refused = new Set<AskForm>(['range']);
  refusedForMma = new Set<AskForm>();
  /** Cuts off each answer after this many events. */
  cut = Number.POSITIVE_INFINITY;
  /** The time of the answers, in epoch milliseconds. */
  now: () => number = Date.now;
  instead: (path: string, dates: string) => Told | undefined = () => undefined;
  #answers = 0;

  answer(req: IncomingMessage, res: ServerResponse): void {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://provider');
    const {
      status,
      body = '',
      headers = {},
    } = this.instead(pathname, searchParams.get('dates') ?? '') ?? this.#usual(pathname, searchParams);
    const tags = { etag: `W/"${++this.#answers}"`, date: new Date(this.now()).toUTCString() };
    res.writeHead(status, { 'content-type': 'application/json', ...tags, ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  #usual(path: string, query: URLSearchParams): Told {
    if (path.endsWith('/summary'))
      return { status: 200, body: this.summaries.get(query.get('event') ?? '') ?? {} };
    const core = /^\/v2\/sports\/([^/]+)\/leagues\/([^/]+)\/events$/.exec(path);
    const league = core === null ? path.split('/').slice(5, 7).join('/') : `${core[1]}/${core[2]}`;
    const dates = query.get('dates') ?? '';
    const names = Object.keys(datesForms) as (keyof typeof datesForms)[];
    const form = core === null ? names.find((name) => datesForms[name].test(dates)) : 'core';
    const refused = league.startsWith('mma/') ? this.refusedForMma : this.refused;
    if (form === undefined || refused.has(form))
      return { status: 400, body: { code: 400, message: 'Failed to get events endpoint.' } };
    const limit = Number(query.get('limit') ?? (form === 'core' ? 25 : 100));
    const most = Math.min(limit > 500 ? 25 : limit, this.cut);
    const all = (this.leagues.get(league) ?? this.events) as { id: string; date: string }[];
    // Events without a date are broken on purpose.
    const listed = all.filter(
      ({ date }) => date === undefined || this.#isListed(etDay(Date.parse(date)), league, form, dates, query),
    );
    const events = listed.slice(0, most);
    if (core !== null) {
      const items = events.map(({ id }) => ({ $ref: `http://core.example${path}/${id}?lang=en&region=us` }));
      return {
        status: 200,
        body: { count: listed.length, pageIndex: 1, pageSize: most, pageCount: 1, items },
      };
    }
    return { status: 200, body: { leagues: [], day: { date: etDay(this.now()) }, events } };
  }

  #isListed(day: string, league: string, form: AskForm, dates: string, query: URLSearchParams): boolean {
    const compact = day.replaceAll('-', '');
    const daysAhead = (Date.parse(day) - Date.parse(etDay(this.now()))) / 86_400_000;
    if (form === 'day') return compact === dates && !(league.startsWith('soccer/') && daysAhead > 1);
    if (form === 'month') return compact.startsWith(dates);
    if (form === 'week')
      return this.weeks[`${dates}/${query.get('seasontype')}/${query.get('week')}`]?.includes(day) === true;
    const [, from = '', to = ''] = datesForms.range.exec(dates) ?? [];
    return compact >= from && compact <= to;
  }

  /** Days of the weeks of football, by `year/seasontype/week`. */
  weeks: Record<string, readonly string[]> = {};
}
