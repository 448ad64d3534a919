import { expect } from 'chai';
import fc from 'fast-check';
import { gradeByScore, gradingScore } from '../../src/rules/grading.ts';
import { marketNamed, marketSides, markets } from '../../src/rules/markets/index.ts';
import type { MoneylineWays } from '../../src/rules/markets/market.ts';
import { clvBps, medianDecimal, nearestAmerican, netUnitsE4 } from '../../src/rules/odds.ts';
import { americanOdds, result, stakeE4 } from '../rules/arbitraries.ts';
import { withDatabase } from '../support/database.ts';

const runs = 3_000;
const slugs = ['prop', 'moneyline_2', 'first_half_prop', ...markets.map(({ name }) => name)];
const sides = [
  'home',
  'away',
  'draw',
  'over',
  'under',
  'home_over',
  'home_under',
  'away_over',
  'away_under',
  'other',
];
const points = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 3 }) },
  fc.integer({ min: 0, max: 9999 }),
);

const pick = fc.record({
  market: fc.constantFrom(...slugs),
  side: fc.constantFrom(...sides),
  lineE3: fc.option(
    fc
      .oneof(fc.integer({ min: -8, max: 16 }), fc.integer({ min: -19_998, max: 19_998 }))
      .map((half) => half * 500),
  ),
  moneylineWays: fc.constantFrom<MoneylineWays>(2, 3),
  home: points,
  away: points,
});

/** Small scores and lines for each side of each market: among them are a win, a loss and a push of each. */
const smallest = markets.flatMap(({ name }) =>
  sides.flatMap((side) =>
    [null, -1000, -500, 0, 500, 1000].flatMap((lineE3) =>
      ([2, 3] as const).flatMap((moneylineWays) =>
        [
          { home: 0, away: 0 },
          { home: 1, away: 0 },
          { home: 0, away: 1 },
        ].map((score) => ({ market: name, side, lineE3, moneylineWays, ...score })),
      ),
    ),
  ),
);

/** American odds so many steps further, across the gap between -100 and +100, and not beyond the last ones. */
function stepped(odds: number, by: number): number {
  const place = (odds > 0 ? odds - 100 : odds + 100) + by;
  const within = Math.max(-99_900, Math.min(99_900, place));
  return within >= 0 ? within + 100 : within - 100;
}

describe('the rules in the database', () => {
  const stores = withDatabase();

  /** Asks once for all samples. */
  async function asked<T>(samples: readonly T[], select: string): Promise<Record<string, unknown>[]> {
    const { rows } = await stores.owner.raw(
      `select ${select} from json_array_elements(?) with ordinality as s (v, n) order by n`,
      [JSON.stringify(samples)],
    );
    return rows;
  }

  it('grade as rules/markets does, every declared market and others', async () => {
    const samples = [...smallest, ...fc.sample(pick, 20_000)];
    const rows = await asked(
      samples,
      `score_result(v->>'market', v->>'side', (v->>'lineE3')::int, (v->>'moneylineWays')::int, (v->>'home')::int, (v->>'away')::int) as result,
       graded_by(v->>'market') as by, pick_fits(v->>'market', v->>'side', (v->>'lineE3')::int, (v->>'moneylineWays')::int) as fits`,
    );
    const seen = new Set<string>();
    samples.forEach(({ home, away, ...of }, index) => {
      const scores = { homeScore: home, awayScore: away, homeHalfScore: home, awayHalfScore: away };
      const own = gradeByScore({ ...of, ...scores });
      expect(rows[index]?.result, JSON.stringify({ ...of, home, away })).to.equal(own);
      if (own !== null) seen.add(`${of.market}/${own}`);
      const by = { final: 'score', firstHalf: 'first_half_score' } as const;
      const name = gradingScore(of.market, scores)?.name;
      expect(rows[index]?.by).to.equal(name === undefined ? null : by[name]);
      const declared = marketNamed(of.market);
      const fits =
        declared === undefined ||
        (marketSides(of.market, of.moneylineWays)!.includes(of.side) &&
          (declared.line === null) === (of.lineE3 === null));
      expect(rows[index]?.fits, JSON.stringify(of)).to.equal(fits);
    });
    for (const { name } of markets)
      expect([...seen]).to.include.members([`${name}/win`, `${name}/loss`, `${name}/push`]);
  });

  it('give the net units that rules/odds gives', async () => {
    const samples = fc.sample(fc.record({ result, stake: stakeE4, odds: americanOdds }), runs);
    const rows = await asked(
      samples,
      `net_units(v->>'result', (v->>'stake')::int, (v->>'odds')::int) as net`,
    );
    samples.forEach(({ result, stake, odds }, index) => {
      expect(rows[index]?.net, `${result} ${stake} ${odds}`).to.equal(netUnitsE4(result, stake, odds));
    });
  });

  it('give the closing line value that rules/odds gives, halves away from zero', async () => {
    const samples = fc.sample(fc.record({ posted: americanOdds, closing: americanOdds }), runs);
    samples.push(
      { posted: 101, closing: 301 },
      { posted: -100, closing: 100 },
      { posted: 100_000, closing: -100_000 },
    );
    const rows = await asked(
      samples,
      `clv((v->>'posted')::int, american_num((v->>'closing')::int), american_den((v->>'closing')::int)) as clv`,
    );
    samples.forEach(({ posted, closing }, index) => {
      expect(rows[index]?.clv, `${posted} ${closing}`).to.equal(clvBps(posted, closing));
    });
  });

  it('bound the closing line value of every median by the odds that are shown for it', async () => {
    const near = americanOdds.chain((odds) =>
      fc.array(
        fc.integer({ min: -3, max: 3 }).map((by) => stepped(odds, by)),
        { minLength: 1, maxLength: 5 },
      ),
    );
    const samples = fc.sample(
      fc.record({
        posted: americanOdds,
        books: fc.oneof(near, fc.array(americanOdds, { minLength: 1, maxLength: 5 })),
      }),
      runs,
    );
    const shown = samples.map(({ posted, books }) => {
      const median = medianDecimal(books);
      return { posted, shown: nearestAmerican(median), clv: clvBps(posted, median) };
    });
    const rows = await asked(shown, `(clv_bounds((v->>'posted')::int, (v->>'shown')::int)).*`);
    shown.forEach(({ clv, ...of }, index) => {
      const { least_bps: least, most_bps: most } = rows[index] as { least_bps: number; most_bps: number };
      expect(clv, JSON.stringify(of)).to.be.within(least, most);
      // No wider than rounding: a closing at the next odds on either side is not between the bounds.
      for (const by of [-1, 1]) {
        const next = stepped(of.shown, by);
        if (next === of.shown) continue;
        const beyond = clvBps(of.posted, next);
        expect(by > 0 ? beyond <= least : beyond >= most, JSON.stringify({ ...of, next })).to.equal(true);
      }
    });
  });
});
