import { iso } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import type { Database } from '../../platform/database.ts';
import { marketIn } from '../../rules/markets/index.ts';
import type { PollDeps, SourceSettings } from '../poll-deps.ts';
import { readRuns, type SourceRun } from '../runs.ts';

/** Name of the account's row, and prefix of its feeds' rows. */
export const account = 'odds-api';

export type OddsApiSettings = SourceSettings['oddsApi'];

export type OddsApiDeps = PollDeps<OddsApiSettings & { readonly key: string }>;

export async function accountRun(database: Database): Promise<SourceRun | undefined> {
  return (await readRuns(database, account)).get(account);
}

const day = 86_400_000;

/** How far ahead calls are planned, in ms: the starts of a day share its credits. */
export const horizonMs = day;

/** Credits of a key in the provider's period. */
export interface Budget {
  remaining: number;
  /** Credits used in the period; null if the provider does not say. */
  used: number | null;
  /** Start of the known period, and the credits left then. */
  from: EpochMs;
  atStart: number;
}

/** The credits of the account, as its run keeps them. */
export type QuotaOfRun = Pick<SourceRun, 'quotaRemaining' | 'quotaUsed' | 'quotaFrom' | 'quotaAtStart'>;

/** Returns the credits of the account; undefined if the provider does not report them. */
export function budgetOf(run: QuotaOfRun | undefined): Budget | undefined {
  if (run?.quotaRemaining == null || run.quotaFrom === null || run.quotaAtStart === null) return undefined;
  return {
    remaining: run.quotaRemaining,
    used: run.quotaUsed,
    from: run.quotaFrom,
    atStart: run.quotaAtStart,
  };
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
export function renewalAt({ remaining, used, from }: Budget, now: number): number {
  const date = new Date(now);
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  if (used === null || remaining + used <= freeCredits) return nextMonth;
  const monthLater = new Date(from).setUTCMonth(new Date(from).getUTCMonth() + 1);
  return Math.max(monthLater, now + day);
}

/** Returns what may be spent: an even rate until the renewal, at most a day's share ahead of it, and never the reserve. */
export function spending(budget: Budget, usualPerDay: number, now: number): Spending {
  const { remaining, from, atStart } = budget;
  const left = Math.max(0, remaining - reserve);
  const renewal = renewalAt(budget, now);
  const rate = Math.max(0, atStart - reserve) / Math.max(1, renewal - from);
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

/** Purpose of a request for prices, as in the comment on `odds_api_calls.purpose`. */
export type Purpose = 'closing' | 'earlier' | 'repair';

/** A request for prices. Instants in epoch milliseconds. */
export interface MadeCall {
  at: number;
  key: string;
  eventId: string | null;
  markets: readonly string[];
  /** The requested past instant; null: the present. */
  snapshotAt: number | null;
  purpose: Purpose;
  credits: number;
}

/** Records a request, and deletes those older than 40 days. */
export async function recordCall(database: Database, call: MadeCall): Promise<void> {
  await database('odds_api_calls').insert({
    at: iso(call.at),
    sport_key: call.key,
    event_id: call.eventId,
    markets: [...call.markets],
    snapshot_at: call.snapshotAt === null ? null : iso(call.snapshotAt),
    purpose: call.purpose,
    credits: call.credits,
  });
  await database('odds_api_calls')
    .where('at', '<', new Date(call.at - 40 * day))
    .delete();
}

/** Requests of the last day, by subject and market. */
export interface Asked {
  /** When a market's current prices were last requested, in epoch milliseconds; null: not within a day. */
  at(key: string, eventId: string | null, market: string): number | null;
  /** Credits per day for last calls and repairs, over the last week. */
  usualPerDay: number;
}

export async function readAsked(database: Database, now: number): Promise<Asked> {
  const { rows }: { rows: { key: string; eventId: string | null; market: string; at: number }[] } =
    await database.raw(
      `select c.sport_key as key, c.event_id as "eventId", m.market, max(c.at) as at
       from odds_api_calls c cross join lateral unnest(c.markets) m (market)
       where c.at > ? and c.snapshot_at is null group by 1, 2, 3`,
      [new Date(now - day)],
    );
  const at = new Map(rows.map((row) => [subject(row.key, row.eventId, row.market), row.at]));
  const { rows: spent }: { rows: { credits: number; since: number | null }[] } = await database.raw(
    `select coalesce(sum(credits), 0)::int as credits, min(at) as since from odds_api_calls
     where at > ? and purpose <> 'earlier'`,
    [new Date(now - 7 * day)],
  );
  const { credits, since } = spent[0]!;
  return {
    at: (key, eventId, market) => at.get(subject(key, eventId, market)) ?? null,
    usualPerDay: since === null ? 0 : credits / Math.max(1, (now - since) / day),
  };
}

function subject(key: string, eventId: string | null, market: string): string {
  return `${key} ${eventId ?? ''} ${market}`;
}

/** Returns the past prices requested within the last four days, as `key market instant`. */
export async function readRepairs(database: Database, now: number): Promise<Set<string>> {
  const { rows }: { rows: { key: string; market: string; at: number }[] } = await database.raw(
    `select c.sport_key as key, m.market, c.snapshot_at as at
     from odds_api_calls c cross join lateral unnest(c.markets) m (market)
     where c.at > ? and c.snapshot_at is not null`,
    [new Date(now - 4 * day)],
  );
  return new Set(rows.map(({ key, market, at }) => `${key} ${market} ${at}`));
}

export interface BetToAsk {
  gameId: number;
  sport: string;
  market: string;
  startsAt: EpochMs;
}

/**
 * Returns when the service asks The Odds API for prices of bets, if they are posted now: at once, or a day before the start, or when new credits
 * come if none are left for more than closings. Null: never, because it lacks the game or market, or new credits come after the start.
 * @returns epoch milliseconds, in the order of the bets
 */
export async function whenAsked(
  database: Database,
  bets: readonly BetToAsk[],
  now: number,
): Promise<(number | null)[]> {
  // The public site's login reads no other columns.
  const run: QuotaOfRun | undefined = await database('source_runs')
    .where('source', account)
    .first(inCamelCase('quota_remaining quota_used quota_from quota_at_start'));
  if (run === undefined || bets.length === 0) return bets.map(() => null);
  const listed = new Set<number>(
    await database('source_events')
      .whereRaw('game_id = any(?::bigint[]) and starts_with(source, ?)', [
        bets.map(({ gameId }) => gameId),
        `${account}/`,
      ])
      .pluck('game_id'),
  );
  const budget = budgetOf(run);
  const { usualPerDay } = await readAsked(database, now);
  const isPayable = budget === undefined || spareCredits(spending(budget, usualPerDay, now)) >= 1;
  const payableAt = isPayable ? now : renewalAt(budget, now);
  return bets.map(({ gameId, sport, market, startsAt }) => {
    if (!listed.has(gameId) || marketIn(sport, market)?.oddsApi === undefined) return null;
    const at = Math.max(payableAt, startsAt - horizonMs);
    return at < startsAt ? at : null;
  });
}
