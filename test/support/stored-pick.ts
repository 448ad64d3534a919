import type { StoredPick } from '../../src/ledger/pick.ts';
import { unsigned } from '../../src/ledger/pick-forms.ts';

/** A pick for tests that need only some of its fields. */
export const storedPick: StoredPick = {
  uuid: '3f9d3a5e-6b7c-4d8e-9f00-112233445566',
  id: 7,
  capperId: 3,
  handle: 'ada_l',
  tier: 'verified_sharp',
  sport: 'nba',
  gameId: 5,
  game: 'Gulls @ Foxes',
  gameDay: null,
  startsAt: null,
  market: 'spread',
  subject: null,
  side: 'home',
  lineE3: -3500,
  pick: 'Foxes -3.5',
  oddsAmerican: 105,
  stakeE4: 10_000,
  book: null,
  source: 'operator',
  provenance: 'live',
  postedAt: Date.parse('2029-06-01T10:00:00Z'),
  ...unsigned,
};
