import type pg from 'pg';
import type { ProcessName } from './config/processes.mjs';

/** Connections to the database at most, by process (`DATABASE_POOLS`). */
export type Pools = Readonly<Record<Exclude<ProcessName, 'migrate'>, number>>;

/** What a process opens beside its pool: web for first answers (4), builds (2) and its probe, status for its probe. */
const beside: Partial<Pools> = { web: 7, status: 1 };

/**
 * Why the server cannot give all processes their connections; undefined when it can. Behind a pooler that is for the pooler to arrange: the
 * server then sees another port than this connection's own.
 * @param copies of web that share a port
 */
export async function poolsFault(
  connection: pg.Client,
  pools: Pools,
  copies = 1,
): Promise<string | undefined> {
  const { rows } = await connection.query(`
    select inet_client_port() as port, sum(setting::int) filter (where name = 'max_connections')::int as most,
      coalesce(sum(setting::int) filter (where name <> 'max_connections'), 0)::int as reserved
    from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`);
  const [{ port, most, reserved }] = rows;
  const { stream } = (connection as unknown as { connection: { stream: { localPort?: number } } }).connection;
  if (port !== stream.localPort) return undefined;
  const wanted = Object.entries(pools).map(([name, size]) => {
    const each = size + (beside[name as keyof Pools] ?? 0);
    return { name, connections: name === 'web' ? copies * each : each };
  });
  const sum = wanted.reduce((total, { connections }) => total + connections, 0);
  if (sum <= most - reserved) return undefined;
  const list = wanted.map(({ name, connections }) => `${name} ${connections}`).join(', ');
  return `one of each process may open ${sum} connections (${list}), but PostgreSQL takes ${most - reserved} (max_connections ${most}, ${reserved} reserved): lower DATABASE_POOLS or raise max_connections`;
}
