import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Closing, closingMarket, closingOf } from '../../src/rules/closing.ts';
import type { PriceRow } from '../../src/rules/closing-snapshot.ts';
import { edgeBps, fairClose, lineMove } from '../../src/rules/edge.ts';
import { gradeByScore } from '../../src/rules/grading.ts';
import {
  contestOf,
  marketNamed,
  marketSides,
  markets,
  opposes,
  sidesGradedBy,
} from '../../src/rules/markets/index.ts';
import type { Market } from '../../src/rules/markets/market.ts';
import { featuredKeys as marketKeys } from '../../src/sources/odds-api/requests.ts';
import * as naiveClosing from '../naive/closing.ts';
import * as naive from '../naive/grading.ts';
import { FINAL_SCORE, HALF_SCORE, rivals } from '../naive/markets.ts';
import { americanOdds } from './arbitraries.ts';

const sports = [
  { sport: 'nfl', ways: 2 },
  { sport: 'soccer', ways: 3 },
] as const;

/** Every side of every declared market, in a two-way and in a three-way sport. */
const everySide = markets.flatMap((market) =>
  sports.flatMap(({ sport, ways }) =>
    market.contests(ways).flatMap((sides) => sides.map((side) => ({ market, sport, ways, sides, side }))),
  ),
);

describe('the table of markets', () => {
  it('lists every file of its folder', async () => {
    const folder = new URL('../../src/rules/markets/', import.meta.url);
    const files = readdirSync(folder).filter(
      (name) =>
        ![
          'index.ts',
          'market.ts',
          'known.ts',
          'lexicon.ts',
          'meant.ts',
          'periods.ts',
          'player-markets.ts',
        ].includes(name),
    );
    const listed: string[] = [];
    for (const file of files) {
      const declared = Object.values(await import(new URL(file, folder).href)) as unknown[];
      const own = markets.filter((market) => declared.includes(market)).map(({ name }) => name);
      expect(own, file).not.to.deep.equal([]);
      for (const name of own) expect(name.replaceAll('_', '-')).to.match(new RegExp(`^${file.slice(0, -3)}`));
      listed.push(...own);
    }
    expect(listed).to.have.members(markets.map(({ name }) => name));
  });

  it('has unique names, labels, and provider keys', () => {
    for (const names of [
      markets.map(({ name }) => name),
      markets.map(({ label }) => label),
      markets.map(({ oddsApi }) => oddsApi.key),
    ])
      expect(new Set(names).size).to.equal(markets.length);
    for (const { name, label } of markets) {
      expect(name).to.match(/^[a-z0-9][a-z0-9_-]{0,39}$/);
      expect([marketNamed(name)?.name, marketNamed(name)?.label]).to.deep.equal([name, label]);
    }
    expect(marketNamed('player_first_basket')).to.equal(undefined);
  });

  it('has an oracle for each market, with the same score', () => {
    const by = (score: string) =>
      markets.filter(({ gradedBy }) => gradedBy === score).map(({ name }) => name);
    expect(by('final')).to.have.members(FINAL_SCORE);
    expect(by('firstHalf')).to.have.members(HALF_SCORE);
  });

  it('matches docs/rules/markets.md, one market per row', () => {
    const path = new URL('../../docs/rules/markets.md', import.meta.url);
    const rows = [...readFileSync(path, 'utf8').matchAll(/^\| (`[^|]+) \|/gm)];
    const names = rows.flatMap(([, cell]) => (cell as string).replaceAll('`', '').split(', '));
    expect(names).to.have.members(markets.map(({ name }) => name));
  });

  it("has sides that are slugs, each in one contest, like the oracle's", () => {
    for (const { market, sport, sides, side } of everySide) {
      expect(side).to.match(/^[a-z0-9][a-z0-9_-]{0,39}$/);
      expect([...sides].sort()).to.deep.equal(rivals(sport, market.name, side));
    }
    for (const { name } of markets)
      for (const { ways } of sports) {
        const sides = marketSides(name, ways)!;
        expect(new Set(sides).size).to.equal(sides.length);
      }
    expect(marketSides('moneyline', 2)).to.deep.equal(['home', 'away']);
    expect(marketSides('moneyline', 3)).to.deep.equal(['home', 'away', 'draw']);
    expect(marketSides('first_half_moneyline', 3)).to.deep.equal(['home', 'away', 'draw']);
    expect(marketSides('spread', 3)).to.deep.equal(['home', 'away']);
    expect(marketSides('total', 2)).to.deep.equal(['over', 'under']);
    expect(marketSides('prop', 2)).to.equal(null);
  });

  it('says which sides bet against each other', () => {
    expect(opposes('spread', 'home', 'away')).to.equal(true);
    expect(opposes('spread', 'home', 'home')).to.equal(false);
    expect(opposes('team_total', 'home_over', 'home_under')).to.equal(true);
    expect(opposes('team_total', 'home_over', 'away_under')).to.equal(false);
    expect(opposes('prop', 'smith', 'jones')).to.equal(true);
    expect(
      ['home_under', 'away_over', 'nonsense'].map((side) => contestOf('team_total', side)),
    ).to.deep.equal([0, 1, 0]);
  });

  it('lists the sides that each score grades, for SQL', () => {
    expect(sidesGradedBy('firstHalf')).to.include.members([
      'first_half_total/over',
      'first_half_moneyline/draw',
    ]);
    expect(sidesGradedBy('final')).to.include.members(['team_total/away_under', 'moneyline/draw']);
    expect([...sidesGradedBy('final'), ...sidesGradedBy('firstHalf')].join(' ')).not.to.match(/quarter|prop/);
  });

  it('requests from The Odds API the markets available for many games at once', () => {
    expect(marketKeys).to.deep.equal(['h2h', 'spreads', 'totals']);
  });

  it('maps the outcomes of The Odds API to sides', () => {
    const teams = { home: 'Copper Foxes', away: 'Harbor Gulls' };
    for (const { oddsApi, contests } of markets) {
      const named = ['Copper Foxes', 'Harbor Gulls', 'Draw', 'Over', 'Under'].flatMap((name) =>
        [undefined, 'Copper Foxes', 'Harbor Gulls'].map((description) =>
          oddsApi.side({ name, description }, teams),
        ),
      );
      expect(new Set(named.filter((side) => side !== null))).to.deep.equal(new Set(contests(3).flat()));
      expect(oddsApi.side({ name: 'Someone else', description: 'Nobody' }, teams)).to.equal(null);
    }
  });
});

const line = fc.integer({ min: -120, max: 120 }).map((steps) => steps * 250);
const points = fc.integer({ min: 0, max: 40 });
const lineOf = (market: Market, lineE3: number) => (market.line === null ? null : lineE3);

for (const market of markets)
  describe(`the market ${market.name}`, () => {
    const sides = everySide.filter((each) => each.market === market);

    it('is graded like the naive oracle grades it', () => {
      fc.assert(
        fc.property(fc.constantFrom(...sides), line, points, points, points, points, (of, e3, a, b, c, d) => {
          const { sport, side, ways: moneylineWays } = of;
          const lineE3 = lineOf(market, e3);
          const half = { homeHalfScore: a, awayHalfScore: b };
          const final = { homeScore: a + c, awayScore: b + d };
          const bet = {
            sport,
            market: market.name,
            side,
            lineE3,
            moneylineWays,
            sets: null,
            played: null,
            periodsE3: null,
          };
          const [home, away] = HALF_SCORE.includes(market.name)
            ? [half.homeHalfScore, half.awayHalfScore]
            : [final.homeScore, final.awayScore];
          const expected = naive.gradeByScore(sport, market.name, side, lineE3, home, away);
          const outcomeOf = (scores: typeof half | { homeHalfScore: null; awayHalfScore: null }) => {
            const scored = gradeByScore({ ...bet, ...final, ...scores });
            return scored && { result: scored.result, half: scored.half };
          };
          expect(outcomeOf(half)).to.deep.equal(expected);
          const without = outcomeOf({ homeHalfScore: null, awayHalfScore: null });
          expect(without).to.deep.equal(market.gradedBy === 'firstHalf' ? null : expected);
        }),
      );
    });

    it('is not graded for an undeclared side or line', () => {
      const score = { home: 3, away: 4 };
      expect(market.grade('nonsense', lineOf(market, 3500), score, 2)).to.equal(null);
      for (const { side, ways } of sides)
        expect(market.grade(side, market.line === null ? 500 : null, score, ways)).to.equal(null);
    });

    it('gives the sides of a contest opposite results, one winner or a push', () => {
      fc.assert(
        fc.property(fc.constantFrom(...sides), line, points, points, (of, shared, home, away) => {
          const results = of.sides.map((side) => {
            const lineE3 = market.line === null ? null : market.line.shared(side, shared);
            return market.grade(side, lineE3, { home, away }, of.ways)!.result;
          });
          const wins = results.filter((result) => result === 'win').length;
          const losses = results.filter((result) => result === 'loss').length;
          if (wins === 0) expect(results.every((result) => result === 'push')).to.equal(true);
          else expect([wins, losses]).to.deep.equal([1, of.sides.length - 1]);
        }),
      );
    });

    it('closes, moves, and has an edge like the naive oracle', () => {
      const prices = fc.array(
        fc.record({
          side: fc.constantFrom(...(marketSides(market.name, 3) as string[])),
          lineE3: fc.constantFrom(-1000, -500, 500, 1000).map((lineE3) => lineOf(market, lineE3)),
          oddsAmerican: americanOdds,
          book: fc.constantFrom('blue', 'red'),
        }),
        { maxLength: 12 },
      );
      const book = fc.constantFrom('blue', null);
      fc.assert(
        fc.property(
          fc.constantFrom(...sides),
          prices,
          book,
          americanOdds,
          line,
          (of, seen, from, odds, e3) => {
            const rows: PriceRow[] = seen.map((price) => ({ ...price, capturedAt: 1000, closing: false }));
            const lineE3 = lineOf(market, e3 % 1500);
            const bet = { side: of.side, lineE3, oddsAmerican: odds, book: from };
            const named = { sport: of.sport, market: market.name };
            const expected = naiveClosing.closingOf({ ...named, ...bet }, rows, 2000);
            const closing = closingOf(closingMarket(market.name, rows, 2000), bet);
            expect(facts(closing)).to.deep.equal(facts(expected));
            if (closing === null) return;
            expect(lineMove(market.name, of.side, lineE3, closing.lineE3)).to.equal(expected?.lineMove);
            const pick = { ...of, market: market.name, lineE3, moneylineWays: of.ways };
            const { snapshots } = closingMarket(market.name, rows, 2000);
            const fair = fairClose(pick, snapshots.values());
            expect(fair?.method).to.equal(expected?.fair?.method);
            expect(fair?.books).to.equal(expected?.fair?.books);
            // Both are floating point, and may round a tie differently.
            if (fair !== null)
              expect(edgeBps(odds, fair.chanceE9)).to.be.closeTo((expected?.edgePct ?? 0) * 100, 1.01);
          },
        ),
        { numRuns: 150 },
      );
    });

    if (market.line !== null)
      it('writes its line', () => {
        const texts = [-3500, 0, 8500].map((lineE3) => market.line?.text(lineE3 / 1000));
        expect(texts).to.deep.equal(
          market.name.endsWith('spread') ? ['-3.5', '0', '+8.5'] : ['-3.5', '0', '8.5'],
        );
      });
  });

function facts(closing: Pick<Closing, 'oddsAmerican' | 'lineE3' | 'prices' | 'sameLine' | 'clvBps'> | null) {
  if (closing === null) return null;
  const { oddsAmerican, lineE3, prices, sameLine, clvBps } = closing;
  return { oddsAmerican, lineE3, prices, sameLine, clvBps };
}
