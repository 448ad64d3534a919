import { type Options, stringify } from 'csv-stringify/sync';
import { csvColumns, csvName, permalink, permalinkOf } from './export-columns.ts';
import type { RecordWriter } from './export-rows.ts';

/** The row after the header during an outage of the database. */
const unreachable =
  '# db_reachable=false: the ledger cannot be read at the moment; missing rows mean nothing else';

/**
 * Matches texts that a spreadsheet could run as a formula (OWASP: CSV injection). They begin with a sign for formulas, in ASCII, full
 * width, or small form. Characters that some programs trim, strip, or split at can precede it: white space, invisible and control
 * characters, quotes, and separators. Such texts, and texts that begin with an apostrophe, get an apostrophe in front. Removing one leading
 * apostrophe therefore always restores the text.
 */
const mayRun =
  /^(?:['\t\r\n]|[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}"';,]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B])/u;

function guarded(text: string): string {
  return mayRun.test(text) ? `'${text}` : text;
}

/** Guards texts only, so that numbers stay numbers. */
const options: Options = {
  record_delimiter: '\r\n',
  quote_record_delimiter: true,
  cast: { string: guarded, boolean: String },
};

const header = stringify([csvColumns.map(csvName)], options);

/** Creates a writer of the CSV export, version 1: RFC 4180 with CRLF. */
export function recordCsv(baseUrl: string): RecordWriter {
  const chunks = [Buffer.from(header)];
  return {
    add(rows) {
      const cells = rows.map((row) =>
        csvColumns.map((name) => (name === permalink ? permalinkOf(row, baseUrl) : row[name])),
      );
      chunks.push(Buffer.from(stringify(cells, options)));
    },
    end: () => Buffer.concat(chunks),
  };
}

/** Returns the export during an outage of the database. */
export function unreachableCsv(): string {
  return `${header}${unreachable}\r\n`;
}
