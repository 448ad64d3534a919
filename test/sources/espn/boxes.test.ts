import { expect } from 'chai';
import { playerAliases } from '../../../src/games/names/aliases.ts';
import { subjectForm } from '../../../src/games/names/players.ts';
import { pollEspn } from '../../../src/sources/espn/poll.ts';
import { settleStatements } from '../../../src/sources/source-scores.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { postPick } from '../../support/post-pick.ts';
import { quiet } from '../../support/quiet.ts';
import { withServer } from '../http-server.ts';
import { FakeEspn, type FakeGroup, fakeGame, fakeSummary } from './fake.ts';

const minute = 60_000;
const start = Date.parse('2026-01-11T18:00:00Z');
const keys = ['minutes', 'rebounds', 'assists', 'points'];
const box: FakeGroup = {
  keys,
  players: [
    { name: 'Ada Côle Jr.', values: [31, 7, 5, 22] },
    { name: "Na'Sean Day", values: [12, 1, 0, 4] },
    { name: 'Bea Ray', values: [], more: { didNotPlay: true } },
    { name: 'Twin Name', values: [10, 1, 1, 1] },
  ],
};
const others: FakeGroup = { keys, players: [{ name: 'Twin Name', values: [20, 2, 2, 2] }] };
const subjects = ['Ada Cole', 'Ace Day', 'Bea Ray', 'Twin Name', 'Nobody Else'];

describe("polling ESPN's box scores", () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(start - 60 * minute);
  const provider = new FakeEspn();
  const jobs: string[] = [];
  const opponents = { away: 'Boston Celtics', home: 'New York Knicks' };
  const final = { ...opponents, status: 'STATUS_FINAL', score: ['101', '99'] } as const;

  const poll = () =>
    pollEspn({
      config: { leagues: ['nba'], url: server.url },
      database: stores.database,
      clock,
      enqueue: { add: async (job) => jobs.push(job.name) > 0 },
      log: quiet,
      closing: new AbortController().signal,
    });
  const boxes = () => server.asked.splice(0).filter((url) => url.includes('/summary'));
  const gaps = async () =>
    Object.fromEntries(
      (await stores.database('stat_gaps').orderBy('subject').select('subject', 'reason')).map((row) => [
        row.subject,
        row.reason,
      ]),
    );
  const stats = (subject: string) =>
    stores.database('stats').where({ subject }).orderBy('stat').pluck('stat');

  before(async () => {
    server.answer((req, res) => provider.answer(req, res));
    provider.events = [fakeGame(opponents)];
    await poll();
    await stores.owner.raw(
      `insert into cappers (handle, tier, verified, created_at) values ('ada', 'elite', true, '2026-01-01T00:00:00Z')`,
    );
    for (const subject of subjects)
      await postPick(
        stores.database,
        {
          capperHandle: 'ada',
          sport: 'nba',
          game: 'Boston Celtics @ New York Knicks',
          startsAt: new Date(start).toISOString(),
          market: 'player_points_assists',
          subject,
          side: 'over',
          line: 20.5,
          pick: `${subject} over 20.5`,
          oddsAmerican: -110,
          stakeUnits: 1,
        },
        undefined,
        start - 30 * minute,
      );
    clock.set(start + 150 * minute);
    provider.events = [fakeGame(final)];
    await poll();
    clock.set(clock.now() + 10 * minute);
    await settleStatements(stores.database, clock.now());
    expect(await stores.database('games').pluck('status')).to.deep.equal(['final']);
    boxes();
    jobs.length = 0;
  });

  it('waits half an hour, since figures are corrected after a game', async () => {
    clock.set(clock.now() + 29 * minute);
    await poll();
    expect(boxes()).to.deep.equal([]);
    clock.set(clock.now() + minute);
    await poll();
    expect(boxes()).to.deep.equal(['/apis/site/v2/sports/basketball/nba/summary?event=401700001']);
    const run = await stores.database('source_runs').where({ source: 'espn/nba/boxes' }).first();
    expect(run).to.include({ ok: false });
    expect(run.message).to.contain('not a summary');
  });

  it('ignores a game in progress or with other opponents', async () => {
    provider.summaries.set(
      '401700001',
      fakeSummary({ ...opponents, teams: [[box], [others]], completed: false }),
    );
    clock.set(clock.now() + 10 * minute);
    await poll();
    expect((await gaps())['Ada Cole']).to.equal('the box score belongs to a running game');
    provider.summaries.set(
      '401700001',
      fakeSummary({ away: 'Miami Heat', home: 'New York Knicks', teams: [[box], [others]] }),
    );
    clock.set(clock.now() + 20 * minute);
    await poll();
    expect(
      (await stores.database('source_runs').where({ source: 'espn/nba/boxes' }).first()).message,
    ).to.contain('other opponents');
    expect(await stores.database('stats')).to.deep.equal([]);
  });

  it('stores the figures of players with picks, and notes why others are missing', async () => {
    provider.summaries.set('401700001', fakeSummary({ ...opponents, teams: [[box], [others]] }));
    clock.set(clock.now() + 20 * minute);
    await poll();
    expect(await stats('Ada Cole')).to.deep.equal(['assists', 'minutes', 'points', 'rebounds']);
    expect(await stats('Bea Ray')).to.deep.equal(['played']);
    expect(await stores.database('stats').pluck('source')).to.include('espn');
    expect(await gaps()).to.deep.equal({
      'Ace Day':
        "the box score does not list them, but Na'Sean Day: if one of them is meant, join them with aliases add-player",
      'Nobody Else': 'the box score does not list them',
      'Twin Name': 'several players of the box score have that name',
    });
    expect(jobs).to.include('grade-due');
  });

  it('polls again while picks wait, finds a player by an alias, and keeps stored figures', async () => {
    await playerAliases.put(stores.owner, {
      sport: 'nba',
      alias: subjectForm('Ace Day'),
      player: subjectForm("Na'Sean Day"),
    });
    const changed = {
      ...box,
      players: [{ name: 'Ada Côle Jr.', values: [31, 7, 5, 24] }, ...box.players.slice(1)],
    };
    provider.summaries.set('401700001', fakeSummary({ ...opponents, teams: [[changed], [others]] }));
    clock.set(clock.now() + 60 * minute);
    await poll();
    expect(boxes()).to.have.length.above(0);
    expect(await stats('Ace Day')).to.deep.equal(['assists', 'minutes', 'points', 'rebounds']);
    expect(
      await stores.database('stats').where({ subject: 'Ada Cole', stat: 'points' }).pluck('value_e3'),
    ).to.deep.equal([22_000]);
    expect(await stores.database('notices').pluck('text')).to.deep.equal([
      'nba: Boston Celtics @ New York Knicks, points of Ada Cole stands as 22; a later report says 24. Nothing was changed.',
    ]);
  });

  it('leaves picks older than four days to the operator', async () => {
    clock.set(clock.now() + 4 * 24 * 60 * minute);
    boxes();
    await poll();
    expect(boxes()).to.deep.equal([]);
  });
});
