import { expect } from 'chai';
import { answerSchema } from '../../src/boards/board.ts';
import { boards } from '../../src/boards/index.ts';
import { importNamespace } from '../../src/ledger/import-picks.ts';
import { iso } from '../../src/platform/clock.ts';
import { checker } from '../../src/platform/schema.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { groupId } from '../../src/rules/group-id.ts';
import { BOARD_PATHS, type BoardPath, expectedBody, type Params } from '../naive/boards.ts';
import { pickOfTheDay } from '../naive/confidence.ts';
import { differences } from '../naive/differences.ts';
import { gameKey, importName, uuidV5 } from '../naive/identity.ts';
import { type DayPick, type LedgerState, ledgerAt } from '../naive/ledger.ts';
import { readFolder } from '../naive/read.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { realData } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { goTheWholeWay, ingest } from '../support/whole-way.ts';

const folder = realData();

/** What the OpenAPI document says of each answer. */
const schemas = new Map(boards.map((board) => [board.path, checker(answerSchema(board))]));

/** In order of time: one ledger goes from each instant to the next, as that of a service does. */
const instants: [what: string, at: string][] = [
  ['a quiet day', '2018-07-15T16:00:00Z'],
  ['the day the clocks go back, in the hour that comes twice', '2018-11-04T05:30:00Z'],
  ['a busy NFL Sunday, some games under way', '2018-12-30T19:30:00Z'],
  ['a day of 23 hours', '2020-03-08T15:45:00Z'],
  ['the afternoon of a day of 25 hours', '2021-11-07T20:00:00Z'],
  ['a day with postponed games', '2022-09-10T16:00:00Z'],
  ['when postponed games have become void', '2022-09-12T15:00:00Z'],
  ['an NBA night', '2026-01-17T01:10:00Z'],
];

/** Parameters to ask every board for; `{…}` are filled in from the ledger at the instant. */
const questions: Record<BoardPath, Params[]> = {
  '/api/pod': [{}],
  '/api/pod/archive': [{}, { before: '2000-01-01' }],
  '/api/picks/by-game': [
    { sport: '{sport}', game: '{game}' },
    { sport: '{sport}', game: '{game}', limit: 2 },
  ],
  '/api/picks/:uuid': [{ uuid: '{uuid}' }],
  '/api/picks/:uuid/timeline': [{ uuid: '{uuid}' }],
  '/api/picks/:uuid/confidence': [{ uuid: '{uuid}' }],
  '/api/picks/:uuid/closing': [{ uuid: '{uuid}' }],
  '/api/picks/:uuid/related': [{ uuid: '{uuid}' }, { uuid: '{uuid}', hours: 72 }],
  '/api/record/windows': [{}],
  '/api/sharp/consensus': [{}],
  '/api/sharp/today': [{}, { sport: '{sport}' }],
  '/api/sharp/sports': [{}],
  '/api/sharp/hot': [{}],
  '/api/sharp/markets': [{}],
  '/api/sharp/today/cappers': [{}, { sport: '{sport}' }],
  '/api/sharp/recent': [
    {},
    { hours: 168 },
    { hours: 168, sport: '{sport}' },
    { hours: 168, limit: 1 },
    { hours: 168, limit: 3, cursor: '1644188400000-1' },
  ],
  '/api/cappers': [{}, { tier: 'elite' }, { sport: '{sport}' }, { cursor: 5 }],
  '/api/cappers/by-tier/:tier': [{ tier: 'listed' }, { tier: 'verified_sharp', sport: '{sport}', limit: 2 }],
  '/api/cappers/streaks': [{}, { min: 1, limit: 5 }],
  '/api/leaderboard': [
    {},
    { provenance: 'imported' },
    { window: '7d' },
    { window: '30d', sport: '{sport}' },
    { window: '90d', tier: 'elite', limit: 3 },
    { market: 'total' },
    { window: '30d', sport: '{sport}', market: 'spread' },
  ],
  '/api/leaderboard/clv': [
    {},
    { min_n: 1, window: '30d' },
    { min_n: 2, sport: '{sport}', market: 'total', tier: 'listed' },
  ],
  '/api/leaderboard/units': [
    {},
    { min_n: 1, window: '7d' },
    { min_n: 3, sport: '{sport}', market: 'spread' },
  ],
  '/api/cappers/:handle/stats': [
    { handle: '{handle}' },
    { handle: '{handle}', provenance: 'live' },
    { handle: '{handle}', sport: 'nba', market: 'total' },
    { handle: '{handle}', market: 'spread' },
  ],
  '/api/cappers/:handle/picks': [
    { handle: '{handle}' },
    { handle: '{handle}', sport: 'nfl', result: 'win', limit: 3 },
    { handle: '{handle}', market: 'spread', result: 'pending' },
    { handle: '{handle}', month: '2022-01', limit: 200 },
    { handle: '{handle}', limit: 5, cursor: '1642000000000-80000000-0000-4000-8000-000000000000' },
  ],
  '/api/cappers/:handle/streak': [{ handle: '{handle}' }],
  '/api/cappers/:handle/sports': [{ handle: '{handle}' }],
  '/api/cappers/:handle/clv': [{ handle: '{handle}' }, { handle: '{handle}', last_n: 3 }],
  '/api/cappers/:handle/markets': [{ handle: '{handle}' }, { handle: '{handle}', sport: 'nfl' }],
  '/api/cappers/:handle/clv-by-sport': [{ handle: '{handle}' }],
  '/api/cappers/:handle/clv-trend': [{ handle: '{handle}' }, { handle: '{handle}', days: 90 }],
  '/api/cappers/:handle/timeline': [
    { handle: '{handle}' },
    { handle: '{handle}', days: 7, sport: 'nba', market: 'total' },
  ],
  '/api/cappers/:handle/units-curve': [
    { handle: '{handle}' },
    { handle: '{handle}', days: 90, market: 'spread' },
  ],
  '/api/cappers/:handle/breakdown': [
    { handle: '{handle}' },
    { handle: '{handle}', window: '30d', market: 'spread' },
    { handle: '{handle}', window: '90d', sport: 'nfl' },
  ],
  '/api/cappers/:handle/luck': [
    { handle: '{handle}' },
    { handle: '{handle}', window: '90d', market: 'spread', days: 90 },
    { handle: '{handle}', sport: 'nfl', market: 'total', provenance: 'imported' },
  ],
  '/api/cappers/:handle/extremes': [{ handle: '{handle}' }, { handle: '{handle}', n: 25 }],
  '/api/cappers/:handle/vs/:other': [{ handle: '{handle}', other: '{other}' }],
  '/api/feed/picks': [{}, { sport: '{sport}' }],
  '/api/feed/today': [{}, { sport: '{sport}' }],
  '/api/feed/upcoming': [{}, { hours: 24 }, { hours: 24, sport: '{sport}' }],
  '/api/games/today': [{}, { sport: '{sport}' }],
  '/api/feed/settled': [{}, { provenance: 'live' }, { sport: '{sport}', limit: 7 }],
  '/api/feed/by-tier': [{ tier: 'elite' }, { tier: 'listed', sport: '{sport}', limit: 9 }],
  '/api/sports': [{}],
  '/api/markets': [{}, { days: 90 }],
  '/api/search': [{ q: 'lakers' }, { q: 'New York' }, { q: '{handle}' }, { q: '{uuid}' }],
  '/api/snapshot': [{}],
  '/api/snapshot/sport/:sport': [{ sport: '{sport}' }, { sport: 'wnba' }],
  '/record/export.json': [{}, { sport: '{sport}', limit: 11 }],
};

if (folder !== undefined)
  describe('boards over the real ledger agree with a naive recomputation', function () {
    this.timeout(120_000);
    const rows = readFolder(folder);
    const stores = withDatabase();
    /** What the oracle has chosen at the instants before, the latest first. */
    const chosenBefore: DayPick[] = [];

    for (const [what, at] of instants)
      describe(`on ${what}`, () => {
        const redis = withRedis();
        const now = Date.parse(at);
        let state: LedgerState;
        let site: RunningApi;
        let picksAsked: { uuid: string; sport: string; game: string; handle: string }[];
        let handles: string[];

        before(async () => {
          await ingest(stores.database, folder, now);
          await goTheWholeWay(stores.database, now);
          await choosePickOfTheDay(stores.database, now);
          const ids = new Map<string, number>(
            (await stores.database('picks').select('uuid', 'id')).map(({ uuid, id }) => [uuid, id]),
          );
          const capperIds = new Map<string, number>(
            (await stores.database('cappers').select('handle', 'id')).map(({ handle, id }) => [handle, id]),
          );
          const gameIds = new Map<string, number>(
            (await stores.database('games').select('id', 'sport', 'name', 'announced_start')).map((game) => [
              gameKey({ sport: game.sport, game: game.name, startsAt: iso(game.announced_start) }),
              game.id,
            ]),
          );
          state = ledgerAt(rows, {
            now,
            baseUrl: 'https://picks.example',
            runningSince: now,
            chosenBefore: [...chosenBefore],
            ids: {
              idOf(_, row) {
                const uuid = uuidV5(importNamespace, importName(row));
                return { uuid, id: ids.get(uuid) ?? -1 };
              },
              capperIdOf: (handle) => capperIds.get(handle) ?? -1,
              gameIdOf: (key) => gameIds.get(key) ?? -1,
              groupIdOf: ({ announced, ...group }) =>
                groupId({ ...group, announcedStart: announced } as Parameters<typeof groupId>[0]),
            },
          });
          const chosen = pickOfTheDay(state);
          if (chosen !== null) chosenBefore.unshift({ day: state.today, uuid: chosen.pick.uuid });
          site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
          picksAsked = sampleOf(state);
          handles = [
            ...new Set([...picksAsked.map(({ handle }) => handle), 'rule-chalk', '538-nfl-elo-ats']),
          ].slice(0, 8);
        });
        after(() => site?.close());

        for (const path of BOARD_PATHS)
          it(path, async () => {
            for (const params of questions[path].flatMap((question) =>
              filledIn(question, picksAsked, handles),
            )) {
              const url = urlOf(path, params);
              // The body is what counts here, not its coding.
              const response = await fetch(site.address + url, {
                headers: { 'Accept-Encoding': 'identity' },
              });
              const body = await response.json();
              expect(response.status, `${url} ${JSON.stringify(body)}`).to.equal(200);
              const different = differences(expectedBody(path, state, params), body);
              expect(different, `${url} at ${iso(now)}`).to.deep.equal([]);
              const checked = schemas.get(path)?.(body) ?? { ok: true };
              expect(checked, `${url} against its schema`).to.include({ ok: true });
            }
          });
      });
  });

/** Some picks of every kind: pending, settled, closed or not, of every sport there is by then. */
function sampleOf({ picks }: LedgerState) {
  const kinds = new Map<string, (typeof picks)[0]>();
  for (const pick of picks)
    kinds.set([pick.sport, pick.market, pick.status, pick.closing === null, pick.result].join(), pick);
  return [...kinds.values()]
    .slice(-24)
    .map(({ uuid, sport, game, capperHandle }) => ({ uuid, sport, game, handle: capperHandle }));
}

/** One question for each thing that it can be asked about. */
function filledIn(
  question: Params,
  picks: ReturnType<typeof sampleOf>,
  handles: readonly string[],
): Params[] {
  const text = JSON.stringify(question);
  const subjects: Record<string, string>[] = /\{(uuid|game)\}/.test(text)
    ? picks
    : /\{handle\}/.test(text)
      ? handles.map((handle, index) => ({ handle, other: handles[(index + 1) % handles.length]! }))
      : /\{sport\}/.test(text)
        ? [...new Set(picks.map(({ sport }) => sport))].map((sport) => ({ sport }))
        : [{}];
  return subjects.map((subject) =>
    Object.fromEntries(
      Object.entries(question).map(([name, value]) => [
        name,
        typeof value === 'string'
          ? value.replace(/\{(\w+)\}/, (_, fact: string) => subject[fact] ?? '')
          : value,
      ]),
    ),
  );
}

function urlOf(path: string, params: Params): string {
  const query = new URLSearchParams();
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  for (const [name, value] of Object.entries(params)) if (!names.has(name)) query.set(name, String(value));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return query.size === 0 ? filled : `${filled}?${query}`;
}
