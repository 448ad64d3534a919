import { expect } from 'chai';
import fc from 'fast-check';
import { checkCapper } from '../../src/cappers/cappers.ts';
import { advanceDemo } from '../../src/demo/advance.ts';
import { demoCappers } from '../../src/demo/cappers.ts';
import { demoSports } from '../../src/demo/sports.ts';
import { worldRows } from '../../src/demo/world.ts';
import { checkGame } from '../../src/games/game.ts';
import { checkLine } from '../../src/games/lines.ts';
import { checkResult } from '../../src/games/results.ts';
import { cancelled, failed, ok } from '../../src/jobs/job.ts';
import { checkImportedPick } from '../../src/ledger/posting/pick-row.ts';
import { activeGroups } from '../../src/projections/groups.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { busyDay } from '../support/ledgers.ts';
import { ingest } from '../support/whole-way.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-10T00:00:00Z');

describe("the demo's world", () => {
  it('is the same however time is divided', () => {
    const whole = worldRows(start, start + day);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: day }), (cut) => {
        const [first, second] = [worldRows(start, start + cut), worldRows(start + cut, start + day)];
        for (const kind of ['games', 'lines', 'picks', 'results'] as const)
          expect(first[kind].length + second[kind].length).to.equal(whole[kind].length);
        expect([...first.picks, ...second.picks]).to.deep.equal(whole.picks);
      }),
      { numRuns: 10 },
    );
  });

  it('has only rows that the ledger accepts', () => {
    const { games, lines, picks, results } = worldRows(start, start + 3 * day);
    const checks = [
      [demoCappers.map((row) => ({ row })), checkCapper],
      [games, checkGame],
      [lines, checkLine],
      [picks.map(({ row: { source: _, ...row } }) => ({ row })), checkImportedPick],
      [results, checkResult],
    ] as [{ row: unknown }[], (row: unknown) => { ok: boolean }][];
    for (const [rows, check] of checks) {
      expect(rows).to.not.deep.equal([]);
      for (const { row } of rows) expect(check(row), JSON.stringify(row)).to.include({ ok: true });
    }
    expect(new Set(picks.map(({ row }) => row.source))).to.deep.equal(new Set(['demo']));
  });

  it('has all ten sports every day, with a pick in every three hours', () => {
    const { games, picks } = worldRows(start, start + day);
    expect(new Set(games.map(({ row }) => row.sport))).to.deep.equal(
      new Set(demoSports.map(({ key }) => key)),
    );
    const hours = new Set(picks.map(({ at }) => Math.floor((at - start) / (3 * 3_600_000))));
    expect(hours.size).to.equal(8);
  });
});

describe('advancing the demo', () => {
  const stores = withDatabase({ filling: busyDay });
  const begun = withDatabase();
  const real = withDatabase();
  const enqueue = { add: async () => true };
  let now = busyDay.now;
  const play = (database = stores.database) =>
    advanceDemo({ demo: true, database, clock: { now: () => now }, enqueue });

  it('begins ninety days back, and a stop leaves whole days behind', async () => {
    const stop = new AbortController();
    const outcome = await advanceDemo({
      demo: true,
      database: begun.database,
      clock: { now: () => now },
      enqueue: { add: async () => stop.abort() as never },
      closing: stop.signal,
    });
    expect(outcome).to.deep.equal(
      ok({ from: new Date(now - 90 * day).toISOString(), to: new Date(now - 85 * day).toISOString() }),
    );
    const { picks } = worldRows(now - 90 * day, now - 85 * day);
    expect(Number((await begun.database('picks').count({ n: '*' }))[0]?.n)).to.equal(picks.length);
  });

  it('imports a history from which every board has content', async () => {
    const [row] = await stores
      .database('board_picks')
      .select(
        stores.database.raw(
          'count(*)::int as picks, count(result)::int as settled, count(clv_bps)::int as closed',
        ),
        stores.database.raw("(max(posted_at) - min(posted_at)) > interval '15 days' as long"),
      );
    expect(row.picks).to.be.greaterThan(3000);
    expect(row.settled).to.be.greaterThan(row.picks * 0.94);
    expect(row.closed).to.be.greaterThan(row.picks * 0.9);
    expect(row.long).to.equal(true);
    expect(await activeGroups(stores.database, now)).to.not.deep.equal([]);
    const settled = await stores
      .database('board_picks')
      .whereNotNull('result')
      .countDistinct({ n: 'capper_id' });
    expect(settled).to.deep.equal([{ n: demoCappers.length }]);
  });

  it('continues where it stopped, and adds nothing twice', async () => {
    const count = async () => Number((await stores.database('picks').count({ n: '*' }))[0]?.n);
    const before = await count();
    await play();
    expect(await count()).to.equal(before);
    const expected = worldRows(now, now + 6 * 3_600_000).picks.length;
    for (let step = 0; step < 6 * 60; step += 10) {
      now += 10 * 60_000;
      await play();
    }
    expect(await count()).to.equal(before + expected);
  });

  it('posts what happens now at the clock of the service', async () => {
    const next = worldRows(now, now + day).picks[0]!;
    now = next.at - 20_000;
    await play();
    now = next.at + 3_000;
    await play();
    const [latest] = await stores.database('picks').orderBy('id', 'desc').limit(1);
    expect(latest).to.include({ posted_at: now, source: 'demo' });
  });

  it('never enters a ledger with real picks', async () => {
    await ingest(real.database, league, start);
    expect(await play(real.database)).to.deep.equal(
      failed('the demo does not start in a ledger with picks from the source import'),
    );
    expect(await real.database('picks').where('source', 'demo')).to.deep.equal([]);
  });

  it('does nothing unless it is enabled', async () => {
    expect(
      await advanceDemo({ demo: false, database: real.database, clock: { now: () => now }, enqueue }),
    ).to.deep.equal(cancelled('DEMO is off'));
  });
});
