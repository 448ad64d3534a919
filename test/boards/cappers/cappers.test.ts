import { expect } from 'chai';
import { roster } from '../../../src/boards/cappers/roster.ts';
import { capperSports, capperStats } from '../../../src/boards/cappers/stats.ts';
import { hotStreaks } from '../../../src/boards/cappers/streaks.ts';
import { capperTimeline, capperUnitsCurve } from '../../../src/boards/cappers/timeline.ts';
import { type BoardContext, NotFound } from '../../../src/boards/endpoint.ts';
import { recordWindows } from '../../../src/boards/picks/pick.ts';
import { knownCapper } from '../../../src/boards/subjects.ts';
import { totalsOf } from '../../../src/projections/rollups.ts';
import { withDatabase } from '../../support/database.ts';

const day = 86_400_000;
const now = Date.parse('2024-10-10T16:00:00Z');

describe('the boards of cappers', () => {
  const stores = withDatabase();
  const context = (at = now): BoardContext => ({
    database: stores.database,
    now: at,
    baseUrl: 'https://picks.example',
    helpLine: '1-800-GAMBLER',
    sports: new Map(),
  });

  before(async () => {
    const cappers = Array.from({ length: 101 }, (_, index) => ({
      handle: `capper-${index + 1}`,
      tier: 'listed',
      verified: true,
      created_at: new Date(now),
    }));
    await stores.database('cappers').insert(cappers);
    const at110 = (wins: number, losses: number) => ({
      wins,
      losses,
      break_even_e9: (wins + losses) * 523_809_524,
      flat_e6: wins * 909_091 - losses * 1e6,
      flat_variance_e6: (wins + losses) * 909_091,
    });
    const rollup = { provenance: 'live', capper_id: 1, sport: 'nfl', market: 'spread' };
    await stores.database('daily_rollups').insert([
      { ...rollup, day: '2024-07-01', posted: 3, last_posted_at: new Date(now - 101 * day) },
      {
        ...rollup,
        day: '2024-07-02',
        voids: 1,
        net_e4: -40,
        staked_e4: 20_000,
        ...at110(1, 1),
      },
      { ...rollup, day: '2024-10-03', net_e4: 9_149, staked_e4: 10_000, ...at110(1, 0) },
      { ...rollup, day: '2024-10-04', net_e4: 9_149, staked_e4: 10_000, ...at110(1, 0) },
      {
        ...rollup,
        market: 'total',
        day: '2024-10-10',
        net_e4: -10_000,
        staked_e4: 10_000,
        ...at110(0, 1),
      },
      { ...rollup, sport: 'nba', day: '2024-10-10', posted: 1, last_posted_at: new Date(now - 1) },
    ]);
    await stores.database.raw(
      `insert into capper_totals select (jsonb_populate_record(null::capper_totals, to_jsonb(t))).* from (${totalsOf('daily_rollups', 'true')}) t`,
    );
  });

  it('find a capper by handle in any case, and point to the roster for an unknown one', async () => {
    expect(await knownCapper(stores.database, 'CAPPER-1')).to.include({ id: 1, handle: 'capper-1' });
    const refusal = await knownCapper(stores.database, 'nobody').catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(NotFound);
    expect((refusal as Error).message).to.include('Check the spelling');
  });

  it('page the roster by id and end it with a null cursor', async () => {
    const first = await roster.compute(context(), {});
    expect(first.cappers).to.have.length(100);
    expect(first.cappers[0]).to.deep.equal({
      id: 1,
      handle: 'capper-1',
      tier: 'listed',
      verified: true,
      sports: ['nba', 'nfl'],
      picks: 4,
      lastPostedAt: new Date(now - 1).toISOString(),
      verdict: {
        word: 'unproven',
        sentence: 'Too few results at prices known to be on offer to tell skill from luck.',
        missing: '50 more games with prices to compare.',
      },
    });
    expect(first.nextCursor).to.equal(100);
    const second = await roster.compute(context(), { cursor: 100 });
    expect(second.cappers).to.deep.equal([
      {
        id: 101,
        handle: 'capper-101',
        tier: 'listed',
        verified: true,
        sports: [],
        picks: 0,
        lastPostedAt: null,
        verdict: {
          word: 'unproven',
          sentence: 'Too few results at prices known to be on offer to tell skill from luck.',
          missing: '50 more games with prices to compare.',
        },
      },
    ]);
    expect(second.nextCursor).to.equal(null);
    expect((await roster.compute(context(), { sport: 'nba' })).cappers).to.have.length(1);
  });

  it('count windows by Eastern days of settling, today and the days before it', async () => {
    const { windows } = await recordWindows.compute(context(), { provenance: 'all' });
    // The 7-day window ends today and begins on October 4.
    expect(windows['7d']).to.include({ picks: 2, record: '1-1-0', unitsNet: -0.09, unitsStaked: 2 });
    expect(windows['30d'].record).to.equal('2-1-0');
    expect(windows['90d']).to.deep.equal(windows['30d']);
    expect(windows.all).to.include({ picks: 6, record: '3-2-0', voids: 1, unitsNet: 0.83 });
  });

  it('omit a sport without settled picks from the split of records and the list of sports', async () => {
    const params = { handle: 'capper-1', provenance: 'all' as const };
    const { bySport, lifetime, last30d } = await capperStats.compute(context(), params);
    expect(bySport).to.have.length(1);
    expect(bySport[0]).to.deep.include({ sport: 'nfl', ...lifetime });
    expect(bySport[0]!.verdict.missing).to.equal('50 games with prices to compare.');
    expect(last30d.record).to.equal('2-1-0');
    const { sports } = await capperSports.compute(context(), params);
    const { verdict } = bySport[0]!;
    expect(sports).to.deep.equal([
      {
        sport: 'nba',
        verdict,
        picks: 1,
        record: '0-0-0',
        hitRatePct: null,
        breakEvenPct: null,
        lastPostedAt: '2024-10-10T15:59:59.999Z',
      },
      {
        sport: 'nfl',
        verdict,
        picks: 3,
        record: '3-2-0',
        hitRatePct: 60,
        breakEvenPct: 52.38,
        lastPostedAt: '2024-07-01T16:00:00.000Z',
      },
    ]);
  });

  it('fill idle days with zeros and sum exact units, not rounded ones', async () => {
    const params = { handle: 'capper-1', days: 8, provenance: 'all' as const };
    const { days } = await capperUnitsCurve.compute(context(), params);
    expect(days).to.have.length(8);
    expect(days[0]).to.deep.equal({ day: '2024-10-03', unitsNet: 0.91, cumulative: 0.91 });
    expect(days[1]).to.deep.equal({ day: '2024-10-04', unitsNet: 0.91, cumulative: 1.83 });
    expect(days[2]).to.deep.equal({ day: '2024-10-05', unitsNet: 0, cumulative: 1.83 });
    expect(days.at(-1)).to.deep.equal({ day: '2024-10-10', unitsNet: -1, cumulative: 0.83 });
    const timeline = await capperTimeline.compute(context(), params);
    const idle = { picks: 0, wins: 0, losses: 0, pushes: 0, voids: 0, pending: 0 };
    expect(timeline.days).to.have.length(8);
    expect(timeline.days[2]).to.deep.equal({ day: '2024-10-05', ...idle });
    expect(timeline.days.at(-1)).to.deep.equal({ ...idle, day: '2024-10-10', picks: 1, losses: 1 });
  });

  it("keep a winning streak hot through a push in the last 30 days, and list only the streak's sports", async () => {
    const settled = (uuid: number, sport: string, result: string, daysAgo: number) => ({
      pick_id: uuid,
      uuid: `00000000-0000-4000-8000-${String(uuid).padStart(12, '0')}`,
      capper_id: 1,
      tier: 'listed',
      sport,
      game_id: uuid,
      market: 'moneyline',
      side: 'home',
      pick: 'Home',
      odds_american: 100,
      stake_e4: 10_000,
      source: 'test',
      provenance: 'live',
      posted_at: new Date(now - 200 * day),
      result,
      settled_at: new Date(now - daysAgo * day),
      net_units_e4: 0,
    });
    // The whole streak settled at the instant of the loss before it, and of a win before that.
    await stores
      .database('board_picks')
      .insert([
        settled(1, 'mlb', 'win', 40),
        settled(2, 'mlb', 'loss', 40),
        settled(3, 'nfl', 'win', 40),
        settled(4, 'nba', 'win', 40),
        settled(5, 'nhl', 'push', 30),
      ]);
    const since = now - 40 * day;
    const at = new Date(since).toISOString();
    expect(await hotStreaks({ database: stores.database, now }, { min: 2 })).to.deep.equal([
      {
        handle: 'capper-1',
        tier: 'listed',
        verified: true,
        kind: 'W',
        verdict: {
          word: 'unproven',
          sentence: 'Too few results at prices known to be on offer to tell skill from luck.',
          missing: '50 more games with prices to compare.',
        },
        length: 2,
        since: at,
        lastSettledAt: at,
        sports: ['nba', 'nfl'],
        chancePct: 25,
      },
    ]);
    expect(await hotStreaks({ database: stores.database, now }, { min: 3 })).to.deep.equal([]);
    expect(await hotStreaks({ database: stores.database, now: now + 1 }, { min: 2 })).to.deep.equal([]);
  });
});
