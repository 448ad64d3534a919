import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { closingSnapshots } from '../../src/rules/closing-snapshot.ts';
import { fairClose } from '../../src/rules/edge.ts';
import { marketIn, marketNamed, markets } from '../../src/rules/markets/index.ts';
import { known as others } from '../../src/rules/markets/known.ts';
import {
  type PlayerMarket,
  type PlayerStats,
  playerMarkets,
  statNames,
} from '../../src/rules/markets/player-markets.ts';
import { gradeByStats } from '../../src/rules/player-grading.ts';
import { selectionFault } from '../../src/rules/selection.ts';
import { PLAYER_QUESTIONS, PLAYER_SUMS, playerResult } from '../naive/markets.ts';

const sports = ['nba', 'wnba', 'ncaab', 'nfl', 'ncaaf', 'mlb', 'nhl', 'soccer', 'tennis', 'mma'];
const declared = playerMarkets.flatMap((market) =>
  Object.keys(market.sports).map((sport) => ({ market, sport })),
);

describe('the table of player markets', () => {
  it('has unique names and labels, distinct from the markets of games', () => {
    const all = [...markets, ...playerMarkets];
    for (const names of [all.map(({ name }) => name), all.map(({ label }) => label)])
      expect(new Set(names).size).to.equal(all.length);
    const otherPlayerMarkets = others.flatMap(({ name, about }) => (about === 'player' ? [name] : []));
    const known = [...playerMarkets.map(({ name }) => name), ...otherPlayerMarkets];
    expect(new Set(known).size).to.equal(known.length);
    for (const name of known) expect(name).to.match(/^[a-z0-9][a-z0-9_-]{0,39}$/);
    for (const name of otherPlayerMarkets) expect(marketNamed(name)).to.equal(undefined);
  });

  it('declares what the oracle declares, by sport', () => {
    for (const sport of sports) {
      const own = playerMarkets.map(({ name }) => name).filter((name) => marketIn(sport, name) !== undefined);
      const expected = [...Object.keys(PLAYER_SUMS[sport] ?? {}), ...(PLAYER_QUESTIONS[sport] ?? [])];
      expect(own).to.have.members(expected);
    }
  });

  it('matches docs/rules/player-markets.md, with the sports of each market', () => {
    const path = new URL('../../docs/rules/player-markets.md', import.meta.url);
    const rows = [...readFileSync(path, 'utf8').matchAll(/^\| `(\w+)` \| ([a-z, ]+) \|/gm)];
    const written = rows.flatMap(([, name, list]) => list!.split(', ').map((sport) => `${name} ${sport}`));
    expect(written).to.have.members(declared.map(({ market, sport }) => `${market.name} ${sport}`));
  });

  it('accepts the sides and lines of a market in the sports that declare it', () => {
    const pick = { market: 'player_points', subject: 'Ada Cole', side: 'over', lineE3: 20_500 };
    expect(selectionFault(pick, { sport: 'nba', game: 'Harbor Gulls @ Copper Foxes' }, 2)).to.equal(
      undefined,
    );
    expect(
      selectionFault({ ...pick, subject: null }, { sport: 'nba', game: 'Harbor Gulls @ Copper Foxes' }, 2),
    ).to.match(/needs a subject: the player/);
    for (const subject of ['Harbor Gulls @ Copper Foxes', 'Harbor Gulls', 'copper foxes'])
      expect(
        selectionFault({ ...pick, subject }, { sport: 'nba', game: 'Harbor Gulls @ Copper Foxes' }, 2),
      ).to.match(/about a player/);
    expect(
      selectionFault({ ...pick, side: 'yes' }, { sport: 'nba', game: 'Harbor Gulls @ Copper Foxes' }, 2),
    ).to.match(/sides over, under, not yes/);
    expect(
      selectionFault({ ...pick, lineE3: null }, { sport: 'nba', game: 'Harbor Gulls @ Copper Foxes' }, 2),
    ).to.match(/needs a line/);
    const question = { ...pick, market: 'player_anytime_td', side: 'yes' };
    expect(selectionFault(question, { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes' }, 2)).to.match(
      /has no line/,
    );
    expect(
      selectionFault({ ...question, lineE3: null }, { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes' }, 2),
    ).to.equal(undefined);
  });

  it('accepts any side under its name in sports that do not declare it', () => {
    const pick = { market: 'player_points', subject: 'Ada Cole', side: 'most', lineE3: null };
    expect(selectionFault(pick, { sport: 'soccer', game: 'Harbor Gulls @ Copper Foxes' }, 3)).to.equal(
      undefined,
    );
    expect(
      selectionFault({ ...pick, subject: null }, { sport: 'soccer', game: 'Harbor Gulls @ Copper Foxes' }, 3),
    ).to.match(/needs a subject/);
  });

  it('gives no edge to a one-sided price', () => {
    const pick = { sport: 'nfl', market: 'player_anytime_td', side: 'yes', lineE3: null };
    const prices = [{ side: 'yes', oddsAmerican: 150 }];
    const edge = (given: typeof prices) =>
      fairClose(
        { ...pick, moneylineWays: 2 },
        closingSnapshots(
          pick.market,
          given.map((price) => ({ ...price, lineE3: null, book: 'blue', capturedAt: 1, closing: false })),
          2,
        ).values(),
      );
    expect(edge(prices)).to.equal(null);
    expect(edge([...prices, { side: 'no', oddsAmerican: -180 }])).not.to.equal(null);
  });
});

describe('grading from a box score', () => {
  const whole = { played: null, periodsE3: null, homeScore: 3, awayScore: 1, sets: null };
  const graded = (sport: string, market: string, side: string, line: number | null, stats: PlayerStats) =>
    gradeByStats({ ...whole, sport, market, side, lineE3: line === null ? null : line * 1000, stats });

  it("adds up the market's statistics, and compares the sum with the line", () => {
    const stats = { minutes: 31, points: 20, rebounds: 7, assists: 5 };
    const all = 'player_points_rebounds_assists';
    expect(graded('nba', all, 'over', 31.5, stats)).to.deep.include({
      result: 'win',
      stat: { name: 'points_rebounds_assists', value: 32 },
    });
    expect(graded('nba', all, 'under', 31.5, stats)?.result).to.equal('loss');
    expect(graded('nba', all, 'under', 32, stats)?.result).to.equal('push');
    expect(
      graded('nhl', 'player_points', 'over', 1.5, { played: 1, goals: 1, assists: 1 })?.stat,
    ).to.deep.equal({
      name: 'goals_assists',
      value: 2,
    });
  });

  it('waits while a statistic is missing, and voids if the player did not play', () => {
    expect(graded('nba', 'player_points_assists', 'over', 20.5, { minutes: 30, points: 25 })).to.equal(null);
    expect(graded('nba', 'player_points', 'under', 20.5, { points: 0 })).to.equal(null);
    const absent = { result: 'void', stat: null };
    expect(graded('nba', 'player_points', 'under', 20.5, { played: 0 })).to.deep.include(absent);
    expect(
      graded('mlb', 'batter_hits', 'under', 0.5, { played: 1, plate_appearances: 0, hits: 0 }),
    ).to.deep.include(absent);
    const both = { played: 1, plate_appearances: 0, pitches: 88, strikeouts_thrown: 6 };
    expect(graded('mlb', 'pitcher_strikeouts', 'over', 5.5, both)?.result).to.equal('win');
  });

  it('answers yes or no', () => {
    const big = { minutes: 33, points: 10, rebounds: 10, assists: 2, steals: 0, blocks: 0 };
    expect(graded('nba', 'player_double_double', 'yes', null, big)?.result).to.equal('win');
    expect(graded('nba', 'player_double_double', 'no', null, { ...big, rebounds: 9 })?.result).to.equal(
      'win',
    );
    expect(graded('nfl', 'player_anytime_td', 'yes', null, { played: 1, touchdowns: 0 })?.result).to.equal(
      'loss',
    );
  });

  it('refuses what a sport does not declare, including sides and lines', () => {
    const stats = { played: 1, goals: 2, assists: 1, points: 3, minutes: 60 };
    expect(graded('soccer', 'player_goals', 'over', 0.5, stats)).to.equal(null);
    expect(graded('nhl', 'player_goals', 'yes', 0.5, stats)).to.equal(null);
    expect(graded('nhl', 'player_goals', 'over', null, stats)).to.equal(null);
    expect(graded('nba', 'moneyline', 'home', null, stats)).to.equal(null);
  });

  const someStats = fc.dictionary(
    fc.constantFrom(...statNames, 'played' as const),
    // Zero often, because a player with zero of `played` did not play.
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 14 })),
    { noNullPrototype: true, maxKeys: statNames.length },
  );
  const some = fc.record({
    sport: fc.constantFrom(...sports),
    market: fc.constantFrom(...playerMarkets),
    side: fc.constantFrom('over', 'under', 'yes', 'no', 'home'),
    line: fc.option(fc.integer({ min: 0, max: 120 }).map((steps) => steps / 4)),
    stats: someStats,
    everything: fc.boolean(),
  });
  const full = Object.fromEntries(statNames.map((name) => [name, 7]));

  it('agrees with the oracle', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(some, ({ sport, market, side, line, stats, everything }) => {
        const box = everything ? { ...full, ...stats } : stats;
        const { result = null, half = false } =
          graded(sport, market.name, side, line, box as PlayerStats) ?? {};
        const outcome = half ? `half ${result}` : result;
        expect(outcome).to.equal(playerResult(sport, market.name, side, line, box));
        seen.add(String(outcome));
      }),
      { numRuns: 4000 },
    );
    expect([...seen]).to.include.members(['win', 'void', 'null']);
  });

  it('gives one side the opposite of the other', () => {
    const opposite = { win: 'loss', loss: 'win', push: 'push', void: 'void' } as const;
    const one = fc.constantFrom(...declared);
    fc.assert(
      fc.property(one, fc.integer({ min: 0, max: 60 }), someStats, ({ market, sport }, steps, stats) => {
        const [left, right] = (market as PlayerMarket).contests()[0]!;
        const line = market.line === null ? null : steps / 2;
        const box = { ...full, ...stats, played: 1 } as PlayerStats;
        const [a, b] = [left!, right!].map((side) => graded(sport, market.name, side, line, box));
        expect(b?.result).to.equal(a === null || a === undefined ? undefined : opposite[a.result]);
        expect(b?.stat).to.deep.equal(a?.stat);
      }),
    );
  });
});
