import { moneylineWays } from '../../games/sports.ts';
import { cancelled, type Outcome, ok } from '../../jobs/outcome.ts';
import type { Config } from '../../platform/config/config.ts';
import { type AppliedReports, applyReports, type EventReport } from '../apply-reports.ts';
import { notifyWorkers } from '../notify-workers.ts';
import {
  fingerprint,
  forgetRuns,
  noteFacts,
  noteSources,
  type RunFacts,
  readRuns,
  recordRun,
  type SourceRun,
} from '../runs.ts';
import { account, accountRun, type OddsApiDeps } from './account.ts';
import { type Read, readEvents, readOdds, readScores, readSports } from './answers.ts';
import { type OddsApi, oddsApi, type Quota } from './client.ts';
import { accountFailed, feedFailed } from './failures.ts';
import { type Feed, feedsOf } from './feeds.ts';
import { marketKeys } from './pacing.ts';
import { wantedKeys } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** {@link OddsApiDeps} with or without a key. */
export type PollDeps = Omit<OddsApiDeps, 'config'> & { config: Config['sources']['oddsApi'] };

/**
 * Polls what is due at The Odds API: the sports in season and their events, which are free, and prices and scores within the budget of
 * credits. The state is in `source_runs`, so a restart repeats nothing.
 */
export async function pollOddsApi({ config, ...rest }: PollDeps): Promise<Outcome> {
  const { database, closing } = rest;
  const { key, url } = config;
  if (key === undefined) {
    await forgetRuns(database, account, []);
    return cancelled('ODDS_API_KEY is not set');
  }
  const deps = { ...rest, config: { ...config, key } };
  const client = oddsApi({ url, key, signal: closing });
  if (!(await renewSeason(deps, client))) return cancelled('the provider is to be left alone for now');
  const asked = new Set<string>();
  let failed = 0;
  // After two failures the provider is down: the rest would only time out.
  while (failed < 2 && !closing.aborted) {
    const runs = await readRuns(database, account);
    // The next request knows the credits that this one left.
    const due = (await planned(deps, runs)).find(({ source }) => !asked.has(source));
    if (due === undefined) break;
    asked.add(due.source);
    const outcome = await askFeed(deps, client, due, runs.get(due.source));
    if (outcome === 'stop') break;
    failed += outcome === 'failed' ? 1 : 0;
  }
  return ok({ asked: asked.size, failed });
}

/** The feeds that are due, longest waiting first. Records the next poll of the others. */
async function planned(deps: OddsApiDeps, runs: ReadonlyMap<string, SourceRun>): Promise<Feed[]> {
  const now = deps.clock.now();
  const due: Feed[] = [];
  for (const feed of await feedsOf(deps, runs)) {
    const before = runs.get(feed.source)?.nextAt ?? null;
    if (feed.dueAt !== null && feed.dueAt <= now) due.push(feed);
    else if (isOtherPlan(before, feed.dueAt))
      await noteFacts(deps.database, feed.source, { nextAt: feed.dueAt });
  }
  const lastAt = ({ source }: Feed) => runs.get(source)?.ranAt ?? 0;
  return due.sort((a, b) => lastAt(a) - lastAt(b) || (a.source < b.source ? -1 : 1));
}

/** Plans shift by seconds all the time; smaller changes are not written. */
function isOtherPlan(before: number | null, after: number | null): boolean {
  return before === null || after === null ? before !== after : Math.abs(before - after) > minute;
}

/**
 * Polls the sports in season, once an hour.
 * @returns false while backing off
 */
async function renewSeason(deps: OddsApiDeps, client: OddsApi): Promise<boolean> {
  const { config, database, clock } = deps;
  const now = clock.now();
  const keyHash = fingerprint(config.key);
  const run = await accountRun(database);
  if (run !== undefined && run.keyHash === keyHash && run.nextAt !== null && run.nextAt > now) return run.ok;
  try {
    const { body, quota } = await client.ask('sports');
    const season = readSports(body);
    const wanted = wantedKeys(config.sports, season.items);
    const feeds = wanted.flatMap((key) => [
      `${account}/${key}/events`,
      `${account}/${key}/odds`,
      `${account}/${key}/scores`,
    ]);
    await forgetRuns(database, `${account}/`, feeds);
    await noteSources(database, feeds, now);
    await recordRun(database, account, now, true, seasonSentence(wanted, quota), {
      nextAt: now + hour,
      keyHash,
      ...quotaFacts(quota, run, now),
    });
    return true;
  } catch (error) {
    if (deps.closing.aborted) return false;
    return (await accountFailed(deps, error, run, keyHash)) !== 'stop';
  }
}

function seasonSentence(wanted: readonly string[], { remaining }: Quota): string {
  const left = remaining === null ? '' : `; ${remaining} credits are left`;
  return `${wanted.length === 0 ? 'None of the sports is in season' : `In season: ${wanted.join(', ')}`}${left}.`;
}

/** The credits to record. More than before means that they were reset: a new period begins. */
function quotaFacts({ remaining, used }: Quota, before: SourceRun | undefined, now: number): RunFacts {
  if (remaining === null) return {};
  const isNew = before?.quotaRemaining == null || remaining > before.quotaRemaining;
  return {
    quotaRemaining: remaining,
    quotaUsed: used,
    ...(isNew ? { quotaFrom: now, quotaAtStart: remaining } : {}),
  };
}

async function askFeed(
  deps: OddsApiDeps,
  client: OddsApi,
  feed: Feed,
  run: SourceRun | undefined,
): Promise<'done' | 'failed' | 'stop'> {
  const { database, clock, config } = deps;
  const { source, key, sport } = feed;
  try {
    const { body, quota } = await client.ask(`sports/${key}/${feed.kind}`, query(feed, config));
    const now = clock.now();
    // Costs credits even when it is unreadable.
    await noteFacts(database, account, quotaFacts(quota, await accountRun(database), now));
    const read = await readFeed(deps, feed, body, now);
    const taken = await applyReports(database, `${account}/${key}`, sport, read.items, now);
    await notifyWorkers(deps.enqueue, taken);
    await recordRun(database, source, now, true, sentence(taken, read), { nextAt: null }, taken.leftOut);
    return 'done';
  } catch (error) {
    if (deps.closing.aborted) return 'stop';
    return feedFailed(deps, source, error, run);
  }
}

function query({ kind }: Feed, { regions, bookmakers }: OddsApiDeps['config']): Record<string, string> {
  if (kind === 'events') return {};
  if (kind === 'scores') return { daysFrom: '3' };
  const books: Record<string, string> =
    bookmakers.length > 0 ? { bookmakers: bookmakers.join(',') } : { regions: regions.join(',') };
  return { ...books, markets: marketKeys.join(','), oddsFormat: 'american' };
}

async function readFeed(
  { database }: OddsApiDeps,
  { kind, sport }: Feed,
  body: unknown,
  now: number,
): Promise<Read<EventReport>> {
  if (kind === 'events') return readEvents(body);
  if (kind === 'scores') return readScores(body);
  return readOdds(body, (await moneylineWays(database)).get(sport) ?? 2, now);
}

function sentence(taken: AppliedReports, { unreadable, example }: Read<EventReport>): string {
  const { events, leftOut: _, ...counts } = taken;
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const said = [`${events} events`, ...parts.map(([what, count]) => `${count} ${what}`)].join(', ');
  return unreadable === 0 ? `${said}.` : `${said}; ${unreadable} could not be read: ${example}.`;
}
