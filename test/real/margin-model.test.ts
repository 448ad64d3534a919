import { expect } from 'chai';
import { chanceAtLine } from '../../src/rules/margin-model.ts';
import { closedGames, type MovedBet, movedBets, split } from '../fit/closed-games.ts';
import { realData } from '../support/folders.ts';

const folder = realData();

/** Lines moved by typical numbers of points. */
const asked = [
  { sport: 'nfl', market: 'spread', moves: [-7, -4, -2, -1, 1, 2, 4, 7] },
  { sport: 'nfl', market: 'total', moves: [-8, -4, -2, -1, 1, 2, 4, 8] },
  { sport: 'nba', market: 'spread', moves: [-6, -3, -1, 1, 3, 6] },
  { sport: 'nba', market: 'total', moves: [-10, -5, -2, 2, 5, 10] },
  { sport: 'mlb', market: 'spread', moves: [-3, -2, -1, 1, 2, 3] },
  { sport: 'mlb', market: 'total', moves: [-2, -1, -0.5, 0.5, 1, 2] },
  { sport: 'nhl', market: 'spread', moves: [-3, -2, -1, 1, 2, 3] },
  { sport: 'nhl', market: 'total', moves: [-1.5, -1, -0.5, 0.5, 1, 1.5] },
  { sport: 'soccer', market: 'spread', moves: [-1.5, -1, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1, 1.5] },
  { sport: 'soccer', market: 'total', moves: [-1, -0.5, 0.5, 1] },
] as const;

if (folder !== undefined)
  describe('the margin models, on games outside their training data', () => {
    const games = closedGames(folder);
    const bets = new Map(
      asked.map((one) => {
        const { sport, market, moves } = one;
        const all = games.filter((game) => game.sport === sport && game.market === market);
        // The NBA's parameters are published ones, so none of its games were fitted to.
        const heldOut = sport === 'nba' ? all : split(all).heldOut;
        const side = market === 'spread' ? 'home' : 'over';
        const moved = movedBets(heldOut, moves, ({ line, chance }, at) =>
          chanceAtLine(sport, { market, side }, { lineE3: line * 1000, chance }, at * 1000),
        );
        return [one, moved] as const;
      }),
    );

    for (const one of asked)
      it(`predict the share of wins in each band of probabilities, within sampling error: ${one.sport} ${one.market}`, () => {
        const found = bands(bets.get(one)!, 30);
        expect(found.length).to.be.at.least(4);
        for (const { expected, won, games } of found)
          expect(won).to.be.closeTo(expected, 0.02 + 2.5 * Math.sqrt((expected * (1 - expected)) / games));
      });

    it('predict all markets together to two percentage points in each band', () => {
      const found = bands([...bets.values()].flat(), 300);
      expect(found.length).to.be.at.least(8);
      for (const { expected, won } of found) expect(won).to.be.closeTo(expected, 0.02);
    });

    it('predict better than the unadjusted closing probability', () => {
      const loss = (chanceOf: (bet: MovedBet) => number, of: readonly MovedBet[]) =>
        of.reduce((sum, bet) => sum - bet.decided * Math.log(bet.won ? chanceOf(bet) : 1 - chanceOf(bet)), 0);
      for (const one of asked)
        expect(loss(({ chance }) => chance, bets.get(one)!)).to.be.below(
          loss(({ game }) => game.chance, bets.get(one)!),
        );
    });
  });

/**
 * Groups bets by deciles of their probability, from a minimum number of games on. @returns the mean probability and the share of the
 * decided stake that won. The bets of one game win and lose together, so games are what counts
 */
function bands(bets: readonly MovedBet[], least: number): { expected: number; won: number; games: number }[] {
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    bets.filter(({ chance }) => Math.floor(chance * 10) === tenth),
  );
  const stake = (band: readonly MovedBet[], share: (bet: MovedBet) => number) =>
    band.reduce((sum, bet) => sum + bet.decided * share(bet), 0) /
    band.reduce((sum, { decided }) => sum + decided, 0);
  return tenths
    .map((band) => ({
      expected: stake(band, ({ chance }) => chance),
      won: stake(band, ({ won }) => (won ? 1 : 0)),
      games: new Set(band.map(({ game }) => game)).size,
    }))
    .filter(({ games }) => games >= least);
}
