import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { announceSigningKey, ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { PublisherRefusal } from '../../src/ledger/publishing/refusals.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const seed = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** Adds notices to the log, the simplest events. */
async function grow(database: Database, texts: string[]): Promise<void> {
  for (const text of texts) await database('notices').insert({ at: new Date(now), topic: 'remark', text });
  await sealAll(database);
}

/** Removes the last sealed entries, as a restored backup would. */
async function restore(owner: Database, size: number): Promise<void> {
  for (const table of ['ledger_entries', 'ledger_nodes', 'checkpoints', 'notices'])
    await owner.raw(`alter table ${table} disable trigger all`);
  await owner.raw('delete from ledger_entries where seq >= ?', [size]);
  await owner.raw('delete from ledger_nodes where (index + 1) * power(2, level) > ?', [size]);
  await owner.raw('delete from checkpoints where size > ?', [size]);
  await owner.raw('delete from checkpoint_times where size > ?', [size]);
  await owner.raw(
    'delete from notices n where not exists (select from ledger_entries e where e.notice_id = n.id)',
  );
  await owner.raw('alter table notices enable trigger all');
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PublisherRefusal) return error.message;
    throw error;
  }
  return 'it signed';
}

describe('publishing a checkpoint', () => {
  const stores = withDatabase();
  const folder = withFolder();
  let publisher: Publisher;
  let path: string;

  before(() => {
    path = join(folder.path(), 'checkpoint');
    publisher = {
      baseUrl: 'https://picks.example',
      demo: false,
      key: seed(1),
      store: fileStore(path),
    };
  });

  const publish = (given: Partial<Publisher> = {}) =>
    publishCheckpoint(stores.database, { ...publisher, ...given }, now);
  const open = () => stores.database('publisher_refusals').whereNull('cleared_at').pluck('reason');

  it('writes it to the file outside the database', async () => {
    await grow(stores.database, ['a', 'b', 'c']);
    expect(await publish()).to.equal(3);
    const [note] = await stores.database('checkpoints').pluck('note');
    expect(readFileSync(path, 'utf8')).to.equal(note);
    expect(existsSync(`${path}.new`)).to.equal(false);
  });

  it('fails if the file cannot be written', async () => {
    await grow(stores.database, ['d']);
    expect(await refusal(publish({ store: fileStore('/not/there/checkpoint') }))).to.match(/store is empty/);
    rmSync(path);
    expect(await refusal(publish())).to.equal(
      'The checkpoint store is empty, but 3 entries have been signed: restore its contents, or verify the log and store its checkpoint with audit --keep.',
    );
    expect(await stores.database('checkpoints').pluck('size')).to.deep.equal([3]);
    expect(await open()).to.have.length(1);
  });

  it('is refused while the file holds no checkpoint of this log, with one open refusal until it recovers', async () => {
    const [note] = await stores.database('checkpoints').pluck('note');
    writeFileSync(path, 'nonsense');
    for (let i = 0; i < 2; i += 1)
      expect(await refusal(publish())).to.match(
        /^The checkpoint store does not hold a checkpoint of this log/,
      );
    writeFileSync(path, note.replace('\n3\n', '\n2\n'));
    expect(await refusal(publish())).to.match(/signature of picks.example\/ledger .* is invalid/);
    expect(await open()).to.have.length(1);
    writeFileSync(path, note);
    expect(await publish()).to.equal(4);
    expect(await open()).to.deep.equal([]);
    expect(await stores.database('publisher_refusals').count({ n: '*' })).to.deep.equal([{ n: 3 }]);
  });

  it('stores a checkpoint that was written only to the file', async () => {
    await grow(stores.database, ['e']);
    expect(await publish()).to.equal(5);
    const kept = readFileSync(path, 'utf8');
    await stores.owner.raw(
      'alter table checkpoints disable trigger all; delete from checkpoints where size = 5',
    );
    expect(await publish()).to.equal(null);
    expect(await stores.database('checkpoints').where({ size: 5 }).pluck('note')).to.deep.equal([kept]);
  });

  it('is refused with a key that was not announced or has been replaced', async () => {
    await grow(stores.database, ['f']);
    expect(await refusal(publish({ key: seed(2) }))).to.match(/which this log has not announced/);
    const origin = 'picks.example/ledger';
    const [first, second] = [await ledgerSigner(origin, seed(1)), await ledgerSigner(origin, seed(2))];
    await announceSigningKey(stores.database, origin, first, second, new Date(now).toISOString());
    // Announced but not yet sealed: neither signs nor refuses.
    expect(await publish({ key: seed(2) })).to.equal(null);
    expect(await publish()).to.equal(6);
    await sealAll(stores.database);
    publisher = { ...publisher, key: seed(2) };
    expect(await publish()).to.equal(7);
    await grow(stores.database, ['g']);
    expect(await refusal(publish({ key: seed(1) }))).to.match(
      /^The signing key is .*, which .* has replaced/,
    );
    expect(await publish()).to.equal(8);
  });

  it("is refused under another LEDGER_ORIGIN than the log's", async () => {
    expect(await refusal(publish({ origin: 'other.example/log' }))).to.equal(
      'LEDGER_ORIGIN is other.example/log, but this database holds the log picks.example/ledger. Correct the setting, or begin a new log with new-origin.',
    );
    expect(await publish({ origin: 'picks.example/ledger' })).to.equal(null);
  });

  it('is refused for a log that a restored backup shortened, or that diverges', async () => {
    const held = readFileSync(path, 'utf8');
    await restore(stores.owner, 7);
    expect(await refusal(publish())).to.equal(
      'The log has 7 entries, fewer than the 8 of the last checkpoint in the checkpoint store. Restore the missing entries, or begin a new log with new-origin.',
    );
    expect(await open()).to.have.length(1);
    await grow(stores.database, ['something else', 'and more']);
    expect(await refusal(publish())).to.equal(
      'The first 8 entries of the log differ from those of the last checkpoint in the checkpoint store. Restore the missing entries, or begin a new log with new-origin.',
    );
    expect(await stores.database('checkpoints').max({ size: 'size' })).to.deep.equal([{ size: 7 }]);
    expect(readFileSync(path, 'utf8')).to.equal(held);
  });

  it('is refused for a log that contradicts its own last checkpoint, even without a file', async () => {
    await stores.owner.raw(
      'alter table ledger_entries disable trigger all; update ledger_entries set leaf_hash = sha256(leaf_hash) where seq = 0',
    );
    expect(await refusal(publish({ store: undefined }))).to.equal(
      'The first 7 entries of the log differ from those of the last checkpoint in the database. Restore the missing entries, or begin a new log with new-origin.',
    );
  });
});

describe('the name of a log', () => {
  const stores = withDatabase();

  it('is LEDGER_ORIGIN at the first start, and stays when the setting is removed', async () => {
    const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed(1) };
    await grow(stores.database, ['a']);
    await publishCheckpoint(stores.database, { ...publisher, origin: 'log.example/picks' }, now);
    await grow(stores.database, ['b']);
    await publishCheckpoint(stores.database, publisher, now);
    const notes: string[] = await stores.database('checkpoints').orderBy('size').pluck('note');
    expect(notes.map((note) => note.split('\n')[0])).to.deep.equal([
      'log.example/picks',
      'log.example/picks',
    ]);
  });
});
