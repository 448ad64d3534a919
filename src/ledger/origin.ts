import type { Database } from '../platform/database.ts';
import type { Settings } from '../platform/settings.ts';
import { PublisherRefusal } from './refusals.ts';

/** The settings that say which log this is. */
export type OriginSettings = Pick<Settings, 'BASE_URL' | 'DEMO'> & Partial<Pick<Settings, 'LEDGER_ORIGIN'>>;

/**
 * The log's name: `LEDGER_ORIGIN`, or `<host of BASE_URL>/ledger` at the first start, kept from then on whatever the address becomes
 * (decisions, section 4). The demo's log has one of its own.
 * @throws PublisherRefusal when LEDGER_ORIGIN names another log than the one that is kept
 */
export async function ledgerOrigin(database: Database, settings: OriginSettings): Promise<string> {
  const { BASE_URL, DEMO, LEDGER_ORIGIN = '' } = settings;
  const named = LEDGER_ORIGIN || `${new URL(BASE_URL).host}/${DEMO ? 'demo-ledger' : 'ledger'}`;
  let origin = await keptOrigin(database);
  if (origin === undefined) {
    await database('ledger_origin').insert({ id: 1, origin: named }).onConflict('id').ignore();
    origin = (await keptOrigin(database)) ?? named;
  }
  if (LEDGER_ORIGIN !== '' && LEDGER_ORIGIN !== origin)
    throw new PublisherRefusal(`LEDGER_ORIGIN is ${LEDGER_ORIGIN}, but this log is ${origin}.`);
  return origin;
}

/** The log's name as it is kept; undefined before the first start. */
export async function keptOrigin(database: Database): Promise<string | undefined> {
  const row: { origin: string } | undefined = await database('ledger_origin').first('origin');
  return row?.origin;
}
