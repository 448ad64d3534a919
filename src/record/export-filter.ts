import { type OddsForm, oddsForms } from '../boards/formats/odds-text.ts';
import { isoInstant } from '../rules/iso-instant.ts';
import { patterns } from '../rules/vocabulary.ts';

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

/** The most rows that one export holds. */
export const rowCap = 5000;
const defaultLimit = 1000;

/**
 * Reads an export's parameters. The export never errs: what cannot be read counts as absent, what is too large as the largest, and of a
 * parameter given several times the first counts.
 * @returns also how the feed writes prices, where its page begins, and the names of the parameters of which something was ignored
 */
export function exportFilter(query: URLSearchParams): {
  filter: ExportFilter;
  odds: OddsForm;
  cursor: FeedPlace | null;
  ignored: string[];
} {
  const ignored = new Set<string>();
  function read<T>(name: string, parse: (text: string) => T | null): T | null {
    const [text = '', ...others] = query.getAll(name).map((each) => each.trim());
    const value = text === '' ? null : parse(text);
    if (others.length > 0 || (text !== '' && value === null)) ignored.add(name);
    return value;
  }
  const filter = {
    since: read('since', isoInstant),
    sport: read('sport', storable),
    limit: Math.min(read('limit', (text) => wholeNumber(text, 1)) ?? defaultLimit, rowCap),
    afterId: read('after_id', (text) => wholeNumber(text, 0)),
  };
  const odds = read('odds', (text) => oddsForms.find((form) => form === text) ?? null) ?? 'american';
  return { filter, odds, cursor: read('cursor', feedPlace), ignored: [...ignored] };
}

/** A place in the feed, the latest settled first: when its pick settled and was posted, in epoch milliseconds, and its UUID. */
export interface FeedPlace {
  settledAt: number;
  postedAt: number;
  uuid: string;
}

/** A place as the feed's links write it. */
export function feedCursor({ settledAt, postedAt, uuid }: FeedPlace): string {
  return `${settledAt}-${postedAt}-${uuid}`;
}

function feedPlace(text: string): FeedPlace | null {
  const [, settledAt, postedAt, uuid] = /^(\d{1,14})-(\d{1,14})-(.*)$/.exec(text) ?? [];
  if (uuid === undefined || !uuids.test(uuid)) return null;
  return { settledAt: Number(settledAt), postedAt: Number(postedAt), uuid };
}

const uuids = new RegExp(patterns.uuid);

/** What PostgreSQL cannot hold in a text matches no sport; the replacement character says so in the answer. */
function storable(text: string): string {
  const sport = text.toWellFormed().normalize('NFC').toLowerCase();
  return [...sport.replace(/\p{Cc}/gu, '\ufffd')].slice(0, 40).join('');
}

function wholeNumber(text: string, least: number): number | null {
  if (!/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value < least ? null : Math.min(value, Number.MAX_SAFE_INTEGER);
}
