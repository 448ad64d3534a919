import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { audit, auditSnapshot } from '../../src/ledger/audit/audit.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { latestCheckpoint } from '../../src/ledger/publishing/published.ts';
import { openRefusal } from '../../src/ledger/publishing/refusals.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { type Signer, signerFromSeed } from '../../src/proof/signed-note.ts';
import { COSIGNATURE } from '../../src/proof/verifier-key.ts';
import { answerAddCheckpoint, type CosignedTree, type Witness } from '../../src/proof/witness.ts';
import type { CheckContext } from '../../src/status/check.ts';
import { checkpointCheck } from '../../src/status/checks/log.ts';
import { expectedOfTests, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const origin = 'picks.example/ledger';
const key = Buffer.alloc(32, 1).toString('base64');

describe('a quorum of witnesses', () => {
  const stores = withDatabase();
  const folder = withFolder();
  /** Witnesses by the first segment of their path. One that is not `up` answers 503. */
  const witnesses = new Map<
    string,
    { signer: Signer; up: boolean; asked: number; last?: CosignedTree | undefined }
  >();
  let log: Signer;
  let publisher: Publisher;
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const witness = witnesses.get(request.url!.split('/')[1]!)!;
      witness.asked += 1;
      if (!witness.up) return response.writeHead(503).end();
      const context = { signer: witness.signer, logs: [log.key], lastCosigned: () => witness.last };
      const answer = await answerAddCheckpoint(
        Buffer.concat(parts).toString(),
        context,
        now / 1000 + witness.asked,
      );
      witness.last = answer.cosigned ?? witness.last;
      return response.writeHead(answer.status).end(answer.body);
    })().catch((error: Error) => response.destroy(error));
  });

  before(async () => {
    log = await ledgerSigner(origin, key);
    server.listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    const listed: Witness[] = [];
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const signer = await signerFromSeed(`${name}.example`, COSIGNATURE, Buffer.alloc(32, index + 2));
      witnesses.set(name, { signer, up: true, asked: 0 });
      listed.push({
        key: signer.key,
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`,
      });
    }
    publisher = {
      baseUrl: 'https://picks.example',
      demo: false,
      key,
      store: fileStore(join(folder.path(), 'checkpoint')),
      witnesses: listed,
      witnessQuorum: 2,
    };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    for (const witness of witnesses.values()) Object.assign(witness, { up: true, asked: 0 });
  });

  const up = (...names: string[]) => {
    for (const [name, witness] of witnesses) witness.up = names.includes(name);
  };
  const publish = (given: Partial<Publisher> = {}) =>
    publishCheckpoint(stores.database, { ...publisher, ...given }, now);
  const published = async () => (await latestCheckpoint(stores.database))?.size ?? 0;
  let entries = 0;
  async function grow(): Promise<number> {
    entries += 1;
    await stores.database('notices').insert({ at: new Date(now), topic: 'remark', text: `entry ${entries}` });
    await sealAll(stores.database);
    return entries;
  }
  async function status() {
    const at = (seconds: number) =>
      checkpointCheck.measure(
        {
          database: stores.database,
          now: now + seconds * 1000,
          before: () => ({ mark: String(seen), since: now }),
        } as unknown as CheckContext,
        checkpointCheck.thresholds,
      );
    const seen = await published();
    return async (seconds: number) => (await at(seconds)).get('checkpoint')!;
  }

  it('is stored with the instant at which it was met', async () => {
    const size = await grow();
    expect(await publish()).to.equal(size);
    const [times] = await stores
      .database('checkpoint_times')
      .where({ size })
      .select('cosignatures', 'witnessed_at');
    expect(times).to.deep.equal({ cosignatures: 3, witnessed_at: now + 1000 });
    await grow();
    expect(await publish({ witnessQuorum: 0 })).to.equal(entries);
    const unclaimed = stores.database('checkpoint_times').where({ size: entries });
    expect(await unclaimed.pluck('witnessed_at')).to.deep.equal([null]);
  });

  it('is compared by the audit with the cosignatures of the note', async () => {
    const size = await published();
    const found = async (set: string) => {
      const transaction = await stores.owner.transaction();
      try {
        await transaction.raw(`update checkpoint_times set ${set} where size = ?`, [size]);
        return (await auditSnapshot(transaction, undefined, {})).difference?.message;
      } finally {
        await transaction.rollback();
      }
    };
    expect(await found('cosignatures = cosignatures')).to.equal(undefined);
    expect(await found('cosignatures = 2')).to.match(
      /^checkpoint_times, size \d+, column cosignatures: the note has 3/,
    );
    expect(await found(`witnessed_at = 'epoch'`)).to.match(
      /column witnessed_at: the cosignatures of the note make no quorum/,
    );
  });

  it('withholds a checkpoint until it is met, while sealing continues', async () => {
    const before = await published();
    const size = await grow();
    up('a');
    expect(await publish()).to.equal(null);
    await grow();
    expect(await publish()).to.equal(null);
    expect(await published()).to.equal(before);
    expect((await stores.database('ledger_entries').count({ n: '*' }))[0]).to.deep.equal({ n: entries });
    const check = await status();
    expect(await check(10)).to.include({ status: 'ok' });
    expect(await check(130)).to.include({ status: 'degraded' });
    expect((await check(1000)).message).to.contain(
      `1 of 3 witnesses have cosigned the checkpoint of ${size} entries, but 2 are required.`,
    );
    expect(await check(1000)).to.include({ status: 'down' });
    const found = await audit(stores.database, () => publisher.store!.read(), {
      witnessQuorum: 2,
      expected: expectedOfTests,
      onFinding: ({ message }) => expect.fail(message),
    });
    expect(found.difference, 'the draft in the store is not a difference').to.equal(null);
  });

  it('is met later: the draft is published with earlier and new cosignatures, and then the rest', async () => {
    const [draft, all] = [entries - 1, entries];
    up('b');
    // Only b is missing. a has cosigned the draft already and gets no second request.
    await publish();
    expect(witnesses.get('a')!.asked, 'asked for the rest only').to.equal(1);
    const [{ note }] = await stores.database('checkpoints').where({ size: draft }).select('note');
    expect(note).to.contain('— a.example ').and.to.contain('— b.example ');
    expect(note).not.to.contain('— c.example ');
    expect(await published()).to.equal(draft);
    up('a', 'b', 'c');
    await publish();
    expect(await published()).to.equal(all);
    expect(await openRefusal(stores.database, 'withheld')).to.equal(undefined);
  });

  it('publishes although a witness has cosigned another tree, and opens an incident', async () => {
    const a = witnesses.get('a')!;
    const honest = a.last;
    a.last = { size: honest!.size, root: Buffer.alloc(32, 9) };
    const size = await grow();
    expect(await publish()).to.equal(size);
    const check = await status();
    expect(await check(0)).to.deep.include({
      status: 'down',
      message: `Witness a.example contradicts the log: it has cosigned a tree of ${size - 1} entries that this one does not extend. Is there a second log?`,
    });
    // A silent witness does not close the incident.
    up('b', 'c');
    await grow();
    await publish();
    expect((await check(0)).status).to.equal('down');
    a.last = honest;
    up('a', 'b', 'c');
    await grow();
    expect(await publish()).to.equal(entries);
    expect((await check(0)).status).to.equal('ok');
  });

  it('never outvotes a witness that has cosigned a larger tree: nothing is published', async () => {
    const a = witnesses.get('a')!;
    const honest = a.last;
    a.last = { size: 1000, root: Buffer.alloc(32, 9) };
    const before = await published();
    await grow();
    expect(await publish({ witnessQuorum: 0 })).to.equal(null);
    expect(await published()).to.equal(before);
    expect(await openRefusal(stores.database, 'conflict')).to.match(/a tree of 1000 entries, more than the/);
    a.last = honest;
    await publish({ witnessQuorum: 0 });
    expect(await published()).to.equal(entries);
    expect(await openRefusal(stores.database, 'conflict')).to.equal(undefined);
  });
});
