import { expect } from 'chai';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { groupId } from '../../src/rules/group-id.ts';
import { nameUuid } from '../../src/rules/name-uuid.ts';

const identity = {
  sport: 'nfl',
  game: 'Harbor Gulls @ Mill Town Oxen',
  announcedStart: Date.parse('2026-01-18T18:00:00Z'),
  market: 'spread',
  side: 'home',
};

describe('group id', () => {
  it('is the same for ever', () => {
    expect(groupId(identity)).to.equal('40592b68-b378-51c4-9081-19b5ccac6d30');
  });

  it('differs by every part of the identity', () => {
    const others = [
      identity,
      { ...identity, sport: 'ncaaf' },
      { ...identity, game: 'Harbor Gulls @ Mill Town Ox' },
      { ...identity, announcedStart: identity.announcedStart + 1 },
      { ...identity, announcedStart: null },
      { ...identity, market: 'moneyline' },
      { ...identity, side: 'away' },
    ];
    expect(new Set(others.map(groupId)).size).to.equal(others.length);
  });

  it('is what any UUID library makes of the identity', () => {
    const name = '["nfl","Harbor Gulls @ Mill Town Oxen","2026-01-18T18:00:00.000Z","spread","home"]';
    expect(groupId(identity)).to.equal(v5(name, 'dd0fc2ed-8b9c-4e4e-9304-a19ab664c4b4'));
  });
});

describe('name-based UUID', () => {
  it('gives the example of RFC 9562', () => {
    const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    expect(nameUuid(dns, 'www.example.com')).to.equal('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('agrees with another implementation on any name, of any length', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'binary', maxLength: 200 }), (namespace, name) => {
        expect(nameUuid(namespace, name)).to.equal(v5(name, namespace));
      }),
    );
    for (let length = 0; length < 140; length += 1) {
      const name = 'x'.repeat(length);
      expect(nameUuid(v5.DNS, name)).to.equal(v5(name, v5.DNS));
    }
  });
});
