import { expect } from 'chai';
import { bodyHash } from '../../src/proof/bodies.ts';
import type { Receipt, SealedReceipt } from '../../src/proof/receipt.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { examplePick, exampleReceipt, logSigner, ORIGIN, testSigner } from './example-log.ts';
import { nodeSha256 } from './grown-tree.ts';

const trust = { keys: [logSigner.key] };

function changed(receipt: SealedReceipt, change: (copy: SealedReceipt) => void): SealedReceipt {
  const copy = structuredClone(receipt);
  change(copy);
  return copy;
}

const priceIn = (receipt: SealedReceipt) => receipt.proof.prices[0]!.prices[0]!;

describe('a receipt', () => {
  let receipt: SealedReceipt;
  before(async () => {
    receipt = await exampleReceipt();
  });

  it('is verified step by step, from the body to the signature, for each event', async () => {
    const { proof, steps, failed } = await verifyReceipt(JSON.parse(JSON.stringify(receipt)), trust);
    expect(failed).to.equal(null);
    expect(proof).to.equal('ok');
    const walk = ['body', 'hash', 'entry', 'leaf', 'root', 'signature'];
    const expected = ['posted', 'closed', 'settled'].flatMap((event) =>
      walk.map((step) => `${event} ${step}`),
    );
    const found = steps.map(({ step, event }) => `${event ?? 'whole'} ${step}`);
    expect(found).to.deep.equal([
      'whole receipt',
      ...expected,
      'whole order',
      'whole figures',
      'whole prices',
    ]);
    for (const { detail } of steps) expect(detail).to.match(/^[A-Z].*\.$/);
  });

  it('fails if it calls an imported pick live', async () => {
    const imported = await exampleReceipt({ pick: { provenance: 'imported' } });
    imported.pick = { ...examplePick(7), provenance: 'live' };
    expect((await verifyReceipt(imported, trust)).failed).to.include({ step: 'hash', event: 'posted' });
  });

  it('gets the same verdict with the SHA-256 of node:crypto', async () => {
    expect(await verifyReceipt(receipt, trust, nodeSha256)).to.deep.equal(
      await verifyReceipt(receipt, trust),
    );
  });

  it('is verified before the pick has closed or settled, and without a closing', async () => {
    for (const plan of [{ closing: null, settlement: null }, { settlement: null }, { closing: null }]) {
      const { proof, failed } = await verifyReceipt(await exampleReceipt(plan), trust);
      expect(failed).to.equal(null);
      expect(proof).to.equal('ok');
    }
  });

  it('is verified for the first entries of a log', async () => {
    const { proof } = await verifyReceipt(await exampleReceipt({ before: [0, 0, 0] }), trust);
    expect(proof).to.equal('ok');
  });

  it('is reported as unsealed, not as verified, for an unsealed pick', async () => {
    const unhashed: Receipt = {
      pickUuid: receipt.pickUuid,
      hashStatus: 'unhashed',
      pick: { ...receipt.pick, odds_american: -110 },
      pick_hash: null,
      closing: null,
      closing_hash: null,
      settlement: null,
      settlement_hash: null,
      clv_bps: null,
      proof: null,
    };
    const { proof, steps, failed } = await verifyReceipt(unhashed, trust);
    expect(proof).to.equal('unhashed');
    expect(failed).to.equal(null);
    expect(steps.map(({ detail }) => detail).join()).to.match(/nothing is proven/);
    const { proof: contradictory } = await verifyReceipt({ ...unhashed, proof: receipt.proof }, trust);
    expect(contradictory).to.equal('failed');
  });

  it('needs a key of this log', async () => {
    const otherKey = await testSigner(ORIGIN, 99);
    const otherName = await testSigner('picks.example/other', 1);
    for (const keys of [[], [otherKey.key], [otherName.key]]) {
      const { failed } = await verifyReceipt(receipt, { keys });
      expect(failed).to.include({ step: 'signature', event: 'posted' });
    }
    const both = await verifyReceipt(receipt, { keys: [otherKey.key, logSigner.key] });
    expect(both.proof).to.equal('ok');
  });

  const changes: [string, string, (copy: SealedReceipt) => void][] = [
    ['another price', 'posted hash', (r) => (r.pick.odds_american = -105)],
    ['an impossible price', 'posted body', (r) => (r.pick.odds_american = -10)],
    ['another pick’s UUID', 'posted body', (r) => (r.pickUuid = '00000000-0000-4000-8000-000000000000')],
    [
      'another price with a matching hash',
      'posted entry',
      (r) => {
        r.pick.odds_american = -105;
        r.pick_hash = bodyHash('posted', r.pick);
      },
    ],
    ['another result', 'settled hash', (r) => (r.settlement!.result = 'loss')],
    ['another closing price', 'closed hash', (r) => (r.closing!.odds_american = -130)],
    [
      'another predecessor of the settlement',
      'settled entry',
      (r) => {
        r.settlement!.prev = r.pick_hash;
        r.settlement_hash = bodyHash('settled', r.settlement!);
      },
    ],
    ['another leaf hash', 'closed leaf', (r) => (r.proof.events[1]!.leafHash = r.proof.events[0]!.leafHash)],
    [
      'the entry of another event',
      'closed entry',
      (r) => (r.proof.events[1]!.entry = r.proof.events[0]!.entry),
    ],
    ['another position in the log', 'settled entry', (r) => (r.proof.events[2]!.seq += 1)],
    [
      'a repeated key in an entry',
      'posted entry',
      (r) => {
        const proof = r.proof.events[0]!;
        proof.entry = proof.entry.replace('"seq":', '"seq":1,"seq":');
      },
    ],
    ['another hash in the proof', 'closed root', (r) => (r.proof.events[1]!.inclusion[0] = r.pick_hash)],
    ['a missing hash in the proof', 'closed root', (r) => r.proof.events[1]!.inclusion.pop()],
    ['another root', 'closed root', (r) => (r.proof.events[1]!.rootHash = r.proof.events[0]!.rootHash)],
    ['another tree size', 'closed root', (r) => (r.proof.events[1]!.treeSize = 1)],
    [
      'an older checkpoint',
      'settled signature',
      (r) => {
        r.proof.events[2]!.checkpoint = r.proof.events[1]!.checkpoint;
      },
    ],
    ['another origin', 'posted signature', (r) => (r.proof.origin = 'picks.example/other')],
    ['another CLV', 'whole figures', (r) => (r.clv_bps = 607)],
    ['no CLV', 'whole figures', (r) => (r.clv_bps = null)],
    ['no closing', 'whole receipt', (r) => (r.closing = null)],
    [
      'neither closing nor its proof',
      'settled entry',
      (r) => {
        r.closing = null;
        r.closing_hash = null;
        r.clv_bps = null;
        r.proof.events.splice(1, 1);
      },
    ],
    ['an event proven twice', 'whole receipt', (r) => r.proof.events.splice(1, 1, r.proof.events[0]!)],
    ['events in another order', 'whole receipt', (r) => r.proof.events.reverse()],
    ['no events', 'whole receipt', (r) => (r.proof.events = [])],
    ['no prices', 'whole prices', (r) => (r.proof.prices = [])],
    ['another deciding price', 'whole prices', (r) => (priceIn(r).price.odds_american = -120)],
    [
      'a price captured earlier',
      'whole prices',
      (r) => (priceIn(r).price.captured_at = '2026-03-01T18:50:00.000Z'),
    ],
    [
      'a price stored earlier',
      'whole prices',
      (r) => (priceIn(r).price.stored_at = '2026-03-01T12:00:00.000Z'),
    ],
    ['another number of a price', 'whole prices', (r) => (priceIn(r).price.price_seq = 11)],
    ['a number beyond the entry', 'whole prices', (r) => (priceIn(r).price.price_seq = 13)],
    ['another path of a price', 'whole prices', (r) => (priceIn(r).inclusion[0] = r.pick_hash)],
    ['a price that decided nothing', 'whole prices', (r) => (priceIn(r).decided = [])],
    ['a price that decided another event', 'whole prices', (r) => (priceIn(r).decided = ['settled'])],
    ['another root of prices', 'whole prices', (r) => (r.proof.prices[0]!.body.root = r.pick_hash)],
    [
      'prices under an entry that is none of prices',
      'whole prices',
      (r) => (r.proof.prices[0]!.entry = r.proof.events[0]!.entry),
    ],
    ['prices of another entry of the log', 'whole prices', (r) => (r.proof.prices[0]!.seq = 3)],
    ['an unknown key in a price', 'whole receipt', (r) => Object.assign(priceIn(r).price, { note: '' })],
    ['an additional key', 'whole receipt', (r) => Object.assign(r, { verified: true })],
    ['an additional key in the pick', 'posted body', (r) => Object.assign(r.pick, { edited: false })],
    [
      'an additional key in an event',
      'whole receipt',
      (r) => Object.assign(r.proof.events[0]!, { note: '' }),
    ],
  ];
  for (const [what, where, change] of changes) {
    it(`fails at the ${where} with ${what}`, async () => {
      const { proof, failed } = await verifyReceipt(changed(receipt, change), trust);
      expect(proof).to.equal('failed');
      expect(`${failed?.event ?? 'whole'} ${failed?.step}`).to.equal(where);
    });
  }

  it('shows the valid events beside an invalid one', async () => {
    const { steps } = await verifyReceipt(
      changed(receipt, (r) => (r.closing!.clv_bps = 1)),
      trust,
    );
    const signed = steps.filter(({ step, ok }) => step === 'signature' && ok).map(({ event }) => event);
    expect(signed).to.deep.equal(['posted', 'settled']);
  });
});

describe('the prices of a receipt', () => {
  const failing = async (plan: Parameters<typeof exampleReceipt>[0], expected: RegExp) => {
    const { failed } = await verifyReceipt(await exampleReceipt(plan), trust);
    expect(failed?.step).to.equal('prices');
    expect(failed?.detail).to.match(expected);
  };
  const available = {
    verdict: 'available' as const,
    odds_american: -105,
    book: 'alpha-book',
    counted_american: -110,
    captured_at: '2026-03-01T12:30:00.000Z',
  };

  it('decide the closing and the price check', async () => {
    const receipt = await exampleReceipt({ settlement: { price_check: available } });
    const { proof, steps } = await verifyReceipt(receipt, trust);
    expect(proof).to.equal('ok');
    expect(steps.at(-1)?.detail).to.match(
      /^The log has the 2 prices that decided it, in entry \d+, \d+, stored until/,
    );
  });

  it('include the middle of a median', async () => {
    const receipt = await exampleReceipt({ pick: { book: null }, closing: { book: null } });
    expect((await verifyReceipt(receipt, trust)).failed).to.equal(null);
  });

  it('are in the log before what they decided', () =>
    failing({ closing: { prices_to: null } }, /No price in the log is the closing price/));

  it('price the bet', async () => {
    const receipt = await exampleReceipt({ settlement: null });
    receipt.proof.prices[0]!.prices[0]!.price.game = 'Gulls @ Foxes';
    expect((await verifyReceipt(receipt, trust)).failed?.step).to.equal('prices');
  });

  it('are not claimed where nothing was compared', async () => {
    const receipt = await exampleReceipt();
    priceIn(receipt).decided.push('settled');
    expect((await verifyReceipt(receipt, trust)).failed?.detail).to.match(/Nothing checked the price/);
  });
});

describe('a receipt’s events', () => {
  it('are rejected in an impossible order', async () => {
    const settledFirst = await exampleReceipt({ closing: null, settlement: {} });
    const [posted, settled] = settledFirst.proof.events;
    const other = await exampleReceipt({ closing: null, settlement: {}, before: [40, 0, 0] });
    const mixed = { ...other, proof: { ...other.proof, events: [other.proof.events[0]!, settled!] } };
    const { failed } = await verifyReceipt(mixed, trust);
    expect(posted!.seq).to.be.lessThan(settled!.seq);
    expect(failed).to.include({ step: 'order' });
  });

  it('reveal a log that signed two trees of one size', async () => {
    const one = await exampleReceipt({ closing: null, before: [5, 0, 0] });
    const other = await exampleReceipt({ closing: null, before: [2, 0, 2] });
    expect(other.proof.events[1]!.treeSize - 1).to.equal(one.proof.events[0]!.treeSize - 1);
    const mixed = { ...one, proof: { ...one.proof, events: [one.proof.events[0]!, other.proof.events[1]!] } };
    const { failed } = await verifyReceipt(mixed, trust);
    expect(failed).to.include({ step: 'order' });
  });
});
