import type { Database } from '../../platform/database.ts';
import { marketIn } from '../../rules/markets/index.ts';
import { account } from './account.ts';
import { renewalAt, spareCredits, spending } from './budget.ts';
import { readAsked } from './calls.ts';
import { horizonMs } from './plan.ts';
import { budgetOf, type QuotaOfRun } from './requests.ts';

export interface BetToAsk {
  gameId: number;
  sport: string;
  market: string;
  /** Epoch milliseconds. */
  startsAt: number;
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
  const run: QuotaOfRun | undefined = await database('source_runs').where('source', account).first({
    quotaRemaining: 'quota_remaining',
    quotaUsed: 'quota_used',
    quotaFrom: 'quota_from',
    quotaAtStart: 'quota_at_start',
  });
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
