const day = 86_400_000;

/** Credits of a key in the provider's period. */
export interface Budget {
  remaining: number;
  /** Credits used in the period; null if the provider does not say. */
  used: number | null;
  /** Credits that are never spent. */
  reserve: number;
  /** Start of the known period, in epoch milliseconds, and the credits left then. */
  from: number;
  atStart: number;
}

export interface Spending {
  /** Credits for the next day, including what was saved so far. */
  allowance: number;
  /** Credits per day until the renewal. */
  perDay: number;
  /** Credits per day that picks needed recently. */
  usualPerDay: number;
}

/** Credits that are never spent, so that the key's owner can still try it by hand. */
export const reserve = 20;

/** Credits of a free key per month. */
const freeCredits = 500;

/** How far spending may be ahead of an even rate, in days: games are not spread evenly. */
const slackDays = 1;

/**
 * Returns the latest time of the next renewal. For a free key, that is the first of the month (UTC). For a subscription, it is a month
 * after the last one, because the provider does not say when.
 */
export function renewalAt({ remaining, used, from }: Omit<Budget, 'reserve'>, now: number): number {
  const date = new Date(now);
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  if (used === null || remaining + used <= freeCredits) return nextMonth;
  const monthLater = new Date(from).setUTCMonth(new Date(from).getUTCMonth() + 1);
  return Math.max(monthLater, now + day);
}

/** Returns what may be spent: an even rate until the renewal, at most a day's share ahead of it, and never the reserve. */
export function spending(budget: Budget, usualPerDay: number, now: number): Spending {
  const { remaining, reserve: kept, from, atStart } = budget;
  const left = Math.max(0, remaining - kept);
  const renewal = renewalAt(budget, now);
  const rate = Math.max(0, atStart - kept) / Math.max(1, renewal - from);
  const leftLater = rate * Math.max(0, renewal - now - day - slackDays * day);
  return {
    allowance: Math.floor(Math.max(0, Math.min(left, left - leftLater))),
    perDay: left / Math.max(1, (renewal - now) / day),
    usualPerDay,
  };
}

/** Credits kept for last calls before any go to earlier prices, as a multiple of the usual need: some days need more. */
const keptFor = 1.5;

/** Returns the credits of a day that closings leave for earlier prices. @param planned credits of planned closings */
export function spareCredits({ allowance, perDay, usualPerDay }: Spending, planned = 0): number {
  return Math.min(allowance, perDay) - keptFor * Math.max(planned, usualPerDay);
}

/** Spending if the provider does not report the remaining credits. */
export const unknownSpending: Spending = { allowance: 24, perDay: 24, usualPerDay: 24 };
