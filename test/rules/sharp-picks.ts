import fc from 'fast-check';
import type { MemberPick } from '../../src/rules/resolved-groups.ts';
import { americanOdds, result, stakeE4 } from './arbitraries.ts';

export const start = Date.parse('2026-01-18T18:00:00Z');
export const hour = 3_600_000;

/** Returns a sharp pick on the home side of one spread, by default posted 2 hours before the start. */
export function sharpPick(given: Partial<MemberPick> & { capperHandle: string }): MemberPick {
  return {
    pickUuid: `uuid-${given.capperHandle}`,
    capperTier: 'verified_sharp',
    capperVerified: true,
    sport: 'nfl',
    game: 'Harbor Gulls @ Mill Town Oxen',
    announcedStart: start,
    startsAt: start,
    market: 'spread',
    subject: null,
    side: 'home',
    lineE3: -3500,
    pick: 'Oxen -3.5',
    oddsAmerican: -110,
    stakeE4: 10_000,
    postedAt: start - 2 * hour,
    result: null,
    settledAt: null,
    ...given,
  };
}

/** Picks of few cappers on few games, sides, and instants, so that groups, repeats, and ties are common. */
export const sharpPicks: fc.Arbitrary<MemberPick[]> = fc.uniqueArray(
  fc
    .record({
      pickUuid: fc.uuid(),
      capperHandle: fc.constantFrom('ann', 'bob', 'cleo', 'dan', 'eve'),
      capperTier: fc.constantFrom('elite' as const, 'verified_sharp' as const, 'listed' as const),
      game: fc.constantFrom('A @ B', 'C @ D'),
      market: fc.constantFrom('moneyline', 'spread'),
      side: fc.constantFrom('home', 'away'),
      lineE3: fc.constantFrom(-3500, -3000, null),
      oddsAmerican: americanOdds,
      stakeE4,
      postedAt: fc.integer({ min: -14, max: -1 }).map((hours) => start + hours * hour),
      settlement: fc.option(
        fc.record({ result, settledAt: fc.integer({ min: 1, max: 4 }).map((hours) => start + hours * hour) }),
        { freq: 5 },
      ),
    })
    .map(({ settlement, ...pick }) => sharpPick({ ...pick, ...settlement })),
  { selector: ({ pickUuid }) => pickUuid, maxLength: 25 },
);
