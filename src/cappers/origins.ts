import type { Database } from '../platform/database.ts';

/**
 * Returns the log's origin, then those of the earlier logs that it continues (`new-origin`). A new statement must name the first one. A
 * stored one may name any. Empty before the first start.
 */
export async function statementOrigins(database: Database): Promise<string[]> {
  const row: { origin: string; continues: string[] } | undefined = await database('ledger_origin').first(
    'origin',
    'continues',
  );
  return row === undefined ? [] : [row.origin, ...row.continues.map((key) => key.split('+')[0]!)];
}

/** Returns why a new statement is not one for this service, as a sentence's part; undefined if it is. */
export function madeElsewhere(named: string, origin: string | undefined): string | undefined {
  if (origin === undefined) return 'this service has no log yet: try again in a minute';
  return named === origin
    ? undefined
    : `it was signed for another service, ${named}: this one is ${origin}. Sign it for this one`;
}
