import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { type RunningWitness, startWitness } from '../../src/monitor/witness.ts';
import { openCheckpoint, signCheckpoint } from '../../src/proof/checkpoint.ts';
import { formatVerifierKey, type VerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { formatAddCheckpoint, parseWitnessList } from '../../src/proof/witness.ts';
import { withDatabase } from '../support/database.ts';
import { league, withFolder } from '../support/folders.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const origin = 'picks.example/ledger';
const seed = Buffer.alloc(32, 5).toString('base64');
const midway = Date.parse('2024-10-06T19:00:00Z');
const later = Date.parse('2025-01-01T00:00:00Z');

describe('witnesses over HTTP', () => {
  const stores = withDatabase();
  const folder = withFolder();
  const running: RunningWitness[] = [];
  let publisher: Publisher;
  let key: VerifierKey;

  async function witness(name: string): Promise<RunningWitness> {
    const state = join(folder.path(), `${name}.json`);
    const options = { log: [formatVerifierKey(key)], port: 0, host: '127.0.0.1', state, name };
    const started = await startWitness(options);
    running.push(started);
    return started;
  }
  const listed = (witnesses: RunningWitness[]) =>
    witnesses.map(({ key, address }) => `${formatVerifierKey(key)} ${address}/`).join(', ');

  before(async () => {
    ({ key } = await ledgerSigner(origin, seed));
    publisher = { baseUrl: 'https://picks.example', demo: false, key: seed };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.close()));
  });

  const goOn = async (now: number, written: string) => {
    await ingest(stores.database, league, now);
    await stores
      .database('notices')
      .insert({ at: new Date(now), topic: 'remark', text: written.slice(0, 99) + now });
    await runPipeline(stores.database, now);
    const witnesses = parseWitnessList(written);
    await publishCheckpoint(stores.database, { ...publisher, witnesses }, now);
    return stores.database('checkpoints').orderBy('size', 'desc').first('size', 'note');
  };

  it('cosign the published log, each checkpoint consistent with the last', async () => {
    const witnesses = [await witness('one'), await witness('two')];
    for (const now of [midway, later]) {
      const { note } = await goOn(now, listed(witnesses));
      const keys = witnesses.map((each) => each.key);
      const { cosignedBy } = await openCheckpoint(note, origin, [key], keys);
      expect(cosignedBy.map((each) => each.key.name)).to.deep.equal(['one', 'two']);
    }
  });

  it('continue after a restart from their file, and after missed checkpoints', async () => {
    await goOn(later + 1, '');
    const witnesses = [await witness('one'), await witness('two')];
    const { note } = await goOn(later + 2, listed(witnesses));
    const { cosignedBy } = await openCheckpoint(
      note,
      origin,
      [key],
      witnesses.map((each) => each.key),
    );
    expect(cosignedBy).to.have.length(2);
  });

  it('are not waited for if they are down, answer nonsense, or sign with another key', async () => {
    const [good, gone] = [await witness('one'), await witness('three')];
    await gone.close();
    running.pop();
    const liar = createServer((_, res) => res.writeHead(200).end('— two AAAA\n')).listen(0, '127.0.0.1');
    await new Promise((ready) => liar.once('listening', ready));
    const address = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    const imposter = `${formatVerifierKey((await witness('two')).key)} ${address}`;
    const { note } = await goOn(later + 3, `${listed([good, gone])}, ${imposter}`);
    liar.closeAllConnections();
    await new Promise((closed) => liar.close(closed));
    expect(note.split('\n').filter((line: string) => line.startsWith('— '))).to.have.length(2);
    expect((await openCheckpoint(note, origin, [key], [good.key])).cosignedBy).to.have.length(1);
  });

  it('let a receipt say when a pick was known, and require k of n', async () => {
    const witnesses = [await witness('one'), await witness('two')].map((each) => each.key);
    const [uuid] = await stores.database('picks').orderBy('id').pluck('uuid');
    const receipt = await receiptOf(stores.database, uuid);
    const verdict = (quorum: number, beforeStart: boolean) =>
      verifyReceipt(receipt, { keys: [key], witnesses, quorum, beforeStart });
    expect((await verdict(2, false)).proof).to.equal('ok');
    // Cosigned today, although the game was in 2024.
    expect((await verdict(1, true)).failed).to.include({ step: 'witnesses', event: 'posted' });
  });

  it('answer as the protocol specifies', async () => {
    const { address } = await witness('four');
    const post = async (body: string) => {
      const response = await fetch(`${address}/add-checkpoint`, { method: 'POST', body });
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        body: await response.text(),
      };
    };
    const signer = await ledgerSigner(origin, seed);
    const signed = (size: number, byte: number, by = signer) =>
      signCheckpoint({ origin: by.key.name, size, root: new Uint8Array(32).fill(byte) }, [by]);
    const request = async (oldSize: number, size: number, byte = 1, hashes: Uint8Array[] = []) =>
      post(formatAddCheckpoint({ oldSize, consistency: hashes, checkpoint: await signed(size, byte) }));

    expect((await post('nonsense')).status).to.equal(400);
    expect((await request(5, 4)).status).to.equal(400);
    expect(await request(3, 4)).to.include({ status: 409, type: 'text/x.tlog.size', body: '0\n' });
    expect((await request(0, 4, 1, [new Uint8Array(32)])).status).to.equal(422);
    expect((await request(0, 4)).status).to.equal(200);
    expect((await request(4, 4)).status).to.equal(200);
    expect((await request(4, 4, 2)).status).to.equal(409);
    expect(await request(0, 5)).to.include({ status: 409, body: '4\n' });
    expect((await request(4, 5, 1, [new Uint8Array(32)])).status).to.equal(422);
    const stranger = await ledgerSigner('other.example/log', seed);
    const foreign = { oldSize: 4, consistency: [], checkpoint: await signed(5, 1, stranger) };
    expect((await post(formatAddCheckpoint(foreign))).status).to.equal(404);
    const forger = await ledgerSigner(origin, Buffer.alloc(32, 6).toString('base64'));
    const forged = { oldSize: 4, consistency: [], checkpoint: await signed(5, 1, forger) };
    expect((await post(formatAddCheckpoint(forged))).status).to.equal(403);
    expect((await post('x'.repeat(200_000))).status).to.equal(413);
    expect((await fetch(`${address}/add-checkpoint`)).status).to.equal(405);
  });
});
