import { expect } from 'chai';
import fc from 'fast-check';
import { type ComparedPick, sharedGames } from '../../src/rules/head-to-head.ts';
import { shuffled } from './arbitraries.ts';

const pick = (gameId: number, market: string, side: string, postedAt = 0): ComparedPick => ({
  gameId,
  market,
  subject: null,
  side,
  postedAt,
  pickUuid: `${gameId} ${market} ${side}`,
});

const picks: fc.Arbitrary<ComparedPick[]> = fc.uniqueArray(
  fc.record({
    gameId: fc.nat(3),
    market: fc.constantFrom('moneyline', 'total'),
    subject: fc.constantFrom(null, 'ada', 'rory'),
    side: fc.constantFrom('home', 'away'),
    postedAt: fc.nat(2),
    pickUuid: fc.uuid(),
  }),
  { selector: ({ pickUuid }) => pickUuid, maxLength: 15 },
);

describe('a head-to-head record', () => {
  it('counts shared games, and the markets on which the two agreed or opposed', () => {
    const left = [
      pick(1, 'spread', 'home'),
      pick(1, 'total', 'over'),
      pick(2, 'spread', 'home'),
      pick(3, 'total', 'over'),
    ];
    const right = [
      pick(1, 'spread', 'home'),
      pick(1, 'total', 'under'),
      pick(2, 'total', 'over'),
      pick(4, 'total', 'over'),
    ];
    expect(sharedGames(left, right)).to.deep.equal({ games: 2, agreed: 1, opposed: 1 });
  });

  it('does not match picks on the same side about different subjects', () => {
    const about = (subject: string, side: string) => ({ ...pick(1, 'player_points', side), subject });
    expect(sharedGames([about('Ada', 'over')], [about('Rory', 'over')])).to.deep.equal({
      games: 1,
      agreed: 0,
      opposed: 0,
    });
    expect(sharedGames([about('Ada', 'over')], [about('Ada', 'under')])).to.deep.equal({
      games: 1,
      agreed: 0,
      opposed: 1,
    });
  });

  it("uses a capper's latest pick on a market", () => {
    const changed = [pick(1, 'spread', 'home', 1), pick(1, 'spread', 'away', 2)];
    expect(sharedGames(changed, [pick(1, 'spread', 'away')])).to.deep.equal({
      games: 1,
      agreed: 1,
      opposed: 0,
    });
  });

  it('is symmetric and independent of order, and a capper always agrees with themselves', () => {
    const withOrder = fc
      .tuple(picks, picks)
      .chain(([left, right]) => shuffled(left).map((other) => ({ left, right, other })));
    fc.assert(
      fc.property(withOrder, ({ left, right, other }) => {
        expect(sharedGames(right, left)).to.deep.equal(sharedGames(left, right));
        expect(sharedGames(other, right)).to.deep.equal(sharedGames(left, right));
        expect(sharedGames(left, other).opposed).to.equal(0);
      }),
    );
  });
});
