import { expect } from 'chai';
import { teamsOf } from '../../src/games/names/teams.ts';
import { readFixture } from '../../src/games/names/title.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import type { EventReport } from '../../src/sources/answer.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { settleStatements } from '../../src/sources/apply-states.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-27T12:00:00Z');
const start = now + 4 * hour;
const sport = 'ncaab';

/** Opponents as The Odds API and ESPN name them; `swapped`: ESPN lists the other team as home. */
const fixtures = [
  {
    odds: ['Michigan St Spartans', 'GW Revolutionaries'],
    espn: ['Michigan State Spartans', 'George Washington Revolutionaries'],
  },
  {
    odds: ['Loyola (Chi) Ramblers', 'Loyola (MD) Greyhounds'],
    espn: ['Loyola Chicago Ramblers', 'Loyola Maryland Greyhounds'],
  },
  {
    odds: ['Miami Hurricanes', 'Fort Wayne Mastodons'],
    espn: ['Miami Hurricanes', 'Purdue Fort Wayne Mastodons'],
  },
  {
    odds: ['Miami (OH) RedHawks', 'Tenn-Martin Skyhawks'],
    espn: ['Miami (OH) RedHawks', 'UT Martin Skyhawks'],
  },
  {
    odds: ['Washington St Cougars', 'SIU-Edwardsville Cougars'],
    espn: ['Washington State Cougars', 'SIU Edwardsville Cougars'],
    swapped: true,
  },
  { odds: ['Washington Huskies', 'Albany Great Danes'], espn: ['Washington Huskies', 'UAlbany Great Danes'] },
] as const;

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

describe('the answers of two providers with names of their own', () => {
  let database: Database;
  const teams = teamsOf(sport);

  const oddsEvent = (index: number, more: Partial<EventReport> = {}): EventReport => {
    const [away, home] = fixtures[index]!.odds;
    return { eventId: `o${index}`, away, home, startsAt: start + 60_000, ...more };
  };
  const espnEvent = (index: number, more: Partial<EventReport> = {}): EventReport => {
    const one = fixtures[index]!;
    const [away, home] = 'swapped' in one ? [one.espn[1], one.espn[0]] : one.espn;
    return { eventId: `e${index}`, away, home, startsAt: start, ...more };
  };
  const price = (index: number, side: 'away' | 'home', at: number) => ({
    ...{ market: 'moneyline', side, line: null, book: 'north', capturedAt: at },
    oddsAmerican: side === 'home' ? -120 - 10 * index : 110 + 10 * index,
  });
  const take = (source: string, events: EventReport[], at: number) =>
    applyReports(database, source, sport, events, at);
  const odds = (events: EventReport[], at: number) => take('odds_api/basketball_ncaab', events, at);
  const espn = (events: EventReport[], at: number) => take('espn/ncaab', events, at);
  const all = fixtures.map((_, index) => index);

  /** Everything stored, by the schools' own names and not by home and away. */
  async function stored() {
    const rows = await database('games as g')
      .leftJoin('picks as p', 'p.game_id', 'g.id')
      .leftJoin('closings as c', 'c.pick_id', 'p.id')
      .select('g.id', 'g.name', 'g.status', 'g.home_score', 'g.away_score', 'p.side', 'c.odds_american');
    const lines = await database('lines').select('game_id', 'side', 'odds_american', 'captured_at');
    return rows
      .map((row) => {
        const { away, home } = readFixture(row.name, sport)!;
        const nameOf = (side: string) => teams.fullName(side === 'home' ? home : away);
        return {
          status: row.status,
          score: [
            [nameOf('home'), row.home_score],
            [nameOf('away'), row.away_score],
          ].sort(),
          pick: nameOf(row.side),
          closing: row.odds_american,
          prices: lines
            .filter(({ game_id }) => game_id === row.id)
            .map(
              ({ side, odds_american, captured_at }) =>
                `${nameOf(side)} ${odds_american} ${iso(captured_at)}`,
            )
            .sort(),
        };
      })
      .sort((a, b) => (String(a.score) < String(b.score) ? -1 : 1));
  }

  let first: Awaited<ReturnType<typeof stored>> | undefined;
  for (let order = 0; order < 10; order += 1)
    describe(`in order ${order + 1}`, () => {
      const own = withDatabase();
      it('give the same fixtures, prices, scores, and closings', async () => {
        database = own.database;
        await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], {
          now,
          imported: false,
        });
        const prices = (at: number) => (index: number) =>
          oddsEvent(index, { prices: [price(index, 'home', at), price(index, 'away', at)] });
        const schedules = all.flatMap((index) => [
          () => espn([espnEvent(index)], now),
          () => odds([prices(now - hour)(index)], now),
        ]);
        for (const answer of ordered(schedules, order)) await answer();
        for (const index of all) {
          const posted = await postPick(
            database,
            {
              ...{ capperHandle: 'ada', sport, market: 'moneyline', side: 'home', line: null, stakeUnits: 1 },
              ...{
                game: `${fixtures[index]!.odds[0]} @ ${fixtures[index]!.odds[1]}`,
                pick: 'home',
                oddsAmerican: -150,
              },
              startsAt: iso(start),
            },
            undefined,
            now,
          );
          // ESPN's order of the teams can be the game's.
          if (!('gameId' in posted)) expect(posted.reason).to.match(/are swapped$/);
        }
        const later = start + 3 * hour;
        const ends = all.flatMap((index) => [
          () => odds([oddsEvent(index, { state: 'final', score: { away: 60 + index, home: 70 } })], later),
          () => {
            const isSwapped = 'swapped' in fixtures[index]!;
            const score = isSwapped ? { away: 70, home: 60 + index } : { away: 60 + index, home: 70 };
            return espn([espnEvent(index, { state: 'final', score: { ...score, played: 'full' } })], later);
          },
        ]);
        for (const answer of ordered(ends, 31 * order)) await answer();
        await settleStatements(database, later + hour);
        await gradeDue(database, later + hour);
        const result = await stored();
        expect(result).to.have.length(fixtures.length);
        first ??= result;
        expect(result.map(({ pick: _pick, closing: _closing, ...one }) => one)).to.deep.equal(
          first.map(({ pick: _pick, closing: _closing, ...one }) => one),
        );
        for (const { status, prices: known, pick, closing } of result) {
          expect(status).to.equal('final');
          expect(known).to.have.length(2);
          if (closing !== null)
            expect(known.some((line) => line.startsWith(`${pick} ${closing} `))).to.equal(true);
        }
        expect(result.filter(({ closing }) => closing !== null)).to.have.length.within(5, 6);
      });
    });
});
