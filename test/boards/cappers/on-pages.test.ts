import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CloseFigures, closeFigures } from '../../../src/boards/cappers/close-figures.ts';
import { shownProvenance } from '../../../src/boards/record.ts';
import { withDatabase } from '../../support/database.ts';
import { withFolder } from '../../support/folders.ts';
import { season } from '../../support/season.ts';
import { ingest, runPipeline } from '../../support/whole-way.ts';

const now = Date.parse('2024-01-11T18:00:00Z');
const handles = ['capper-0', 'capper-1'];

interface Pick {
  handle: string;
  settledAt: number;
  clvBps: number | null;
  sameLine: boolean | null;
  edgeBps: number | null;
}

describe('the figures on pages', () => {
  const stores = withDatabase();
  const folder = withFolder();
  let settled: Pick[];

  before(async () => {
    for (const [name, rows] of Object.entries(season(120, 3)))
      writeFileSync(
        join(folder.path(), `${name}.ndjson`),
        rows.map((row: object) => JSON.stringify(row)).join('\n'),
      );
    await ingest(stores.database, folder.path(), now);
    await runPipeline(stores.database, now);
    settled = await stores
      .database('board_picks as b')
      .join('cappers as c', 'c.id', 'b.capper_id')
      .whereNotNull('b.result')
      .select({ handle: 'c.handle', settledAt: 'b.settled_at', clvBps: 'b.clv_bps' })
      .select({ sameLine: 'b.same_line', edgeBps: 'b.edge_bps' });
  });

  /** Computes plainly what docs/rules/records.md#on-pages specifies. */
  function plain(picks: readonly Pick[]): CloseFigures {
    const clvs = picks
      .flatMap(({ clvBps, sameLine }) => (sameLine === true ? [clvBps!] : []))
      .sort((a, b) => a - b);
    const edges = picks.flatMap(({ edgeBps }) => (edgeBps === null ? [] : [edgeBps]));
    const n = edges.length;
    const mean = edges.reduce((sum, edge) => sum + edge, 0) / n;
    const deviation = Math.sqrt(edges.reduce((sum, edge) => sum + (edge - mean) ** 2, 0) / (n - 1));
    const margin = (1.96 * deviation) / Math.sqrt(n);
    const middle = (clvs.length - 1) / 2;
    return {
      sample: clvs.length,
      beatSample: clvs.filter((bps) => bps > 0).length,
      medianBps: (clvs[Math.floor(middle)]! + clvs[Math.ceil(middle)]!) / 2,
      edgeLowPct: n < 30 ? null : (mean - margin) / 100,
      edgeHighPct: n < 30 ? null : (mean + margin) / 100,
    };
  }

  function expectClose(found: CloseFigures | undefined, expected: CloseFigures): void {
    const { edgeLowPct, edgeHighPct, ...rest } = expected;
    expect(found).to.deep.include(rest);
    if (edgeLowPct === null) expect(found).to.include({ edgeLowPct: null, edgeHighPct: null });
    else {
      expect(found!.edgeLowPct).to.be.closeTo(edgeLowPct, 1e-9);
      expect(found!.edgeHighPct).to.be.closeTo(edgeHighPct!, 1e-9);
    }
  }

  it('compare settled picks with the close: median, share, and the interval of the edge', async () => {
    const figures = await closeFigures({ database: stores.database, now }, handles, { window: 'all' });
    expect([...figures.keys()].sort()).to.deep.equal(handles);
    for (const handle of handles) {
      const own = settled.filter((pick) => pick.handle === handle);
      expect(own).to.have.length(40);
      expectClose(figures.get(handle), plain(own));
      expect(figures.get(handle)!.edgeLowPct).to.be.a('number');
    }
  });

  it('omit the interval of the edge when there are few picks', async () => {
    const figures = await closeFigures({ database: stores.database, now }, handles, { window: '7d' });
    // Seven Eastern days: today and the six before it.
    const own = settled.filter(
      ({ handle, settledAt }) => handle === 'capper-0' && settledAt >= Date.parse('2024-01-05T05:00:00Z'),
    );
    expect(own.length).to.be.within(5, 29);
    expectClose(figures.get('capper-0'), plain(own));
  });

  it('cover live picks once 20 of them have settled, and all picks before that', async () => {
    const context = { database: stores.database, now };
    const [capper]: { id: number }[] = await stores
      .database('cappers')
      .where('handle', 'capper-0')
      .select('id');
    const capperId = capper!.id;
    expect(await shownProvenance(context, { capperId })).to.equal('all');
    const live = { capper_id: capperId, sport: 'nfl', market: 'spread', provenance: 'live', wins: 19 };
    await stores.database('capper_totals').insert(live);
    expect(await shownProvenance(context, { capperId })).to.equal('all');
    await stores.database('capper_totals').where(live).update({ voids: 1 });
    expect(await shownProvenance(context, { capperId })).to.equal('live');
    expect(await shownProvenance(context)).to.equal('live');
    expect(await shownProvenance(context, { sport: 'nba' })).to.equal('all');
  });
});
