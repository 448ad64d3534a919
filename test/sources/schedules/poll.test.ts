import { expect } from 'chai';
import { ok } from '../../../src/jobs/job.ts';
import { calendars } from '../../../src/platform/config/kinds.ts';
import { pollSchedules } from '../../../src/sources/schedules/poll.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { quiet } from '../../support/quiet.ts';
import { addTeams } from '../../support/teams.ts';
import { withServer } from '../http-server.ts';
import { ics } from './ics.ts';

const begin = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;

describe('polling league schedules', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(begin);
  let feeds: string;

  beforeEach(async () => {
    await stores.owner.raw(
      'delete from source_events; delete from source_runs; delete from lines; delete from games',
    );
    for (const sport of ['nfl', 'nba']) await addTeams(stores.database, sport, 'Gulls', 'Foxes');
    clock.set(begin);
    feeds = `nfl=${server.url}/league.ics?token=secret`;
  });

  const poll = (closing = new AbortController().signal) =>
    pollSchedules({
      config: calendars(feeds),
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing,
    });
  const serve = (text: string, headers: Record<string, string> = {}) =>
    server.answer((_, res) => res.writeHead(200, { 'content-type': 'text/calendar', ...headers }).end(text));
  const game = (start: string, ...more: string[]) =>
    ics(['UID:1', `DTSTART:${start}`, 'SUMMARY:Gulls @ Foxes', ...more]);
  const games = () => stores.database('games').select('name', 'announced_start', 'starts_at', 'status');
  const runs = () => stores.database('source_runs');
  const pass = (ms: number) => clock.set(clock.now() + ms);

  it('adds announced games, and follows one that moves and one that is called off', async () => {
    const announced = Date.parse('2026-03-05T18:00:00Z');
    serve(game('20260305T180000Z'));
    await poll();
    expect(await games()).to.deep.equal([
      { name: 'Gulls @ Foxes', announced_start: announced, starts_at: announced, status: 'scheduled' },
    ]);
    serve(game('20260306T190000Z'));
    pass(30 * minute);
    await poll();
    const moved = {
      name: 'Gulls @ Foxes',
      announced_start: announced,
      starts_at: Date.parse('2026-03-06T19:00:00Z'),
    };
    expect(await games()).to.deep.equal([{ ...moved, status: 'scheduled' }]);
    serve(game('20260306T190000Z', 'STATUS:CANCELLED'));
    pass(30 * minute);
    await poll();
    expect(await games()).to.deep.equal([{ ...moved, status: 'cancelled' }]);
  });

  it('requests a schedule every half hour, conditionally', async () => {
    serve(game('20260305T180000Z'), { etag: '"v1"', 'last-modified': 'Sun, 01 Mar 2026 00:00:00 GMT' });
    await poll();
    pass(29 * minute);
    expect(await poll()).to.deep.equal(ok({ asked: 0, failed: 0 }));
    server.answer((_, res) => res.writeHead(304).end());
    pass(minute);
    await poll();
    const [{ headers }] = server.requests as [(typeof server.requests)[0]];
    expect([headers['if-none-match'], headers['if-modified-since']]).to.deep.equal([
      '"v1"',
      'Sun, 01 Mar 2026 00:00:00 GMT',
    ]);
    expect((await runs())[0]).to.include({ ok: true, message: 'Unchanged.', etag: '"v1"' });
  });

  it('is degraded by a schedule without a game, with the reason, even while it is unchanged', async () => {
    serve(
      ics(
        ['UID:1', 'DTSTART:20260305T180000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART:20260305T180000Z', 'SUMMARY:Draft'],
      ),
    );
    await poll();
    expect((await runs())[0]?.message).to.equal(
      'The schedule: it lists no game: 1 no exact start, 1 no game.',
    );
  });

  it('is degraded by a schedule that lists far fewer games than a day before, until it recovers', async () => {
    const league = (games: number) =>
      ics(
        ...Array.from({ length: games }, (_, day) => [
          `UID:${day}`,
          `DTSTART:202603${String(day + 5).padStart(2, '0')}T180000Z`,
          'SUMMARY:Gulls @ Foxes',
        ]),
      );
    serve(league(20));
    expect(await poll()).to.deep.equal(ok({ asked: 1, failed: 0 }));
    serve(league(5));
    pass(30 * minute);
    expect(await poll()).to.deep.equal(ok({ asked: 1, failed: 1 }));
    expect((await runs())[0]).to.include({
      ok: false,
      message: 'The schedule: it lists 5 games, after 20 a day before.',
    });
    serve(league(19));
    pass(30 * minute);
    expect(await poll()).to.deep.equal(ok({ asked: 1, failed: 0 }));
    expect((await runs())[0]).to.include({ ok: true, listed: 19, listed_usually: 20 });
  });

  it('creates one game for an event that gets its time later, and counts games under decorated titles once', async () => {
    serve(
      ics(
        ['UID:1', 'DTSTART;VALUE=DATE:20260305', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART:20260312T180000Z', 'SUMMARY:Week 2: Gulls @ Foxes (ESPN)'],
        ['UID:3', 'DTSTART:20260312T181500Z', 'SUMMARY:[NFL] Gulls at Foxes'],
      ),
    );
    await poll();
    serve(
      ics(
        ['UID:1', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART:20260312T180000Z', 'SUMMARY:Week 2: Gulls @ Foxes (ESPN)'],
        ['UID:3', 'DTSTART:20260312T181500Z', 'SUMMARY:[NFL] Gulls at Foxes'],
      ),
    );
    pass(30 * minute);
    await poll();
    expect((await games()).map(({ name, starts_at }) => [name, starts_at]).sort()).to.deep.equal([
      ['Gulls @ Foxes', Date.parse('2026-03-05T18:00:00Z')],
      ['Gulls @ Foxes', Date.parse('2026-03-12T18:00:00Z')],
    ]);
  });

  for (const [what, status, body, reason] of [
    ['does not exist', 404, '', 'the answer is 404'],
    ['is broken', 500, '', 'the answer is 500'],
    ['is not a calendar', 200, '<html>', 'it is not a calendar'],
    ['is too large', 200, 'x'.repeat(5 * 2 ** 20), 'the answer is larger than 4194304 bytes'],
  ] as const)
    it(`reports a schedule that ${what}, and retries, later each time`, async () => {
      server.answer((_, res) => res.writeHead(status).end(body));
      expect(await poll()).to.deep.equal(ok({ asked: 1, failed: 1 }));
      expect((await runs())[0]).to.include({
        ok: false,
        message: `The schedule: ${reason}.`,
        next_at: begin + minute,
      });
      pass(minute);
      await poll();
      expect((await runs())[0]).to.include({ failures: 2, next_at: clock.now() + 2 * minute });
    });

  it('reads the other schedules although one fails', async () => {
    feeds = `nfl=${server.url}/broken.ics nba=${server.url}/good.ics curling=${server.url}/good.ics`;
    server.answer((req, res) =>
      req.url === '/good.ics' ? res.end(game('20260305T180000Z')) : res.writeHead(500).end(),
    );
    expect(await poll()).to.deep.equal(ok({ asked: 3, failed: 2 }));
    expect(await stores.database('games').pluck('sport')).to.deep.equal(['nba']);
    expect(await runs().where('source', 'like', 'schedule/curling/%').pluck('message')).to.deep.equal([
      'The schedule: there is no sport curling.',
    ]);
  });

  it('never reveals the address of a schedule, and forgets one that was removed from the settings', async () => {
    server.answer((_, res) => res.writeHead(500).end());
    await poll();
    expect(JSON.stringify(await runs())).to.not.match(/secret|127\.0\.0\.1/);
    feeds = '';
    await poll();
    expect(await runs()).to.deep.equal([]);
  });

  it('does not report a failure at shutdown', async () => {
    const closing = new AbortController();
    server.answer(() => closing.abort());
    await poll(closing.signal);
    expect(await runs()).to.deep.equal([]);
  });
});
