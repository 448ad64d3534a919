import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { audit } from '../../src/ledger/audit/audit.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { rootAt } from '../../src/ledger/sealing/tree.ts';
import { parseCheckpoint, signCheckpoint } from '../../src/proof/checkpoint.ts';
import { parseNote, signerFromSeed } from '../../src/proof/signed-note.ts';
import { COSIGNATURE, formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { answerAddCheckpoint, type CosignedTree, parseWitnessList } from '../../src/proof/witness.ts';
import { expectedOfTests, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const origin = 'picks.example/ledger';
const seed = Buffer.alloc(32, 1).toString('base64');

describe('publishing while witnesses cosign', () => {
  const stores = withDatabase();
  const folder = withFolder();
  let publisher: Publisher;
  let path: string;
  /** Runs while the witness is cosigning. */
  let meanwhile: () => Promise<void>;
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      await meanwhile();
      const context = { signer: witness, logs: [log.key], lastCosigned: () => lastCosigned };
      const text = Buffer.concat(parts).toString();
      const { status, body, cosigned } = await answerAddCheckpoint(text, context, now / 1000);
      lastCosigned = cosigned ?? lastCosigned;
      response.writeHead(status).end(body);
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  let lastCosigned: CosignedTree | undefined;
  let log: Awaited<ReturnType<typeof ledgerSigner>>;
  let witness: typeof log;

  before(async () => {
    path = join(folder.path(), 'checkpoint');
    log = await ledgerSigner(origin, seed);
    witness = await signerFromSeed('witness.example', COSIGNATURE, Buffer.alloc(32, 2));
    server.listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    const { port } = server.address() as AddressInfo;
    publisher = {
      baseUrl: 'https://picks.example',
      demo: false,
      key: seed,
      store: fileStore(path),
      witnesses: parseWitnessList(`${formatVerifierKey(witness.key)} http://127.0.0.1:${port}`),
    };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    meanwhile = () => Promise.resolve();
  });

  const publish = (given: Partial<Publisher> = {}) =>
    publishCheckpoint(stores.database, { ...publisher, ...given }, now);
  const file = () => readFileSync(path, 'utf8');
  const sizeOf = (note: string) => parseCheckpoint(parseNote(note).text).size;
  const stored = async () =>
    (await stores.database('checkpoints').orderBy('size').select('size', 'note')) as {
      size: number;
      note: string;
    }[];
  let entries = 0;
  async function grow(): Promise<number> {
    entries += 1;
    await stores.database('notices').insert({ at: new Date(now), topic: 'remark', text: `entry ${entries}` });
    await sealAll(stores.database);
    return entries;
  }

  it('holds no transaction and no lock, and has the signed checkpoint in its file', async () => {
    const size = await grow();
    const seen: unknown[] = [];
    meanwhile = async () => {
      const { rows } = await stores.owner.raw(
        `select (select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
            where mode = 'RowShareLock' and d.datname = current_database()) as locks,
           (select count(*)::int from pg_stat_activity
            where datname = current_database() and state like 'idle in transaction%') as open`,
      );
      seen.push({ ...rows[0], file: sizeOf(file()), served: (await stored()).length });
    };
    expect(await publish()).to.equal(size);
    expect(seen).to.deep.equal([{ locks: 0, open: 0, file: size, served: 0 }]);
    const { note } = (await stored())[0]!;
    expect(file()).to.equal(note);
    expect(parseNote(note).signatures.map(({ name }) => name)).to.deep.equal([origin, 'witness.example']);
    expect(await stores.database('publisher_lease')).to.deep.equal([]);
  });

  it('keeps other publishers from signing, and makes an audit wait', async () => {
    const size = await grow();
    let audited: Promise<unknown> | undefined;
    meanwhile = async () => {
      await grow();
      expect(await publish({ witnesses: [] })).to.equal(null);
      expect(sizeOf(file())).to.equal(size);
      audited = audit(stores.database, () => publisher.store!.read(), {
        expected: expectedOfTests,
        onFinding: ({ message }) => expect.fail(message),
      });
    };
    expect(await publish()).to.equal(size);
    expect(await audited).to.include({ comparedWith: size, difference: null });
    meanwhile = () => Promise.resolve();
    expect(await publish()).to.equal(size + 1);
  });

  it('drops its checkpoint if its lease expired and another publisher took over', async () => {
    const size = await grow();
    meanwhile = async () => {
      meanwhile = () => Promise.resolve();
      await stores.database('publisher_lease').update({ until: new Date(0) });
      await grow();
      expect(await publish({ witnesses: [] })).to.equal(size + 1);
    };
    expect(await publish()).to.equal(null);
    expect((await stored()).slice(-2).map((each) => each.size)).to.deep.equal([size, size + 1]);
    expect(sizeOf(file())).to.equal(size + 1);
  });

  it("loses nothing if the process dies: the next one stores the file's checkpoint", async () => {
    const size = await grow();
    const checkpoint = { origin, size, root: await rootAt(stores.database, size) };
    writeFileSync(path, await signCheckpoint(checkpoint, [log]));
    const holder = '00000000-0000-4000-8000-000000000000';
    const until = stores.database.raw(`clock_timestamp() + interval '10 seconds'`);
    await stores.database('publisher_lease').insert({ id: 1, holder, until });
    await grow();
    expect(await publish(), 'as long as its lease runs').to.equal(null);
    expect((await stored()).at(-1)?.size).to.equal(size - 1);
    await stores.database('publisher_lease').update({ until: new Date(0) });
    expect(await publish()).to.equal(size + 1);
    expect((await stored()).slice(-2).map((each) => each.size)).to.deep.equal([size, size + 1]);
  });

  it('drops its checkpoint if the store changed meanwhile', async () => {
    const size = await grow();
    const before = file();
    meanwhile = () => Promise.resolve(writeFileSync(path, before));
    expect(await publish()).to.equal(null);
    expect((await stored()).at(-1)?.size).to.equal(size - 1);
    expect(file()).to.equal(before);
    meanwhile = () => Promise.resolve();
    expect(await publish(), 'the lease was given back').to.equal(size);
  });
});
