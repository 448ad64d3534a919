import { expect } from 'chai';
import {
  type GivenParams,
  givenParams,
  type InvalidParams,
  paramsReader,
  type Sport,
} from '../../src/boards/endpoint.ts';
import { count, floor, handle, optionalMarket, optionalSport, tier, uuid } from '../../src/boards/params.ts';
import { Type } from '../../src/platform/type.ts';

const sports = new Map(['nba', 'nfl'].map((key) => [key, { key } as Sport]));

describe('the parameters of a board', () => {
  const read = paramsReader(
    Type.Object({
      sport: optionalSport,
      market: optionalMarket,
      limit: count(100, 200, 'Most.'),
      cursor: Type.Optional(Type.Integer({ minimum: 0 })),
      tier: Type.Optional(tier),
      handle: Type.Optional(handle),
      uuid: Type.Optional(uuid),
      game: Type.Optional(Type.String({ maxLength: 200 })),
      min_n: Type.Optional(floor(25, 'Least.')),
    }),
  );
  const defaults = { limit: 100, min_n: 25 };
  const faults = (given: GivenParams, reader = read) => {
    try {
      reader(given, sports);
    } catch (error) {
      return (error as InvalidParams).faults.map(({ path, message }) => `${path.slice(1)} ${message}`);
    }
    return [];
  };

  it('have defaults, and undeclared ones are ignored', () => {
    expect(read({ other: 'x', constructor: 'y' }, sports)).to.deep.equal(defaults);
  });

  it('count as absent when empty', () => {
    expect(read({ limit: '', sport: '' }, sports)).to.deep.equal(defaults);
  });

  it('accept another name of a market, from its own sport or any other', () => {
    const market = (given: GivenParams) => read(given, undefined).market;
    expect(market({ market: 'Over/Under' })).to.equal('total');
    expect(market({ market: 'puck line' })).to.equal('spread');
    expect(market({ market: 'puck line', sport: 'NHL' })).to.equal('spread');
    expect(market({ market: 'puck line', sport: 'nba' })).to.equal('puck_line');
    expect(market({ market: 'Player_Points' })).to.equal('player_points');
    expect(market({ market: 'spraed' })).to.equal('spraed');
    expect(faults({ market: '½' })).to.deep.equal(['market must be a market, such as `spread`']);
  });

  for (const text of ['201', '99999999999999999999', '9'.repeat(1000), '+500', '200.5'])
    it(`are capped at the maximum for ${text.slice(0, 25)}`, () => {
      expect(read({ limit: text }, sports)).to.deep.equal({ ...defaults, limit: 200 });
    });

  for (const text of [
    '0',
    '-1',
    `-${'9'.repeat(400)}`,
    'ten',
    '1e2',
    '0x10',
    'NaN',
    'Infinity',
    '5.5',
    '1 0',
    ' ',
  ])
    it(`refuse ${text.slice(0, 25)} as a count`, () => {
      expect(faults({ limit: text })).to.have.lengthOf(1);
    });

  it('are bounded by a 32-bit integer when no maximum is declared', () => {
    expect(read({ cursor: '9'.repeat(30) }, sports)).to.deep.equal({
      ...defaults,
      cursor: 2147483647,
    });
  });

  it('accept a cursor of 0, the beginning', () => {
    expect(read({ cursor: '0' }, sports)).to.include({ cursor: 0 });
  });

  it('accept a minimum sample as given, from 0 to the largest safe integer', () => {
    for (const asked of [0, 1, 1000, 1001, 2 ** 31, 2 ** 53 - 1])
      expect(read({ min_n: String(asked) }, sports)).to.include({ min_n: asked });
    for (const asked of ['9'.repeat(30), '9'.repeat(400)])
      expect(read({ min_n: asked }, sports)).to.include({ min_n: Number.MAX_SAFE_INTEGER });
    for (const asked of ['-1', '1.5']) expect(faults({ min_n: asked }), asked).to.have.lengthOf(1);
  });

  it('are refused when given twice, unless undeclared', () => {
    expect(faults(givenParams('limit=5&limit=5', {}))).to.deep.equal(['limit must be given once']);
    expect(read(givenParams('limit=5&utm=a&utm=b', {}), sports)).to.include({ limit: 5 });
    expect(read(givenParams('limit=5&limit=6', { limit: '7' }), sports)).to.include({ limit: 7 });
  });

  it('are normalized to NFC', () => {
    expect(read({ game: 'Que\u0301bec @ Me\u0301xico' }, sports)).to.include({ game: 'Québec @ México' });
  });

  it('match handles, sports, tiers, and UUIDs without regard to case', () => {
    const given = {
      sport: 'NFL',
      tier: 'Elite',
      handle: 'Sharp_One',
      uuid: 'AAAAAAAA-0000-4000-8000-000000000000',
    };
    expect(read(given, sports)).to.include({
      sport: 'nfl',
      tier: 'elite',
      handle: 'sharp_one',
      uuid: 'aaaaaaaa-0000-4000-8000-000000000000',
    });
  });

  it('preserve the case of free text', () => {
    expect(read({ game: 'Bears @ Lions' }, sports)).to.include({ game: 'Bears @ Lions' });
  });

  it('list the valid sports when one is unknown or malformed', () => {
    expect(faults({ sport: 'cricket' })).to.deep.equal(['sport must be one of nba, nfl']);
    expect(faults({ sport: 'n b a' })).to.deep.equal(['sport must be one of nba, nfl']);
  });

  it('accept any sport while the sports are not known', () => {
    expect(read({ sport: 'cricket' }, undefined)).to.include({ sport: 'cricket' });
  });

  it('are refused with a sentence that says what is valid', () => {
    expect(faults({ tier: 'gold' })).to.deep.equal(['tier must be one of elite, verified_sharp, listed']);
    expect(faults({ uuid: '7' })).to.deep.equal(['uuid must be the UUID of a pick']);
  });

  it('are refused with a sentence when missing', () => {
    expect(faults({}, paramsReader(Type.Object({ tier })) as never)).to.deep.equal([
      'tier is missing: it must be one of elite, verified_sharp, listed',
    ]);
  });

  it('are refused with all faults at once', () => {
    expect(faults({ sport: 'x', limit: '0' })).to.have.lengthOf(2);
  });

  for (const [what, text] of [
    ['a NUL', 'a\u0000b'],
    ['a line break', 'a\nb'],
    ['half a surrogate pair', 'a\ud800'],
    ['301 characters', 'x'.repeat(301)],
  ] as const)
    it(`refuse text with ${what}`, () => {
      expect(faults({ game: text })).to.have.lengthOf(1);
    });
});
