import { markets } from '../../rules/markets/index.ts';
import { playerMarkets } from '../../rules/markets/player-markets.ts';
import { Unanswered } from '../http.ts';
import { fingerprint, recordFailure, recordRun, type SourceRun, updateRun } from '../runs.ts';
import { Refused } from './client.ts';
import { account, accountRun, type OddsApiDeps, recordCall } from './credits.ts';
import type { Request } from './requests.ts';
import { oddsApiSource } from './source.ts';

const hour = 3_600_000;
const { title } = oddsApiSource;

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
  if (!(error instanceof Unanswered)) throw error;
  const { database, clock } = deps;
  const reason = error instanceof Refused ? error.kind : 'server';
  const now = clock.now();
  const message = `${title}: ${error.message}.`;
  if (reason === 'key' || reason === 'rate') return accountFailed(deps, error, await accountRun(database));
  if (reason === 'plan') {
    // Not a failure: recorded once, and not requested again with this key.
    const fields = { nextAt: null, keyHash: fingerprint(deps.config.key) };
    await recordRun(database, source, now, true, `${message} Missed closings are not repaired.`, fields);
    return 'failed';
  }
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
  // A wrong request stays wrong for a while, and an unreadable answer has cost credits.
  const leastMs = isRefused ? 6 * hour : reason === 'nonsense' && kind !== 'events' ? hour : 0;
  await recordFailure(deps, source, title, error, run, { leastMs });
  return 'failed';
}

/** Records a failure of the account, which stops all feeds. */
export async function accountFailed(
  deps: OddsApiDeps,
  error: unknown,
  run: SourceRun | undefined,
): Promise<'stop'> {
  const keyHash = fingerprint(deps.config.key);
  const consequence =
    '. The key is not accepted: correct ODDS_API_KEY. Until then it is retried every 6 hours';
  const isOfKey = error instanceof Refused && error.kind === 'key';
  await recordFailure(deps, account, title, error, run, {
    keyHash,
    ...(isOfKey ? { leastMs: 6 * hour, consequence } : {}),
  });
  return 'stop';
}
