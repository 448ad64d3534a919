import { expect } from 'chai';
import fc from 'fast-check';
import type { PriceCheck } from '../../src/proof/bodies.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import type { Trust } from '../../src/proof/receipt-walk.ts';
import { shownVerdicts, type Verdicts, verdictsOf, vocabulary } from '../../src/proof/verdicts.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import {
  createExampleLog,
  exampleClosing,
  examplePick,
  exampleReceipt,
  exampleSettlement,
  logSigner,
  type ReceiptPlan,
  sealPrices,
  witnesses,
} from './example-log.ts';

const keys = [logSigner.key];
const witnessKeys = witnesses.map(({ key }) => key);
const start = Date.UTC(2026, 2, 1, 19) / 1000;

async function verdicts(plan: ReceiptPlan = {}, trust: Partial<Trust> = {}): Promise<Verdicts> {
  return (await verifyReceipt(await exampleReceipt(plan), { keys, ...trust })).verdicts;
}

function priceCheck(verdict: PriceCheck['verdict']): PriceCheck {
  if (verdict === 'unseen' || verdict === 'unchecked')
    return {
      verdict,
      odds_american: null,
      book: null,
      captured_at: null,
      counted_american: verdict === 'unseen' ? null : -110,
    };
  const captured_at = '2026-03-01T12:30:00.000Z';
  const odds_american = verdict === 'available' ? -110 : -125;
  return { verdict, odds_american, book: 'alpha-book', captured_at, counted_american: odds_american };
}

/** Returns the receipt of a pick that one checkpoint covers together with its later events. */
async function receiptOfOneCheckpoint(settledAt?: string): Promise<SealedReceipt> {
  const log = createExampleLog();
  const pick = examplePick(7);
  const closing = settledAt === undefined ? exampleClosing(pick) : null;
  const receipt: SealedReceipt = {
    pickUuid: pick.uuid,
    hashStatus: 'sealed',
    pick,
    pick_hash: '',
    closing,
    closing_hash: null,
    settlement: null,
    settlement_hash: null,
    clv_bps: closing?.clv_bps ?? null,
    proof: { origin: 'picks.example/ledger', events: [], keys: [], prices: [] },
  };
  receipt.pick_hash = log.seal('posted', pick, pick, receipt);
  if (closing !== null) sealPrices(log, receipt, 'closed');
  if (closing !== null) receipt.closing_hash = log.seal('closed', closing, pick, receipt);
  if (settledAt !== undefined) {
    const voided = { result: 'void', net_units_e4: 0, settled_at: settledAt } as const;
    receipt.settlement = exampleSettlement(pick, receipt.pick_hash, voided);
    receipt.settlement_hash = log.seal('settled', receipt.settlement, pick, receipt);
  }
  await log.publish();
  return receipt;
}

describe('the verdicts on a receipt', () => {
  it('call a live pick sealed, signed, and posted by the operator', async () => {
    expect(await verdicts({ settlement: { price_check: priceCheck('available') } })).to.deep.equal({
      inTheLog: 'sealed',
      beforeTheStart: 'signed',
      price: 'available',
      postedBy: 'operator',
    });
  });

  it('call the time and the price of an import claims, even if witnesses cosigned it', async () => {
    const plan: ReceiptPlan = { pick: { provenance: 'imported' }, cosigners: witnesses };
    expect(await verdicts(plan, { witnesses: witnessKeys })).to.deep.equal({
      inTheLog: 'sealed',
      beforeTheStart: 'claimed',
      price: 'claimed',
      postedBy: 'import',
    });
  });

  it('call a pick witnessed only by enough trusted witnesses before the second of the start', async () => {
    const ask = async (plan: ReceiptPlan, trust: Partial<Trust>) =>
      (await verdicts({ cosigners: witnesses, ...plan }, trust)).beforeTheStart;
    expect(await ask({}, {})).to.equal('signed');
    expect(await ask({}, { witnesses: witnessKeys })).to.equal('witnessed');
    expect(await ask({ cosignedAt: start - 1 }, { witnesses: witnessKeys })).to.equal('witnessed');
    expect(await ask({ cosignedAt: start }, { witnesses: witnessKeys })).to.equal('late');
    expect(await ask({ cosigners: [] }, { witnesses: witnessKeys, quorum: 0 })).to.equal('signed');
    const some = { cosigners: witnesses.slice(0, 1) };
    expect(await ask(some, { witnesses: witnessKeys, quorum: 1 })).to.equal('witnessed');
    expect(await ask({ pick: { starts_at: null } }, { witnesses: witnessKeys })).to.equal('pending');
  });

  it('call a pick late if its first checkpoint covers something from the start or after it', async () => {
    const ask = async (receipt: SealedReceipt) => {
      const { verdicts, failed } = await verifyReceipt(receipt, { keys });
      expect(failed).to.equal(null);
      return verdicts.beforeTheStart;
    };
    expect(await ask(await receiptOfOneCheckpoint())).to.equal('late');
    expect(await ask(await receiptOfOneCheckpoint('2026-03-01T19:00:00.000Z'))).to.equal('late');
    expect(await ask(await receiptOfOneCheckpoint('2026-03-01T15:00:00.000Z'))).to.equal('signed');
  });

  it("fall back to the log's own signed time without trusted witnesses", async () => {
    const ask = async (signedAt: string, trust: Partial<Trust> = {}) =>
      (await verdicts({ signedAt, cosigners: witnesses }, trust)).beforeTheStart;
    expect(await ask('2026-03-01T18:59:59.999Z')).to.equal('signed');
    expect(await ask('2026-03-01T19:00:00.000Z')).to.equal('late');
    expect(await ask('2026-03-01T19:00:00.000Z', { witnesses: witnessKeys })).to.equal('witnessed');
  });

  it('include the price check of the settlement, and none before it', async () => {
    for (const verdict of ['available', 'above_market', 'unseen', 'unchecked'] as const) {
      const settlement = {
        price_check: priceCheck(verdict),
        net_units_e4: verdict === 'above_market' ? 12_000 : 13_636,
      };
      expect((await verdicts({ settlement })).price).to.equal(verdict);
    }
    expect((await verdicts({ settlement: null })).price).to.equal('pending');
    expect((await verdicts({ settlement: { price_check: null } })).price).to.equal('unchecked');
  });

  it('do not credit the author with a signature that nobody checked', async () => {
    const author = {
      key: 'a'.repeat(64),
      nonce: 'a-nonce-of-ada-17',
      at: '2026-03-01T12:34:56.789Z',
      signature: `${'A'.repeat(86)}==`,
      subject: null,
    };
    const { failed, verdicts: found } = await verifyReceipt(await exampleReceipt({ pick: { author } }), {
      keys,
    });
    expect(failed?.step).to.equal('author');
    expect(found.postedBy).to.equal('unproven');
  });

  it('are not proven if the proof fails or is missing', async () => {
    const failed = await exampleReceipt();
    failed.pick.odds_american = 2500;
    const rest = { beforeTheStart: 'unproven', price: 'unproven', postedBy: 'unproven' };
    const { verdicts: ofFailed } = await verifyReceipt(failed, { keys });
    expect(ofFailed).to.deep.equal({ inTheLog: 'failed', ...rest });
    const none = { pick_hash: null, closing_hash: null, settlement_hash: null, proof: null };
    const unhashed = { ...failed, ...none, hashStatus: 'unhashed' };
    const { verdicts: ofUnhashed } = await verifyReceipt(unhashed, { keys });
    expect(ofUnhashed).to.deep.equal({ inTheLog: 'not_yet', ...rest });
  });

  it('say that later events may exist unless the receipt ends with a settlement', async () => {
    const ask = async (plan: ReceiptPlan) =>
      (await verifyReceipt(await exampleReceipt(plan), { keys })).laterEventsMayExist;
    expect(await ask({})).to.equal(false);
    expect(await ask({ closing: null })).to.equal(false);
    expect(await ask({ settlement: null })).to.equal(true);
    expect(await ask({ closing: null, settlement: null })).to.equal(true);
  });

  it('never show an import in the tone of a good live pick, except that it is sealed', () => {
    const facts = fc.record({
      sealed: fc.boolean(),
      provenance: fc.constantFrom('live' as const, 'imported' as const),
      sealedInTime: fc.constantFrom('witnessed' as const, 'signed' as const, 'late' as const, null),
      price: fc.constantFrom('available' as const, 'above_market' as const, 'unseen' as const, null),
      authorVerified: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const [log, ...others] = shownVerdicts(verdictsOf(given));
        expect(log!.tone).to.equal(given.sealed ? 'good' : 'plain');
        const tones = others.map(({ tone }) => tone);
        if (given.provenance === 'imported') expect(tones).to.deep.equal(['claim', 'claim', 'claim']);
        else expect(tones[0] === 'bad').to.equal(given.sealedInTime === 'late');
      }),
    );
  });

  it('consist of a word and a sentence each', () => {
    for (const { words } of Object.values(vocabulary))
      for (const { word, meaning } of Object.values(words)) {
        expect(word).to.match(/^[A-Z]/);
        expect(meaning).to.match(/^[A-Z].*\.$/);
      }
  });
});
