import type { Client } from 'pg';
import { withTimeout } from './timeout.ts';

/** The servers that an address names, each with an address of its own. */
interface Servers {
  addresses: readonly string[];
  /** Whether only a server that takes writes will do. */
  writable: boolean;
}

/**
 * Reads an address with several hosts, which `postgresAddress` (`config/kinds.mjs`) has put in the parameter `hosts`. As in libpq,
 * `target_session_attrs` says which server will do; without it, with several hosts, one that takes writes.
 */
export function serversOf(url: string): Servers {
  if (!url.includes('?')) return { addresses: [url], writable: false };
  const named = new URL(url);
  const hosts = named.searchParams.get('hosts')?.split(',') ?? [named.host];
  const wanted = named.searchParams.get('target_session_attrs') ?? (hosts.length > 1 ? 'read-write' : 'any');
  named.searchParams.delete('hosts');
  named.searchParams.delete('target_session_attrs');
  const addresses = hosts.map((host) => {
    const address = new URL(named);
    // A host without a port must not keep that of the first one.
    address.port = '';
    address.host = host;
    return address.href;
  });
  return { addresses, writable: ['read-write', 'primary'].includes(wanted) };
}

/** Which server of each address answered last: it is tried first. */
const answeredLast = new Map<string, number>();

/**
 * Connects to one of the servers that an address names: to the one that will do, whichever that is after a failover.
 * @param timeoutMs for all of them together
 * @param connect connects to one, within the milliseconds given
 * @throws what the last one threw; where all are standbys, with the code 25006
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
      last = Object.assign(new Error('no server takes writes'), { code: readOnly });
      client.end().catch(() => {});
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** A write was sent to a standby: read_only_sql_transaction. */
export const readOnly = '25006';

async function takesWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query('show transaction_read_only');
  return rows[0].transaction_read_only === 'off';
}
