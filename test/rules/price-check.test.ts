import { expect } from 'chai';
import fc from 'fast-check';
import { countingSentence } from '../../src/ledger/grading/check-picks.ts';
import { decimalOf } from '../../src/rules/odds.ts';
import { type CheckedPick, checkPrice, referenceAmong, type SeenPrice } from '../../src/rules/price-check.ts';
import { priceCheckOf } from '../naive/price-check.ts';
import { americanOdds, shuffled } from './arbitraries.ts';

const minute = 60_000;
const postedAt = Date.parse('2026-01-18T12:00:00Z');
const start = postedAt + 10 * 60 * minute;

/** Parses `home -3.5 -110`, captured the given number of minutes after posting, or before it if negative. */
function price(
  text: string,
  minutes: number,
  {
    book = 'blue',
    market = 'spread',
    byHand = false,
    closing = false,
    subject = null as string | null,
    storedAt = 0,
  } = {},
): SeenPrice {
  const [side = '', line, odds] = text.split(' ');
  return {
    market,
    subject,
    side,
    book,
    byHand,
    closing,
    storedAt,
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

const check = (bet: CheckedPick, prices: SeenPrice[], { hasSource = true, hasProvider = true } = {}) =>
  checkPrice(bet, prices, { start, hasSource, hasProvider });
const counted = (bet: CheckedPick, prices: SeenPrice[], sources = {}) =>
  check(bet, prices, sources).countedAmerican;

describe('the price that could be had', () => {
  const bet = (odds: number, book: string | null = null) => pick(`home -3.5 ${odds}`, { book });

  it('tolerates nothing: a pick counts at the lower of its odds and the reference', () => {
    const prices = [price('home -3.5 -110', 0)];
    expect(check(bet(-110), prices)).to.deep.include({ verdict: 'available', countedAmerican: -110 });
    expect(check(bet(-120), prices)).to.deep.include({ verdict: 'available', countedAmerican: -120 });
    expect(check(bet(-109), prices)).to.deep.include({ verdict: 'above_market', countedAmerican: -110 });
    expect(check(bet(2500), prices)).to.deep.include({ verdict: 'above_market', countedAmerican: -110 });
  });

  it('is said in one sentence, with its age', () => {
    const sentence = (odds: number, prices: SeenPrice[], sources = {}, minutes = 0) =>
      countingSentence(odds, check(bet(odds), prices, sources), postedAt + minutes * minute);
    const prices = [price('home -3.5 -110', -2)];
    expect(sentence(-105, prices)).to.equal(
      'You ask -105; the best price is -110 (blue, 2 minutes ago). It would count at -110. It cannot be withdrawn.',
    );
    expect(sentence(-120, prices, {}, -1)).to.contain('(blue, 1 minute ago). It would count at -120.');
    expect(sentence(-120, prices, {}, -2)).to.contain('(blue, just now)');
    expect(sentence(150, prices, {}, 180)).to.contain('(blue, 3 hours ago)');
    expect(sentence(150, [])).to.match(/^You ask \+150; .*would not count in any figure.*withdrawn\.$/);
    expect(sentence(150, [], { hasProvider: false })).to.contain('It would count at +150.');
  });

  it('is the price nearest to posting within 15 minutes, before or after', () => {
    const prices = [price('home -3.5 150', -15), price('home -3.5 -110', -4), price('home -3.5 130', 3)];
    expect(counted(bet(200), prices)).to.equal(130);
    expect(counted(bet(200), prices.slice(0, 2))).to.equal(-110);
    expect(counted(bet(200), prices.slice(0, 1))).to.equal(150);
  });

  it('is the lower of the last price before and the first after, within six hours', () => {
    const before = [price('home -3.5 200', -300), price('home -3.5 150', -16)];
    const after = [price('home -3.5 120', 16), price('home -3.5 180', 300)];
    expect(counted(bet(300), [...before, ...after])).to.equal(120);
    expect(counted(bet(300), before)).to.equal(150);
    expect(counted(bet(300), after)).to.equal(120);
  });

  it('is else the last price before the start, and never one after it', () => {
    const prices = [
      price('home -3.5 200', -500),
      price('home -3.5 140', 500),
      price('home -3.5 160', 599),
      price('home -3.5 400', 601),
    ];
    expect(counted(bet(300), prices)).to.equal(160);
    expect(check(bet(300), [price('home -3.5 400', 601)]).verdict).to.equal('unseen');
  });

  it('is a price of the very selection: no easier or harder line stands in', () => {
    const others = [
      price('home -3 -110', 0),
      price('home -4.5 -110', 0),
      price('away -3.5 -110', 0),
      price('home - -150', 0, { market: 'moneyline' }),
      price('home -3.5 -110', 0, { subject: 'Rory Finch' }),
    ];
    expect(check(bet(-110), others)).to.deep.include({ verdict: 'unseen', countedAmerican: null });
  });

  it('is that of the named book, or else the highest, but never above the second highest', () => {
    const quotes = (...odds: [string, number][]) =>
      odds.map(([book, quoted]) => price(`home -3.5 ${quoted}`, 0, { book }));
    const books = quotes(['blue', 2500], ['red', 105], ['green', -110]);
    expect(counted(bet(2500), books)).to.equal(105);
    expect(counted(bet(2500, 'blue'), books)).to.equal(105);
    expect(counted(bet(2500, 'green'), books)).to.equal(-110);
    expect(counted(bet(2500, 'white'), books)).to.equal(105);
    expect(counted(bet(2500, 'blue'), quotes(['blue', 130]))).to.equal(130);
    expect(referenceAmong([], 'blue')).to.equal(null);
  });

  it('takes the lower price if a snapshot has two', () => {
    expect(counted(bet(200), [price('home -3.5 150', 0), price('home -3.5 120', 0)])).to.equal(120);
  });

  it('treats +100 and -100 as one price', () => {
    expect(check(bet(100), [price('home -3.5 -100', 0)])).to.deep.include({
      verdict: 'available',
      countedAmerican: 100,
    });
  });

  it('does not exist without a price: unseen with a provider anywhere, unchecked without', () => {
    expect(check(bet(-110), [])).to.deep.include({ verdict: 'unseen', countedAmerican: null });
    const noSource = { hasSource: false, hasProvider: true };
    expect(check(bet(-110), [], noSource)).to.deep.include({ verdict: 'unseen', countedAmerican: null });
    const nobody = { hasSource: false, hasProvider: false };
    expect(check(bet(900), [], nobody)).to.deep.include({ verdict: 'unchecked', countedAmerican: 900 });
  });

  it('is not set by hand for a sport that has a provider', () => {
    const prices = [price('home -3.5 2500', -5, { byHand: true }), price('home -3.5 -110', 300)];
    expect(counted(bet(2500), prices)).to.equal(-110);
    expect(counted(bet(2500), prices, { hasSource: false })).to.equal(2500);
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
      storedAt: fc.constantFrom(0, start - 1, start),
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
  const against = fc.record({
    start: fc.constantFrom(null, start),
    hasSource: fc.boolean(),
    hasProvider: fc.boolean(),
  });
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

  it('counts no pick above its own odds, nor above the price that could be had', () => {
    const decimal = (american: number) => decimalOf(american).num / decimalOf(american).den;
    fc.assert(
      fc.property(posted, prices, against, (bet, rows, facts) => {
        const { countedAmerican: counted, oddsAmerican } = checkPrice(bet, rows, facts);
        if (counted === null) return;
        expect(decimal(counted)).to.be.at.most(decimal(bet.oddsAmerican));
        if (oddsAmerican !== null) expect(decimal(counted)).to.be.at.most(decimal(oddsAmerican));
      }),
    );
  });

  it('ignores prices by hand that were stored at the start or later, whatever they claim', () => {
    fc.assert(
      fc.property(posted, prices, (bet, rows) => {
        const facts = { start, hasSource: false, hasProvider: false };
        const inTime = rows.filter(({ byHand, storedAt }) => !byHand || storedAt < start);
        expect(checkPrice(bet, rows, facts)).to.deep.equal(checkPrice(bet, inTime, facts));
      }),
    );
  });

  it('ignores prices entered by hand in a sport with a source', () => {
    fc.assert(
      fc.property(posted, prices, (bet, rows) => {
        const facts = { start, hasSource: true, hasProvider: true };
        const provided = rows.filter(({ byHand }) => !byHand);
        expect(checkPrice(bet, rows, facts)).to.deep.equal(checkPrice(bet, provided, facts));
      }),
    );
  });
});
