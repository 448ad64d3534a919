import pg from 'pg';
import { type CheckpointStore, CheckpointStoreError } from './store.ts';

/** How long a connection and each statement may take, in milliseconds. */
const timeoutMs = 3_000;

const table = 'public_picks_checkpoint';

/** A role that may not create tables is given this one: docs/decisions/0029-checkpoint-store.md. */
const createTable = `create table if not exists ${table} (
  place text primary key,
  note text not null,
  written_at timestamptz not null default now()
)`;

const undefinedTable = '42P01';

/**
 * A row in a PostgreSQL outside the failover group of the service's own, for publishers on several hosts.
 *
 * Each swap is one statement, committed by itself: a process that is stopped in the middle holds nothing. Connections are opened for each
 * call, since minutes may pass between two.
 */
export function postgresStore(url: string): CheckpointStore {
  return {
    read: () =>
      query(url, `select note from ${table} where place = 'current'`).then(
        ({ rows: [row] }) => row?.note ?? null,
      ),

    async compareAndSwap(previous, next) {
      const { rowCount } =
        previous === null
          ? await query(
              url,
              `insert into ${table} (place, note) values ('current', $1) on conflict (place) do nothing`,
              [next],
            )
          : await query(
              url,
              `update ${table} set note = $2, written_at = now() where place = 'current' and note = $1`,
              [previous, next],
            );
      return rowCount === 1;
    },

    async setAside(note, name) {
      const { rows } = await query(
        url,
        `update ${table} set place = $2 || ' ' || now() where place = 'current' and note = $1 returning place`,
        [note, name],
      );
      if (rows[0] === undefined)
        throw new CheckpointStoreError('The checkpoint store was changed meanwhile.');
      return `in the checkpoint store under ${JSON.stringify(rows[0].place)}`;
    },
  };
}

async function query(
  url: string,
  statement: string,
  values: string[] = [],
): Promise<pg.QueryResult<{ note: string; place: string }>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'public-picks checkpoint store',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
  });
  // A connection that breaks is reported by the query as well.
  client.on('error', () => {});
  try {
    await client.connect();
    // What was answered must outlast a crash, whatever the server's default is.
    await client.query('set synchronous_commit = on');
    try {
      return await client.query(statement, values);
    } catch (error) {
      if ((error as { code?: string }).code !== undefinedTable) throw error;
      await client.query(createTable);
      return await client.query(statement, values);
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new CheckpointStoreError(`The checkpoint store is unavailable (${code ?? message}).`);
  } finally {
    // A server that no longer answers does not answer a goodbye either.
    client.end().catch(() => {});
  }
}
