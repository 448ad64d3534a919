/** Tiers, results and windows: the closed lists that rules and boards share, and the patterns by which paths are read. */

/** A capper's tier, best first. */
export const tiers = ['elite', 'verified_sharp', 'listed'] as const;
export type Tier = (typeof tiers)[number];

/** The tiers that make a pick sharp. */
export const sharpTiers = ['elite', 'verified_sharp'] as const;
export type SharpTier = (typeof sharpTiers)[number];

/** Is a pick of this tier (at post time) sharp? */
export function isSharp(tier: Tier): tier is SharpTier {
  return tier !== 'listed';
}

/** A tier's place among the tiers: 0 is the best. */
export function tierRank(tier: Tier): number {
  return tiers.indexOf(tier);
}

/**
 * How a pick came in: `live`, posted through the operator's port and timed by the service, or `imported` from a file, its time a claim
 * (docs/rules/provenance.md).
 */
export const provenances = ['live', 'imported'] as const;
export type Provenance = (typeof provenances)[number];

/**
 * What can be claimed of when a live pick was known: enough witnesses had cosigned it before the start, only the log had signed it, or
 * neither (docs/rules/provenance.md#sealed-in-time).
 */
export const sealedInTimes = ['witnessed', 'signed', 'late'] as const;
export type SealedInTime = (typeof sealedInTimes)[number];

/**
 * What a log is of: the real world, a past day that is replayed on a set clock, or made-up picks. Chosen when the database is first
 * migrated, and never changed. docs/rules/provenance.md#kinds-of-logs
 */
export type LogKind = 'live' | 'replay' | 'demo';

/** What a settled pick came to. */
export const results = ['win', 'loss', 'push', 'void'] as const;
export type Result = (typeof results)[number];

/** What has become of a game. */
export const gameStatuses = ['scheduled', 'final', 'postponed', 'cancelled'] as const;
export type GameStatus = (typeof gameStatuses)[number];

/** The windows of records and leaderboards. */
export const windows = ['7d', '30d', '90d', 'all'] as const;
export type Window = (typeof windows)[number];

/** How many ET days a window holds, today included; `null` is everything. */
export const windowDays = { '7d': 7, '30d': 30, '90d': 90, all: null } as const satisfies Record<
  Window,
  number | null
>;

/** Patterns as text, for JSON Schema and for `new RegExp` alike. */
export const patterns = {
  handle: '^[a-z0-9][a-z0-9_-]{1,31}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
} as const;
