import type { Client } from 'pg';
import { withTimeout } from './timeout.ts';

/**
 * Splits an address with several hosts, which `postgresAddress` (`config/kinds.ts`) puts into the parameter `hosts`. As in libpq,
 * `target_session_attrs` selects the server; with several hosts, the default is one that accepts writes.
 * @returns `writable`: whether the server must accept writes
 */
export function serversOf(url: string): { addresses: readonly string[]; writable: boolean } {
  if (!url.includes('?')) return { addresses: [url], writable: false };
  const named = new URL(url);
  const hosts = named.searchParams.get('hosts')?.split(',') ?? [named.host];
  const wanted = named.searchParams.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  named.searchParams.delete('hosts');
  named.searchParams.delete('target_session_attrs');
  const addresses = hosts.map((host) => {
    const address = new URL(named);
    // A host without a port must not inherit the first one's.
    address.port = '';
    address.host = host;
    return address.href;
  });
  return { addresses, writable: ['read-write', 'primary'].includes(wanted) };
}

/** Index of the server that answered last, by address; it is tried first. */
const answeredLast = new Map<string, number>();

/**
 * Connects to a suitable server of an address, whichever that is after a failover.
 * @param timeoutMs for all servers together
 * @param connect connects to one server within the given milliseconds
 * @throws the last error; if all servers are standbys, one with code 25006
 */
export async function connectToServer<C extends Client>(
  url: string,
  timeoutMs: number,
  connect: (address: string, timeoutMs: number) => Promise<C>,
): Promise<C> {
  const { addresses, writable } = serversOf(url);
  const first = answeredLast.get(url) ?? 0;
  const each = Math.ceil(timeoutMs / addresses.length);
  let last: unknown;
  for (let tried = 0; tried < addresses.length; tried += 1) {
    const index = (first + tried) % addresses.length;
    try {
      const client = await connect(addresses[index]!, each);
      if (!writable || (await withTimeout(takesWrites(client), each))) {
        answeredLast.set(url, index);
        return client;
      }
      last = Object.assign(new Error('no server accepts writes'), { code: readOnly });
      client.end().catch(() => {});
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** SQLSTATE of a write on a standby: read_only_sql_transaction. */
export const readOnly = '25006';

async function takesWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query('show transaction_read_only');
  return rows[0].transaction_read_only === 'off';
}
