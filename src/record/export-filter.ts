import { type OddsForm, oddsForms } from '../boards/formats/odds-text.ts';
import { isoInstant } from '../rules/iso-instant.ts';
import { patterns } from '../rules/vocabulary.ts';

export interface ExportFilter {
  /** Only picks posted at or after it. */
  since: EpochMs | null;
  /** In lower case. Any text, including sports that do not exist. */
  sport: string | null;
  /** 1 to {@link rowCap}. */
  limit: number;
  afterId: number | null;
  /** In lower case. Any text, including handles of nobody. */
  capper: string | null;
}

export const rowCap = 5000;
export const defaultLimit = 1000;

/**
 * Parses an export's parameters without ever failing. Invalid values count as absent, values above the maximum as the maximum. Of a
 * repeated parameter the first value counts.
 * @returns the filter, the odds format and start of the feed, and the names of parameters with ignored values
 */
export function exportFilter(query: URLSearchParams): {
  filter: ExportFilter;
  odds: OddsForm;
  cursor: FeedPosition | null;
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
    capper: read('capper', storable) ?? read('capper_handle', storable),
  };
  const odds = read('odds', (text) => oddsForms.find((form) => form === text) ?? null) ?? 'american';
  return { filter, odds, cursor: read('cursor', feedPosition), ignored: [...ignored] };
}

/**
 * A position in the feed, which is ordered by settlement, latest first: its pick's settlement and post time, in epoch milliseconds, and
 * UUID.
 */
export interface FeedPosition {
  settledAt: number;
  postedAt: number;
  uuid: string;
}

export function feedCursor({ settledAt, postedAt, uuid }: FeedPosition): string {
  return `${settledAt}-${postedAt}-${uuid}`;
}

function feedPosition(text: string): FeedPosition | null {
  const [, settledAt, postedAt, uuid] = /^(\d{1,14})-(\d{1,14})-(.*)$/.exec(text) ?? [];
  if (uuid === undefined || !uuids.test(uuid)) return null;
  return { settledAt: Number(settledAt), postedAt: Number(postedAt), uuid };
}

const uuids = new RegExp(patterns.uuid);

/** Returns a storable text that matches no sport if the input was not storable. The replacement character shows this in the answer. */
function storable(text: string): string {
  const sport = text.toWellFormed().normalize('NFC').toLowerCase();
  return [...sport.replace(/\p{Cc}/gu, '\ufffd')].slice(0, 40).join('');
}

function wholeNumber(text: string, least: number): number | null {
  if (!/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value < least ? null : Math.min(value, Number.MAX_SAFE_INTEGER);
}
