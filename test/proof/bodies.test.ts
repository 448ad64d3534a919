import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { bodyHash, checkBody, type Kind } from '../../src/proof/bodies.ts';
import { exampleClosing, examplePick, exampleSettlement } from './example-log.ts';
import { nodeSha256 } from './grown-tree.ts';

const pick = examplePick(1);
const author = {
  key: 'a'.repeat(64),
  nonce: 'a-nonce-of-ada-17',
  at: '2026-03-01T12:34:55.000Z',
  signature: `${'A'.repeat(86)}==`,
  subject: 'rosa quill',
};
const closing = exampleClosing(pick);
const settlement = exampleSettlement(pick, 'a'.repeat(64));
const priceCheck = {
  verdict: 'above_market' as const,
  odds_american: -120,
  book: 'beta-book',
  captured_at: '2026-03-01T12:30:00.000Z',
  counted_american: -120,
};
const stat = { name: 'points', value_e3: 27_500 };
const notice = {
  v: 1 as const,
  at: '2026-01-02T03:04:05.006Z',
  topic: 'score-correction',
  text: 'The home score was 99.',
};
const key = { v: 1 as const, note: 'picks.example/ledger/key\n' };
const bodies: [Kind, object][] = [
  ['posted', pick],
  ['closed', closing],
  ['settled', settlement],
  ['key', key],
  ['notice', notice],
  ['prices', { v: 1, from_seq: 3, to_seq: 5, count: 3, root: 'c'.repeat(64) }],
];

describe('the hash of a body', () => {
  it('is SHA-256 over tag, zero byte, and canonical JSON, as written out by hand', () => {
    const text =
      '{"at":"2026-01-02T03:04:05.006Z","text":"The home score was 99.","topic":"score-correction","v":1}';
    const byHand = createHash('sha256')
      .update('public-picks/notice/v1')
      .update(Uint8Array.of(0))
      .update(text)
      .digest('hex');
    expect(bodyHash('notice', notice)).to.equal(byHand);
  });

  it('covers, for each event of a pick, every field in docs/rules/ledger.md, sorted by name', () => {
    const byHand = (tag: string, text: string) =>
      createHash('sha256').update(`public-picks/${tag}\0${text}`, 'utf8').digest('hex');
    const posted = byHand(
      'pick/v1',
      `{"author":{"at":"2026-03-01T12:34:55.000Z","key":"${author.key}","nonce":"a-nonce-of-ada-17",` +
        `"signature":"${author.signature}","subject":"rosa quill"},` +
        '"book":"alpha-book","capper":"capper-1","capper_prev":null,"capper_seq":1,"day":null,"game":"Harbor Herons @ Mesa Muleteers",' +
        '"id":1,"line_e3":-3500,"market":"spread","odds_american":-110,"pick":"Mesa Muleteers −3½",' +
        '"posted_at":"2026-03-01T12:34:56.789Z","provenance":"live","side":"home","source":"operator","sport":"nba",' +
        '"stake_e4":15000,"starts_at":"2026-03-01T19:00:00.000Z","subject":"Rosa Quill","tier":"verified_sharp",' +
        '"uuid":"3f2504e0-4f89-41d3-9a0c-000000000001","v":1}',
    );
    const full = { ...pick, subject: 'Rosa Quill', author };
    expect(bodyHash('posted', full)).to.equal(posted);
    expect(bodyHash('posted', full, nodeSha256)).to.equal(posted);
    expect(bodyHash('closed', { ...closing, prev: 'b'.repeat(64) })).to.equal(
      byHand(
        'closing/v1',
        '{"book":"alpha-book","captured_at":"2026-03-01T18:55:00.000Z","closed_at":"2026-03-01T19:00:00.000Z",' +
          '"clv_bps":606,"line_e3":-3500,"odds_american":-125,' +
          `"prev":"${'b'.repeat(64)}",` +
          '"prices":[{"odds_american":105,"side":"away"},{"odds_american":-125,"side":"home"}],"prices_to":12,' +
          '"uuid":"3f2504e0-4f89-41d3-9a0c-000000000001","v":1}',
      ),
    );
    const settled = { half: true, sets: [[6, 4]] as [number, number][], played: 'full' as const };
    expect(bodyHash('settled', { ...settlement, ...settled, stat, price_check: priceCheck })).to.equal(
      byHand(
        'settlement/v1',
        '{"away_score":101,"grader":"scores","half":true,"home_score":109,"net_units_e4":13636,"played":"full",' +
          `"prev":"${'a'.repeat(64)}",` +
          '"price_check":{"book":"beta-book","captured_at":"2026-03-01T12:30:00.000Z","counted_american":-120,"odds_american":-120,"verdict":"above_market"},"prices_to":34,' +
          '"result":"win","sets":[[6,4]],"settled_at":"2026-03-01T21:40:00.000Z","stat":{"name":"points","value_e3":27500},' +
          '"uuid":"3f2504e0-4f89-41d3-9a0c-000000000001","v":1}',
      ),
    );
  });

  it('differs between kinds and with every field', () => {
    const hashes = new Set([
      bodyHash('posted', pick),
      bodyHash('closed', closing),
      bodyHash('settled', settlement),
    ]);
    expect(hashes.size).to.equal(3);
    expect(bodyHash('posted', { ...pick, stake_e4: 15_001 })).to.not.equal(bodyHash('posted', pick));
    expect(bodyHash('posted', { ...pick, provenance: 'imported' })).to.not.equal(bodyHash('posted', pick));
    expect(bodyHash('closed', { ...closing, clv_bps: 607 })).to.not.equal(bodyHash('closed', closing));
  });
});

describe('a body', () => {
  for (const [kind, body] of bodies) {
    it(`has exactly the keys of its kind, none of them undefined: ${kind}`, () => {
      expect(() => checkBody(kind, body)).to.not.throw();
      for (const name of Object.keys(body)) {
        const { [name as keyof typeof body]: _, ...rest } = body;
        const without = expect(() => checkBody(kind, rest)).to.throw(TypeError);
        without.with.property('message').that.includes(`.${name} is missing`);
        const undefinedOne = expect(() => checkBody(kind, { ...body, [name]: undefined })).to.throw(
          TypeError,
        );
        undefinedOne.with.property('message').that.includes(`.${name} `);
      }
      expect(() => checkBody(kind, { ...body, extra: 1 })).to.throw(TypeError, /\.extra is not a field/);
      expect(() => checkBody(kind, { ...body, v: 2 })).to.throw(TypeError, /\.v must be 1/);
    });
  }

  const accepted: [string, Kind, object][] = [
    ['a subject', 'posted', { ...pick, subject: 'Rosa Quill' }],
    ["its author's signature", 'posted', { ...pick, author }],
    ['half a win', 'settled', { ...settlement, half: true }],
    [
      'sets',
      'settled',
      {
        ...settlement,
        sets: [
          [6, 4],
          [6, 7],
          [70, 68],
        ],
      },
    ],
    ["a shortened game's length", 'settled', { ...settlement, played: 'shortened' }],
    ['a statistic below zero', 'settled', { ...settlement, stat: { ...stat, value_e3: -3_000 } }],
    ['a price above the market', 'settled', { ...settlement, price_check: priceCheck }],
    [
      'an unseen price',
      'settled',
      {
        ...settlement,
        price_check: {
          verdict: 'unseen',
          odds_american: null,
          book: null,
          captured_at: null,
          counted_american: null,
        },
      },
    ],
  ];
  for (const [what, kind, body] of accepted)
    it(`may have ${what}`, () => expect(() => checkBody(kind, body)).to.not.throw());

  const refused: [Kind, object, string][] = [
    ['posted', { ...pick, id: 1.5 }, 'id'],
    ['posted', { ...pick, provenance: 'live-ish' }, 'provenance'],
    ['closed', { ...closing, v: 2 }, 'v'],
    ['posted', { ...pick, id: 0 }, 'id'],
    ['posted', { ...pick, id: '1' }, 'id'],
    ['posted', { ...pick, uuid: pick.uuid.toUpperCase() }, 'uuid'],
    ['posted', { ...pick, capper: '' }, 'capper'],
    ['posted', { ...pick, capper: null }, 'capper'],
    ['posted', { ...pick, capper_seq: 0 }, 'capper_seq'],
    ['posted', { ...pick, capper_seq: 2 }, 'capper_prev'],
    ['posted', { ...pick, capper_prev: 'a'.repeat(64) }, 'capper_prev'],
    ['posted', { ...pick, capper_seq: 2, capper_prev: 'A'.repeat(64) }, 'capper_prev'],
    ['posted', { ...pick, capper_seq: 2, capper_prev: 'a'.repeat(63) }, 'capper_prev'],
    ['posted', { ...pick, tier: 'gold' }, 'tier'],
    ['posted', { ...pick, starts_at: '2026-03-01T19:00:00Z' }, 'starts_at'],
    ['posted', { ...pick, starts_at: '2026-03-01T19:00:00.000+00:00' }, 'starts_at'],
    ['posted', { ...pick, posted_at: '2026-02-30T19:00:00.000Z' }, 'posted_at'],
    ['posted', { ...pick, posted_at: null }, 'posted_at'],
    ['posted', { ...pick, posted_at: 1_772_368_496_789 }, 'posted_at'],
    ['posted', { ...pick, line_e3: -3.5 }, 'line_e3'],
    ['posted', { ...pick, odds_american: 99 }, 'odds_american'],
    ['posted', { ...pick, odds_american: 100_001 }, 'odds_american'],
    ['posted', { ...pick, stake_e4: 2 ** 53 }, 'stake_e4'],
    ['posted', { ...pick, pick: 'a\ud800' }, 'pick'],
    ['posted', { ...pick, subject: '' }, 'subject'],
    ['posted', { ...pick, author: {} }, 'author.key'],
    ['posted', { ...pick, author: { ...author, nonce: 17 } }, 'author.nonce'],
    ['posted', { ...pick, author: { ...author, at: '2026-03-01' } }, 'author.at'],
    ['posted', { ...pick, author: { ...author, name: 'Ada' } }, 'author.name'],
    ['closed', { ...closing, prev: null }, 'prev'],
    ['closed', { ...closing, clv_bps: null }, 'clv_bps'],
    ['closed', { ...closing, prices: {} }, 'prices'],
    ['closed', { ...closing, prices: closing.prices.toReversed() }, 'prices'],
    ['closed', { ...closing, prices: [closing.prices[0], closing.prices[0]] }, 'prices'],
    ['closed', { ...closing, prices: [{ side: 'home' }] }, 'prices[0].odds_american'],
    ['closed', { ...closing, prices: [{ ...closing.prices[0], line_e3: null }] }, 'prices[0].line_e3'],
    ['settled', { ...settlement, result: 'half-win' }, 'result'],
    ['settled', { ...settlement, net_units_e4: 1.36 }, 'net_units_e4'],
    ['settled', { ...settlement, home_score: -1 }, 'home_score'],
    ['settled', { ...settlement, half: null }, 'half'],
    ['settled', { ...settlement, half: true, result: 'push' }, 'half'],
    ['settled', { ...settlement, half: true, result: 'void' }, 'half'],
    ['settled', { ...settlement, sets: [[6, 4, 2]] }, 'sets[0]'],
    ['settled', { ...settlement, sets: [[6]] }, 'sets[0]'],
    ['settled', { ...settlement, sets: [[6, -1]] }, 'sets[0][1]'],
    ['settled', { ...settlement, sets: [[6, 1000]] }, 'sets[0][1]'],
    ['settled', { ...settlement, played: 'partly' }, 'played'],
    ['settled', { ...settlement, stat: { name: 'points', value_e3: 0.5 } }, 'stat.value_e3'],
    ['settled', { ...settlement, price_check: { ...priceCheck, verdict: 'fair' } }, 'price_check.verdict'],
    [
      'settled',
      { ...settlement, price_check: { ...priceCheck, odds_american: 5 } },
      'price_check.odds_american',
    ],
    ['settled', { ...settlement, price_check: { verdict: 'unseen' } }, 'price_check.odds_american'],
  ];
  for (const [kind, body, at] of refused) {
    it(`is refused for its ${at}: ${kind} ${JSON.stringify(body).slice(0, 40)}...`, () => {
      expect(() => checkBody(kind, body))
        .to.throw(TypeError)
        .with.property('message')
        .that.includes(`.${at} `);
    });
  }

  it('is refused if it is not an object', () => {
    for (const value of [null, undefined, 1, 'pick', [], [pick]])
      expect(() => checkBody('posted', value)).to.throw(TypeError);
  });
});
