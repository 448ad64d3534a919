import { expect } from 'chai';
import { audit } from '../../src/ledger/audit/audit.ts';
import { publishCheckpoint } from '../../src/ledger/publish.ts';
import { receiptOf } from '../../src/ledger/receipt.ts';
import { ledgerSigner } from '../../src/ledger/signing-keys.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { withDatabase } from '../support/database.ts';
import { realData } from '../support/folders.ts';
import { goTheWholeWay, ingest } from '../support/whole-way.ts';

const folder = realData();
const LEDGER_KEY = Buffer.alloc(32, 3).toString('base64');

/** Every so many of the picks; `RECEIPTS=1` takes all of them. */
const every = Number(process.env.RECEIPTS ?? 20);

if (folder !== undefined)
  describe('the receipts of the real picks', function () {
    this.timeout(300_000);
    const stores = withDatabase();
    const now = Date.parse('2026-06-01T00:00:00Z');

    before(async () => {
      await ingest(stores.database, folder, now);
      await goTheWholeWay(stores.database, now);
      await publishCheckpoint(
        stores.database,
        { BASE_URL: 'https://picks.example', DEMO: false, LEDGER_KEY },
        now,
      );
    });

    it('verify offline', async () => {
      const { key } = await ledgerSigner('picks.example/ledger', LEDGER_KEY);
      const uuids: string[] = await stores.database('picks').orderBy('id').pluck('uuid');
      for (let i = 0; i < uuids.length; i += every) {
        const { verdict, failed } = await verifyReceipt(await receiptOf(stores.database, uuids[i]!), {
          keys: [key],
        });
        expect(failed, uuids[i]).to.equal(null);
        expect(verdict).to.equal('verified');
      }
    });

    it('rest on a log in which an audit finds nothing', async () => {
      const found = await audit(stores.database, () => undefined, { ledgerKey: LEDGER_KEY });
      expect(found).to.deep.equal({ entries: 19_176, checkpoints: 1, comparedWith: null, difference: null });
    });
  });
