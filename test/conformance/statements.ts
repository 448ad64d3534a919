// The interface's statements about errors, limits, lifetimes, and headers, as data for `interface.test.ts`. Independent of the declarations
// in `src`, so that an accidental change of a declaration fails.

/** A number in the query. */
export interface Numeric {
  /** The default. */
  usual: number;
  /** The maximum. Null: none, and larger values are kept. */
  most: number | null;
  /** The minimum. Default: 1. */
  least?: number;
}

/** A public endpoint. `{uuid}`, `{handle}`, `{other}`, `{sport}`, and `{game}` are replaced from the ledger. */
export interface Endpoint {
  path: string;
  /** The required query. */
  query?: Readonly<Record<string, string>>;
  /** Seconds for which caches may keep it. Null: not at all. */
  maxAge: number | null;
  /** Default: JSON. */
  type?: string;
  numbers?: Readonly<Record<string, Numeric>>;
  /** Parameters with a list of values. The value here is not on it. */
  choices?: Readonly<Record<string, string>>;
  /** Paths of missing things: 404. */
  unknown?: readonly string[];
  /** Whether it lacks an entity tag. */
  untagged?: true;
  /** Whether it is a page, whose refusals are pages. */
  page?: true;
}

const rss = 'application/rss+xml';
const noPick = '00000000-0000-4000-8000-000000000000';
const ofPick = (rest: string): Endpoint => ({
  path: `/api/picks/{uuid}${rest}`,
  maxAge: 300,
  unknown: [`/api/picks/${noPick}${rest}`, `/api/picks/none${rest}`],
});
const ofCapper = (rest: string, more: Partial<Endpoint> = {}): Endpoint => ({
  path: `/api/cappers/{handle}/${rest}`,
  maxAge: 300,
  unknown: [`/api/cappers/nobody-here/${rest}`, `/api/cappers/%21/${rest}`],
  ...more,
});
const sport = { sport: 'curling' };
const standings = { ...sport, tier: 'gold', window: '1d' };
const days: Numeric = { usual: 30, most: 90 };

export const endpoints: readonly Endpoint[] = [
  { path: '/picks.rss', maxAge: 600, type: rss, choices: sport },
  { path: '/api/pod', maxAge: 600 },
  ofPick(''),
  {
    path: '/api/picks/by-game',
    query: { sport: '{sport}', game: '{game}' },
    maxAge: 300,
    numbers: { limit: { usual: 100, most: 500 } },
    choices: sport,
  },
  ofPick('/timeline'),
  ofPick('/confidence'),
  ofPick('/receipt'),
  ofPick('/closing'),
  { ...ofPick('/related'), numbers: { hours: { usual: 6, most: 72 } } },
  { path: '/api/record/windows', maxAge: 300 },
  { path: '/p/{uuid}', maxAge: 300, type: 'text/html', page: true, unknown: [`/p/${noPick}`] },

  { path: '/api/sharp/consensus', maxAge: 300 },
  { path: '/api/sharp/today', maxAge: 300, choices: sport },
  { path: '/sharp/today.rss', maxAge: 600, type: rss, choices: sport },
  { path: '/sharp/consensus.rss', maxAge: 600, type: rss },
  {
    path: '/api/cappers/streaks',
    maxAge: 300,
    numbers: { min: { usual: 3, most: null }, limit: { usual: 25, most: 100 } },
  },
  { path: '/api/cappers', maxAge: 300, choices: { tier: 'gold', ...sport } },
  {
    path: '/api/cappers/by-tier/elite',
    maxAge: 300,
    numbers: { limit: { usual: 100, most: 500 } },
    choices: sport,
    unknown: ['/api/cappers/by-tier/gold'],
  },
  {
    path: '/api/leaderboard',
    maxAge: 300,
    numbers: { limit: { usual: 50, most: 200 } },
    choices: standings,
  },
  { path: '/sharp/hot-streaks.rss', maxAge: 600, type: rss },
  { path: '/api/sharp/sports', maxAge: 300 },
  { path: '/api/sharp/hot', maxAge: 300 },
  { path: '/api/sharp/markets', maxAge: 300 },
  {
    path: '/api/leaderboard/clv',
    maxAge: 300,
    numbers: { min_n: { usual: 25, most: null, least: 0 } },
    choices: standings,
  },
  { path: '/api/sharp/today/cappers', maxAge: 300, choices: sport },
  {
    path: '/api/sharp/recent',
    maxAge: 300,
    numbers: { hours: { usual: 24, most: 168 } },
    choices: { ...sport, cursor: 'next' },
  },
  {
    path: '/api/leaderboard/units',
    maxAge: 300,
    numbers: { min_n: { usual: 10, most: null, least: 0 } },
    choices: standings,
  },

  ofCapper('stats'),
  ofCapper('streak'),
  ofCapper('sports'),
  ofCapper('clv', { numbers: { last_n: { usual: 50, most: 200 } } }),
  ofCapper('markets'),
  ofCapper('clv-by-sport'),
  ofCapper('timeline', { numbers: { days } }),
  ofCapper('units-curve', { numbers: { days } }),
  ofCapper('extremes', { numbers: { n: { usual: 5, most: 25 } } }),
  ofCapper('vs/{other}', {
    unknown: ['/api/cappers/nobody-here/vs/{other}', '/api/cappers/{handle}/vs/nobody-here'],
  }),
  { path: '/c/{handle}/rss.xml', maxAge: 600, type: rss, unknown: ['/c/nobody-here/rss.xml'] },

  { path: '/api/feed/today.ics', maxAge: 600, type: 'text/calendar', choices: sport },
  { path: '/api/feed/today', maxAge: 300, choices: sport },
  {
    path: '/api/feed/upcoming',
    maxAge: 300,
    numbers: { hours: { usual: 4, most: 24 } },
    choices: sport,
  },
  { path: '/api/games/today', maxAge: 300, choices: sport },
  {
    path: '/api/feed/settled',
    maxAge: 120,
    numbers: { limit: { usual: 100, most: 200 } },
    choices: sport,
  },
  {
    path: '/api/feed/by-tier',
    query: { tier: 'elite' },
    maxAge: 120,
    numbers: { limit: { usual: 50, most: 200 } },
    choices: { tier: 'gold', ...sport },
  },
  { path: '/api/sports', maxAge: 300 },
  { path: '/api/markets', maxAge: 300, numbers: { days } },

  { path: '/api/status', maxAge: 60 },
  { path: '/api/version', maxAge: null, untagged: true },
  { path: '/api/snapshot', maxAge: 60 },
  { path: '/api/snapshot/sport/{sport}', maxAge: 60, unknown: ['/api/snapshot/sport/curling'] },
  { path: '/ops', maxAge: 60, type: 'text/html', page: true },
];

/** A single request and its answer. Headers are compared as text; null means absent. */
export interface Statement {
  says: string;
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  status: number;
  answer?: Readonly<Record<string, string | RegExp | null>>;
  /** Fields of a JSON answer, by dotted path. */
  fields?: Readonly<Record<string, unknown>>;
}

const exportHeaders = {
  'cache-control': 'public, s-maxage=900, stale-while-revalidate=3600',
  'access-control-allow-origin': '*',
  'x-robots-tag': 'noindex',
};
const exported = (path: string, type: string): Statement[] =>
  [
    ['', null],
    ['?since=2024-10-01&sport=nfl&limit=2', null],
    ['?limit=5000', null],
    ['?limit=5001', null],
    ['?limit=0', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=many', 'limit'],
    ['?since=yesterday', 'since'],
    ['?since=2024-13-01', 'since'],
    ['?sport=curling', null],
    ['?sport=%00', null],
    ['?sport=nfl&sport=nba', 'sport'],
    ['?after_id=-1', 'after_id'],
    ['?unknown=1', null],
  ].map(([query, ignored]) => ({
    says: `an export answers 200${ignored === null ? '' : ` and names ${ignored} as ignored`}`,
    path: `${path}${query}`,
    status: 200,
    answer: {
      ...exportHeaders,
      'content-type': new RegExp(`^${type}`),
      'x-ignored-parameters': ignored ?? null,
    },
  }));

const page = 'text/html, */*;q=0.8';

export const reads: readonly Statement[] = [
  ...exported('/record/export.json', 'application/json'),
  ...exported('/record/export.csv', 'text/csv'),
  ...exported('/record/export.parquet', 'application/vnd.apache.parquet'),
  ...exported('/record/rss.xml', 'application/rss\\+xml'),
  {
    says: 'the envelope shows the effective filters, and 5000 rows at most',
    path: '/record/export.json?limit=9000&sport=NFL',
    status: 200,
    fields: {
      row_cap: 5000,
      db_reachable: true,
      'filters.limit': 5000,
      'filters.sport': 'nfl',
      'filters.since': null,
    },
  },
  {
    says: 'an export gives 1000 rows by default',
    path: '/record/export.json',
    status: 200,
    fields: { 'filters.limit': 1000 },
  },
  {
    says: 'the landing page of the export may be indexed',
    path: '/record/export',
    status: 200,
    answer: { 'content-type': /^text\/html/, 'x-robots-tag': null },
  },
  {
    says: 'the tier of a feed by tier is required',
    path: '/api/feed/by-tier',
    status: 400,
    answer: { 'content-type': 'application/problem+json' },
  },
  {
    says: 'a cursor of 0 is the beginning',
    path: '/api/cappers?cursor=0',
    status: 200,
    fields: { 'query.cursor': 0 },
  },
  {
    says: 'the share card of a pick is a picture',
    path: '/p/{uuid}/card.png',
    status: 200,
    answer: { 'content-type': 'image/png' },
  },
  {
    says: 'the widget of a capper is a script',
    path: '/embed/capper/{handle}/widget.js',
    status: 200,
    answer: { 'content-type': /^text\/javascript/, 'access-control-allow-origin': '*' },
  },
  {
    says: 'the receipt of a sealed pick that has not settled lives five minutes',
    path: '/api/picks/{pending}/receipt',
    status: 200,
    answer: { 'cache-control': /^public, max-age=300,/ },
    fields: { hashStatus: 'sealed', settlement: null },
  },
  {
    says: 'an unknown path is a problem in JSON',
    path: '/api/nothing',
    headers: { Accept: page },
    status: 404,
    answer: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    fields: { title: 'Not Found', status: 404, instance: '/api/nothing' },
  },
  {
    says: 'an unknown path outside the API is a page for a browser',
    path: '/nothing',
    headers: { Accept: page },
    status: 404,
    answer: { 'content-type': /^text\/html/, 'cache-control': 'no-store' },
  },
  ...['/c/nobody-here/rss.xml', '/embed/capper/!/widget.js', '/p/none/card.png', '/ledger/proof/x'].map(
    (path) => ({
      says: 'data that does not exist is a problem in JSON for a browser, too',
      path,
      headers: { Accept: page },
      status: 404,
      answer: { 'content-type': 'application/problem+json' },
    }),
  ),
];

const wanted = { owner_email: 'owner@mail.net', target_url: 'https://hooks.receiver.net/a-path?key=a-key' };
const problemJson = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
const refused = (says: string, status: number, more: Partial<Statement>): Statement => ({
  says,
  method: 'POST',
  path: '/api/webhooks',
  status,
  answer: problemJson,
  ...more,
});

/** Statements about webhooks, in this order. `{id}` and `{secret}` belong to a subscription. */
export const webhooks: readonly Statement[] = [
  refused('a body without an e-mail', 400, { body: { ...wanted, owner_email: undefined } }),
  refused('a body without a target', 400, { body: { ...wanted, target_url: undefined } }),
  refused('a body that is no JSON', 400, { body: '{' }),
  refused('a body of another type', 415, { body: 'x', headers: { 'Content-Type': 'text/plain' } }),
  refused('a body that is too large', 413, { body: { ...wanted, sport: 'x'.repeat(20_000) } }),
  refused('an unknown capper', 422, { body: { ...wanted, capper_handle: 'nobody-here' } }),
  refused('an unknown sport', 422, { body: { ...wanted, sport: 'curling' } }),
  ...[
    'http://receiver.net/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://0x7f000001/',
  ].map((target_url) =>
    refused('only https targets on public hosts are accepted', 422, { body: { ...wanted, target_url } }),
  ),
  refused('no secret', 401, { method: 'DELETE', path: '/api/webhooks/{id}' }),
  refused('a wrong secret', 403, {
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    headers: { 'X-Webhook-Secret': 'ab'.repeat(32) },
  }),
  refused('an unknown subscription', 404, {
    method: 'DELETE',
    path: '/api/webhooks/999999',
    headers: { 'X-Webhook-Secret': '{secret}' },
  }),
  refused('a list without an e-mail', 400, { method: 'GET' }),
  {
    says: 'a list shows metadata without the secret, and a masked target',
    path: '/api/webhooks?email=owner@mail.net',
    status: 200,
    answer: { 'cache-control': 'no-store' },
    fields: {
      count: 1,
      'subscriptions.0.secret': undefined,
      'subscriptions.0.status': 'active',
      'subscriptions.0.target_url': 'https://hooks.receiver.net/…',
    },
  },
  {
    says: 'a preflight of a browser may send the secret',
    method: 'OPTIONS',
    path: '/api/webhooks/{id}',
    status: 204,
    answer: { 'access-control-allow-origin': '*', 'access-control-allow-headers': /X-Webhook-Secret/ },
  },
  ...['ping', 'rotate', 'enable'].map((action) =>
    refused(`no secret for ${action}`, 401, { path: `/api/webhooks/{id}/${action}` }),
  ),
  ...[1, 2].map((time) => ({
    says: `the secret revokes (${time})`,
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    headers: { 'X-Webhook-Secret': '{secret}' },
    status: 204,
  })),
];

/** While PostgreSQL is unreachable. */
export const outage: readonly Statement[] = [
  {
    says: 'the JSON export has no rows',
    path: '/record/export.json?sport=nfl&limit=7',
    status: 200,
    answer: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'access-control-allow-origin': '*' },
    fields: {
      db_reachable: false,
      count: 0,
      'picks.length': 0,
      'filters.sport': 'nfl',
      'filters.limit': 7,
      row_cap: 5000,
    },
  },
  {
    says: 'the CSV export has no rows',
    path: '/record/export.csv',
    status: 200,
    answer: { 'content-type': /^text\/csv/ },
  },
  {
    says: 'the feed has no items',
    path: '/record/rss.xml',
    status: 200,
    answer: { 'content-type': /^application\/rss\+xml/ },
  },
  {
    says: 'the version needs no store',
    path: '/api/version',
    status: 200,
    answer: { 'cache-control': 'no-store' },
  },
  { says: 'the status answers', path: '/api/status', status: 200, fields: { status: 'down' } },
  ...[
    '/api/pod',
    '/picks.rss',
    '/api/feed/today.ics',
    '/c/ada/rss.xml',
    '/api/webhooks?email=a@mail.net',
  ].map((path) => ({
    says: 'whatever needs the ledger says when to try again',
    path,
    headers: { Accept: page },
    status: 503,
    answer: { ...problemJson, 'retry-after': /^[1-9]\d*$/ },
  })),
];
