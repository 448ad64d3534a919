/** Closed lists that rules and boards share, and patterns for paths. */

/** A capper's tier, best first. */
export const tiers = ['elite', 'verified_sharp', 'listed'] as const;
export type Tier = (typeof tiers)[number];

export const sharpTiers = ['elite', 'verified_sharp'] as const;
export type SharpTier = (typeof sharpTiers)[number];

/** Reports whether a pick whose capper had this tier at post time is sharp. */
export function isSharp(tier: Tier): tier is SharpTier {
  return tier !== 'listed';
}

/** Returns the rank of a tier; 0 is the best. */
export function tierRank(tier: Tier): number {
  return tiers.indexOf(tier);
}

/**
 * How a pick came in: `live`, posted to the service and timed by it, or `imported` from a file, whose time is a claim
 * (docs/rules/provenance.md).
 */
export const provenances = ['live', 'imported'] as const;
export type Provenance = (typeof provenances)[number];

/**
 * Evidence for when a live pick was known: before the start a quorum of witnesses had cosigned it, only the log had signed it, or neither
 * (docs/rules/provenance.md#sealed-in-time).
 */
export const sealedInTimes = ['witnessed', 'signed', 'late'] as const;
export type SealedInTime = (typeof sealedInTimes)[number];

/**
 * The kind of a log: the real world, a replay of the past on a set clock, or made-up picks. Chosen at the first migration, and never
 * changed (docs/rules/provenance.md#kinds-of-logs).
 */
export type LogKind = 'live' | 'replay' | 'demo';

export const results = ['win', 'loss', 'push', 'void'] as const;
export type Result = (typeof results)[number];

export const gameStatuses = ['scheduled', 'final', 'postponed', 'cancelled'] as const;
export type GameStatus = (typeof gameStatuses)[number];

export const windows = ['7d', '30d', '90d', 'all'] as const;
export type Window = (typeof windows)[number];

/** Number of ET days in a window, including today; `null` is unlimited. */
export const windowDays = { '7d': 7, '30d': 30, '90d': 90, all: null } as const satisfies Record<
  Window,
  number | null
>;

/** Patterns as strings, for both JSON Schema and `new RegExp`. */
export const patterns = {
  handle: '^[a-z0-9][a-z0-9_-]{1,31}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
} as const;
