/** The closed lists, patterns and bounds that every part of the service shares (decisions: Words and numbers, Bounds). */

/** A capper's tier, best first. */
export const tiers = ['elite', 'verified_sharp', 'listed'] as const;
export type Tier = (typeof tiers)[number];

/** The tiers that make a pick sharp (decisions: sharp). */
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

/** What a settled pick came to. */
export const results = ['win', 'loss', 'push', 'void'] as const;
export type Result = (typeof results)[number];

/** The markets that a score grades; any other market is graded by a result event. */
export const scoreMarkets = ['moneyline', 'spread', 'total'] as const;

/** The sides of score-graded markets; another market's side is a slug of the selection. */
export const sides = ['home', 'away', 'draw', 'over', 'under'] as const;
export type Side = (typeof sides)[number];

/** The windows of records and leaderboards (decisions: windows). */
export const windows = ['7d', '30d', '90d', 'all'] as const;
export type Window = (typeof windows)[number];

/** How many ET days a window holds, today included; `null` is everything. */
export const windowDays = { '7d': 7, '30d': 30, '90d': 90, all: null } as const satisfies Record<
  Window,
  number | null
>;

/** Patterns as text, for JSON Schema and for `new RegExp(pattern, 'u')` alike. */
export const patterns = {
  handle: '^[a-z0-9][a-z0-9_-]{1,31}$',
  slug: '^[a-z0-9][a-z0-9_-]{0,39}$',
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  /** No control characters, and no half of a surrogate pair, which has no UTF-8. */
  text: '^[^\\p{Cc}\\p{Cs}]*$',
} as const;

/** Smallest and largest values, in the units of their names; lengths count characters. */
export const bounds = {
  stakeE4: { min: 100, max: 1_000_000, step: 100 },
  lineE3: { min: -9_999_000, max: 9_999_000, step: 500 },
  oddsAmerican: { min: 100, max: 100_000 },
  score: { min: 0, max: 9_999 },
  pickText: { min: 1, max: 300 },
  gameText: { min: 3, max: 200 },
  slug: { min: 1, max: 40 },
  handle: { min: 2, max: 32 },
} as const;

export interface Sport {
  key: string;
  label: string;
  /** Prices of its moneyline: 2, or 3 where a draw is a side of its own. */
  moneylineWays: 2 | 3;
  /** How long an event usually takes, in minutes: the length of a calendar entry. */
  eventMinutes: number;
}

/** The ten sports that a new ledger starts with, in the order of the catalogue; operators may add more. */
export const sports: readonly Sport[] = [
  { key: 'nba', label: 'NBA', moneylineWays: 2, eventMinutes: 150 },
  { key: 'nfl', label: 'NFL', moneylineWays: 2, eventMinutes: 195 },
  { key: 'mlb', label: 'MLB', moneylineWays: 2, eventMinutes: 180 },
  { key: 'nhl', label: 'NHL', moneylineWays: 2, eventMinutes: 155 },
  { key: 'ncaaf', label: 'College Football', moneylineWays: 2, eventMinutes: 210 },
  { key: 'ncaab', label: 'College Basketball', moneylineWays: 2, eventMinutes: 135 },
  { key: 'wnba', label: 'WNBA', moneylineWays: 2, eventMinutes: 135 },
  { key: 'mma', label: 'MMA', moneylineWays: 2, eventMinutes: 60 },
  { key: 'soccer', label: 'Soccer', moneylineWays: 3, eventMinutes: 120 },
  { key: 'tennis', label: 'Tennis', moneylineWays: 2, eventMinutes: 150 },
];
