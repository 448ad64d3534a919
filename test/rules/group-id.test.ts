import { expect } from 'chai';
import { groupId } from '../../src/rules/consensus.ts';
import { uuidV5 } from '../naive/identity.ts';

const identity = {
  sport: 'nfl',
  game: 'Harbor Gulls @ Mill Town Oxen',
  announcedStart: Date.parse('2026-01-18T18:00:00Z'),
  market: 'spread',
  subject: null,
  side: 'home',
};

describe('a group id', () => {
  it('never changes', () => {
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
      { ...identity, subject: 'Ada Lovelace' },
      { ...identity, subject: 'Rory Finch' },
    ];
    expect(new Set(others.map(groupId)).size).to.equal(others.length);
  });

  it('is what any UUID library makes of the identity', () => {
    const name = '["nfl","Harbor Gulls @ Mill Town Oxen","2026-01-18T18:00:00.000Z","spread","home"]';
    expect(groupId(identity)).to.equal(uuidV5('dd0fc2ed-8b9c-4e4e-9304-a19ab664c4b4', name));
  });
});
