import pg from 'pg';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/** How long a connection and each statement may take, in milliseconds. */
const timeoutMs = 3_000;

const table = 'public_picks_checkpoint';

/** A role that may not create tables is given this one: docs/operations.md#checkpoints-and-witnesses. */
const createTable = `create table if not exists ${table} (
  place text primary key,
  note text not null,
  written_at timestamptz not null default now()
)`;

const undefinedTable = '42P01';

/**
 * A row in a PostgreSQL outside the failover group of the service's own, for publishers on several hosts.
 *
 * Each swap is one message and commits by itself: a process that is stopped in the middle holds nothing. Connections are opened for each
 * call, since minutes may pass between two.
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
        throw new CheckpointStoreError('The checkpoint store was changed meanwhile.');
      return `in the checkpoint store under ${JSON.stringify(rows[0].place)}`;
    },
  };
}

/**
 * Runs a statement in a transaction that is sent as one message, so that it ends by itself. Its settings are the transaction's: a pooler in
 * transaction mode refuses those of a connection, or shares them with others.
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
  // A connection that breaks is reported by the query as well.
  client.on('error', () => {});
  const run = async () => {
    const results = (await client.query(`begin;
      set local statement_timeout = ${timeoutMs};
      -- What was answered must outlast a crash, whatever the server's default is.
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
    // A server that no longer answers does not answer a goodbye either.
    client.end().catch(() => {});
  }
}
