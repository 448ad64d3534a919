import { expect } from 'chai';
import fc from 'fast-check';
import { decimalOf } from '../../src/rules/odds.ts';
import { type CheckedPick, checkedMarkets, checkPrice, type SeenPrice } from '../../src/rules/price-check.ts';
import { priceCheckOf } from '../naive/price-check.ts';
import { americanOdds, shuffled } from './arbitraries.ts';

const minute = 60_000;
const postedAt = Date.parse('2026-01-18T12:00:00Z');
const start = postedAt + 10 * 60 * minute;

/** Parses `home -3.5 -110`, captured the given number of minutes after posting, or before it if negative. */
function price(
  text: string,
  minutes: number,
  { book = 'blue', market = 'spread', byHand = false, closing = false, subject = null as string | null } = {},
): SeenPrice {
  const [side = '', line, odds] = text.split(' ');
  return {
    ...{ market, subject, side, book, byHand, closing },
    lineE3: line === '-' ? null : Number(line) * 1000,
    oddsAmerican: Number(odds),
    capturedAt: postedAt + minutes * minute,
  };
}

function pick(
  text: string,
  { book = null as string | null, market = 'spread', subject = null as string | null, sport = 'wnba' } = {},
) {
  const { side, lineE3, oddsAmerican } = price(text, 0);
  return { sport, market, subject, side, lineE3, oddsAmerican, book, postedAt } satisfies CheckedPick;
}

const check = (bet: CheckedPick, prices: SeenPrice[], hasSource = true) =>
  checkPrice(bet, prices, { start, hasSource });
const verdict = (bet: CheckedPick, prices: SeenPrice[], hasSource = true) =>
  check(bet, prices, hasSource).verdict;

describe('the price check by the age of the price', () => {
  const bet = (odds: number) => pick(`home -3.5 ${odds}`);

  it('allows 1 percent within 15 minutes before or after posting', () => {
    for (const minutes of [-15, 0, 15]) {
      const prices = [price('home -3.5 200', minutes)];
      expect(verdict(bet(203), prices), `${minutes}`).to.equal('available');
      expect(verdict(bet(204), prices), `${minutes}`).to.equal('above_market');
    }
  });

  it('allows 10 percent within six hours', () => {
    for (const minutes of [-360, -16, 16, 360]) {
      const prices = [price('home -3.5 200', minutes)];
      expect(verdict(bet(230), prices), `${minutes}`).to.equal('available');
      expect(verdict(bet(231), prices), `${minutes}`).to.equal('above_market');
    }
  });

  it('allows 25 percent at the close', () => {
    const prices = [price('home -3.5 200', 590), price('home -3.5 120', 400, { book: 'red' })];
    expect(verdict(bet(275), prices)).to.equal('available');
    expect(verdict(bet(276), prices)).to.equal('above_market');
  });

  it('ignores an older price if there is a newer one', () => {
    const prices = [price('home -3.5 150', -300), price('home -3.5 -110', -5)];
    expect(verdict(bet(150), prices)).to.equal('above_market');
  });

  it('uses the best of the prices around posting, and then none from before', () => {
    const prices = [price('home -3.5 150', -12), price('home -3.5 120', -5), price('home -3.5 130', 8)];
    expect(check(bet(130), prices)).to.deep.include({ verdict: 'available', oddsAmerican: 130 });
    expect(verdict(bet(150), prices)).to.equal('above_market');
  });

  it('never looks past the start', () => {
    const late = checkPrice(bet(400), [price('home -3.5 400', 7)], {
      start: postedAt + 5 * minute,
      hasSource: true,
    });
    expect(late.verdict).to.equal('unseen');
  });

  it('needs no start', () => {
    const prices = [price('home -3.5 -110', 5)];
    expect(checkPrice(bet(-110), prices, { start: null, hasSource: true }).verdict).to.equal('available');
    expect(checkPrice(bet(-110), [], { start: null, hasSource: true }).verdict).to.equal('unseen');
  });
});

describe('the price in a price check', () => {
  const all = [
    price('home -3.5 120', -5, { book: 'blue' }),
    price('home -3.5 110', -5, { book: 'red' }),
    price('home -3.5 2500', -5, { book: 'odd' }),
  ];

  it("is that of the pick's own book if it is priced", () => {
    expect(check(pick('home -3.5 120', { book: 'red' }), all)).to.deep.equal({
      ...{ verdict: 'above_market', oddsAmerican: 110, book: 'red', capturedAt: postedAt - 5 * minute },
    });
  });

  it('is the second highest of three books, and the highest of two', () => {
    expect(check(pick('home -3.5 120'), all)).to.deep.include({ verdict: 'available', book: 'blue' });
    expect(verdict(pick('home -3.5 2500'), all)).to.equal('above_market');
    expect(check(pick('home -3.5 120', { book: 'green' }), all.slice(0, 2))).to.deep.include({
      book: 'blue',
    });
  });

  it('is never entered by hand if a provider prices the sport', () => {
    const prices = [price('home -3.5 2500', -1, { byHand: true }), price('home -3.5 -110', -5)];
    expect(verdict(pick('home -3.5 2500'), prices)).to.equal('above_market');
    expect(verdict(pick('home -3.5 2500'), prices.slice(0, 1))).to.equal('unseen');
    expect(verdict(pick('home -3.5 2500'), prices.slice(0, 1), false)).to.equal('available');
  });

  it('has the same subject', () => {
    const of = (subject: string) => ({ market: 'corners', subject });
    const prices = [price('over 4.5 -110', -5, of('Ada'))];
    expect(verdict(pick('over 4.5 -110', of('Ada')), prices)).to.equal('available');
    expect(verdict(pick('over 4.5 -110', of('Rory')), prices)).to.equal('unseen');
  });

  it('is absent if nothing is priced, and the verdict is unseen or unchecked', () => {
    const nothing = { oddsAmerican: null, book: null, capturedAt: null };
    expect(check(pick('home -3.5 -110'), [])).to.deep.equal({ verdict: 'unseen', ...nothing });
    expect(check(pick('home -3.5 -110'), [], false)).to.deep.equal({ verdict: 'unchecked', ...nothing });
  });
});

describe('the price check against a harder selection', () => {
  it('uses the nearest worse line of the side', () => {
    const prices = [price('home -4.5 120', -5), price('home -4 100', -200), price('home -3 -150', -1)];
    expect(check(pick('home -3.5 -115'), prices)).to.deep.include({
      verdict: 'available',
      oddsAmerican: 100,
    });
    expect(verdict(pick('home -3.5 150'), prices)).to.equal('above_market');
    expect(verdict(pick('home -3.5 -150'), prices.slice(2))).to.equal('unseen');
  });

  it('uses a higher line for an over, and a lower one for an under', () => {
    const total = { market: 'total' };
    const prices = [price('over 45.5 -105', -5, total), price('under 42.5 -105', -5, total)];
    for (const side of ['over', 'under']) {
      expect(verdict(pick(`${side} 44 -105`, total), prices)).to.equal('available');
      expect(verdict(pick(`${side} 44 120`, total), prices)).to.equal('above_market');
    }
    expect(verdict(pick('over 46 -105', total), prices)).to.equal('unseen');
  });

  it('uses the moneyline for a spread of half a point', () => {
    const prices = [price('home - 150', -5, { market: 'moneyline' })];
    for (const line of ['-0.5', '0.5']) {
      expect(verdict(pick(`home ${line} 150`), prices)).to.equal('available');
      expect(verdict(pick(`home ${line} 160`), prices)).to.equal('above_market');
    }
    expect(verdict(pick('home 1.5 150'), prices)).to.equal('unseen');
    expect(verdict(pick('away 0.5 150'), prices)).to.equal('unseen');
    expect(checkedMarkets(pick('home -0.5 150'))).to.deep.equal(['spread', 'moneyline']);
    expect(checkedMarkets(pick('home -1.5 150'))).to.deep.equal(['spread']);
  });

  it("bounds an easier line by the margin model's price, plus a quarter", () => {
    const nfl = (text: string, market = 'spread') => pick(text, { market, sport: 'nfl' });
    const prices = [price('home -3.5 -110', -5)];
    for (const text of ['home -3 -110', 'home -1.5 -110', 'home 3.5 -150', 'home 30.5 -400'])
      expect(verdict(nfl(text), prices), text).to.equal('available');
    for (const text of ['home 3.5 -110', 'home 30.5 -110', 'home 30.5 -300', 'home 1 100'])
      expect(verdict(nfl(text), prices), text).to.equal('above_market');
    expect(check(nfl('home 3.5 -110'), prices)).to.deep.include({ oddsAmerican: -145, book: 'blue' });
    const outright = [price('home - 150', -5, { market: 'moneyline' })];
    expect(verdict(nfl('home 0.5 150'), outright)).to.equal('available');
    const total = [price('over 45.5 -105', -5, { market: 'total' })];
    expect(verdict(nfl('over 44.5 -105', 'total'), total)).to.equal('available');
    expect(verdict(nfl('over 20.5 -105', 'total'), total)).to.equal('above_market');
  });

  it('bounds an easier line by a wide curve if no model has the market', () => {
    const of = { market: 'player_points', subject: 'Ada Cole', sport: 'nba' };
    const prices = [price('over 25.5 -110', -5, of), price('under 25.5 -110', -5, of)];
    for (const text of ['over 24.5 -110', 'over 20.5 -110', 'under 30.5 -110', 'over 0.5 -350'])
      expect(verdict(pick(text, of), prices), text).to.equal('available');
    for (const text of ['over 15.5 -110', 'over 0.5 -110', 'under 45.5 -110', 'over 20.5 120'])
      expect(verdict(pick(text, of), prices), text).to.equal('above_market');
    const hits = { market: 'batter_hits', subject: 'Ada Cole', sport: 'mlb' };
    expect(verdict(pick('under 1.5 -250', hits), [price('under 0.5 150', -5, hits)])).to.equal('available');
    const spread = [price('home -3.5 -110', -5)];
    expect(verdict(pick('home 1.5 -110'), spread)).to.equal('available');
    expect(verdict(pick('home 30.5 -110'), spread)).to.equal('above_market');
  });

  it('is impossible in an undeclared market', () => {
    const corners = { market: 'corners', subject: 'both teams' };
    expect(verdict(pick('over 9.5 -110', corners), [price('over 10.5 -110', -5, corners)])).to.equal(
      'unseen',
    );
  });
});

describe('the price check at random prices', () => {
  const bets = fc.constantFrom(
    ...[
      'spread/home',
      'spread/away',
      'total/over',
      'total/under',
      'team_total/home_over',
      'moneyline/home',
      'corners/over',
      'player_points/over',
      'player_points/under',
    ],
  );
  const line = fc.constantFrom(-1000, -500, 0, 500, 1000, 44_500);
  const selection = fc.record({ bet: bets, line, subject: fc.constantFrom('Ada', 'Rory') }).map((given) => {
    const [market = '', side = ''] = given.bet.split('/');
    const subject = /corners|player/.test(market) ? given.subject : null;
    return { market, side, subject, lineE3: market === 'moneyline' ? null : given.line };
  });
  const odds = fc.oneof(fc.integer({ min: 100, max: 125 }), americanOdds);
  const seen: fc.Arbitrary<SeenPrice> = fc
    .record({
      selection,
      oddsAmerican: odds,
      minutes: fc.oneof(fc.integer({ min: -16, max: 16 }), fc.integer({ min: -700, max: 620 })),
      closing: fc.boolean(),
      book: fc.constantFrom('blue', 'red', 'green', 'black'),
      byHand: fc.boolean(),
    })
    .map(({ selection, minutes, ...rest }) => ({
      ...selection,
      ...rest,
      capturedAt: postedAt + minutes * minute,
    }));
  const posted = fc
    .record({
      selection,
      oddsAmerican: odds,
      book: fc.constantFrom(null, 'blue', 'red', 'white'),
      sport: fc.constantFrom('nfl', 'soccer', 'wnba'),
    })
    .map(({ selection, ...rest }): CheckedPick => ({ ...selection, ...rest, postedAt }));
  const against = fc.record({ start: fc.constantFrom(null, start), hasSource: fc.boolean() });
  const prices = fc.array(seen, { maxLength: 30 });

  it('agrees with the oracle', () => {
    fc.assert(
      fc.property(posted, prices, against, (bet, rows, facts) => {
        expect(checkPrice(bet, rows, facts)).to.deep.equal(priceCheckOf(bet, rows, facts));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not depend on the order of prices', () => {
    const orders = prices.chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows)));
    fc.assert(
      fc.property(posted, orders, against, (bet, [rows, others], facts) => {
        expect(checkPrice(bet, others, facts)).to.deep.equal(checkPrice(bet, rows, facts));
      }),
    );
  });

  it('calls no pick available at better odds than the limit', () => {
    fc.assert(
      fc.property(posted, prices, against, odds, (bet, rows, facts, other) => {
        const [one, two] = [
          checkPrice(bet, rows, facts),
          checkPrice({ ...bet, oddsAmerican: other }, rows, facts),
        ];
        const paysMore =
          decimalOf(other).num * decimalOf(bet.oddsAmerican).den >=
          decimalOf(bet.oddsAmerican).num * decimalOf(other).den;
        if (one.verdict === 'above_market' && paysMore) expect(two.verdict).to.equal('above_market');
        expect({ ...two, verdict: null }).to.deep.equal({ ...one, verdict: null });
      }),
    );
  });

  it('ignores prices entered by hand in a sport with a source', () => {
    fc.assert(
      fc.property(posted, prices, (bet, rows) => {
        const facts = { start, hasSource: true };
        const provided = rows.filter(({ byHand }) => !byHand);
        expect(checkPrice(bet, rows, facts)).to.deep.equal(checkPrice(bet, provided, facts));
      }),
    );
  });
});
