import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';

import type { EventReport } from '../../src/sources/answer.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { isPoorAnswer, noteVanished, vanishedVerdict } from '../../src/sources/vanished.ts';
import { readWaiting } from '../../src/sources/waiting.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { pick } from '../support/posted-pick.ts';
import { addTeams } from '../support/teams.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-11T12:00:00Z');
const start = now + 12 * hour;

describe('the verdict on a game that a feed has dropped', () => {
  const listing = (missed: number, since: number | null, seenAt = now) => ({
    source: 'a',
    missed,
    missedSince: since,
    seenAt,
  });

  it('is `check again` until three answers over an hour omit the game', () => {
    expect(vanishedVerdict([listing(2, now - 9 * hour)], now)).to.equal('check again');
    expect(vanishedVerdict([listing(3, now - hour + 1)], now)).to.equal('check again');
    expect(vanishedVerdict([listing(3, now - hour)], now)).to.equal('postponed');
  });

  it('is not `postponed` while another feed lists the game or has not been polled enough', () => {
    const gone = listing(3, now - hour);
    expect(vanishedVerdict([gone, listing(0, null)], now)).to.equal('listed elsewhere');
    expect(vanishedVerdict([gone, listing(1, now)], now)).to.equal('check again');
    expect(vanishedVerdict([gone, listing(0, null, now - 25 * hour)], now)).to.equal('postponed');
  });

  it('is withheld if an answer omits most games', () => {
    expect(isPoorAnswer(4, 7)).to.equal(true);
    expect(isPoorAnswer(4, 8)).to.equal(false);
    expect(isPoorAnswer(3, 3)).to.equal(false);
  });
});

describe('games that a feed has dropped', () => {
  const stores = withDatabase();
  beforeEach(async () => {
    await stores.owner.raw('delete from source_events; delete from source_scores');
    await addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes');
  });
  const event = (more: Partial<EventReport> = {}): EventReport => ({
    eventId: 'e1',
    away: 'Harbor Gulls',
    home: 'Copper Foxes',
    startsAt: start,
    ...more,
  });
  const span = { from: now, to: now + 200 * hour };
  const leaveOut = (at: number, source = 'one', eventIds: string[] | 'unchanged' = []) =>
    noteVanished(stores.database, source, { ...span, eventIds }, at);
  const status = async () =>
    (await stores.database('games').where('announced_start', new Date(start)).pluck('status'))[0];

  it('are postponed after repeated polls, recorded in the log if picks wait, shown, and put back when listed', async () => {
    await applyReports(stores.database, 'one', 'nfl', [event()], now);
    const [game] = await stores.database('games').where('announced_start', new Date(start)).pluck('id');
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
    const named = { game: 'Harbor Gulls @ Copper Foxes', startsAt: new Date(start).toISOString() };
    expect(await postPick(stores.database, { ...pick, ...named }, undefined, now)).to.include({
      outcome: 'added',
    });
    expect(await leaveOut(now + hour / 2)).to.equal(0);
    expect(await leaveOut(now + hour, 'one', 'unchanged')).to.equal(0);
    expect(await readWaiting(stores.database, now + hour)).to.deep.equal([
      {
        id: game,
        sport: 'nfl',
        name: 'Harbor Gulls @ Copper Foxes',
        startsAt: start,
        day: null,
        status: 'scheduled',
        over: false,
        selections: [
          { market: 'moneyline', subject: null, side: 'home', line: null, picks: 1, needs: 'a final score' },
        ],
        reasons: ['one has omitted it 2 times, checked again'],
      },
    ]);
    expect(await leaveOut(now + 1.5 * hour)).to.equal(1);
    expect(await status()).to.equal('postponed');
    expect(await stores.database('notices').pluck('text')).to.deep.equal([
      `nfl: Harbor Gulls @ Copper Foxes (${new Date(start).toISOString()}) counts as postponed: no source lists it any more.`,
    ]);
    const [waiting] = await readWaiting(stores.database, now + 2 * hour);
    expect(waiting?.reasons).to.deep.equal([
      'postponed: void 48 hours after the first announced start',
      'one has omitted it 3 times',
    ]);
    await applyReports(stores.database, 'one', 'nfl', [event()], now + 2 * hour);
    expect(await status()).to.equal('scheduled');
    expect(await stores.database('source_events').where('game_id', game).pluck('missed')).to.deep.equal([0]);
  });

  it('are kept under a new id of the same feed', async () => {
    await applyReports(stores.database, 'one', 'nfl', [event()], now);
    await applyReports(stores.database, 'one', 'nfl', [event({ eventId: 'e2' })], now + hour);
    for (const at of [1, 2, 3]) expect(await leaveOut(now + at * hour, 'one', ['e2'])).to.equal(0);
    expect(await stores.database('source_events').orderBy('event_id').pluck('missed')).to.deep.equal([0, 0]);
    for (const at of [4, 5, 6]) await leaveOut(now + at * hour);
    expect(await status()).to.equal('postponed');
    await applyReports(stores.database, 'one', 'nfl', [event({ eventId: 'e2' })], now + 7 * hour);
    expect(await status()).to.equal('scheduled');
  });

  it('are kept while another feed lists them, and when most of an answer is missing', async () => {
    await applyReports(stores.database, 'one', 'nfl', [event()], now);
    await applyReports(stores.database, 'two', 'nfl', [event()], now);
    for (const at of [1, 2, 3, 4]) await leaveOut(now + at * hour);
    expect(await status()).to.equal('scheduled');
    const league = Array.from({ length: 6 }, (_, day) =>
      event({ eventId: `l${day}`, startsAt: start + (day + 1) * 26 * hour }),
    );
    await applyReports(stores.database, 'three', 'nfl', league, now);
    for (const at of [1, 2, 3, 4]) expect(await leaveOut(now + at * hour, 'three')).to.equal(0);
    expect(
      await stores.database('source_events').where('source', 'three').sum('missed as sum'),
    ).to.deep.equal([{ sum: 0 }]);
  });

  it('say why they wait if no source has their scores, or one has no score to grade by', async () => {
    const at = start + 400 * hour;
    const [tennis, bout] = ['tennis', 'mma'] as const;
    for (const [sport, source] of [
      [tennis, 'odds-api/tennis_x'],
      [bout, 'espn/ufc'],
    ] as const) {
      await applyReports(stores.database, source, sport, [event({ startsAt: at })], now);
      const posted = {
        ...pick,
        sport,
        game: 'Harbor Gulls @ Copper Foxes',
        startsAt: new Date(at).toISOString(),
      };
      expect(await postPick(stores.database, posted, undefined, now)).to.include({ outcome: 'added' });
    }
    const later = at + 12 * hour;
    const over = event({ startsAt: at, state: 'final', note: 'no winner' });
    await applyReports(stores.database, 'espn/ufc', bout, [over], later);
    const waiting = (await readWaiting(stores.database, later)).filter(({ sport }) => sport !== 'nfl');
    expect(waiting.map(({ sport, reasons }) => [sport, reasons])).to.deep.equal([
      [
        bout,
        [
          'over without a result',
          'espn says that it is over, without a score to grade by (no winner): post its result',
        ],
      ],
      [tennis, ['over without a result, and no source that lists it has scores of tennis: post its result']],
    ]);
  });
});
