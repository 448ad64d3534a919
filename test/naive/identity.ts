import { createHash } from 'node:crypto';
import { iso } from './days.ts';
import type { PickRow } from './read.ts';

/** Returns an instant in epoch milliseconds, or null. */
export const instant = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);

/** Returns a number as an integer: `scale` is 1000 for lines and 10 000 for stakes. */
export const scaled = (value: number | null | undefined, scale: number): number | null => {
  if (value === null || value === undefined) return null;
  const whole = Math.round(value * scale);
  return whole === 0 ? 0 : whole;
};

/** Returns a game's identity: sport, name, and first announced start. */
export const gameKey = (row: { sport: string; game: string; startsAt?: string | null }): string =>
  JSON.stringify([row.sport, row.game, instant(row.startsAt)]);

/** Returns the key of a game's market, with its subject if it has one. */
export const marketKey = (game: string, row: { market: string; subject?: string | null }): string =>
  JSON.stringify([game, row.market, row.subject ?? null]);

/** The fields that identify a pick of the service, under the names of the Pick body. */
export interface PickFields {
  capperHandle: string;
  sport: string;
  game: string;
  startsAt?: string | null;
  market: string;
  subject?: string | null;
  side: string;
  line?: number | null;
  pick: string;
  oddsAmerican: number;
  stakeUnits: number;
  postedAt: string;
}

/**
 * Returns the same text for the naive pick and for the service's body of it. `startsAt` is the current start. The book is left out,
 * because the body does not show it.
 */
export const pickKey = (pick: PickFields): string =>
  JSON.stringify([
    pick.capperHandle.toLowerCase(),
    pick.sport,
    pick.game,
    instant(pick.startsAt),
    pick.market,
    pick.subject ?? null,
    pick.side,
    scaled(pick.line, 1000),
    pick.pick,
    pick.oddsAmerican,
    scaled(pick.stakeUnits, 10_000),
    instant(pick.postedAt),
  ]);

/** Returns the canonical text (RFC 8785) that an imported pick's UUID is made from. Absent fields are null, except the subject. */
export function importName(row: PickRow): string {
  const fields: Record<string, string | number | null> = {
    capperHandle: row.capperHandle.toLowerCase(),
    sport: row.sport,
    game: row.game,
    startsAt: iso(instant(row.startsAt)),
    market: row.market,
    ...(row.subject == null ? {} : { subject: row.subject }),
    side: row.side,
    line_e3: scaled(row.line, 1000),
    pick: row.pick,
    oddsAmerican: row.oddsAmerican,
    stake_e4: scaled(row.stakeUnits, 10_000),
    book: row.book ?? null,
    source: row.source ?? null,
    postedAt: iso(Date.parse(row.postedAt)),
  };
  const keys = Object.keys(fields).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(fields[key])}`).join(',')}}`;
}

/** Returns the version 5 UUID (RFC 9562 section 5.5) of a name in a namespace, itself a UUID. */
export function uuidV5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
