import { Unanswered } from '../http.ts';
import { backoffMs, fingerprint, recordRun, type SourceRun } from '../runs.ts';
import { account, accountRun, type OddsApiDeps } from './account.ts';
import { Refused } from './client.ts';
import { quotaResetAt } from './pacing.ts';

const hour = 3_600_000;

/** Records a feed's failure and backs off. */
export async function feedFailed(
  deps: OddsApiDeps,
  source: string,
  error: unknown,
  run: SourceRun | undefined,
): Promise<'failed' | 'stop'> {
  if (!(error instanceof Refused || error instanceof Unanswered)) throw error;
  const { database, clock, log } = deps;
  const kind = error instanceof Refused ? error.kind : 'server';
  if (kind === 'key' || kind === 'credits' || kind === 'rate') {
    return accountFailed(deps, error, await accountRun(database), fingerprint(deps.config.key));
  }
  const now = clock.now();
  const soon = backoffMs((run?.failures ?? 0) + 1);
  // A wrong request stays wrong for minutes, and an unreadable answer may have cost credits.
  const away =
    kind === 'unknown' || kind === 'request'
      ? 6 * hour
      : kind === 'nonsense' && !source.endsWith('/events')
        ? Math.max(soon, hour)
        : soon;
  log.warn({ source, err: error.message }, 'provider feed failed');
  await recordRun(database, source, now, false, `The Odds API: ${error.message}.`, { nextAt: now + away });
  return 'failed';
}

/** Failures of the account stop all feeds. */
export async function accountFailed(
  { database, clock, log }: OddsApiDeps,
  error: unknown,
  run: SourceRun | undefined,
  keyHash: string,
): Promise<'failed' | 'stop'> {
  if (!(error instanceof Refused || error instanceof Unanswered)) throw error;
  const now = clock.now();
  const kind = error instanceof Refused ? error.kind : 'server';
  const retryAfter = error instanceof Refused ? (error.retryAfterMs ?? 0) : 0;
  const nextAt =
    kind === 'key'
      ? now + 6 * hour
      : kind === 'credits'
        ? Math.min(quotaResetAt(now), now + 6 * hour)
        : now + Math.max(retryAfter, backoffMs((run?.failures ?? 0) + 1));
  const consequence =
    kind === 'key'
      ? ' The key is not accepted: nothing is asked until ODDS_API_KEY is set right; it is tried again every 6 hours.'
      : kind === 'credits'
        ? ' No credits are left.'
        : '';
  log.error({ source: account, err: error.message }, 'provider account failed');
  await recordRun(database, account, now, false, `The Odds API: ${error.message}.${consequence}`, {
    nextAt,
    keyHash,
  });
  return 'stop';
}
