import { expect } from 'chai';
import type { Database, Transaction } from '../../src/platform/database.ts';
import { projections } from '../../src/projections/expected.ts';
import { auditProjections, rebuildProjections } from '../../src/projections/rebuild.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { columnsOf, others } from '../attack/forgeries.ts';
import { buildWorld } from '../attack/world.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { followedPicks } from '../support/followed-picks.ts';
import { richLog } from '../support/rich-log.ts';
import { uncheckedSql } from '../support/unchecked.ts';
import { plainProjections } from './plain.ts';

async function findings(database: Database): Promise<string[]> {
  const found: string[] = [];
  for await (const { message } of auditProjections(database)) found.push(message);
  return found;
}

const tables = projections.map(({ table }) => table);

async function contents(database: Database): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows } = await database.raw(`select t::text as row from ${table} t order by 1`);
    all[table] = rows.map(({ row }: { row: string }) => row);
  }
  return all;
}

describe('the projections', () => {
  const folder = withFolder();
  const liveFolder = withFolder();
  const history = withDatabase();
  const live = withDatabase({ kind: 'live' });

  before(async () => {
    const { publisher } = await richLog(history.database, folder);
    await followedPicks(history.database, Infinity, { key: publisher.key });
    await buildWorld(live.database, liveFolder);
  });

  it('equal a plain computation from picks, closings, settlements, and checkpoints', async () => {
    for (const { database } of [history, live]) {
      const plain = await plainProjections(database);
      expect(plain.board_picks.length).to.be.above(20);
      for (const table of tables) {
        const { rows } = await database.raw(`select to_jsonb(t) as row from ${table} t`);
        const stored = rows.map(({ row }: { row: object }) => row);
        expect(stored, table).to.have.deep.members(plain[table]);
      }
    }
  });

  it('pass the audit', async () => {
    for (const { database } of [history, live]) expect(await findings(database)).to.deep.equal([]);
  });

  it('have no column that can be forged without a finding', async () => {
    const columns = await columnsOf(history.owner);
    for (const { table, keys } of projections)
      for (const { name, type } of columns.get(table)!) {
        const [value] = others[type]!;
        const found = await changed(history.owner, async (transaction) => {
          await transaction.raw(uncheckedSql(table));
          const { rowCount } = await transaction.raw(
            `update ${table} set "${name}" = ${value!.replaceAll('$', `"${name}"`)}
             where ctid = (select ctid from ${table} where "${name}" is not null order by ${keys.map((key) => `${key} desc`).join(', ')} limit 1)`,
          );
          const empty =
            {
              price_odds: '100',
              price_counted: '100',
              price_captured_at: 'now()',
              price_verdict: `'unseen'`,
              chance_pct: '1',
            }[name] ?? `'late'`;
          if (rowCount === 0) await transaction.raw(`update ${table} set "${name}" = ${empty}`);
        });
        const own = found.filter((message) => message.startsWith(`${table}, `));
        expect(own.join('\n'), `${table}.${name}`).to.match(
          keys.includes(name) ? /the log gives no such row/ : new RegExp(`column ${name}: it is`),
        );
      }
  });

  it('have no row that can be missing or surplus without a finding', async () => {
    for (const table of tables) {
      const missing = await changed(history.owner, (transaction) =>
        transaction.raw(`delete from ${table} where ctid = (select min(ctid) from ${table})`),
      );
      expect(missing.join('\n')).to.match(
        new RegExp(`^${table}, .+: it is missing, but the log gives it`, 'm'),
      );
    }
    const surplus = await changed(history.owner, async (transaction) => {
      await transaction.raw(`insert into pick_blocks (block, last_posted_at) values (7777, '2025-01-01')`);
      await transaction.raw(
        `insert into daily_rollups (capper_id, sport, market, provenance, day, wins) values (2147483647, 'nba', 'spread', 'live', '2025-01-01', 9)`,
      );
    });
    expect(surplus).to.deep.equal([
      'daily_rollups, capper number 2147483647 nba spread live 2025-01-01: the log gives no such row',
      'capper_totals, capper number 2147483647 nba spread live: it is missing, but the log gives it',
      'pick_blocks, 7777: the log gives no such row',
    ]);
  });

  it('count as behind the log, not as wrong, until their reader catches up', async () => {
    const found = await changed(history.owner, (transaction) =>
      transaction.raw(`update reader_cursors set next_seq = next_seq + 1 where reader = 'boards'`),
    );
    expect(found).to.have.length(1);
    expect(found[0]).to.match(
      /^reader_cursors, reader boards, column next_seq: it is \d+, but the reader can have read only \d+/,
    );
  });

  it('have a finding for a Pick of the Day that cannot have been chosen', async () => {
    const choose = (day: string, pick: string, at: string, before = '') =>
      changed(history.owner, (transaction) =>
        transaction.raw(
          `${before}insert into picks_of_the_day (day, pick_id, chosen_at) select ${day}, ${pick}, ${at}
           from board_picks b join games g on g.id = b.game_id where g.starts_at is not null order by b.pick_id limit 1`,
        ),
      );
    const day = `(g.starts_at at time zone 'America/New_York')::date`;
    const nine = `(${day} + time '09:00') at time zone 'America/New_York'`;
    expect(await choose(day, 'b.pick_id', nine)).to.deep.equal([]);
    expect((await choose(day, 'b.pick_id', `${nine} - interval '1 s'`)).join()).to.match(/column chosen_at/);
    const unreferenced = 'alter table picks_of_the_day drop constraint picks_of_the_day_pick_id_fkey; ';
    expect((await choose(day, '999999', nine, unreferenced)).join()).to.match(
      /column pick_id: no sealed pick/,
    );
    expect((await choose(`${day} + 1`, 'b.pick_id', `${nine} + interval '1 day'`)).join()).to.match(
      /did not start/,
    );
  });

  it('are unchanged after a rebuild, whatever was done to them', async () => {
    const before = await contents(history.database);
    await history.owner.raw(`
      update board_picks set clv_bps = 9999 where pick_id % 3 = 0;
      delete from board_picks where pick_id % 7 = 0;
      update daily_rollups set net_e4 = 1, market = market || 'x' where wins > 0;
      update capper_totals set posted = posted + 1;
      update follower_prices set book = 'elsewhere';
      update follower_days set wins = wins + 1 where delay = 5;
      delete from follower_totals where delay = 15;
      update capper_verdicts set edge_mean = edge_mean + 1, chance_pct = 1;
      update pick_blocks set last_posted_at = last_posted_at + interval '1 s';
      update reader_cursors set next_seq = next_seq + 1000 where reader in ('boards', 'checkpoints', 'verdicts')`);
    expect(await findings(history.database)).to.have.length.above(10);
    const repaired = await rebuildProjections(history.database);
    expect(Object.values(repaired).every((rows) => rows > 0)).to.equal(true);
    const after = await contents(history.database);
    for (const table of tables) expect(after[table]).to.deep.equal(before[table]);
    expect(await findings(history.database)).to.deep.equal([]);
    expect(await rebuildProjections(history.database)).to.deep.equal(
      Object.fromEntries(tables.map((table) => [table, 0])),
    );
  });

  it('count each entry once when rebuilt while their reader runs', async () => {
    const before = await contents(history.database);
    for (const table of tables) await history.owner(table).delete();
    await history
      .owner('reader_cursors')
      .whereIn('reader', ['boards', 'checkpoints', 'verdicts'])
      .update({ next_seq: 0 });
    await Promise.all([
      updateProjections(history.database),
      rebuildProjections(history.database),
      rebuildProjections(history.database),
    ]);
    await updateProjections(history.database);
    expect(await contents(history.database)).to.deep.equal(before);
  });
});

/** Returns the findings after a change, then reverts it. */
async function changed(
  owner: Database,
  change: (transaction: Transaction) => PromiseLike<unknown>,
): Promise<string[]> {
  const transaction = await owner.transaction();
  try {
    await change(transaction);
    return await findings(transaction);
  } finally {
    await transaction.rollback();
  }
}
