import { expect } from 'chai';
import { netUnitsE4 } from '../../src/rules/odds.ts';
import {
  type JudgedPick,
  studentAbove,
  type VerdictFigures,
  verdictFigures,
  verdictOf,
} from '../../src/rules/verdict.ts';
import type { Result } from '../../src/rules/vocabulary.ts';
import { above } from '../naive/verdict.ts';

const hour = 3_600_000;

/** Returns a settled live pick at an offered price, on a game of its own unless given. */
function pick(index: number, result: Result, given: Partial<JudgedPick> = {}): JudgedPick {
  const { oddsAmerican = 100, half = false, stakeE4 = 10_000 } = given;
  return {
    gameId: index,
    sport: 'nfl',
    market: 'spread',
    pickUuid: `uuid-${index}`,
    postedAt: index * hour,
    startsAt: index * hour + hour,
    settledAt: index * hour + 4 * hour,
    result,
    half,
    oddsAmerican,
    stakeE4,
    netUnitsE4: netUnitsE4(result, stakeE4, oddsAmerican, half),
    priceVerdict: 'available',
    edgeBps: null,
    ...given,
  };
}

const many = (count: number, of: (index: number) => JudgedPick) =>
  Array.from({ length: count }, (_, index) => of(index));
const wordOf = (picks: readonly JudgedPick[], isPart = false) =>
  verdictOf(verdictFigures(picks), isPart).word;

/** Returns picks whose edges have a mean of about `mean` basis points and a deviation of 300. */
const edged = (count: number, mean: number, winsOf10 = 5) =>
  many(count, (index) =>
    pick(index, index % 10 < winsOf10 ? 'win' : 'loss', { edgeBps: mean + (index % 2 === 0 ? 300 : -300) }),
  );

describe('the verdict on a capper', () => {
  it('is proven by better prices in 200 games, and only promising before or with less', () => {
    const proven = verdictOf(verdictFigures(edged(200, 200)));
    expect(proven).to.deep.equal({
      word: 'proven',
      sentence:
        'Took a better price than the market’s last one in 100 of 200 games, 2.0% better on average: luck does that less than once in 10,000.',
      missing: null,
    });
    expect(verdictOf(verdictFigures(edged(198, 200)))).to.include({
      word: 'promising',
      missing: '2 more games with prices to compare.',
    });
    expect(wordOf(edged(200, 50))).to.equal('promising');
    expect(wordOf(edged(200, 10))).to.equal('unproven');
    expect(wordOf(edged(49, 900))).to.equal('unproven');
    expect(wordOf(edged(200, 200), true)).to.equal('promising');
  });

  it('is never proven or promising by prices if the yield is below what bad luck explains', () => {
    expect(wordOf(edged(200, 200, 3))).to.equal('losing');
  });

  it('says how a loss and better prices go together', () => {
    const unlucky = many(200, (index) =>
      pick(index, index % 20 < 9 ? 'win' : 'loss', { edgeBps: 200 + (index % 2 === 0 ? 300 : -300) }),
    );
    expect(verdictOf(verdictFigures(unlucky)).sentence).to.match(
      /Bad luck explains the loss of 20.0 units\.$/,
    );
    const largeLosers = edged(200, 200, 6).map((one) =>
      one.result === 'win' ? one : pick(one.gameId, 'loss', { ...one, stakeE4: 30_000, netUnitsE4: -30_000 }),
    );
    expect(verdictOf(verdictFigures(largeLosers)).sentence).to.match(
      /Equal stakes would have won: the loss of 120.0 units comes from their sizes\.$/,
    );
  });

  it('is proven by results in 500 games if fewer than 1 in 10,000 win as much', () => {
    const picks = (wins: number, count = 500) =>
      many(count, (index) => pick(index, index < wins ? 'win' : 'loss'));
    expect(verdictOf(verdictFigures(picks(293)))).to.deep.equal({
      word: 'proven',
      sentence: 'Fewer than 1 in 10,000 bettors without skill win as much with the same bets on 500 games.',
      missing: null,
    });
    expect(wordOf(picks(285))).to.equal('unproven');
    expect(wordOf(picks(293, 499))).to.equal('unproven');
  });

  it('counts picks on one game once, by the earliest', () => {
    const repeated = many(500, (index) => pick(index, index < 293 ? 'win' : 'loss')).flatMap((one, index) => [
      one,
      { ...one, pickUuid: `again-${index}`, postedAt: one.postedAt + 1 },
    ]);
    expect(verdictFigures(repeated)).to.include({ games: 500, wins: 586 });
    const onTwoGames = repeated.map((one, index) => ({ ...one, gameId: index % 2 }));
    expect(wordOf(onTwoGames)).to.equal('unproven');
  });

  it('is losing if results or prices are worse than bad luck explains', () => {
    const losing = many(60, (index) => pick(index, index % 10 < 3 ? 'win' : 'loss'));
    expect(verdictOf(verdictFigures(losing))).to.deep.equal({
      word: 'losing',
      sentence: 'Loses 40.0% of equal stakes over 60 results: more than bad luck explains.',
      missing: null,
    });
    const largeWinners = losing.map((one) =>
      one.result === 'loss' ? one : pick(one.gameId, 'win', { ...one, stakeE4: 90_000, netUnitsE4: 90_000 }),
    );
    expect(verdictOf(verdictFigures(largeWinners)).sentence).to.match(
      /more than bad luck explains\. The gain of 120.0 units comes from stake sizes\.$/,
    );
    expect(wordOf(losing.slice(0, 49))).to.equal('unproven');
    expect(verdictOf(verdictFigures(edged(50, -400))).sentence).to.equal(
      'Takes prices that are 4.0% worse than the market’s last ones on average, over 50 games, and does not win at equal stakes.',
    );
    expect(wordOf(edged(50, -400, 6))).to.equal('unproven');
    expect(wordOf(losing, true)).to.equal('losing');
  });

  it('weighs half results one half: half wins do not make up for whole losses', () => {
    const quarters = many(400, (index) =>
      index % 2 === 0
        ? pick(index, 'win', { half: true, oddsAmerican: -110 })
        : pick(index, 'loss', { oddsAmerican: -110 }),
    );
    expect(wordOf(quarters)).to.equal('losing');
  });

  it('is unproven for a lucky 5-25 at +2500', () => {
    const figures = verdictFigures(
      many(30, (index) => pick(index, index < 5 ? 'win' : 'loss', { oddsAmerican: 2500 })),
    );
    expect(verdictOf(figures)).to.deep.equal({
      word: 'unproven',
      sentence: '30 results at prices known to be on offer: too few to tell skill from luck.',
      missing: '50 more games with prices to compare.',
    });
  });

  it('depends only on prices that were on offer', () => {
    const unchecked = edged(200, 200).map((one) => ({ ...one, priceVerdict: 'unchecked' as const }));
    expect(verdictOf(verdictFigures(unchecked)).sentence).to.equal(
      'Too few results at prices known to be on offer to tell skill from luck.',
    );
    expect(verdictOf(undefined)).to.deep.equal(verdictOf(verdictFigures([])));
  });

  it('trusts nobody with more than 5% of picks void before the start', () => {
    const voids = (count: number) =>
      many(count, (index) => pick(1000 + index, 'void', { startsAt: (1000 + index) * hour + 9 * hour }));
    expect(wordOf([...edged(200, 200), ...voids(10)])).to.equal('proven');
    expect(verdictOf(verdictFigures([...edged(200, 200), ...voids(11)]))).to.deep.equal({
      word: 'unproven',
      sentence: '11 of 211 picks were called off before the start: too many to judge the rest by.',
      missing: 'Less than 5% of picks called off before the start.',
    });
  });

  it('does not depend on the order of picks, and survives any figures', () => {
    const picks = edged(120, 70);
    expect(verdictFigures(picks.toReversed())).to.deep.equal(verdictFigures(picks));
    const forged: VerdictFigures = {
      ...verdictFigures(picks),
      edgeMean: 1e308,
      edgeDeviation: -1,
      edgeGames: 2_147_483_647,
      chancePct: null,
    };
    expect(verdictOf({ ...forged, edgeGames: 5000 }).word).to.be.a('string');
  });
});

describe("Student's t", () => {
  it('has the probabilities of its tables', () => {
    // 97.5% and 99.995% quantiles.
    for (const [t, degrees, tail] of [
      [12.706, 1, 0.025],
      [4.303, 2, 0.025],
      [2.228, 10, 0.025],
      [1.984, 100, 0.025],
      [1.6766, 49, 0.05],
      [3.79, 199, 0.0001],
    ] as const)
      expect(studentAbove(t, degrees)).to.be.closeTo(tail, tail / 50);
  });

  it('is the integral of its density', () => {
    for (const degrees of [1, 2, 3, 4, 49, 50, 199, 1200])
      for (const t of [-3, -0.4, 0, 1.7, 3.8])
        expect(studentAbove(t, degrees)).to.be.closeTo(above(t, degrees), 1e-7);
  });
});
