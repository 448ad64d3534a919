import { markets } from '../../rules/markets/index.ts';
import { playerMarkets } from '../../rules/markets/player-markets.ts';
import { Unanswered } from '../http.ts';
import { backoffMs, fingerprint, recordRun, type SourceRun, updateRun } from '../runs.ts';
import { account, accountRun, type OddsApiDeps } from './account.ts';
import { recordCall } from './calls.ts';
import { Refused } from './client.ts';
import type { Request } from './requests.ts';

const hour = 3_600_000;

const everyKey = [...markets, ...playerMarkets].flatMap(({ oddsApi: { key, alternates } }) =>
  [key, alternates ?? []].flat(),
);

/** Records a failed request and backs off. */
export async function feedFailed(
  deps: OddsApiDeps,
  { source, kind, key, call }: Request,
  error: unknown,
  run: SourceRun | undefined,
): Promise<'failed' | 'stop'> {
  if (!(error instanceof Refused || error instanceof Unanswered)) throw error;
  const { database, clock, log } = deps;
  const reason = error instanceof Refused ? error.kind : 'server';
  const now = clock.now();
  const keyHash = fingerprint(deps.config.key);
  const message = `The Odds API: ${error.message}.`;
  if (reason === 'key' || reason === 'rate')
    return accountFailed(deps, error, await accountRun(database), keyHash);
  if (reason === 'plan') {
    // Not a failure: recorded once, and not requested again with this key.
    await recordRun(database, source, now, true, `${message} Missed closings are not repaired.`, {
      nextAt: null,
      keyHash,
    });
    return 'failed';
  }
  log.warn({ source, err: error.message }, 'provider feed failed: retrying with backoff');
  // Skips the other requests that cost credits.
  if (reason === 'credits') await updateRun(database, account, { quotaRemaining: 0 });
  const isRefused = reason === 'unknown' || reason === 'request';
  if (isRefused && call !== null && kind !== 'odds') {
    // Other events may succeed. This one is not requested again; an unknown event is not requested for other markets either.
    const asked = reason === 'unknown' ? everyKey : call.markets;
    await recordCall(database, { ...call, key, markets: asked, at: now, credits: 0 });
    await recordRun(database, source, now, false, message, { nextAt: null });
    return 'failed';
  }
  const soon = backoffMs((run?.failures ?? 0) + 1);
  // A wrong request stays wrong for a while, and an unreadable answer has cost credits.
  const away = isRefused
    ? 6 * hour
    : reason === 'nonsense' && kind !== 'events'
      ? Math.max(soon, hour)
      : soon;
  await recordRun(database, source, now, false, message, { nextAt: now + away });
  return 'failed';
}

/** Records a failure of the account, which stops all feeds. */
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
    kind === 'key' ? now + 6 * hour : now + Math.max(retryAfter, backoffMs((run?.failures ?? 0) + 1));
  const consequence =
    kind === 'key'
      ? ' The key is not accepted: correct ODDS_API_KEY. Until then it is retried every 6 hours.'
      : '';
  log.error({ source: account, err: error.message }, 'provider account failed: its feeds are not polled');
  await recordRun(database, account, now, false, `The Odds API: ${error.message}.${consequence}`, {
    nextAt,
    keyHash,
  });
  return 'stop';
}
