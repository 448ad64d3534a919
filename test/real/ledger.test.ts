import { expect } from 'chai';
import { importNamespace } from '../../src/ledger/posting/import-picks.ts';
import { importName, uuidV5 } from '../naive/identity.ts';
import { ledgerAt, ownIds } from '../naive/ledger.ts';
import { readFolder } from '../naive/read.ts';
import { withDatabase } from '../support/database.ts';
import { wholeRealLedger } from '../support/ledgers.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';

const real = wholeRealLedger();

if (real !== undefined)
  describe('the real picks', () => {
    const stores = withDatabase({ filling: real });
    const { folder, now } = real;

    it('all settle and are sealed, and close if a closing price exists', async () => {
      const [row] = await stores
        .database('picks as p')
        .join('settlements as s', 's.pick_id', 'p.id')
        .leftJoin('closings as k', 'k.pick_id', 'p.id')
        .select(stores.database.raw('count(*)::int as settled, count(k.pick_id)::int as closed'));
      expect(row).to.deep.equal({ settled: 6397, closed: 6382 });
      const [entries] = await stores
        .database('ledger_entries')
        .whereNot({ kind: 'prices' })
        .select(stores.database.raw('count(*)::int as n'));
      expect(entries).to.deep.equal({ n: 6397 + 6382 + 6397 });
    });

    it('agree, pick by pick, with an independent computation of result, closing, CLV, and net units', async () => {
      const rows = readFolder(folder);
      const ids = {
        ...ownIds(rows),
        idOf: (_: string, row: (typeof rows.picks)[0]) => ({
          uuid: uuidV5(importNamespace, importName(row)),
          id: 0,
        }),
      };
      const naive = ledgerAt(rows, { now, ids });
      const found = new Map(
        (
          await stores
            .database('picks as p')
            .join('settlements as s', 's.pick_id', 'p.id')
            .leftJoin('closings as k', 'k.pick_id', 'p.id')
            .select(
              'p.uuid',
              's.result',
              's.settled_at',
              's.net_units_e4',
              'k.odds_american',
              'k.line_e3',
              'k.book',
              'k.captured_at',
              'k.clv_bps',
              'k.prices',
            )
        ).map((row) => [row.uuid, row]),
      );
      expect(naive.picks).to.have.length(6397);
      for (const pick of naive.picks) {
        const row = found.get(pick.uuid);
        expect(row, `${pick.uuid} ${pick.pick}`).to.deep.equal({
          uuid: pick.uuid,
          result: pick.result,
          settled_at: pick.settledAt,
          net_units_e4: pick.netUnitsE4,
          odds_american: pick.closing?.oddsAmerican ?? null,
          line_e3: pick.closing?.lineE3 ?? null,
          book: pick.closing?.book ?? null,
          captured_at: pick.closing?.capturedAt ?? null,
          clv_bps: pick.closing?.clvBps ?? null,
          prices: pick.closing === null ? null : row?.prices,
        });
        if (pick.closing !== null)
          expect(row.prices).to.deep.equal(
            pick.closing.prices.map(({ side, oddsAmerican }) => ({ side, odds_american: oddsAmerican })),
          );
      }
    });

    it('have the hashes, chains, and numbers of an independent computation', () =>
      expectSoundLedger(stores.database));
  });
