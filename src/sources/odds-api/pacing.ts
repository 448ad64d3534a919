const minute = 60_000;
const hour = 60 * minute;

/** Markets that are asked for: each one costs a credit, for each region. */
export const markets = ['h2h', 'spreads', 'totals'] as const;

/** What scores of the last days cost. */
export const scoresCost = 2;

/** What may be spent. */
export interface Budget {
  /** Credits left; null where the provider did not say. */
  remaining: number | null;
  /** Credits that are never spent. */
  reserve: number;
  /** Credits of one question for prices. */
  cost: number;
  /** Sports that share it. */
  sports: number;
}

/** What is assumed where the provider does not say what is left: its smallest plan, half used. */
const assumedRemaining = 250;

/** By how near the next start is: how often prices are wanted, and how much of an even share of the credits a question may take. */
const nearness = [
  { within: 20 * minute, every: 2 * minute, share: 1 / 8 },
  { within: 2 * hour, every: 10 * minute, share: 1 / 3 },
  { within: 12 * hour, every: hour, share: 1 },
  { within: 48 * hour, every: 4 * hour, share: 2 },
  { within: Number.POSITIVE_INFINITY, every: 12 * hour, share: 4 },
] as const;

/** When the provider's credits are given anew: the first of the next month, UTC. */
export function quotaResetAt(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * When a sport's prices are asked for next, in epoch milliseconds: what is left of the credits is spread over what is left of the month
 * and over the sports, and moved towards the starts of games. Never below the reserve.
 * @param lastAt when they were asked for last, null for never
 * @param nextStart the next start of a known game of this sport, null where none is known
 */
export function oddsDueAt(
  budget: Budget,
  lastAt: number | null,
  nextStart: number | null,
  now: number,
): number {
  const { cost, sports } = budget;
  if (!affords(budget, cost)) return quotaResetAt(now);
  const until = nextStart === null ? Number.POSITIVE_INFINITY : nextStart - now;
  const { every, share } = nearness.find(({ within }) => until <= within) ?? nearness[4];
  if (lastAt === null) return now;
  return Math.round(lastAt + Math.max(every, evenShareMs(budget, cost * sports, now) * share));
}

/**
 * When the scores of a sport with games that must be over are asked for next.
 * @param over since when the first of these games must be over
 */
export function scoresDueAt(budget: Budget, lastAt: number | null, over: number, now: number): number {
  if (!affords(budget, scoresCost)) return quotaResetAt(now);
  if (lastAt === null) return now;
  // Often at first; a result that does not come is asked for less and less.
  const every = Math.min(Math.max(3 * minute, (now - over) / 4), hour);
  return Math.round(lastAt + Math.max(every, evenShareMs(budget, scoresCost * budget.sports, now) / 8));
}

function affords({ remaining, reserve }: Budget, cost: number): boolean {
  return (remaining ?? assumedRemaining) - reserve >= cost;
}

/** Milliseconds between questions of this cost, if they all came evenly until the credits are given anew. */
function evenShareMs({ remaining, reserve }: Budget, cost: number, now: number): number {
  return (cost * (quotaResetAt(now) - now)) / Math.max(1, (remaining ?? assumedRemaining) - reserve);
}
