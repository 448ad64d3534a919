import { join } from 'node:path';
import { expect } from 'chai';
import { type CheckpointStore, checkpointStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { PublisherRefusal } from '../../src/ledger/publishing/refusals.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { consistencyHashes, rootAt } from '../../src/ledger/sealing/tree.ts';
import { startWitness } from '../../src/monitor/witness.ts';
import type { Database } from '../../src/platform/database.ts';
import { type Checkpoint, openCheckpoint } from '../../src/proof/checkpoint.ts';
import { verifyConsistency } from '../../src/proof/consistency.ts';
import { equalBytes } from '../../src/proof/encoding.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { otherDatabase } from '../support/other-postgres.ts';
import { seeded } from './tampering.ts';

const rounds = Number(process.env.FAILOVERS ?? 4);
const now = Date.parse('2025-01-01T00:00:00Z');
const origin = 'picks.example/ledger';
const key = Buffer.alloc(32, 1).toString('base64');

/** Thrown where the publisher's process dies. */
class Killed extends Error {}

describe('two publishers after an asynchronous failover', function () {
  this.timeout(rounds * 15_000);
  const one = withDatabase();
  const other = withDatabase();
  const folder = withFolder();
  let entries = 0;

  async function grow(database: Database, count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      entries += 1;
      await database('notices').insert({ at: new Date(now), topic: 'remark', text: `entry ${entries}` });
    }
    await sealAll(database);
  }

  for (const kind of ['a file', 'another PostgreSQL'])
    it(`publish one log through ${kind}, wherever each stops, in ${rounds} failovers`, async () => {
      const seed = Number(process.env.FAILOVER_SEED ?? Date.now() % 1_000_000);
      const random = seeded(seed);
      const chance = (share: number) => random() < share;
      const signer = await ledgerSigner(origin, key);
      let kills = 0;
      let refused = 0;
      let published = 0;
      for (let round = 0; round < rounds; round += 1) {
        const about = `FAILOVER_SEED=${seed}, round ${round}`;
        const place = kind === 'a file' ? join(folder.path(), `checkpoint-${round}`) : await otherDatabase();
        const shared = checkpointStore(place);
        const left = await shared.read();
        if (left !== null) await shared.setAside(left, `round ${round}`);
        // First their common entries, published or not, and then each one's own.
        for (const { owner } of [one, other]) await empty(owner);
        const common = 1 + Math.floor(random() * 4);
        const first = entries;
        await grow(one.database, common);
        entries = first;
        await grow(other.database, common);
        const state = join(folder.path(), `witness-${kind}-${round}.json`);
        const witness = await startWitness({
          log: [formatVerifierKey(signer.key)],
          port: 0,
          host: '127.0.0.1',
          state,
          name: 'witness.example',
        });
        try {
          const seen = new Set<string>();
          const publisher = (share: number): Publisher => ({
            baseUrl: 'https://picks.example',
            demo: false,
            key,
            store: unreliable(shared, seen, () => {
              if (!chance(share)) return;
              kills += 1;
              throw new Killed();
            }),
            witnesses: [{ key: witness.key, url: witness.address }],
            witnessQuorum: chance(0.5) ? 1 : 0,
          });
          const attempt = async (database: Database, share: number) => {
            try {
              if ((await publishCheckpoint(database, publisher(share), now)) !== null) published += 1;
            } catch (error) {
              if (error instanceof PublisherRefusal) refused += 1;
              else if (!(error instanceof Killed)) throw error;
            }
          };
          if (chance(0.5)) {
            await attempt(one.database, 0.2);
            await attempt(other.database, 0.2);
          }
          for (let step = 0; step < 3; step += 1)
            await Promise.all(
              [one.database, other.database].map(async (database) => {
                await grow(database, 1 + Math.floor(random() * 3));
                await attempt(database, 0.3);
              }),
            );
          // The machines are repaired: one side continues, the other refuses.
          await attempt(one.database, 0);
          await attempt(other.database, 0);
          for (const { database } of [one, other])
            for (const note of await database('checkpoints').pluck('note')) seen.add(note);
          await expectOneLog([...seen], [one.database, other.database], signer.key, about);
        } finally {
          await witness.close();
        }
      }
      expect(kills, 'publishers that were killed').to.be.greaterThan(0);
      expect(refused, 'publishers that refused').to.be.at.least(rounds);
      expect(published).to.be.greaterThan(0);
    });
});

/** Returns a store whose user may die before and after each call, and that records every note it held. */
function unreliable(store: CheckpointStore, seen: Set<string>, mayEnd: () => void): CheckpointStore {
  return {
    ...store,
    async read() {
      mayEnd();
      return store.read();
    },
    async compareAndSwap(previous, next) {
      mayEnd();
      const swapped = await store.compareAndSwap(previous, next);
      if (swapped) seen.add(next);
      mayEnd();
      return swapped;
    },
  };
}

/** Checks, with public proofs, that all notes ever seen belong to one growing tree. */
async function expectOneLog(
  notes: readonly string[],
  databases: readonly Database[],
  key: Parameters<typeof openCheckpoint>[2][number],
  about: string,
): Promise<void> {
  const checkpoints: Checkpoint[] = [];
  for (const note of notes) checkpoints.push((await openCheckpoint(note, origin, [key])).checkpoint);
  checkpoints.sort((a, b) => a.size - b.size);
  for (const [index, newer] of checkpoints.entries()) {
    const older = checkpoints[index - 1];
    if (older === undefined) continue;
    if (older.size === newer.size) {
      expect(equalBytes(older.root, newer.root), `${about}: two trees of ${newer.size} entries`).to.equal(
        true,
      );
      continue;
    }
    const proven = await Promise.all(
      databases.map(async (database) => {
        const size = (await database('ledger_entries').pluck('seq')).length;
        if (size < newer.size || !equalBytes(await rootAt(database, newer.size), newer.root)) return false;
        const hashes = await consistencyHashes(database, older.size, newer.size);
        return verifyConsistency(older.root, newer.root, { from: older.size, to: newer.size, hashes });
      }),
    );
    expect(proven, `${about}: ${newer.size} entries do not extend ${older.size}`).to.include(true);
  }
}

/** Empties the log, whose tables otherwise refuse it. */
async function empty(owner: Database): Promise<void> {
  const tables = [
    'ledger_entries',
    'ledger_nodes',
    'checkpoints',
    'checkpoint_times',
    'witness_keys',
    'notices',
    'unsealed_events',
    'publisher_refusals',
  ];
  await owner.transaction(async (transaction) => {
    await transaction.raw(`set local session_replication_role = replica`);
    for (const table of tables) await transaction.raw(`alter table ${table} disable trigger all`);
    for (const table of tables) await transaction.raw(`delete from ${table}`);
    for (const table of tables) await transaction.raw(`alter table ${table} enable trigger all`);
  });
}
