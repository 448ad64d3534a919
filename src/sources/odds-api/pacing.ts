import { markets } from '../../rules/markets/index.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Keys of the markets that are asked for: each one costs a credit, for each region. */
export const marketKeys = markets.filter(({ oddsApi }) => oddsApi.featured).map(({ oddsApi }) => oddsApi.key);

/** What scores of the last days cost. */
export const scoresCost = 2;

/** What may be spent: from where the count began, evenly down to the reserve at the end of the month. */
export interface Budget {
  /** Credits left. */
  remaining: number;
  /** Credits that are never spent. */
  reserve: number;
  /** When the count began (the month, or our first question in it), in epoch milliseconds, and what was left then. */
  from: number;
  atStart: number;
  /** Credits of one question for prices. */
  cost: number;
  /** Sports that share it. */
  sports: number;
}

/**
 * By how near the next start is: how often prices are wanted, and how far the spending may be ahead of an even one (below 0: must be behind
 * it), in parts of {@link slackOf}. So what is saved while nothing is near is spent before starts.
 */
const nearness = [
  { within: 6 * minute, every: 2 * minute, ahead: 1 },
  { within: 20 * minute, every: 5 * minute, ahead: 0.7 },
  { within: 2 * hour, every: 20 * minute, ahead: 0.4 },
  { within: 12 * hour, every: hour, ahead: 0 },
  { within: 48 * hour, every: 4 * hour, ahead: -0.5 },
  { within: Number.POSITIVE_INFINITY, every: 12 * hour, ahead: -1 },
] as const;

/** When the provider's credits reset: the first of the next month, UTC. */
export function quotaResetAt(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * When a sport's prices are asked for next, in epoch milliseconds. Never below the reserve.
 * @param budget null where the provider does not say what is left
 * @param lastAt when they were asked for last, null for never
 * @param nextStart the next start of a known game of this sport, null where none is known
 */
export function oddsDueAt(
  budget: Budget | null,
  lastAt: number | null,
  nextStart: number | null,
  now: number,
): number {
  const until = nextStart === null ? Number.POSITIVE_INFINITY : nextStart - now;
  const { every, ahead } = nearness.find(({ within }) => until <= within) ?? nearness[5];
  if (budget === null) return lastAt === null ? now : lastAt + Math.max(every, hour);
  // What was never asked is asked at once, as long as there is anything to spend.
  if (lastAt === null) return allowedAt(budget, budget.cost, Number.POSITIVE_INFINITY, now);
  return Math.max(lastAt + every, allowedAt(budget, budget.cost, ahead * slackOf(budget), now));
}

/**
 * When the scores of a sport with games that must be over are asked for next; often at first, and a result that does not come less and less.
 * @param over since when the first of these games must be over
 */
export function scoresDueAt(budget: Budget | null, lastAt: number | null, over: number, now: number): number {
  const every = Math.min(Math.max(3 * minute, (now - over) / 4), hour);
  const wanted = lastAt === null ? now : Math.round(lastAt + every);
  return budget === null ? wanted : Math.max(wanted, allowedAt(budget, scoresCost, slackOf(budget), now));
}

/** How far spending may be ahead of an even one at most: a day of a month, or one question for each sport. */
function slackOf({ atStart, reserve, cost, sports }: Budget): number {
  return Math.max((atStart - reserve) / 30, cost * sports);
}

/** When so much may be spent: once an even spending would have come so far, less what it may be ahead. */
function allowedAt(
  { remaining, reserve, from, atStart }: Budget,
  cost: number,
  ahead: number,
  now: number,
): number {
  const reset = quotaResetAt(now);
  const left = remaining - reserve - cost;
  if (left < 0) return reset;
  if (ahead === Number.POSITIVE_INFINITY) return now;
  const part = 1 - (left + ahead) / Math.max(1, atStart - reserve);
  return Math.min(reset, Math.round(from + Math.max(0, part) * (reset - from)));
}
