import type { Clock } from '../../clock.ts';
import type { Database } from '../../database.ts';
import { moneylineWays } from '../../games/sports.ts';
import type { Enqueue } from '../../jobs/enqueue.ts';
import type { Outcome } from '../../jobs/job.ts';
import type { Logger } from '../../logger.ts';
import type { Settings } from '../../settings.ts';
import { Unanswered } from '../http.ts';
import {
  backoffMs,
  fingerprint,
  forgetRuns,
  noteFacts,
  noteSources,
  type RunFacts,
  readRuns,
  recordRun,
  type SourceRun,
} from '../runs.ts';
import { type EventReport, type TakenIn, takeIn } from '../take-in.ts';
import { tellWorkers } from '../tell-workers.ts';
import { type Read, readEvents, readOdds, readScores, readSports } from './answers.ts';
import { type OddsApi, oddsApi, type Quota, Refused } from './client.ts';
import { type Expected, expectedOf } from './expected.ts';
import { type Budget, markets, oddsDueAt, quotaResetAt, scoresDueAt } from './pacing.ts';
import { sportOf, wantedKeys } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The row of the account itself, and where the rows of its feeds begin. */
const account = 'odds-api';

export interface OddsApiDeps {
  settings: Pick<
    Settings,
    'ODDS_API_KEY' | 'ODDS_API_URL' | 'ODDS_API_SPORTS' | 'ODDS_API_REGIONS' | 'ODDS_API_RESERVE'
  >;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  log: Logger;
  /** Aborted when the process closes. */
  closing: AbortSignal;
}

/** What one kind of question needs to know to be asked. */
interface Feed {
  source: string;
  key: string;
  sport: string;
  kind: 'events' | 'odds' | 'scores';
  /** Epoch milliseconds; null: nothing to ask. */
  dueAt: number | null;
}

/**
 * Asks The Odds API for whatever is due: the sports in season and their events, which are free, and prices and scores as far as the
 * credits go. What is done is kept in `source_runs`, so that a restart asks nothing twice.
 */
export async function pollOddsApi(deps: OddsApiDeps): Promise<Outcome> {
  const { settings, database, closing } = deps;
  if (settings.ODDS_API_KEY === '') {
    await forgetRuns(database, account, []);
    return { configured: false };
  }
  const client = oddsApi({ url: settings.ODDS_API_URL, key: settings.ODDS_API_KEY, signal: closing });
  if (!(await renewSeason(deps, client))) return { waiting: true };
  const asked = new Set<string>();
  let failed = 0;
  // After two failures it is down: the rest would only wait for their time-outs.
  while (failed < 2 && !closing.aborted) {
    const runs = await readRuns(database, account);
    // What was spent a moment ago is known to the next question.
    const due = (await planned(deps, runs)).find(({ source }) => !asked.has(source));
    if (due === undefined) break;
    asked.add(due.source);
    const outcome = await askFeed(deps, client, due, runs.get(due.source));
    if (outcome === 'stop') break;
    failed += outcome === 'failed' ? 1 : 0;
  }
  return { asked: asked.size, failed };
}

/** The feeds that are due, the one that has waited longest first; of the others it is noted when they will be. */
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

/** Credits and starts move a plan by seconds all the time: that is not worth a write. */
function isOtherPlan(before: number | null, after: number | null): boolean {
  return before === null || after === null ? before !== after : Math.abs(before - after) > minute;
}

/**
 * Asks which sports are in season, once an hour.
 * @returns false while the provider is to be left alone
 */
async function renewSeason(deps: OddsApiDeps, client: OddsApi): Promise<boolean> {
  const { settings, database, clock } = deps;
  const now = clock.now();
  const keyHash = fingerprint(settings.ODDS_API_KEY);
  const run = await accountRun(database);
  if (run !== undefined && run.keyHash === keyHash && run.nextAt !== null && run.nextAt > now) return run.ok;
  try {
    const { body, quota } = await client.ask('sports');
    const season = readSports(body);
    const wanted = wantedKeys(settings.ODDS_API_SPORTS.split(' '), season.items);
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

async function accountRun(database: Database): Promise<SourceRun | undefined> {
  return (await readRuns(database, account)).get(account);
}

function seasonSentence(wanted: readonly string[], { remaining }: Quota): string {
  const left = remaining === null ? '' : `; ${remaining} credits are left`;
  return `${wanted.length === 0 ? 'None of the sports is in season' : `In season: ${wanted.join(', ')}`}${left}.`;
}

/** What to remember of the credits: where there are more than before they were given anew, and the count begins anew too. */
function quotaFacts({ remaining, used }: Quota, before: SourceRun | undefined, now: number): RunFacts {
  if (remaining === null) return {};
  const isNew = before?.quotaRemaining == null || remaining > before.quotaRemaining;
  return {
    quotaRemaining: remaining,
    quotaUsed: used,
    ...(isNew ? { quotaFrom: now, quotaAtStart: remaining } : {}),
  };
}

async function feedsOf(deps: OddsApiDeps, runs: ReadonlyMap<string, SourceRun>): Promise<Feed[]> {
  const now = deps.clock.now();
  const keys = [...runs.keys()].flatMap((source) => /^odds-api\/([^/]+)\/odds$/.exec(source)?.[1] ?? []);
  const budget = budgetOf(deps.settings, runs.get(account), keys.length);
  const expected = await expectedOf(deps.database, account, now);
  return keys.flatMap((key) => {
    const sport = sportOf(key);
    return sport === undefined
      ? []
      : feedsOfSport(key, sport, runs, budget, expected.get(`${account}/${key}`), now);
  });
}

function budgetOf(
  { ODDS_API_REGIONS, ODDS_API_RESERVE: reserve }: OddsApiDeps['settings'],
  run: SourceRun | undefined,
  sports: number,
): Budget | null {
  if (run?.quotaRemaining == null || run.quotaFrom === null || run.quotaAtStart === null) return null;
  return {
    remaining: run.quotaRemaining,
    reserve,
    from: run.quotaFrom,
    atStart: run.quotaAtStart,
    cost: markets.length * ODDS_API_REGIONS.split(',').length,
    sports,
  };
}

function feedsOfSport(
  key: string,
  sport: string,
  runs: ReadonlyMap<string, SourceRun>,
  budget: Budget | null,
  expected: Expected | undefined,
  now: number,
): Feed[] {
  const nextStart = expected?.nextStart ?? null;
  const over = expected?.overSince ?? null;
  const feed = (kind: Feed['kind'], due: (lastAt: number | null) => number | null): Feed => {
    const source = `${account}/${key}/${kind}`;
    const run = runs.get(source);
    // One that failed is asked as if it never had been, once it has been left alone for long enough.
    const failed = run?.ok === false;
    const wanted = due(failed ? null : (run?.ranAt ?? null));
    const held = failed ? (run.nextAt ?? 0) : 0;
    return { source, key, sport, kind, dueAt: wanted === null ? null : Math.max(held, wanted) };
  };
  const near = nextStart !== null && nextStart - now < 2 * hour;
  return [
    feed('events', (lastAt) => (lastAt === null ? now : lastAt + (near ? 5 : 15) * minute)),
    feed('odds', (lastAt) => oddsDueAt(budget, lastAt, nextStart, now)),
    feed('scores', (lastAt) => (over === null ? null : scoresDueAt(budget, lastAt, over, now))),
  ];
}

async function askFeed(
  deps: OddsApiDeps,
  client: OddsApi,
  feed: Feed,
  run: SourceRun | undefined,
): Promise<'done' | 'failed' | 'stop'> {
  const { database, clock, settings } = deps;
  const { source, key, sport } = feed;
  try {
    const { body, quota } = await client.ask(`sports/${key}/${feed.kind}`, query(feed, settings));
    const now = clock.now();
    // Paid for, whether or not it can be read.
    await noteFacts(database, account, quotaFacts(quota, await accountRun(database), now));
    const read = await readFeed(deps, feed, body, now);
    const taken = await takeIn(database, `${account}/${key}`, sport, read.items, now);
    await tellWorkers(deps.enqueue, taken);
    await recordRun(database, source, now, true, sentence(taken, read), { nextAt: null });
    return 'done';
  } catch (error) {
    if (deps.closing.aborted) return 'stop';
    return feedFailed(deps, source, error, run);
  }
}

function query({ kind }: Feed, settings: OddsApiDeps['settings']): Record<string, string> {
  if (kind === 'events') return {};
  if (kind === 'scores') return { daysFrom: '3' };
  return { regions: settings.ODDS_API_REGIONS, markets: markets.join(','), oddsFormat: 'american' };
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

function sentence(taken: TakenIn, { unreadable, example }: Read<EventReport>): string {
  const { events, ...counts } = taken;
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const said = [`${events} events`, ...parts.map(([what, count]) => `${count} ${what}`)].join(', ');
  return unreadable === 0 ? `${said}.` : `${said}; ${unreadable} could not be read: ${example}.`;
}

async function feedFailed(
  deps: OddsApiDeps,
  source: string,
  error: unknown,
  run: SourceRun | undefined,
): Promise<'failed' | 'stop'> {
  if (!(error instanceof Refused || error instanceof Unanswered)) throw error;
  const { database, clock, log } = deps;
  const kind = error instanceof Refused ? error.kind : 'server';
  if (kind === 'key' || kind === 'credits' || kind === 'rate') {
    return accountFailed(deps, error, await accountRun(database), fingerprint(deps.settings.ODDS_API_KEY));
  }
  const now = clock.now();
  const soon = backoffMs((run?.failures ?? 0) + 1);
  // What is wrong with the question itself does not right itself within minutes, and nonsense may have been paid for.
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

/** What concerns the account stops all of it. */
async function accountFailed(
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
