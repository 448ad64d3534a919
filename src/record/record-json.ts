import { iso, isoOrNull } from '../platform/clock.ts';
import { unitsFromE4 } from '../rules/fixed-point.ts';
import { type ExportFilter, rowCap } from './export-filter.ts';
import type { ExportRow } from './export-rows.ts';

const contract =
  'The ledger is append-only: rows are locked at post time, and there are no retroactive edits or deletes. ' +
  'A pick gains its closing price and its result once; nothing else about it ever changes.';

/** The address of the JSON Schema of the export. */
export function schemaUrl(baseUrl: string): string {
  return `${baseUrl}/record/export.schema.json`;
}

/**
 * The JSON export, version 1 (docs/decisions/0017-record-export.md): its fields and their order never change, new ones come at the end.
 * @param rows undefined when the data store is out of reach
 * @param now epoch milliseconds
 */
export function recordJson(
  rows: readonly ExportRow[] | undefined,
  { since, sport, limit }: ExportFilter,
  baseUrl: string,
  now: number,
): string {
  const envelope = {
    schema: schemaUrl(baseUrl),
    generated_at: iso(now),
    filters: { since: isoOrNull(since), sport, limit },
    row_cap: rowCap,
    count: rows?.length ?? 0,
    db_reachable: rows !== undefined,
    contract,
    picks: (rows ?? []).map((row) => ({
      id: row.id,
      sport: row.sport.toUpperCase(),
      game: row.game,
      market: row.market,
      pick: row.pick,
      odds_american: row.odds_american,
      stake_units: unitsFromE4(row.stake_e4),
      result: row.result,
      posted_at: row.posted_at,
      graded_at: row.graded_at,
      closing_odds: row.closing_odds,
      clv_bps: row.clv_bps,
      source: row.source,
      permalink: `${baseUrl}/record/${row.id}`,
      provenance: row.provenance,
    })),
  };
  return JSON.stringify(envelope);
}

const nullable = (type: string) => ({ type: [type, 'null'] });
const instant = { type: 'string', format: 'date-time' };

/** The JSON Schema of {@link recordJson}'s text. */
export function recordJsonSchema(baseUrl: string): object {
  const row = {
    id: { type: 'integer' },
    sport: { type: 'string' },
    game: { type: 'string' },
    market: { type: 'string' },
    pick: { type: 'string' },
    odds_american: { type: 'integer' },
    stake_units: { type: 'number' },
    result: { enum: ['pending', 'win', 'loss', 'push', 'void'] },
    posted_at: instant,
    graded_at: { ...instant, ...nullable('string') },
    closing_odds: nullable('integer'),
    clv_bps: nullable('integer'),
    source: { type: 'string' },
    permalink: { type: 'string', format: 'uri' },
    provenance: { enum: ['live', 'imported'] },
  };
  const filters = {
    since: { ...instant, ...nullable('string') },
    sport: nullable('string'),
    limit: { type: 'integer', minimum: 1, maximum: rowCap },
  };
  const envelope = {
    schema: { type: 'string', format: 'uri' },
    generated_at: instant,
    filters: { type: 'object', properties: filters, required: Object.keys(filters) },
    row_cap: { const: rowCap },
    count: { type: 'integer', minimum: 0, maximum: rowCap },
    db_reachable: { type: 'boolean' },
    contract: { type: 'string' },
    picks: { type: 'array', items: { type: 'object', properties: row, required: Object.keys(row) } },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl(baseUrl),
    title: 'Record export, version 1',
    type: 'object',
    properties: envelope,
    required: Object.keys(envelope),
  };
}
