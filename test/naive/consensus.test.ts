import { expect } from 'chai';
import * as boards from './boards-picks.ts';
import * as sharp from './boards-sharp.ts';
import { capper, fromStart, game, line, pick, stateAt } from './cases.ts';
import { pickOfTheDay } from './confidence.ts';
import { iso } from './days.ts';
import type { LedgerState, Surroundings } from './ledger.ts';
import type { PickRow, Rows, Tier } from './read.ts';

const LATER = fromStart(100);

const TIERS: Record<string, Tier> = {
  eve: 'elite',
  ed: 'elite',
  vic: 'verified_sharp',
  val: 'verified_sharp',
};
const cappers = Object.entries(TIERS).map(([handle, tier]) => capper(handle, tier));

/** Returns a pick of `capperHandle`, posted the given number of hours from the start. */
const by = (capperHandle: string, hours: number, fields: Partial<PickRow> = {}): PickRow =>
  pick({ capperHandle, postedAt: fromStart(hours), ...fields });

const at = (now: string, picks: PickRow[], rows: Partial<Rows> = {}, more: Omit<Surroundings, 'now'> = {}) =>
  stateAt(now, { cappers, picks, ...rows }, more);

describe('the naive consensus', () => {
  it('needs two different sharp cappers and counts each once, by their latest pick', () => {
    const one = [by('eve', -3), by('eve', -2), by('lou', -2)];
    expect(sharp.consensus(at(fromStart(-1), one)).groups).to.deep.equal([]);
    const two = [
      ...one,
      by('vic', -4, { oddsAmerican: -105, stakeUnits: 2 }),
      by('val', -2, { side: 'away' }),
    ];
    const { count, groups } = sharp.consensus(at(fromStart(-1), two));
    expect(count).to.equal(1);
    expect(groups[0]).to.deep.include({
      sport: 'nfl',
      game: 'Otters @ Herons',
      market: 'moneyline',
      side: 'home',
      pick: 'Herons',
      lineMin: null,
      lineMax: null,
      bestOddsAmerican: 100,
      capperCount: 2,
      eliteCount: 1,
      verifiedSharpCount: 1,
      opposingCount: 1,
      consensusPct: 66.7,
      totalStakeUnits: 3,
      firstPostedAt: fromStart(-4),
      lastPostedAt: fromStart(-2),
    });
    expect(groups[0]?.cappers.map((one) => one.handle)).to.deep.equal(['vic', 'eve']);
  });

  it("is active for six hours, even in play, and on today's board at any age", () => {
    const picks = [by('eve', -30), by('vic', -5)];
    const before = at(fromStart(-1), picks);
    expect([sharp.consensus(before).count, sharp.today(before).count]).to.deep.equal([0, 1]);
    expect(sharp.today(at(fromStart(-1), [by('eve', -3), by('lou', -3)])).groups).to.deep.equal([]);
    const close = [by('eve', -5), by('vic', -4)];
    const active = (hours: number) => sharp.consensus(at(fromStart(hours), close)).count;
    expect([active(1), active(1.001)]).to.deep.equal([1, 0]);
  });

  it('remembers a group that was active, once all of it has settled', () => {
    const spread = (line: number) => ({ market: 'spread', side: 'home', line, oddsAmerican: -110 });
    const picks = [by('eve', -5, spread(-3)), by('vic', -4, spread(-3.5)), by('ed', -90, spread(-2.5))];
    const recent = (hours: number, some: PickRow[]) => sharp.sharpRecent(at(fromStart(hours), some)).groups;
    expect(recent(2.9, picks)).to.deep.equal([]);
    expect(recent(3, picks)[0]).to.deep.include({
      result: 'mixed',
      resolvedAt: fromStart(3),
      wins: 1,
      losses: 1,
      pushes: 1,
      voids: 0,
      capperCount: 3,
      lineMin: -3.5,
      lineMax: -2.5,
    });
    expect([recent(27, picks).length, recent(27.01, picks).length]).to.deep.equal([1, 0]);
    expect(recent(3, [by('eve', -11), by('vic', -4)]), 'seven hours apart').to.deep.equal([]);
    expect(recent(3, [by('eve', -10), by('vic', -4)])[0], 'six hours apart').to.deep.include({
      result: 'win',
    });
  });

  it('breaks active groups down by sport, market, and capper', () => {
    const total = { market: 'total', side: 'over', line: 40 };
    const picks = [by('eve', -2), by('vic', -2), by('eve', -3, total), by('val', -2, total)];
    const state = at(fromStart(-1), picks);
    expect(sharp.sharpSports(state).sports).to.deep.equal([{ sport: 'nfl', groupCount: 2, capperCount: 3 }]);
    expect(sharp.sharpMarkets(state).markets).to.deep.equal([
      { sport: 'nfl', market: 'moneyline', groupCount: 1, capperCount: 2 },
      { sport: 'nfl', market: 'total', groupCount: 1, capperCount: 2 },
    ]);
    const listed = sharp.todayCappers(state).cappers;
    expect(listed.map((one) => [one.handle, one.groupCount])).to.deep.equal([
      ['eve', 2],
      ['val', 1],
      ['vic', 1],
    ]);
  });

  it('shows hot streaks that meet an active group', () => {
    const games = [-96, -72, -48].map((hours) => game({ startsAt: fromStart(hours) }));
    const won = games.map((row, index) => by('eve', -100 + 24 * index, { startsAt: row.startsAt! }));
    const state = at(fromStart(-1), [...won, by('eve', -2), by('vic', -2)], { games: [game(), ...games] });
    const hot = sharp.sharpHot(state);
    expect([
      hot.count,
      hot.cappers[0]?.handle,
      hot.cappers[0]?.streak,
      hot.cappers[0]?.groups.length,
    ]).to.deep.equal([...[1, 'eve', 3, 1]]);
  });
});

describe('the naive Confidence Index', () => {
  const indexOf = (state: LedgerState, capperHandle: string) => {
    const { uuid } = state.picks.filter((one) => one.capperHandle === capperHandle).at(-1)!;
    return boards.confidence(state, { uuid });
  };

  it('scores a capper without history as one without skill', () => {
    const { index, components } = indexOf(at(fromStart(-1), [by('lou', -2)]), 'lou');
    expect(index).to.equal(35);
    expect(components).to.deep.equal([
      { name: 'tier', value: 0.4, weight: 20, contribution: 8, sample: 0 },
      { name: 'record', value: 0.4, weight: 25, contribution: 10, sample: 0 },
      { name: 'clv', value: 0.1, weight: 25, contribution: 2.5, sample: 0 },
      { name: 'form', value: 0.45, weight: 10, contribution: 4.5, sample: 0 },
      { name: 'consensus', value: 0.5, weight: 15, contribution: 7.5, sample: 0 },
      { name: 'price', value: 0.5, weight: 5, contribution: 2.5, sample: 0 },
    ]);
  });

  it('does not count the capper among the others', () => {
    const picks = [by('eve', -3), by('vic', -2), by('eve', -2, { side: 'away' })];
    const { components } = indexOf(at(fromStart(-1), picks), 'eve');
    expect(components[4]).to.deep.include({ value: 0.375, sample: 1 });
  });

  it('follows others and prices until the start, and is frozen from then on', () => {
    const lines = [
      line({ oddsAmerican: 100, capturedAt: fromStart(-1.5) }),
      line({ oddsAmerican: 105, capturedAt: fromStart(-1), book: 'other' }),
      line({ oddsAmerican: 300, capturedAt: fromStart(1) }),
    ];
    const picks = [
      by('lou', -2),
      by('vic', -1),
      by('eve', -3),
      by('eve', -2),
      by('val', -3, { side: 'away' }),
    ];
    const at2 = indexOf(at(fromStart(-2), picks, { lines }), 'lou');
    expect(at2.components[4]).to.deep.include({ value: 0.5, sample: 2 });
    expect(at2.index).to.equal(35);
    for (const hours of [-1, 0, 50]) {
      const { index, components } = indexOf(at(fromStart(hours), picks, { lines }), 'lou');
      expect(components[4]).to.deep.include({ value: 0.625, contribution: 9.38, sample: 3 });
      // 0.5 + 10 * (2 / 2.05 - 1) = 0.25610; 8 + 17 + 9.375 + 1.2805 = 35.6555
      expect(components[5]).to.deep.include({ value: 0.2561, contribution: 1.28, sample: 2 });
      expect(index).to.equal(35.7);
    }
  });

  it('uses the picks settled before the post, over 90 and 30 days', () => {
    const history = (days: number) => {
      const startsAt = fromStart(-24 * days);
      const played = { startsAt, postedAt: fromStart(-24 * days - 1), oddsAmerican: 102 };
      const lines = [line({ startsAt, capturedAt: startsAt })];
      const games = [game(), game({ startsAt })];
      return indexOf(at(fromStart(-1), [by('lou', 0, played), by('lou', -2)], { lines, games }), 'lou');
    };
    const values = (days: number) => history(days).components.map((one) => one.value);
    // record: 0.5 + 5 * (1 - 100 / 202 - 0.4) / 21 = 0.52499; clv: no price of the other side, so no edge; form: 0.5 + 1.25 * (1.02 - 0.8) / 21 = 0.51310
    expect(values(10)).to.deep.equal([0.4, 0.525, 0.1, 0.5131, 0.5, 0.5]);
    expect(values(40)).to.deep.equal([0.4, 0.525, 0.1, 0.45, 0.5, 0.5]);
    expect(values(100)).to.deep.equal([0.4, 0.4, 0.1, 0.45, 0.5, 0.5]);
  });
});

describe('the naive Pick of the Day', () => {
  // 9:00 in New York is three hours before the start.
  it('is chosen at 9:00 and kept', () => {
    const early = [by('lou', -8), by('vic', -20)];
    const chosen = (hours: number, picks: PickRow[]) => {
      const pod = pickOfTheDay(at(fromStart(hours), picks));
      return pod && [pod.pick.capperHandle, iso(pod.chosenAt)];
    };
    expect(chosen(-3.01, early)).to.equal(null);
    expect(chosen(-3, early)).to.deep.equal(['vic', fromStart(-3)]);
    expect(chosen(4, [...early, by('eve', -2)])).to.deep.equal(['vic', fromStart(-3)]);
    expect(chosen(4, [by('lou', -2), by('eve', -1)]), 'the first moment with a candidate').to.deep.equal([
      ...['lou', fromStart(-2)],
    ]);
    expect(boards.pod(at(fromStart(4), early)).pick).to.deep.include({
      capperHandle: 'vic',
      result: 'win',
    });
    expect(boards.pod(at(fromStart(24), early))).to.deep.equal({
      day: '2021-01-11',
      pick: null,
      confidence: null,
      now: null,
    });
  });

  it('is chosen later by a service that starts later', () => {
    const state = (since: number) =>
      at(fromStart(1), [by('lou', -8), by('eve', -2)], {}, { runningSince: Date.parse(fromStart(since)) });
    expect(pickOfTheDay(state(-1))?.pick.capperHandle).to.equal('eve');
    expect(pickOfTheDay(state(0.5))).to.equal(null);
  });

  it('breaks ties by the earlier posting', () => {
    const tied = [by('val', -4), by('vic', -5, { game: 'Newts @ Toads' })];
    const games = [game(), game({ game: 'Newts @ Toads' })];
    expect(pickOfTheDay(at(LATER, tied, { games }))).to.equal(null);
    expect(pickOfTheDay(at(fromStart(-3), tied, { games }))?.pick.capperHandle).to.equal('vic');
  });
});
