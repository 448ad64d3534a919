import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { auditSnapshot } from '../../src/ledger/audit/audit.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { signDataIndex } from '../../src/proof/data-index.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { origin, type RichLog, richLog } from '../support/rich-log.ts';
import { seeded, type Tampering, tamper, unlock } from './tampering.ts';

/** The number of random changes, different in each run. `npm run attack` tries a thousand, which takes a minute. */
const tries = Number(process.env.TAMPERINGS ?? 100);

describe('an audit of a tampered database', function () {
  this.timeout(180_000);
  const stores = withDatabase();
  const folder = withFolder();
  let log: RichLog;

  before(async () => {
    log = await richLog(stores.database, folder, 90);
    const [, signer] = await Promise.all(
      [9, 10].map((byte) => ledgerSigner(origin, Buffer.alloc(32, byte).toString('base64'))),
    );
    const files = [{ name: 'picks-2024-10.parquet', sha256: '0'.repeat(64), bytes: 9 }];
    const note = await signDataIndex({ origin, at: new Date(log.now).toISOString(), files }, signer!);
    await stores.database('data_indexes').insert({ note });
    await sealAll(stores.database);
    await publishCheckpoint(stores.database, log.publisher, log.now);
    await unlock(stores.owner);
  });

  it(`detects and names each of ${tries} random changes`, async () => {
    const kept = readFileSync(log.publisher.checkpointFile, 'utf8');
    const options = { signing: log.publisher };
    const seed = Number(process.env.TAMPERING_SEED ?? Date.now() % 1_000_000);
    const random = seeded(seed);
    const kinds: Record<string, number> = {};
    for (let done = 0; done < tries; ) {
      const transaction = await stores.owner.transaction();
      try {
        const tampering = await tamper(transaction, random, log);
        if (tampering === undefined) continue;
        const { difference } = await auditSnapshot(transaction, kept, options);
        const about = `TAMPERING_SEED=${seed}, number ${done}: ${tampering.kind}, ${tampering.about}`;
        expect(difference, about).to.not.equal(null);
        expectNamed(tampering, difference!, `${about}; found: ${difference!.message}`);
        kinds[tampering.kind] = (kinds[tampering.kind] ?? 0) + 1;
        done += 1;
      } finally {
        await transaction.rollback();
      }
    }
    if (tries >= 500) expect(Object.keys(kinds)).to.have.length(7);
  });

  it('finds nothing in the unchanged database', async () => {
    const kept = readFileSync(log.publisher.checkpointFile, 'utf8');
    const found = await stores.owner.transaction((transaction) =>
      auditSnapshot(transaction, kept, { signing: log.publisher }),
    );
    expect(found.difference).to.equal(null);
    expect(found.entries).to.be.greaterThan(150);
    expect(found.checkpoints).to.equal(7);
    expect(found.comparedWith).to.equal(found.entries);
  });
});

function expectNamed(
  { rows, tables, column }: Tampering,
  difference: { table: string; row: string; column: string | null },
  about: string,
): void {
  if (tables !== undefined) expect(tables, about).to.include(difference.table);
  const isOne = ({ table, row }: { table: string; row: string }) =>
    table === difference.table && row.startsWith(difference.row);
  if (rows !== undefined) expect(rows.some(isOne), about).to.equal(true);
  if (column !== undefined) expect([null, column], about).to.include(difference.column);
}
