import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

const tables = {
  picks: { key: 'id', column: 'stake_e4', value: '200' },
  closings: { key: 'pick_id', column: 'clv_bps', value: '9999' },
  settlements: { key: 'pick_id', column: 'grader', value: `'nobody'` },
  notices: { key: 'id', column: 'text', value: `'otherwise'` },
  ledger_entries: { key: 'seq', column: 'capper', value: `'somebody'` },
  checkpoints: { key: 'size', column: 'note', value: `'forged'` },
  ledger_nodes: { key: 'level, index', column: 'hash', value: `decode(repeat('00', 32), 'hex')` },
  signing_keys: { key: 'id', column: 'vkey', value: `'another key'` },
  witness_keys: { key: 'vkey', column: 'vkey', value: `'another key'` },
  ledger_origin: { key: 'id', column: 'origin', value: `'another.example/ledger'` },
  game_joins: { key: 'id', column: 'at', value: "'2030-01-01Z'" },
  data_indexes: { key: 'id', column: 'note', value: `'another index'` },
  start_moves: { key: 'id', column: 'at', value: "'2030-01-01Z'" },
};

describe('the append-only tables', () => {
  const stores = withDatabase();

  before(async () => {
    await ingest(stores.database, league, now);
    await stores.database('notices').insert({ at: new Date(now), topic: 'remark', text: 'a remark' });
    await runPipeline(stores.database, now);
  });

  const attempts = (
    table: string,
    key: string,
    column: string,
    value: string,
  ): [name: string, sql: string][] => [
    ['UPDATE', `update ${table} set ${column} = ${value}`],
    ['UPDATE of no row', `update ${table} set ${column} = ${value} where false`],
    ['DELETE', `delete from ${table}`],
    ['TRUNCATE', `truncate ${table} cascade`],
    [
      'upsert',
      `insert into ${table} overriding system value select * from ${table}
       on conflict (${key}) do update set ${column} = ${value}`,
    ],
    [
      'MERGE that updates',
      `merge into ${table} t using (select 1 as one) s on true when matched then update set ${column} = ${value}`,
    ],
    [
      'MERGE that deletes',
      `merge into ${table} t using (select 1 as one) s on true when matched then delete`,
    ],
  ];

  for (const [table, { key, column, value }] of Object.entries(tables))
    for (const [name, sql] of attempts(table, key, column, value)) {
      it(`refuse ${name} of ${table} by the service's role`, async () => {
        expect(await failure(stores.database.raw(sql))).to.match(/permission denied|append-only/);
      });
      it(`refuse ${name} of ${table} by the owner, even as a replica`, async () => {
        expect(await failure(stores.owner.raw(sql))).to.match(/append-only/);
        const asReplica = stores.owner.transaction(async (transaction) => {
          await transaction.raw('set local session_replication_role = replica');
          await transaction.raw(sql);
        });
        expect(await failure(asReplica)).to.match(/append-only/);
      });
    }

  it('protect a handle, the identity of a game, and a final score', async () => {
    expect(await failure(stores.owner('cappers').update('handle', 'other'))).to.match(/handle never changes/);
    expect(await failure(stores.owner('games').update('name', 'A @ B'))).to.match(/identity of a game/);
    expect(await failure(stores.owner('games').where('status', 'final').update('home_score', 99))).to.match(
      /a final score and the end of a game never change/,
    );
  });
});

async function failure(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  return 'it was allowed';
}
