import { expect } from 'chai';
import { clvLeaderboard, leaderboard, unitsLeaderboard } from '../../../src/boards/cappers/leaderboard.ts';
import { type Database, openDatabase } from '../../../src/platform/database.ts';
import { rebuildProjections } from '../../../src/projections/rebuild.ts';
import { withDatabase } from '../../support/database.ts';
import { busyDay } from '../../support/ledgers.ts';
import { importDemo } from '../../support/live-demo.ts';
import { runPipeline } from '../../support/whole-way.ts';

const day = 86_400_000;

describe('the order that leaderboards keep', () => {
  const stores = withDatabase({ filling: busyDay });

  /** Imports what becomes known in a period, and settles it. */
  async function pass(from: number, to: number): Promise<void> {
    await importDemo(stores.database, from, to);
    await runPipeline(stores.database, to);
  }

  const boardsOf = async (database: Database, now: number) => {
    const context = {
      database,
      now,
      sports: new Map(),
      baseUrl: 'https://picks.example',
      helpLine: '',
    };
    const params = { limit: 100, provenance: 'all' } as const;
    const answers: unknown[] = [];
    for (const window of ['7d', '30d', 'all'] as const)
      answers.push(
        ...[
          await leaderboard.compute(context, { ...params, window }),
          await leaderboard.compute(context, { ...params, window, tier: 'elite', provenance: 'live' }),
          await leaderboard.compute(context, { ...params, window, delay: '15' }),
          await clvLeaderboard.compute(context, { ...params, window, min_n: 3 }),
          await unitsLeaderboard.compute(context, { ...params, window, min_n: 5, market: 'moneyline' }),
        ],
      );
    return answers;
  };
  /** Computes the boards over connections that have kept nothing. */
  const fresh = async (now: number) => {
    const other = openDatabase(stores.url, { name: 'places' });
    try {
      return await boardsOf(other, now);
    } finally {
      await other.destroy();
    }
  };
  const handles = (answers: readonly unknown[]) =>
    answers.map((answer) =>
      (answer as { cappers: { handle: string; rank: number | null }[] }).cappers.map(
        ({ rank, handle }) => `${rank} ${handle}`,
      ),
    );

  it('is that of all sums, while picks settle and days pass', async function () {
    this.timeout(120_000);
    let before = handles(await boardsOf(stores.database, busyDay.now));
    for (const days of [1, 9]) {
      const now = busyDay.now + days * day;
      if (days === 1) await pass(busyDay.now, now);
      const found = await boardsOf(stores.database, now);
      expect(found).to.deep.equal(await fresh(now));
      expect(handles(found)).to.not.deep.equal(before);
      before = handles(found);
    }
    expect(await boardsOf(stores.database, busyDay.now), 'a clock set back').to.deep.equal(
      await fresh(busyDay.now),
    );
  });

  it('needs only the sums of cappers whose picks have settled', async function () {
    this.timeout(120_000);
    // Days begin at 5:00 UTC, so none passes here.
    let now = busyDay.now + day;
    await boardsOf(stores.database, now);
    const from = await cursor();
    let settled: number[] = [];
    while (settled.length === 0) {
      now += 900_000;
      await pass(now - 900_000, now);
      settled = await stores
        .database('ledger_entries as e')
        .join('board_picks as b', 'b.pick_id', 'e.pick_id')
        .where('e.kind', 'settled')
        .where('e.seq', '>=', from)
        .distinct('b.capper_id')
        .pluck('b.capper_id');
    }
    const read: number[][] = [];
    const note = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
      if (/having sum/.test(sql) && !/"c"."tier"/.test(sql)) read.push(bindings.find(Array.isArray) ?? []);
    };
    stores.database.on('query', note);
    await boardsOf(stores.database, now);
    await boardsOf(stores.database, now);
    stores.database.off('query', note);
    expect(read).to.have.length(15);
    for (const ids of read) expect(ids).to.have.members(settled);
    expect(settled.length).to.be.below((await stores.database('cappers').pluck('id')).length);
  });

  it('needs the sums of all cappers after a repair', async () => {
    const now = busyDay.now + 1.2 * day;
    const right = await boardsOf(stores.database, now);
    await stores.owner('capper_totals').update({ flat_e6: 0, net_e4: 0, clv_sum: 0 });
    const wrong = await fresh(now);
    expect(handles(wrong)).to.not.deep.equal(handles(right));
    const other = openDatabase(stores.url, { name: 'places' });
    try {
      await boardsOf(other, now);
      await rebuildProjections(stores.database);
      expect(await boardsOf(other, now)).to.deep.equal(right);
    } finally {
      await other.destroy();
    }
  });

  async function cursor(): Promise<number> {
    const [row] = await stores.database('reader_cursors').where({ reader: 'boards' }).select('next_seq');
    return row.next_seq;
  }
});
