const day = 86_400_000;

/** Credits of a key in the provider's period. */
export interface Budget {
  /** Credits left. */
  remaining: number;
  /** Credits used in the period; null: the provider does not say. */
  used: number | null;
  /** Credits that are never spent. */
  reserve: number;
  /** Since when the period is known, in epoch milliseconds, and the credits that were left then. */
  from: number;
  atStart: number;
}

/** What planning may spend. */
export interface Spending {
  /** Credits for the next day, what was saved so far included. */
  allowance: number;
  /** Credits a day until new ones come. */
  perDay: number;
  /** Credits a day that picks have needed lately. */
  usualPerDay: number;
}

/** Credits that are never spent, so that the owner of the key can still try it by hand. */
export const reserve = 20;

/** The largest number of credits that comes without a subscription. */
const freeCredits = 500;

/** How far spending may be ahead of an even rate, in days: games are not spread evenly. */
const slackDays = 1;

/**
 * When new credits come, at the latest: those of a free key on the first of the month, UTC, those of a subscription a month after the last
 * ones (the provider does not say when).
 */
export function renewalAt({ remaining, used, from }: Omit<Budget, 'reserve'>, now: number): number {
  const date = new Date(now);
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  if (used === null || remaining + used <= freeCredits) return nextMonth;
  const monthLater = new Date(from).setUTCMonth(new Date(from).getUTCMonth() + 1);
  return Math.max(monthLater, now + day);
}

/** What may be spent from now on: an even rate until new credits come, a day's share ahead of it at most, never the reserve. */
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

/** What may be spent where the provider does not say what is left. */
export const unknownSpending: Spending = { allowance: 24, perDay: 24, usualPerDay: 24 };
