import type pg from 'pg';
import type { ProcessName } from '../src/platform/config/processes.ts';
import type { Login } from './rights.ts';

/** Maximum number of database connections, by process (`DATABASE_POOLS`). */
type Pools = Readonly<Record<Exclude<ProcessName, 'migrate'>, number>>;

/** The expected login of a process, and the limits for its connections. */
interface ExpectedLogin {
  name: Login;
  pools?: Pools;
  /** Number of web processes that share a port. Default: 1. */
  copies?: number;
  warn(fault: string): void;
}

/**
 * Returns a check of connections for `openDatabase`. It warns if the URL names the role of another login, and if the server has too few
 * connections for all processes.
 */
export function expectLogin({ name, pools, copies = 1, warn }: ExpectedLogin) {
  return async (connection: pg.Client): Promise<void> => {
    const login = await wrongLogin(connection, name);
    const room = pools && (await poolsFault(connection, pools, copies));
    for (const fault of [login, room]) if (fault !== undefined) warn(fault);
  };
}

/** Returns why a connection does not belong to the login; undefined if it does. */
async function wrongLogin(connection: pg.Client, login: Login): Promise<string | undefined> {
  const { rows } = await connection.query(`
    select current_user as role, pg_has_role(c.relowner, 'member') as owner,
      case when has_table_privilege(c.oid, 'select') then (select login from public.login_roles where role = current_user) end as login,
      case when has_table_privilege(c.oid, 'select') then (select role from public.login_roles where login = '${login}') end as expected
    from pg_class c where c.oid = to_regclass('public.login_roles')`);
  const [found] = rows;
  if (found === undefined || found.login === login) return undefined;
  const instead = `DATABASE_URL names the role ${found.role}, but this process needs ${found.expected ?? `the role of ${login}`}`;
  return found.owner ? `${instead}: it could rewrite the ledger` : instead;
}

/** Connections of a process outside its pool: web for first answers (4), builds (2), and its probe; others for their probe. */
const beside: Partial<Pools> = { web: 7, operator: 1, status: 1 };

/**
 * Returns why the server has too few connections for all processes; undefined if it has enough. Skips the check behind a pooler, which the
 * server's view of the client port reveals.
 * @param copies number of web processes that share a port
 */
async function poolsFault(connection: pg.Client, pools: Pools, copies: number): Promise<string | undefined> {
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
  return `one of each process may open ${sum} connections (${list}), but PostgreSQL accepts ${most - reserved} (max_connections ${most}, ${reserved} reserved): lower DATABASE_POOLS or raise max_connections`;
}
