import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database.ts';
import { PublisherRefusal } from './refusals.ts';

/** What says which log this is. */
export type OriginConfig = Pick<Config['site'], 'baseUrl' | 'demo'> &
  Partial<Pick<Config['ledger'], 'origin'>>;

/**
 * The log's name: `LEDGER_ORIGIN`, or `<host of BASE_URL>/ledger` at the first start, kept from then on whatever the address becomes
 *. The demo's log has one of its own.
 * @throws PublisherRefusal when LEDGER_ORIGIN names another log than the one that is kept
 */
export async function ledgerOrigin(database: Database, config: OriginConfig): Promise<string> {
  const { baseUrl, demo } = config;
  const named = config.origin ?? `${new URL(baseUrl).host}/${demo ? 'demo-ledger' : 'ledger'}`;
  let origin = await keptOrigin(database);
  if (origin === undefined) {
    await database('ledger_origin').insert({ id: 1, origin: named }).onConflict('id').ignore();
    origin = (await keptOrigin(database)) ?? named;
  }
  if (config.origin !== undefined && config.origin !== origin)
    throw new PublisherRefusal(`LEDGER_ORIGIN is ${config.origin}, but this log is ${origin}.`);
  return origin;
}

/** The log's name as it is kept; undefined before the first start. */
export async function keptOrigin(database: Database): Promise<string | undefined> {
  const row: { origin: string } | undefined = await database('ledger_origin').first('origin');
  return row?.origin;
}
