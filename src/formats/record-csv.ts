import { stringify } from 'csv-stringify/sync';
import { iso } from '../clock.ts';
import type { ExportRow } from '../record/export-rows.ts';

/** The columns of version 1, in order (interface, section 2.5): new ones come at the end. */
const columns = [
  'id',
  'sport',
  'game',
  'market',
  'pick',
  'odds_american',
  'closing_odds_american',
  'clv_bps',
  'stake_units',
  'result',
  'posted_at',
  'graded_at',
  'permalink',
];

/** What follows the header row while the data store is out of reach. */
const unreachable =
  '# db_reachable=false: the ledger cannot be read at the moment; missing rows mean nothing else';

/**
 * The CSV export, version 1: RFC 4180 with CRLF. Text that a spreadsheet would run as a formula gets an apostrophe before it; numbers
 * stay numbers.
 * @param rows undefined when the data store is out of reach
 */
export function recordCsv(rows: readonly ExportRow[] | undefined, baseUrl: string): string {
  const cells = (rows ?? []).map((row) => [
    row.id,
    row.sport,
    row.game,
    row.market,
    row.pick,
    row.odds_american,
    row.closing_odds,
    row.clv_bps,
    row.stake_e4 / 10_000,
    row.result,
    iso(row.posted_at),
    row.graded_at === null ? null : iso(row.graded_at),
    `${baseUrl}/record/${row.id}`,
  ]);
  const text = stringify([columns, ...cells], { record_delimiter: 'windows', escape_formulas: true });
  return rows === undefined ? `${text}${unreachable}\r\n` : text;
}
