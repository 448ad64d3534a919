import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { bodyHash, checkBody, type Kind, kinds } from '../../src/proof/bodies.ts';
import { canonical } from '../../src/proof/canonical.ts';
import { parseVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { unreachableCsv } from '../../src/record/record-json.ts';
import { exampleReceipt, witnesses } from './example-log.ts';

const file = new URL('./vectors/formats-v1.json', import.meta.url);
const frozen: {
  bodies: { kind: Kind; body: string; hash: string }[];
  trust: { keys: string[]; witnesses: string[] };
  receipt: object;
  exportHeader: string;
} = JSON.parse(readFileSync(file, 'utf8'));

/** Receipts of the past depend on these bytes. A new format gets a new tag, and a file of its own. */
describe('the formats of version 1', () => {
  it('have one frozen body of each kind', () => {
    expect(frozen.bodies.map(({ kind }) => kind)).to.have.members([...kinds]);
  });

  for (const { kind, body, hash } of frozen.bodies)
    it(`give a body of ${kind} the hash that it had`, () => {
      const read = JSON.parse(body);
      checkBody(kind, read);
      expect(canonical(read)).to.equal(body);
      expect(bodyHash(kind, read)).to.equal(hash);
    });

  it('prove a receipt of the past, and issue the same one today', async () => {
    const trust = {
      keys: frozen.trust.keys.map((key) => parseVerifierKey(key)),
      witnesses: frozen.trust.witnesses.map((key) => parseVerifierKey(key)),
    };
    const { proof, verdicts, failed } = await verifyReceipt(frozen.receipt, trust);
    expect(failed).to.equal(null);
    expect(proof).to.equal('ok');
    expect(verdicts).to.include({ inTheLog: 'sealed', beforeTheStart: 'witnessed' });
    expect(JSON.parse(JSON.stringify(await exampleReceipt({ cosigners: witnesses })))).to.deep.equal(
      frozen.receipt,
    );
  });

  it('begin an export with the same columns', () => {
    const [header = ''] = unreachableCsv().split('\r\n');
    expect(header.startsWith(frozen.exportHeader), header).to.equal(true);
  });
});
