import { markets } from '../../rules/markets/index.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Keys of the requested markets: each costs a credit per region. */
export const marketKeys = markets.filter(({ oddsApi }) => oddsApi.featured).map(({ oddsApi }) => oddsApi.key);

/** Credits that a request for scores costs. */
export const scoresCost = 2;

/** The budget: spent evenly from the start of the credit period down to the reserve at the end of the month. */
export interface Budget {
  /** Credits left. */
  remaining: number;
  /** Credits that are never spent. */
  reserve: number;
  /** Start of the credit period (the month, or the first request in it), in epoch milliseconds, and the credits left then. */
  from: number;
  atStart: number;
  /** Credits that a request for prices costs. */
  cost: number;
  /** Sports that share it. */
  sports: number;
}

/**
 * By time to the next start: how often prices are polled, and how far spending may be ahead of an even rate (negative: must be behind), in
 * parts of {@link slackOf}. Credits saved while no start is near are spent before starts.
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
 * When a sport's prices are polled next, in epoch milliseconds. Never spends the reserve.
 * @param budget null where the provider does not say what is left
 * @param lastAt the last poll, null for never
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
  // The first poll is due at once while there is anything to spend.
  if (lastAt === null) return allowedAt(budget, budget.cost, Number.POSITIVE_INFINITY, now);
  return Math.max(lastAt + every, allowedAt(budget, budget.cost, ahead * slackOf(budget), now));
}

/**
 * When the scores of a sport with finished games are polled next: often at first, then with backoff while no result comes.
 * @param over since when the first of these games must be over
 */
export function scoresDueAt(budget: Budget | null, lastAt: number | null, over: number, now: number): number {
  const every = Math.min(Math.max(3 * minute, (now - over) / 4), hour);
  const wanted = lastAt === null ? now : Math.round(lastAt + every);
  return budget === null ? wanted : Math.max(wanted, allowedAt(budget, scoresCost, slackOf(budget), now));
}

/** How far spending may be ahead of an even rate: a day's share of a month, or one request per sport. */
function slackOf({ atStart, reserve, cost, sports }: Budget): number {
  return Math.max((atStart - reserve) / 30, cost * sports);
}

/** When an amount may be spent: when an even rate has got that far, less the slack. */
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
