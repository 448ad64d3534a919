import { expect } from 'chai';
import type { ClosingBody, PickBody, SettlementBody } from '../../src/proof/bodies.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { exampleReceipt, logSigner, type ReceiptPlan } from './example-log.ts';

const clv = (pick: Partial<PickBody>, closing: Partial<ClosingBody>): ReceiptPlan => ({
  pick,
  closing,
  settlement: null,
});
const units = (settlement: Partial<SettlementBody>, pick: Partial<PickBody> = {}): ReceiptPlan => ({
  pick,
  closing: null,
  settlement,
});

describe('the figures of a receipt', () => {
  const cases: [string, boolean, ReceiptPlan][] = [
    ['a CLV that follows from the prices', true, {}],
    ['a CLV one basis point too high', false, { closing: { clv_bps: 607 } }],
    ['a CLV against even money', true, clv({ odds_american: 105 }, { odds_american: 100, clv_bps: 250 })],
    ['a negative CLV', true, clv({ odds_american: 100 }, { odds_american: 110, clv_bps: -476 })],
    // 10000 * (1.3125 / 1.2 - 1) = 937.5 and 10000 * (1.3125 / 2 - 1) = -3437.5.
    ['half a basis point upwards', true, clv({ odds_american: -320 }, { odds_american: -500, clv_bps: 938 })],
    [
      'half a basis point downwards',
      true,
      clv({ odds_american: -320 }, { odds_american: -100, clv_bps: -3438 }),
    ],
    [
      'half a basis point towards zero',
      false,
      clv({ odds_american: -320 }, { odds_american: 100, clv_bps: -3437 }),
    ],
    ['prices of another book', false, { closing: { book: 'beta-book' } }],
    ['a median within its rounding', true, clv({ book: null }, { odds_american: -125, clv_bps: 620 })],
    ['a median beyond its rounding', false, clv({ book: null }, { odds_american: -125, clv_bps: 700 })],
    [
      'a median beside even money',
      true,
      clv({ book: null, odds_american: 100 }, { odds_american: 100, clv_bps: 20 }),
    ],
    [
      'a median far from even money',
      false,
      clv({ book: null, odds_american: 100 }, { odds_american: -100, clv_bps: -51 }),
    ],
    ['a win, rounded down', true, units({ net_units_e4: 13_636 })],
    ['a win, rounded up', false, units({ net_units_e4: 13_637 })],
    ['a win at a long price', true, units({ net_units_e4: 37_500 }, { odds_american: 250 })],
    ['a loss of the stake', true, units({ result: 'loss', net_units_e4: -15_000 })],
    ['a loss of half the stake', false, units({ result: 'loss', net_units_e4: -7_500 })],
    [
      'half a win, rounded away from zero',
      true,
      units({ half: true, net_units_e4: 50 }, { stake_e4: 99, odds_american: 100 }),
    ],
    [
      'half a win, rounded towards zero',
      false,
      units({ half: true, net_units_e4: 49 }, { stake_e4: 99, odds_american: 100 }),
    ],
    ['a whole win where half the stake counted', false, units({ half: true })],
    ['half a loss', true, units({ half: true, result: 'loss', net_units_e4: -7_500 })],
    [
      'half a loss, rounded away from zero',
      true,
      units({ half: true, result: 'loss', net_units_e4: -50 }, { stake_e4: 99 }),
    ],
    [
      'half a loss, rounded towards zero',
      false,
      units({ half: true, result: 'loss', net_units_e4: -49 }, { stake_e4: 99 }),
    ],
    ['a push that costs nothing', true, units({ result: 'push', net_units_e4: 0 })],
    ['a void that pays', false, units({ result: 'void', net_units_e4: 1 })],
  ];
  for (const [what, good, plan] of cases) {
    it(`are ${good ? 'accepted' : 'refused'} with ${what}`, async () => {
      const { failed } = await verifyReceipt(await exampleReceipt(plan), { keys: [logSigner.key] });
      expect(failed?.step ?? 'none').to.equal(good ? 'none' : 'figures');
    });
  }
});
