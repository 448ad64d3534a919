import { expect } from 'chai';
import { subjectForm } from '../../src/games/names/players.ts';
import { teamsOf } from '../../src/games/names/teams.ts';
import { readFixture } from '../../src/games/names/title.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { iso } from '../../src/platform/clock.ts';
import { calendars } from '../../src/platform/config/kinds.ts';
import { pollEspn } from '../../src/sources/espn/poll.ts';
import { pollOddsApi } from '../../src/sources/odds-api/poll.ts';
import { pollSchedules } from '../../src/sources/schedules/poll.ts';
import { settleStatements } from '../../src/sources/source-scores.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { atLength } from '../support/long.ts';
import { postPick } from '../support/post-pick.ts';
import { quiet } from '../support/quiet.ts';
import { FakeEspn, fakeGame, fakeSummary } from './espn/fake.ts';
import { withServer } from './http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from './odds-api/fake.ts';
import { ics } from './schedules/ics.ts';

const minute = 60_000;
const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

/** A fixture with its opponents, away before home, as each provider names them. Starts in epoch milliseconds. */
interface Fixture {
  sport: 'ncaab' | 'mlb' | 'soccer';
  odds: readonly [string, string];
  espn: readonly [string, string];
  /** In a calendar that knows only the day. */
  calendar?: string;
  start: number;
  movedTo?: number;
  postponed?: true;
  /** ESPN lists the other team as home. */
  swapped?: true;
  /** Has prices and a box score of the player. */
  box?: true;
}

const evening = at('27T23:00');
const fixtures: readonly Fixture[] = [
  {
    sport: 'ncaab',
    odds: ['Michigan St Spartans', 'GW Revolutionaries'],
    espn: ['Michigan State Spartans', 'George Washington Revolutionaries'],
    start: evening,
    box: true,
  },
  {
    sport: 'ncaab',
    odds: ['Loyola (Chi) Ramblers', 'Loyola (MD) Greyhounds'],
    espn: ['Loyola Chicago Ramblers', 'Loyola Maryland Greyhounds'],
    calendar: 'Loyola Chicago at Loyola Maryland',
    start: evening,
  },
  {
    sport: 'ncaab',
    odds: ['Washington St Cougars', 'SIU-Edwardsville Cougars'],
    espn: ['Washington State Cougars', 'SIU Edwardsville Cougars'],
    start: evening,
    swapped: true,
  },
  {
    sport: 'ncaab',
    odds: ['Miami (OH) RedHawks', 'Tenn-Martin Skyhawks'],
    espn: ['Miami (OH) RedHawks', 'UT Martin Skyhawks'],
    start: evening,
    movedTo: evening + 90 * minute,
  },
  {
    sport: 'ncaab',
    odds: ['Washington Huskies', 'Albany Great Danes'],
    espn: ['Washington Huskies', 'UAlbany Great Danes'],
    start: evening,
    postponed: true,
  },
  ...[at('27T20:30'), at('28T00:30')].map(
    (start): Fixture => ({
      sport: 'mlb',
      odds: ['New York Yankees', 'Boston Red Sox'],
      espn: ['New York Yankees', 'Boston Red Sox'],
      start,
    }),
  ),
  {
    sport: 'soccer',
    odds: ['Wolverhampton Wanderers', 'Brighton and Hove Albion'],
    espn: ['Wolves', 'Brighton & Hove Albion'],
    start: evening,
  },
];
const all = fixtures.map((_, index) => index);
const player = { odds: 'Dario Foxic', espn: 'Dario Foxić', line: 22.5 };

const paths = {
  ncaab: ['basketball/mens-college-basketball', 'basketball_ncaab'],
  mlb: ['baseball/mlb', 'baseball_mlb'],
  soccer: ['soccer/eng.1', 'soccer_epl'],
} as const;

/** Returns the k-th of many orders, the same in every run. */
function ordered<T>(items: readonly T[], k: number): T[] {
  let seed = k + 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Fixtures by the state in which each provider lists them. */
const nothingSaid = () => ({
  odds: {
    listed: new Set<number>(),
    moved: new Set<number>(),
    gone: new Set<number>(),
    over: new Set<number>(),
  },
  espn: {
    listed: new Set<number>(),
    moved: new Set<number>(),
    gone: new Set<number>(),
    over: new Set<number>(),
  },
  calendar: new Set<number>(),
});

describe('recorded answers of two providers and a calendar', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(0);
  const espn = new FakeEspn();
  const odds = new FakeOddsApi();
  odds.sports = Object.values(paths).map(([, key]) => ({ ...odds.sports[0]!, key, title: key }));
  espn.now = () => clock.now();
  let said = nothingSaid();
  let isEspnDown = false;

  const startOf = (index: number, by: 'odds' | 'espn') => {
    const { start, movedTo = start } = fixtures[index]!;
    return said[by].moved.has(index) ? movedTo : start;
  };
  const points = (index: number) => ({ away: 60 + index, home: 70 });

  /** The answers that follow from what was said. Prices change twice: in the afternoon, and six minutes before the start. */
  function renew(): void {
    const now = clock.now();
    odds.remaining = 90_000;
    const books = (index: number) => {
      const { sport, odds: names } = fixtures[index]!;
      const [awayTeam, homeTeam] = names;
      const last = startOf(index, 'odds') - 6 * minute;
      const opening = at('27T17:20');
      if (now < opening) return [];
      const when = now >= last ? last : opening;
      const home = (now >= last ? -130 : -120) - 10 * index;
      return ['north', 'south'].map((key) => {
        const book = fakeBook(iso(when), { key, home, away: 100 + 10 * index, homeTeam, awayTeam }) as {
          markets: { key: string; outcomes: unknown[] }[];
        };
        if (sport === 'soccer')
          book.markets.find((market) => market.key === 'h2h')!.outcomes.push({ name: 'Draw', price: 240 });
        return book;
      });
    };
    const prop = (index: number) =>
      books(index).map((book) => ({
        ...book,
        markets: [
          {
            ...book.markets[0]!,
            key: 'player_points',
            outcomes: [
              { name: 'Over', description: player.odds, price: -115, point: player.line },
              { name: 'Under', description: player.odds, price: -105, point: player.line },
            ],
          },
        ],
      }));
    const eventOf = (index: number) => {
      const { sport, odds: names } = fixtures[index]!;
      return fakeEvent({
        id: `event-${index}`,
        sport_key: paths[sport][1],
        away_team: names[0],
        home_team: names[1],
        commence_time: iso(startOf(index, 'odds')),
      });
    };
    const listed = [...said.odds.listed].filter((index) => !said.odds.gone.has(index));
    odds.events = listed
      .filter((index) => !said.odds.over.has(index))
      .map((index) => ({ ...eventOf(index), bookmakers: books(index) }));
    odds.single = Object.fromEntries(
      listed.filter((index) => fixtures[index]!.box).map((index) => [`event-${index}`, prop(index)]),
    );
    odds.scores = listed.map((index) => {
      const isOver = said.odds.over.has(index);
      const scores = (['away', 'home'] as const).map((side, place) => ({
        name: fixtures[index]!.odds[place]!,
        score: String(points(index)[side]),
      }));
      return { ...eventOf(index), completed: isOver, scores: isOver ? scores : null };
    });
    const gameOf = (index: number) => {
      const { sport, espn: names, swapped } = fixtures[index]!;
      const order = swapped ? names.toReversed() : names;
      const score = [points(index).away, points(index).home].map(String);
      const ended =
        sport === 'soccer'
          ? { status: 'STATUS_FULL_TIME', detail: 'FT', period: 2 }
          : { status: 'STATUS_FINAL' };
      return fakeGame({
        id: String(401_000 + index),
        date: iso(startOf(index, 'espn')).replace(':00.000', ''),
        away: order[0]!,
        home: order[1]!,
        ...(said.espn.gone.has(index) ? { status: 'STATUS_POSTPONED' } : {}),
        ...(said.espn.over.has(index)
          ? { ...ended, score: (swapped ? score.toReversed() : score) as [string, string] }
          : {}),
      });
    };
    for (const [sport, [path]] of Object.entries(paths))
      espn.leagues.set(
        path,
        [...said.espn.listed].filter((index) => fixtures[index]!.sport === sport).map(gameOf),
      );
    const withPlayer = all.find((index) => fixtures[index]!.box)!;
    espn.summaries.set(
      String(401_000 + withPlayer),
      fakeSummary({
        id: String(401_000 + withPlayer),
        away: fixtures[withPlayer]!.espn[0],
        home: fixtures[withPlayer]!.espn[1],
        teams: [
          [
            {
              keys: ['minutes', 'rebounds', 'assists', 'points'],
              players: [{ name: player.espn, values: [33, 4, 5, 24] }],
            },
          ],
          [
            {
              keys: ['minutes', 'rebounds', 'assists', 'points'],
              players: [{ name: 'Bea Heron', values: [30, 7, 5, 12] }],
            },
          ],
        ],
      }),
    );
  }

  const calendar = () =>
    ics(
      ...[...said.calendar].map((index) => [
        `UID:${index}`,
        'DTSTART;VALUE=DATE:20261127',
        `SUMMARY:${fixtures[index]!.calendar}`,
      ]),
    );

  before(() => {
    server.answer((req, res) => {
      const path = req.url ?? '';
      if (path.endsWith('.ics')) res.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar());
      else if (path.startsWith('/v4/')) odds.answer(req, res);
      else if (isEspnDown) res.writeHead(503).end();
      else espn.answer(req, res);
    });
  });

  /** Polls each source once, in an order of its own, and does the work that follows. */
  async function live(database: typeof stores.database, instant: number, order: number): Promise<void> {
    clock.set(instant);
    renew();
    const deps = {
      database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    };
    const { url } = server;
    const keys = Object.values(paths).map(([, key]) => key);
    const polls = [
      () => pollEspn({ ...deps, config: { leagues: ['ncaab', 'mlb', 'soccer/eng.1'], url } }),
      () =>
        pollOddsApi({
          ...deps,
          config: { key: odds.key, url, sports: keys, regions: ['us'], bookmakers: [] },
        }),
      () => pollSchedules({ ...deps, config: calendars(`ncaab=${url}/league.ics`) }),
    ];
    for (const poll of ordered(polls, order + instant / minute)) await poll();
    await settleStatements(database, instant);
    await gradeDue(database, instant);
  }

  /** Everything stored, by the teams' own names instead of home and away, without names and announced starts. */
  async function stored(database: typeof stores.database) {
    const games = await database('games').select(
      'id',
      'sport',
      'name',
      'status',
      'starts_at',
      'home_score',
      'away_score',
    );
    const lines = await database('lines').select();
    const picks = await database('picks as p')
      .leftJoin('closings as c', 'c.pick_id', 'p.id')
      .leftJoin('settlements as s', 's.pick_id', 'p.id')
      .select('p.game_id', 'p.market', 'p.side', 'p.subject', 'c.odds_american', 'c.captured_at', 's.result');
    const figures = await database('stats')
      .where({ stat: 'points' })
      .select('game_id', 'subject', 'value_e3');
    return games
      .map(({ id, sport, name, status, starts_at, home_score, away_score }) => {
        const { away, home } = readFixture(name, sport)!;
        const full = (team: string) => teamsOf(sport).fullName(team);
        const sideName = (side: string) =>
          side === 'home' ? full(home) : side === 'away' ? full(away) : side;
        const ofGame = (row: { game_id: number }) => row.game_id === id;
        return {
          teams: [full(away), full(home)].sort().join(' and '),
          status,
          startsAt: iso(starts_at),
          scores: [`${full(home)} ${home_score}`, `${full(away)} ${away_score}`].sort(),
          prices: lines
            .filter(ofGame)
            .map((line) =>
              [
                ...[
                  line.market,
                  subjectForm(line.subject ?? ''),
                  sideName(line.side),
                  line.line_e3,
                  line.odds_american,
                ],
                ...[line.book, iso(line.captured_at)],
              ].join(' '),
            )
            .sort(),
          picks: picks
            .filter(ofGame)
            .map(({ market, side, subject, odds_american, captured_at, result }) =>
              [
                ...[market, subject === null ? '' : subjectForm(subject), sideName(side)],
                ...[odds_american, captured_at === null ? null : iso(captured_at), result],
              ].join(' '),
            )
            .sort(),
          stats: figures.filter(ofGame).map(({ subject, value_e3 }) => `${subjectForm(subject)} ${value_e3}`),
        };
      })
      .sort((a, b) => (a.teams + a.startsAt < b.teams + b.startsAt ? -1 : 1));
  }

  async function post(database: typeof stores.database, order: number): Promise<void> {
    const now = clock.now();
    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
    const games = await database('games').select('sport', 'name', 'starts_at');
    for (const { sport, name, starts_at } of games) {
      const { away, home } = readFixture(name, sport)!;
      const keyOf = (team: string) => teamsOf(sport).keyOf(team);
      // Picks the same team in every order, home or away, by the provider's own names.
      const one = fixtures.find(
        (each) =>
          each.sport === sport && each.odds.every((team) => [keyOf(away), keyOf(home)].includes(keyOf(team))),
      )!;
      const side = keyOf(one.odds[1]) === keyOf(home) ? 'home' : 'away';
      const words = ordered([one.odds, one.espn], order)[0]!;
      const [guest, host] = side === 'home' ? words : words.toReversed();
      const row = {
        capperHandle: 'ada',
        sport,
        game: `${guest} @ ${host}`,
        startsAt: iso(starts_at),
        stakeUnits: 1,
        market: 'moneyline',
        side,
        line: null,
        pick: 'the host',
        oddsAmerican: -150,
      };
      expect(await postPick(database, row, undefined, now), row.game).to.have.property('outcome', 'added');
      if (one.box === undefined) continue;
      const subject = order % 2 === 0 ? player.odds : player.espn;
      const prop = {
        market: 'player_points',
        side: 'over',
        line: player.line,
        pick: 'over',
        oddsAmerican: -120,
      };
      expect(await postPick(database, { ...row, ...prop, subject }, undefined, now)).to.have.property(
        'outcome',
        'added',
      );
    }
  }

  let first: Awaited<ReturnType<typeof stored>> | undefined;
  for (let order = 0; order < atLength(2, 10); order += 1)
    describe(`in order ${order + 1}`, () => {
      const own = withDatabase();
      it('give the same fixtures, prices, scores, closings, and results', async () => {
        const { database } = own;
        said = nothingSaid();
        isEspnDown = false;
        /** Says some things, a few a round, and polls after each round. */
        const play = async (
          things: readonly (() => unknown)[],
          a_round: number,
          from: number,
          everyMs: number,
        ) => {
          const queue = ordered(things, order);
          for (let now = from; queue.length > 0; now += everyMs) {
            for (const say of queue.splice(0, a_round)) say();
            await live(database, now, order);
          }
        };
        const announced = all.flatMap((index) => [
          () => said.odds.listed.add(index),
          () => said.espn.listed.add(index),
          ...(fixtures[index]!.calendar === undefined ? [] : [() => said.calendar.add(index)]),
        ]);
        await play(announced, 4, at('27T11:00'), 31 * minute);
        clock.set(at('27T17:30'));
        await post(database, order);
        await live(database, at('27T17:31'), order);
        const changes = all.flatMap((index) => [
          ...(fixtures[index]!.movedTo === undefined
            ? []
            : [() => said.odds.moved.add(index), () => said.espn.moved.add(index)]),
          ...(fixtures[index]!.postponed
            ? [() => said.odds.gone.add(index), () => said.espn.gone.add(index)]
            : []),
        ]);
        await play(changes, 2, at('27T18:05'), 31 * minute);
        for (const instant of [at('27T20:27'), at('27T22:57'), at('28T00:27')])
          await live(database, instant, order);
        isEspnDown = order % 2 === 1;
        const over = all
          .filter((index) => !fixtures[index]!.postponed)
          .flatMap((index) => [() => said.odds.over.add(index), () => said.espn.over.add(index)]);
        await play(over, 4, at('28T03:00'), 15 * minute);
        isEspnDown = false;
        for (let now = at('28T04:15'); now <= at('28T07:15'); now += 60 * minute)
          await live(database, now, order);
        await live(database, at('29T23:30'), order);

        const result = await stored(database);
        first ??= result;
        expect(result).to.deep.equal(first);
        expect(result.map(({ teams, status }) => [teams, status])).to.have.length(fixtures.length);
        for (const { teams, status, picks, prices, stats } of result) {
          const isPostponed = status === 'postponed';
          const isSoccer = teams.includes('Brighton');
          const hasBox = teams.includes('Michigan');
          expect(prices, teams).to.have.length(
            (isPostponed ? 12 : 24) + (isSoccer ? 4 : 0) + (hasBox ? 8 : 0),
          );
          expect(picks, teams).to.have.length(hasBox ? 2 : 1);
          if (isPostponed) expect(picks[0]).to.match(/ 2026-11-27T17:20\S+ void$/);
          else
            for (const pick of picks)
              expect(pick, teams).to.match(/ -\d+ 2026-11-2\dT\d\d:(?:24|54)\S+ win$/);
          expect(stats, teams).to.have.length(hasBox ? 1 : 0);
        }
      });
    });
});
