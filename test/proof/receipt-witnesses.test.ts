import { expect } from 'chai';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { COSIGNED_AT, exampleReceipt, logSigner, type ReceiptPlan, witnesses } from './example-log.ts';

const trust = { keys: [logSigner.key] };
const witnessKeys = witnesses.map(({ key }) => key);

describe('a receipt’s witnesses', () => {
  const [first, second] = witnesses;

  it('must all have cosigned by default', async () => {
    const receipt = await exampleReceipt({ cosigners: witnesses });
    const { proof, steps } = await verifyReceipt(receipt, { ...trust, witnesses: witnessKeys });
    expect(proof).to.equal('ok');
    expect(steps.filter(({ step }) => step === 'witnesses')).to.have.length(3);
    const fewer = await exampleReceipt({ cosigners: [first!, second!] });
    const { failed } = await verifyReceipt(fewer, { ...trust, witnesses: witnessKeys });
    expect(failed).to.include({ step: 'witnesses', event: 'posted' });
    expect(failed?.detail).to.match(/^2 of 3 .* 3 are required/);
  });

  it('may be k of n', async () => {
    const receipt = await exampleReceipt({ cosigners: [first!, second!] });
    const ask = async (quorum: number) =>
      (await verifyReceipt(receipt, { ...trust, witnesses: witnessKeys, quorum })).proof;
    expect([await ask(0), await ask(1), await ask(2), await ask(3)]).to.deep.equal([
      'ok',
      'ok',
      'ok',
      'failed',
    ]);
  });

  it('count once each', async () => {
    const receipt = await exampleReceipt({ cosigners: [first!, first!, first!] });
    const { proof } = await verifyReceipt(receipt, { ...trust, witnesses: witnessKeys, quorum: 2 });
    expect(proof).to.equal('failed');
  });

  it('count only if trusted', async () => {
    const receipt = await exampleReceipt({ cosigners: witnesses });
    expect((await verifyReceipt(receipt, { ...trust, quorum: 1 })).proof).to.equal('failed');
    expect((await verifyReceipt(receipt, trust)).proof).to.equal('ok');
  });

  it('can show that the pick was known before the game’s start', async () => {
    const start = Date.parse('2026-03-01T19:00:00.000Z') / 1000;
    const ask = async (plan: ReceiptPlan) => {
      const receipt = await exampleReceipt({ cosigners: [first!, second!], ...plan });
      return (
        (await verifyReceipt(receipt, { ...trust, witnesses: witnessKeys, quorum: 2, beforeStart: true }))
          .failed?.event ?? 'none'
      );
    };
    expect(COSIGNED_AT).to.be.lessThan(start);
    expect(await ask({})).to.equal('none');
    expect(await ask({ cosignedAt: start - 1 })).to.equal('none');
    expect(await ask({ cosignedAt: start })).to.equal('posted');
    expect(await ask({ pick: { starts_at: null } })).to.equal('posted');
    expect(await ask({ cosigners: [] })).to.equal('posted');
  });

  it('are needed for "before the start", whatever the quorum', async () => {
    const receipt = await exampleReceipt();
    for (const asked of [{ beforeStart: true }, { beforeStart: true, quorum: 0, witnesses: witnessKeys }]) {
      expect((await verifyReceipt(receipt, { ...trust, ...asked })).failed?.step).to.equal('witnesses');
    }
  });

  it('invalidate the receipt by one invalid signature', async () => {
    const receipt = await exampleReceipt({ cosigners: witnesses });
    const other = await exampleReceipt({ cosigners: witnesses, before: [6, 3, 9] });
    const lines = (note: string) => note.slice(note.indexOf('— witness'));
    const proof = receipt.proof.events[0]!;
    proof.checkpoint = proof.checkpoint.replace(
      lines(proof.checkpoint),
      lines(other.proof.events[0]!.checkpoint),
    );
    const { failed } = await verifyReceipt(receipt, { ...trust, witnesses: witnessKeys, quorum: 0 });
    expect(failed).to.include({ step: 'witnesses' });
  });
});
