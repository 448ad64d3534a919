import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyLog } from '../../packages/client/src/mirror.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { auditSnapshot } from '../../src/ledger/audit/audit.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { compareBoards } from '../../src/mirror/compare.ts';
import { rebuildFrom } from '../../src/mirror/rebuild.ts';
import { fetchBytes, openLog } from '../../src/monitor/log-client.ts';
import { instant } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { auditProjections } from '../../src/projections/rebuild.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { createDatabase, dropDatabase, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { playDemo } from '../support/live-demo.ts';
import { withRedis } from '../support/redis.ts';
import { signTree } from '../support/sign-tree.ts';

const now = instant('2026-01-16T03:00:00Z');
const hour = 3_600_000;

describe('a database rebuilt from a mirror of the demo', function () {
  this.timeout(180_000);
  const original = withDatabase();
  const rebuilt = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let site: RunningApi;
  let size: number;
  let mirror: string;

  before(async () => {
    await playDemo(original.database, now, 36 * hour);
    await choosePickOfTheDay(original.database, now - 8 * hour);
    await applyCappers(original.database, [{ handle: 'demo-weekender', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
    // The last step of the demo may have no checkpoint, and a mirror ends with one.
    // As the service does each minute: pending picks are checked against prices that no event has used yet.
    await sealAll(original.database, { pricesEveryMs: 0 });
    await signTree(original.database, now, null);
    await updateProjections(original.database);
    site = await startApi(
      { database: original, redis },
      { clock: { now: () => now }, settings: { PUBLISH_PRICES: '1' } },
    );
    mirror = join(folder.path(), 'mirror');
    ({ size } = await copyLog(openLog(site.address, fetchBytes), mirror));
    await rebuildFrom(mirror, rebuilt.owner);
  });
  after(() => site.close());

  it('gives every board as the service does, wherever the log determines it', async () => {
    const { answers, differences, beyond } = await compareBoards(rebuilt.database, site.address);
    expect(differences).to.deep.equal([]);
    expect(answers).to.be.greaterThan(80);
    // Each is declared, and differs here: a promotion without a pick, the numbers of cappers and games, and a choice.
    expect(beyond).to.include.members([
      '/api/cappers cappers[].tier',
      '/api/cappers cappers[].id',
      '/api/pod ',
    ]);
  });

  it('is a log that the audit finds sound, with the same entries, checkpoints, and projections', async () => {
    const found = await rebuilt.owner.transaction((transaction) => auditSnapshot(transaction, undefined, {}));
    expect(found).to.include({ difference: null, entries: size });
    const rows = async (database: Database) => ({
      entries: await database('ledger_entries')
        .orderBy('seq')
        .select('seq', 'kind', 'leaf_hash', 'capper_prev', 'prices_to'),
      nodes: await database('ledger_nodes').orderBy(['level', 'index']).select('*'),
      checkpoints: await database('checkpoints').orderBy('size').select('*'),
      times: await database('checkpoint_times').orderBy('size').select('*'),
      picks: await database('board_picks')
        .orderBy('pick_id')
        .select('uuid', 'edge_bps', 'price_verdict', 'net_units_e4', 'sealed_at', 'sealed_in_time'),
      followers: await database('follower_prices').orderBy(['pick_id', 'delay']).select('*'),
    });
    expect(await rows(rebuilt.owner)).to.deep.equal(await rows(original.owner));
    expect((await auditProjectionsOf(rebuilt.owner)).length).to.equal(0);
    const { rows: off } = await rebuilt.owner.raw(
      `select tgrelid::regclass::text || '.' || tgname as name from pg_trigger where not tgisinternal and tgenabled <> 'A' order by 1`,
    );
    const { rows: offBefore } = await original.owner.raw(
      `select tgrelid::regclass::text || '.' || tgname as name from pg_trigger where not tgisinternal and tgenabled <> 'A' order by 1`,
    );
    expect(off).to.deep.equal(offBefore);
  });

  it('is refused if it is not empty, or if the mirror was changed', async () => {
    const message = async (work: Promise<unknown>) =>
      work.then(
        () => 'filled',
        (error: Error) => error.message,
      );
    expect(await message(rebuildFrom(mirror, rebuilt.owner))).to.match(/not empty/);
    const prices = join(mirror, 'ledger', 'prices');
    const file = join(prices, readdirSync(prices)[0]!);
    const honest = readFileSync(file, 'utf8');
    writeFileSync(file, honest.replace(/"odds_american":(-?\d)/, '"odds_american":$11'));
    const other = await createDatabase();
    try {
      expect(await message(rebuildFrom(mirror, other.owner))).to.match(
        /not whole: .*its prices have another root/,
      );
      expect(await other.owner('ledger_entries').count({ n: '*' })).to.deep.equal([{ n: 0 }]);
      await other.owner('notices').insert({ at: new Date(), topic: 'remark', text: 'Not sealed yet.' });
      expect(await message(rebuildFrom(mirror, other.owner))).to.match(/not empty/);
    } finally {
      writeFileSync(file, honest);
      await dropDatabase(other);
    }
  });

  it('gives every board of a log without published prices, except what follows from these', async () => {
    const other = await createDatabase();
    const closed = await startApi({ database: original, redis }, { clock: { now: () => now } });
    try {
      const folderOfOther = join(folder.path(), 'without-prices');
      await copyLog(openLog(closed.address, fetchBytes), folderOfOther);
      await rebuildFrom(folderOfOther, other.owner);
      const { differences, beyond } = await compareBoards(other.database, closed.address);
      expect(differences).to.deep.equal([]);
      expect(beyond.join('\n')).to.match(/by prices that are not public/);
    } finally {
      await closed.close();
      await dropDatabase(other);
    }
  });

  it('shows a board that does not follow from the log', async () => {
    await rebuilt.owner.raw(
      `update board_picks set net_units_e4 = net_units_e4 + 10000 where result is not null`,
    );
    const { differences } = await compareBoards(rebuilt.database, site.address);
    expect(differences.join('\n')).to.match(/netUnits is/);
  });
});

const auditProjectionsOf = (database: Database) =>
  Array.fromAsync(auditProjections(database), ({ message }) => message);
