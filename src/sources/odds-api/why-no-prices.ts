import { iso } from '../../platform/clock.ts';
import { readRuns } from '../runs.ts';
import { account, type OddsApiDeps } from './account.ts';
import { reserve } from './budget.ts';
import { expectedOf } from './expected.ts';
import { horizonMs } from './plan.ts';

/** Why prices were asked for of none of the sports in season, in a sentence; undefined where some were, or a request failed. */
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
  if (starts.length === 0) return 'No prices were asked for: no game is to come.';
  const next = Math.min(...starts);
  if (next - now > horizonMs)
    return `No prices were asked for: they are from 24 hours before a start, and the next one is at ${iso(next)}.`;
  const left = runs.get(account)?.quotaRemaining;
  return left == null
    ? 'No prices were asked for: it does not say how many credits are left, and none are planned to be spent now.'
    : `No prices were asked for: ${left} credits are left, of which ${reserve} are kept, and the others are for the minutes before starts with picks.`;
}
