import type { IncomingMessage, ServerResponse } from 'node:http';

/** An event in the format that The Odds API v4 documents. */
export interface FakeEvent {
  id: string;
  sport_key: string;
  sport_title: string;
  commence_time: string;
  home_team: string | null;
  away_team: string | null;
  bookmakers?: unknown[];
  completed?: boolean;
  scores?: { name: string; score: string }[] | null;
  last_update?: string | null;
}

export function fakeEvent(event: Partial<FakeEvent> = {}): FakeEvent {
  return {
    id: 'bda33adca828c09dc3cac3a856aef176',
    sport_key: 'americanfootball_nfl',
    sport_title: 'NFL',
    commence_time: '2026-01-11T18:00:00Z',
    home_team: 'Copper Foxes',
    away_team: 'Harbor Gulls',
    ...event,
  };
}

/** Returns a bookmaker's prices of one event: moneyline, spread, and total. */
export function fakeBook(
  at: string,
  prices: { home?: number; away?: number; key?: string; homeTeam?: string; awayTeam?: string } = {},
): unknown {
  const { home = -150, away = 130, key = 'draftkings' } = prices;
  const { homeTeam = 'Copper Foxes', awayTeam = 'Harbor Gulls' } = prices;
  const market = (name: string, outcomes: unknown[]) => ({ key: name, last_update: at, outcomes });
  return {
    key,
    title: 'A book',
    last_update: at,
    markets: [
      market('h2h', [
        { name: homeTeam, price: home },
        { name: awayTeam, price: away },
      ]),
      market('spreads', [
        { name: homeTeam, price: -110, point: -3.5 },
        { name: awayTeam, price: -110, point: 3.5 },
      ]),
      market('totals', [
        { name: 'Over', price: -105, point: 44.5 },
        { name: 'Under', price: -115, point: 44.5 },
      ]),
    ],
  };
}

/** A custom answer. */
export interface Told {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The provider: its data, its counters, and the answers that replace them on demand. */
export class FakeOddsApi {
  key = 'a1b2c3d4';
  remaining = 480;
  used = 20;
  last = 0;
  sports = [
    {
      key: 'americanfootball_nfl',
      group: 'American Football',
      title: 'NFL',
      active: true,
      has_outrights: false,
    },
    { key: 'basketball_nba', group: 'Basketball', title: 'NBA', active: false, has_outrights: false },
  ];
  events: FakeEvent[] = [];
  scores: FakeEvent[] = [];
  /** Bookmakers of single events, by event id. */
  single: Record<string, unknown[]> = {};
  /** The history's answer. Undefined: the key's plan excludes it. */
  past: { timestamp: string; data: FakeEvent[] } | undefined;
  /** Overrides the answer for a path unless it returns undefined. */
  instead: (path: string) => Told | undefined = () => undefined;

  answer(req: IncomingMessage, res: ServerResponse): void {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://provider');
    this.last = 0;
    const { status, body = '', headers = {} } = this.instead(pathname) ?? this.known(pathname, searchParams);
    res.writeHead(status, {
      'content-type': 'application/json',
      'x-requests-remaining': String(this.remaining),
      'x-requests-used': String(this.used),
      'x-requests-last': String(this.last),
      ...headers,
    });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private known(pathname: string, query: URLSearchParams): Told {
    if (query.get('apiKey') !== this.key)
      return { status: 401, body: { message: 'API key is not valid', error_code: 'INVALID_KEY' } };
    if (pathname === '/v4/sports') return { status: 200, body: this.sports };
    const priced =
      (query.get('markets') ?? '').split(',').length * (query.get('regions') ?? '').split(',').length;
    if (pathname.startsWith('/v4/historical/')) {
      if (this.past === undefined)
        return {
          status: 401,
          body: {
            message: 'Historical odds are only available on paid usage plans.',
            error_code: 'HISTORICAL_UNAVAILABLE_ON_FREE_USAGE_PLAN',
          },
        };
      this.spend(10 * priced);
      return { status: 200, body: this.past };
    }
    const [, id] = /^\/v4\/sports\/[^/]+\/events\/([^/]+)\/odds$/.exec(pathname) ?? [];
    if (id !== undefined) {
      const event = this.events.find((each) => each.id === id);
      if (event === undefined)
        return { status: 404, body: { message: 'Event not found', error_code: 'EVENT_NOT_FOUND' } };
      this.spend(priced);
      return { status: 200, body: { ...event, bookmakers: this.single[id] ?? [] } };
    }
    const [, key, kind] = /^\/v4\/sports\/([^/]+)\/(odds|events|scores)$/.exec(pathname) ?? [];
    if (key === undefined)
      return { status: 404, body: { message: 'Unknown sport', error_code: 'UNKNOWN_SPORT' } };
    if (kind === 'odds') this.spend(priced);
    if (kind === 'scores') this.spend(2);
    const list = (kind === 'scores' ? this.scores : this.events).filter(({ sport_key }) => sport_key === key);
    return {
      status: 200,
      body: kind === 'odds' ? list.map((event) => ({ bookmakers: [], ...event })) : list,
    };
  }

  private spend(credits: number): void {
    this.remaining -= credits;
    this.used += credits;
    this.last = credits;
  }
}
