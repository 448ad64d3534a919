import { expect } from 'chai';
import pg from 'pg';
import { logins } from '../../migrations/rights.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { buildWorld, type World } from './world.ts';

/** How long anyone may be blocked, in milliseconds: docs/security.md#database-logins. */
const limitMs = 15_000;

/** From the strongest to the weakest. */
const modes = [
  'access exclusive',
  'exclusive',
  'share row exclusive',
  'share',
  'share update exclusive',
  'row exclusive',
  'row share',
  'access share',
];

describe('lock attacks on a live log, through each database login', () => {
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();
  let world: World;

  before(async () => {
    world = await buildWorld(stores.database, folder);
  });

  /** Takes every lock that the login can get, on all tables, rows, and numbers, and holds them with a running statement. */
  async function hold(login: string): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: asLogin(stores.ownerUrl, login as (typeof logins)[number]),
    });
    client.on('error', () => {});
    await client.connect();
    await client.query(`set lock_timeout = '100ms'; begin`);
    const attempt = (statement: string) =>
      client.query(`savepoint here; ${statement}; release here`).then(
        () => true,
        () => client.query('rollback to here').then(() => false),
      );
    const { rows } = await stores.owner.raw(
      `select format('%I', relname) as table from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    for (const { table } of rows) {
      for (const mode of modes) if (await attempt(`lock table ${table} in ${mode} mode`)) break;
      for (const strength of ['update', 'no key update', 'share', 'key share'])
        if (await attempt(`select from ${table} for ${strength}`)) break;
    }
    for (const key of [7_263_001, 7_263_002, 7_263_003, 7_263_008])
      await attempt(`select pg_advisory_xact_lock(${key})`);
    await attempt(`insert into ledger_origin (id, origin) values (1, 'forged')`);
    await attempt(`insert into publisher_lease values (1, gen_random_uuid(), 'infinity')`);
    client.query('select pg_sleep(60)').catch(() => {});
    return client;
  }

  // The sealing login has a right to its lock.
  for (const login of logins.filter((each) => each !== 'sealing'))
    it(`as ${login}, stop neither sealing nor publishing`, async () => {
      const sealing = openDatabase(asLogin(stores.ownerUrl, 'sealing'), { connections: 2 });
      await stores.database('notices').insert({ at: new Date(), topic: 'remark', text: `Under ${login}.` });
      const holder = await hold(login);
      try {
        const began = performance.now();
        expect(await sealAll(sealing)).to.be.above(0);
        expect(await publishCheckpoint(sealing, world.publisher, Date.now())).to.be.above(0);
        expect(performance.now() - began).to.be.below(limitMs);
      } finally {
        (holder as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
        await stores.owner.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()`,
        );
        await sealing.destroy();
      }
    });

  it("cannot move another reader's cursor", async () => {
    for (const reader of ['boards', 'checkpoints', 'webhooks'])
      for (const login of logins) {
        const client = openDatabase(asLogin(stores.ownerUrl, login), { connections: 1 });
        try {
          const moved = await client('reader_cursors')
            .where({ reader })
            .update({ next_seq: client.raw('next_seq') })
            .then(
              () => true,
              ({ code }) => code !== '42501',
            );
          expect(moved, `${login} ${reader}`).to.equal(
            login === (reader === 'webhooks' ? 'webhooks' : 'boards'),
          );
        } finally {
          await client.destroy();
        }
      }
  });
});
