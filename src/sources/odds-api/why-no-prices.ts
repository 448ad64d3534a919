import { iso } from '../../platform/clock.ts';
import { readRuns } from '../runs.ts';
import { account, type OddsApiDeps } from './account.ts';
import { reserve } from './budget.ts';
import { expectedOf } from './expected.ts';
import { horizonMs } from './plan.ts';

/** Explains in a sentence why no prices were requested for any sport in season; undefined if some were, or if a request failed. */
export async function whyNoPrices({
  database,
  clock,
}: Pick<OddsApiDeps, 'database' | 'clock'>): Promise<string | undefined> {
  const now = clock.now();
  const runs = await readRuns(database, account);
  const priced = [...runs.values()].filter(({ source }) => /\/(?:event-)?odds$/.test(source));
  if (priced.length === 0 || priced.some(({ ranAt }) => ranAt !== null)) return undefined;
  if ([...runs.values()].some(({ ok }) => !ok)) return undefined;
  const expected = await expectedOf(database, `${account}/`, new Set(), now);
  const keys = priced.map(({ source }) => source.replace(/\/[^/]+$/, ''));
  const starts = keys.flatMap((key) => expected.get(key)?.nextStart ?? []);
  if (starts.length === 0) return 'No prices were requested: no game is upcoming.';
  const next = Math.min(...starts);
  if (next - now > horizonMs)
    return `No prices were requested: requests begin 24 hours before a start, and the next start is at ${iso(next)}.`;
  const left = runs.get(account)?.quotaRemaining;
  return left == null
    ? 'No prices were requested: the provider does not report its credits, and none are planned to be spent now.'
    : `No prices were requested: ${left} credits are left, of which ${reserve} are kept, and the others are for the minutes before starts with picks.`;
}
