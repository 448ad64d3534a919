/** Which rows of the record an export holds: the effective values, whatever was asked for. */
export interface ExportFilter {
  /** Epoch milliseconds; only picks posted at or after it. */
  since: number | null;
  /** Lower case; need not be a sport that exists. */
  sport: string | null;
  /** 1 to {@link rowCap}. */
  limit: number;
  /** Only rows with a larger id. */
  afterId: number | null;
}

/** The most rows that one export holds (interface, section 2.4). */
export const rowCap = 5000;
const usual = 1000;

/**
 * Reads an export's parameters. The export never errs: what cannot be read counts as absent, what is too large as the largest
 * (interface, section 7; decisions, section 3).
 */
export function exportFilter(given: URLSearchParams): ExportFilter {
  const since = given.get('since');
  const sport = given.get('sport')?.trim().toLowerCase() ?? '';
  return {
    since: since === null ? null : readSince(since.trim()),
    sport: sport === '' ? null : storable(sport),
    limit: Math.min(wholeNumber(given.get('limit')) ?? usual, rowCap),
    afterId: given.get('after_id')?.trim() === '0' ? 0 : wholeNumber(given.get('after_id')),
  };
}

/** What PostgreSQL cannot hold in a text matches no sport; the replacement character says so in the answer. */
function storable(text: string): string {
  return [...text.toWellFormed().replace(/\p{Cc}/gu, '\ufffd')].slice(0, 40).join('');
}

/** A date is its first instant in UTC; an instant without a zone is UTC. */
function readSince(text: string): number | null {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text);
  if (parts === null) return null;
  const [, date, time = '00:00', zone = 'Z'] = parts;
  const at = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  // 2026-02-30 is no date, though the parser would make it March.
  const real = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at) || Number.isNaN(real.getTime()) || !real.toISOString().startsWith(date!)
    ? null
    : at;
}

function wholeNumber(text: string | null): number | null {
  if (text === null || !/^\d+$/.test(text.trim())) return null;
  const value = Number(text);
  return value < 1 ? null : Math.min(value, Number.MAX_SAFE_INTEGER);
}
