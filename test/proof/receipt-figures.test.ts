import { expect } from 'chai';
import type { ClosingBody, PickBody, PriceCheck, SettlementBody } from '../../src/proof/bodies.ts';
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

const price = (
  verdict: PriceCheck['verdict'],
  odds_american: number | null,
  { at = '12:34:00.000', counted = -110 as number | null, net_units_e4 = 13_636 } = {},
): ReceiptPlan => {
  const seen = { odds_american, book: 'alpha-book', captured_at: `2026-03-01T${at}Z` };
  return units({ price_check: { verdict, ...seen, counted_american: counted }, net_units_e4 });
};

describe('the figures of a receipt', () => {
  const cases: [string, boolean, ReceiptPlan][] = [
    ['a CLV that follows from the prices', true, {}],
    ['a CLV one basis point too high', false, { closing: { clv_bps: 607 } }],
    ['a CLV against even money', true, clv({ odds_american: 105 }, { odds_american: 100, clv_bps: 250 })],
    ['a negative CLV', true, clv({ odds_american: 100 }, { odds_american: 110, clv_bps: -476 })],
    // 10000 * (1.3125 / 1.2 - 1) = 937.5 and 10000 * (1.3125 / 2 - 1) = -3437.5.
    [
      'half a basis point rounded up',
      true,
      clv({ odds_american: -320 }, { odds_american: -500, clv_bps: 938 }),
    ],
    [
      'half a basis point rounded down',
      true,
      clv({ odds_american: -320 }, { odds_american: -100, clv_bps: -3438 }),
    ],
    [
      'half a basis point rounded toward zero',
      false,
      clv({ odds_american: -320 }, { odds_american: 100, clv_bps: -3437 }),
    ],
    ["another book's prices", false, { closing: { book: 'beta-book' } }],
    ['a median within its rounding', true, clv({ book: null }, { odds_american: -125, clv_bps: 620 })],
    ['a median beyond its rounding', false, clv({ book: null }, { odds_american: -125, clv_bps: 700 })],
    [
      'a median next to even money',
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
      'half a win, rounded toward zero',
      false,
      units({ half: true, net_units_e4: 49 }, { stake_e4: 99, odds_american: 100 }),
    ],
    ['a whole win although half the stake counted', false, units({ half: true })],
    ['half a loss', true, units({ half: true, result: 'loss', net_units_e4: -7_500 })],
    [
      'half a loss, rounded away from zero',
      true,
      units({ half: true, result: 'loss', net_units_e4: -50 }, { stake_e4: 99 }),
    ],
    [
      'half a loss, rounded toward zero',
      false,
      units({ half: true, result: 'loss', net_units_e4: -49 }, { stake_e4: 99 }),
    ],
    ['a push that costs nothing', true, units({ result: 'push', net_units_e4: 0 })],
    ['a void that pays', false, units({ result: 'void', net_units_e4: 1 })],
    ['odds as high as the price', true, price('available', -110)],
    ['odds below the price', true, price('available', 100)],
    ['odds above the price', true, price('above_market', -120, { counted: -120, net_units_e4: 12_500 })],
    ['odds above the price that count as posted', false, price('above_market', -120)],
    ['units at the posted odds', false, price('above_market', -120, { counted: -120 })],
    ['odds above the price called available', false, price('available', -111)],
    ['a fair price called above the market', false, price('above_market', -110)],
    ['available odds that count at others', false, price('available', 100, { counted: 100 })],
    ['a price from after the start', false, price('available', -110, { at: '19:00:00.001' })],
    ['a price compared with nothing', false, price('available', null)],
    ['an unseen price that is given', false, price('unseen', -110)],
    [
      'an unseen price that counts',
      false,
      units({
        price_check: {
          verdict: 'unseen',
          odds_american: null,
          book: null,
          captured_at: null,
          counted_american: -110,
        },
      }),
    ],
    [
      'a price check of an imported pick',
      false,
      { ...price('available', -110), pick: { provenance: 'imported' } },
    ],
  ];
  for (const [what, good, plan] of cases) {
    it(`are ${good ? 'accepted' : 'refused'} with ${what}`, async () => {
      const { failed } = await verifyReceipt(await exampleReceipt(plan), { keys: [logSigner.key] });
      expect(failed?.step ?? 'none').to.equal(good ? 'none' : 'figures');
    });
  }
});
