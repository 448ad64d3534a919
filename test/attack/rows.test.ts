import { expect } from 'chai';
import pg from 'pg';
import { seeded } from '../ledger/tampering.ts';
import { asLogin, createDatabase, dropDatabase, type TestDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { type HostileRow, hostileRows, plainRows } from './hostile-rows.ts';
import { type Failures, failuresOf, prepare } from './vitals.ts';
import { rowsWorld } from './world.ts';

/** `npm run attack` stores the rows of each table separately, `npm test` one row per column together. */
const isFull = process.env.ATTACK === 'full';

describe('impossible rows, stored through a database login', function () {
  this.timeout(isFull ? 7_200_000 : 180_000);
  const redis = withRedis();
  const folder = withFolder();
  let receiver: Receiver;
  let rows: HostileRow[];
  let plain: HostileRow[];
  const counts = { refused: 0, stored: 0 };

  before(async () => {
    receiver = await startReceiver();
    const first = await createDatabase(rowsWorld);
    try {
      await (await prepare({ stores: first, redis, folder, receiver })).fanout.close();
      rows = await hostileRows(first.owner);
      plain = await plainRows(first.owner);
    } finally {
      await dropDatabase(first);
    }
  });
  after(async () => {
    await receiver.close();
    process.stdout.write(
      `\n    ${rows.length} hostile rows: ${counts.refused} refused, ${counts.stored} stored and harmless\n\n`,
    );
  });

  /** Stores rows in a new world, and checks everything it does. */
  async function storedIn(
    given: readonly HostileRow[],
  ): Promise<{ stored: HostileRow[]; failures: Failures }> {
    const stores = await createDatabase(rowsWorld);
    try {
      const patient = await prepare({ stores, redis, folder, receiver });
      try {
        const stored = await storeAll(stores, given);
        return { stored, failures: await failuresOf(patient) };
      } finally {
        await patient.fanout.close();
      }
    } finally {
      await dropDatabase(stores);
    }
  }

  /** Returns the fewest rows that still fail, found by halving. */
  async function culprits(given: readonly HostileRow[]): Promise<string[]> {
    const { stored, failures } = await storedIn(given);
    if (failures.size === 0) return [];
    const found = [...failures].map(([name, message]) => `${name}: ${message}`);
    if (stored.length > 1) {
      const half = stored.length >> 1;
      const apart = [...(await culprits(stored.slice(0, half))), ...(await culprits(stored.slice(half)))];
      if (apart.length > 0) return apart;
    }
    return [`${stored.map(named).join(' with ')} stops ${found.join('; ')}`.slice(0, 3000)];
  }

  async function expectNoHarm(given: readonly HostileRow[]): Promise<void> {
    const { stored, failures } = await storedIn(given);
    counts.refused += given.length - stored.length;
    counts.stored += stored.length;
    if (failures.size === 0) return;
    const all = [...failures].map(([name, message]) => `${name}: ${message}`);
    const found = isFull ? await culprits(stored) : [];
    expect.fail((found.length > 0 ? found : all).join('\n'));
  }

  it('are refused for the impossible value only', async () => {
    const stores = await createDatabase(rowsWorld);
    try {
      await (await prepare({ stores, redis, folder, receiver })).fanout.close();
      const refused = new Set<string>();
      for (const row of plain) await storeAll(stores, [row], () => refused.add(row.table), 'rollback');
      // Tables of one existing row, and rows that exist only with their entries or checkpoint.
      expect([...refused].sort()).to.deep.equal([
        'checkpoint_times',
        'game_joins',
        'ledger_nodes',
        'ledger_origin',
        'status_watch',
        'webhook_cycles',
      ]);
    } finally {
      await dropDatabase(stores);
    }
  });

  if (isFull) {
    it('are absent from the world that the other cases start from, in which nothing fails', async () => {
      expect([...(await storedIn([])).failures]).to.deep.equal([]);
    });

    it('break no process, table by table', async () => {
      const found: string[] = [];
      for (const [table, ofTable] of Map.groupBy(rows, ({ table }) => table)) {
        await expectNoHarm(ofTable).catch((error: Error) => found.push(`${table}: ${error.message}`));
      }
      expect(found, found.join('\n\n')).to.have.lengthOf(0);
    });
  } else
    it('break no process, with one row per column', async () => {
      const random = seeded(7);
      const byColumn = Map.groupBy(rows, ({ table, column, how }) => `${table} ${column} ${how}`);
      await expectNoHarm([...byColumn.values()].map((some) => some[Math.floor(random() * some.length)]!));
    });
});

const named = ({ login, table, column, how, value }: HostileRow) =>
  `${login}: ${how} ${table}.${column} = ${JSON.stringify(value)?.slice(0, 60)}`;

/** Runs each statement in its own transaction. @returns those that were not refused, at once or at the end of the transaction */
async function storeAll(
  stores: TestDatabase,
  rows: readonly HostileRow[],
  onRefused: () => void = () => {},
  end: 'commit' | 'rollback' = 'commit',
): Promise<HostileRow[]> {
  const stored: HostileRow[] = [];
  for (const [login, own] of Map.groupBy(rows, (row) => row.login)) {
    const client = new pg.Client({
      connectionString: asLogin(stores.ownerUrl, login),
      application_name: 'hostile',
    });
    await client.connect();
    try {
      for (const row of own)
        try {
          await client.query('begin');
          const { rowCount } = await client.query(row.statement, row.values);
          await client.query(end);
          if (rowCount !== 0) stored.push(row);
        } catch {
          await client.query('rollback');
          onRefused();
        }
    } finally {
      await client.end();
    }
  }
  return stored;
}
