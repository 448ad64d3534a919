import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { closingAgeMs } from '../../../src/rules/closing-snapshot.ts';
import { renewalAt, type Spending, spending } from '../../../src/sources/odds-api/credits.ts';
import { leadMs, type Need, planCalls, planLastCalls } from '../../../src/sources/odds-api/plan.ts';
import { planRow } from '../../bench/credits.ts';
import { januaryWithPicks, playMonth } from './january.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.parse('2026-01-10T12:00:00Z');
const rich: Spending = { allowance: 1000, perDay: 1000, usualPerDay: 0 };
const need = (inMs: number, more: Partial<Need> = {}): Need => ({
  key: 'basketball_nba',
  eventId: null,
  markets: ['h2h'],
  startsAt: now + inMs,
  picks: 1,
  askedAt: null,
  ...more,
});

describe('the plan of calls to The Odds API', () => {
  it('has the last call for each start a few minutes before it, with the markets of its picks', () => {
    const plan = planLastCalls(
      [need(2 * hour), need(2 * hour, { markets: ['totals'] }), need(5 * hour, { key: 'icehockey_nhl' })],
      rich,
      2,
      now,
    );
    expect(plan).to.deep.equal([
      {
        key: 'basketball_nba',
        eventId: null,
        markets: ['h2h', 'totals'],
        at: now + 2 * hour - leadMs,
        credits: 4,
      },
      { key: 'icehockey_nhl', eventId: null, markets: ['h2h'], at: now + 5 * hour - leadMs, credits: 2 },
    ]);
  });

  it('lets consecutive starts share a call if the credits allow only one', () => {
    const starts = [need(2 * hour), need(3 * hour), need(4 * hour)];
    const [call, ...others] = planLastCalls(starts, { ...rich, allowance: 1 }, 1, now);
    expect(others).to.deep.equal([]);
    expect(call!.at).to.equal(now + 2 * hour - leadMs);
    expect(planLastCalls(starts, rich, 1, now)).to.have.length(3);
  });

  it('prefers the call that prices most picks per credit', () => {
    const plan = planLastCalls(
      [
        need(hour),
        need(2 * hour, { key: 'icehockey_nhl', picks: 3 }),
        need(hour, { eventId: 'e', markets: ['a', 'b'] }),
      ],
      { ...rich, allowance: 1 },
      1,
      now,
    );
    expect(plan.map(({ key }) => key)).to.deep.equal(['icehockey_nhl']);
  });

  it('calls at once for a start within the lead time, and not again for one already requested', () => {
    expect(planLastCalls([need(2 * minute)], rich, 1, now)[0]!.at).to.equal(now);
    expect(planLastCalls([need(2 * minute, { askedAt: now })], rich, 1, now)).to.deep.equal([]);
  });

  it('spends what last calls leave on earlier prices, spread over the day and the sports', () => {
    const subjects = [
      { key: 'basketball_nba', askedAt: now - hour, unpriced: null },
      { key: 'icehockey_nhl', askedAt: null, unpriced: null },
    ];
    const earlier = (spent: Spending) => planCalls([], subjects, [], ['h2h'], spent, 1, now).earlier;
    expect(earlier({ allowance: 48, perDay: 48, usualPerDay: 0 }).map(({ at }) => at)).to.deep.equal([
      now,
      now,
    ]);
    expect(earlier({ allowance: 8, perDay: 8, usualPerDay: 0 }).map(({ at }) => at)).to.deep.equal([
      now + 5 * hour,
      now,
    ]);
    expect(earlier({ allowance: 48, perDay: 48, usualPerDay: 32 })).to.deep.equal([]);
  });

  it('spends remaining credits first on sports with picks without a price', () => {
    const spent: Spending = { allowance: 8, perDay: 8, usualPerDay: 0 };
    const at = (pickedAt: number | null, credits = spent) =>
      planCalls(
        [],
        [
          {
            key: 'basketball_nba',
            askedAt: now - minute,
            unpriced: pickedAt === null ? null : { pickedAt, markets: ['h2h'], askedAt: now - minute },
          },
        ],
        [],
        ['h2h'],
        credits,
        1,
        now,
      ).earlier[0]?.at;
    expect(at(now)).to.equal(now + 9 * minute);
    expect(at(now - hour))
      .to.equal(at(null))
      .and.to.be.above(now + hour);
    expect(at(now, { ...spent, usualPerDay: 8 })).to.equal(undefined);
  });

  it('asks at once for the markets of new picks, even if no credits are left to ask for all sports', () => {
    const subjects = ['basketball_nba', 'icehockey_nhl'].map((key) => ({
      key,
      askedAt: now - hour,
      unpriced: key === 'icehockey_nhl' ? { pickedAt: now, markets: ['totals'], askedAt: null } : null,
    }));
    const spent: Spending = { allowance: 4, perDay: 4, usualPerDay: 0 };
    const { earlier } = planCalls([], subjects, [], ['h2h', 'spreads', 'totals'], spent, 1, now);
    expect(earlier).to.deep.equal([
      { key: 'icehockey_nhl', eventId: null, markets: ['totals'], at: now, credits: 1 },
    ]);
    const closings: Spending = { ...spent, usualPerDay: 3 };
    expect(planCalls([], subjects, [], ['h2h'], closings, 1, now).earlier).to.deep.equal([]);
  });

  it('spends remaining credits on single events first, if no sport-wide answer prices their picks', () => {
    const event = (eventId: string, picks: number, markets = ['player_points']) => ({
      key: 'basketball_nba',
      eventId,
      markets,
      picks,
      askedAt: eventId === 'asked' ? now - minute : null,
      pickedAt: now,
    });
    const unseen = [event('one', 1), event('asked', 3), event('wide', 2, ['spreads', 'alternate_spreads'])];
    const plan = (allowance: number, usualPerDay = 0) =>
      planCalls([], [], unseen, ['h2h'], { allowance, perDay: allowance, usualPerDay }, 1, now).earlier;
    expect(plan(4).map(({ eventId, at, credits }) => [eventId, at, credits])).to.deep.equal([
      ['asked', now + 9 * minute, 1],
      ['one', now, 1],
      ['wide', now, 2],
    ]);
    expect(plan(3).map(({ eventId }) => eventId)).to.deep.equal(['asked', 'one']);
    expect(plan(4, 4)).to.deep.equal([]);
  });

  it('never exceeds the allowance, and calls for each start before it and in time', () => {
    const needs = fc.array(
      fc.record({
        key: fc.constantFrom('basketball_nba', 'icehockey_nhl'),
        eventId: fc.constantFrom(null, 'e'),
        markets: fc.constantFrom(['h2h'], ['spreads'], ['spreads', 'alternate_spreads']),
        startsAt: fc.integer({ min: 1, max: 1440 }).map((minutes) => now + minutes * minute),
        picks: fc.integer({ min: 1, max: 9 }),
        askedAt: fc.constantFrom(null, now - hour, now - 8 * hour),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        needs,
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (list, allowance, each) => {
          const plan = planLastCalls(list, { ...rich, allowance }, each, now);
          expect(plan.reduce((sum, { credits }) => sum + credits, 0)).to.be.at.most(allowance);
          for (const call of plan) {
            expect(call.at).to.be.at.least(now);
            const serves = list.some(
              ({ key, eventId, markets, startsAt }) =>
                key === call.key &&
                eventId === call.eventId &&
                markets.every((market) => call.markets.includes(market)) &&
                startsAt > call.at &&
                startsAt - call.at <= closingAgeMs,
            );
            expect(serves).to.equal(true);
          }
        },
      ),
    );
  });
});

describe('the credits of The Odds API', () => {
  const budget = {
    remaining: 300,
    used: 200,
    from: Date.parse('2026-01-01T00:00:00Z'),
    atStart: 500,
  };

  it('renew on the first of the month for a free key, and a month after the last for a subscription', () => {
    expect(renewalAt(budget, now)).to.equal(Date.parse('2026-02-01T00:00:00Z'));
    const paid = { ...budget, used: 19_700, atStart: 20_000, from: Date.parse('2026-01-08T07:00:00Z') };
    expect(renewalAt(paid, now)).to.equal(Date.parse('2026-02-08T07:00:00Z'));
    expect(renewalAt(paid, Date.parse('2026-03-01T00:00:00Z'))).to.equal(Date.parse('2026-03-02T00:00:00Z'));
  });

  it('are spent evenly, and the reserve never', () => {
    expect(spending(budget, 0, now).allowance).to.be.within(0, 60);
    expect(spending({ ...budget, remaining: 21 }, 0, Date.parse('2026-01-31T23:00:00Z')).allowance).to.equal(
      1,
    );
    expect(spending({ ...budget, remaining: 20 }, 0, now)).to.include({ allowance: 0, perDay: 0 });
    const saved = spending({ ...budget, remaining: 480 }, 0, now + 10 * day).allowance;
    expect(saved).to.be.above(spending(budget, 0, now + 10 * day).allowance);
  });
});

describe('a January with picks on 694 starts', () => {
  it('has prices for more than 600 of them with a free key, most from the last half hour', () => {
    for (const seed of [1, 16, 2026]) {
      const month = playMonth(januaryWithPicks(694, seed), 500, 1);
      expect(month.priced, JSON.stringify(month)).to.be.above(650);
      expect(month.within30).to.be.above(380);
      expect(month.spent).to.be.within(400, 480);
    }
  });

  it('has the figures on the page about plans', () => {
    const page = readFileSync(new URL('../../../docs/odds-api-plans.md', import.meta.url), 'utf8');
    for (const [credits, regions] of [
      [500, 1],
      [500, 2],
      [20_000, 4],
    ] as const)
      expect(page).to.contain(planRow(credits, regions));
  });

  it('has prices from the last half hour for all of them with the smallest subscription', () => {
    expect(playMonth(januaryWithPicks(), 20_000, 1)).to.include({ within30: 694, starts: 694 });
  });
});
