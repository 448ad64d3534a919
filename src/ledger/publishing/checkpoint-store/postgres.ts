import pg from 'pg';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/** Timeout of connecting and of each statement, in ms. */
const timeoutMs = 3_000;

const table = 'public_picks_checkpoint';

/** A role without the right to create tables needs this table beforehand (docs/operations.md#checkpoints-and-witnesses). */
const createTable = `create table if not exists ${table} (
  place text primary key,
  note text not null,
  written_at timestamptz not null default now()
)`;

const undefinedTable = '42P01';

/**
 * Returns a store in a row of a PostgreSQL database outside the service's failover group, for publishers on several hosts.
 *
 * Each swap is a single message that also commits, so a process stopped midway holds no lock. Each call opens a connection, because minutes
 * can pass between calls.
 */
export function postgresStore(url: string): CheckpointStore {
  return {
    read: () =>
      query(url, () => `select note from ${table} where place = 'current'`).then(
        ({ rows: [row] }) => row?.note ?? null,
      ),

    async compareAndSwap(previous, next) {
      const { rowCount } = await query(url, (quoted) =>
        previous === null
          ? `insert into ${table} (place, note) values ('current', ${quoted(next)}) on conflict (place) do nothing`
          : `update ${table} set note = ${quoted(next)}, written_at = now() where place = 'current' and note = ${quoted(previous)}`,
      );
      return rowCount === 1;
    },

    async setAside(note, name) {
      const { rows } = await query(
        url,
        (quoted) =>
          `update ${table} set place = ${quoted(name)} || ' ' || now() where place = 'current' and note = ${quoted(note)} returning place`,
      );
      if (rows[0] === undefined)
        throw new CheckpointStoreError('The checkpoint store changed in the meantime: try again.');
      return `in the checkpoint store under ${JSON.stringify(rows[0].place)}`;
    },
  };
}

/**
 * Runs a statement in a transaction sent as a single message, which commits without a further request. Settings are local to the
 * transaction: a pooler in transaction mode refuses session settings, or shares them with other clients.
 */
async function query(
  url: string,
  statement: (quoted: (text: string) => string) => string,
): Promise<pg.QueryResult<{ note: string; place: string }>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'public-picks checkpoint store',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  // The query also reports a broken connection.
  client.on('error', () => {});
  const run = async () => {
    const results = (await client.query(`begin;
      set local statement_timeout = ${timeoutMs};
      -- An acknowledged write must survive a crash, whatever the server's default.
      set local synchronous_commit = on;
      ${statement((text) => client.escapeLiteral(text))};
      commit`)) as unknown as pg.QueryResult[];
    return results.at(-2)!;
  };
  try {
    await client.connect();
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== undefinedTable) throw error;
      await client.query('rollback');
      await client.query(createTable);
      return await run();
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new CheckpointStoreError(`The checkpoint store is unavailable (${code ?? message}).`);
  } finally {
    // Not awaited: an unresponsive server does not answer a termination either.
    client.end().catch(() => {});
  }
}
