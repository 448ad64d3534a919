import { expect } from 'chai';
import fc from 'fast-check';
import type { AnnouncedEvent } from '../../../src/webhooks/messages/events.ts';
import { announcementOf, bodyOf, payloadOf } from '../../../src/webhooks/messages/payloads.ts';
import { codePoint } from '../../support/code-point.ts';
import { storedPick } from '../../support/stored-pick.ts';

const at = fc.integer({ min: 0, max: 4e12 });
const text = fc.string({ unit: codePoint, maxLength: 30 });
const odds = fc.integer({ min: 100, max: 5000 });

const event: fc.Arbitrary<AnnouncedEvent> = fc
  .record({
    seq: fc.maxSafeNat(),
    uuid: fc.uuid(),
    ...{
      handle: text,
      sport: text,
      game: text,
      market: text,
      side: text,
      pick: text,
      source: text,
    },
    startsAt: fc.option(at),
    lineE3: fc.option(fc.integer({ min: -99_000, max: 99_000 })),
    oddsAmerican: fc.oneof(
      odds,
      odds.map((value) => -value),
    ),
    stakeE4: fc.integer({ min: 1, max: 100_000 }),
    postedAt: at,
    settlement: fc.option(fc.record({ result: text, settledAt: at, closingOdds: fc.option(odds) })),
  })
  .map(({ settlement, ...posted }) =>
    settlement === null
      ? { ...storedPick, ...posted, kind: 'posted', result: null, settledAt: null, closingOdds: null }
      : { ...storedPick, ...posted, kind: 'settled', ...settlement },
  );

describe('the body of a delivery', () => {
  it('is the payload as JSON, whatever its texts are, though most of it is written once for all subscriptions', () => {
    const baseUrl = 'https://picks.example';
    fc.assert(
      fc.property(event, fc.nat(), at, (announced, subscriptionId, now) => {
        const body = bodyOf(announcementOf(announced, baseUrl), announced.seq, { subscriptionId, now });
        expect(body).to.equal(JSON.stringify(payloadOf(announced, { subscriptionId, now, baseUrl })));
      }),
    );
  });
});
