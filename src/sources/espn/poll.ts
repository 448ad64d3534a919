import { gradeDueJob } from '../../jobs/grading.ts';
import { cancelled, type Outcome, ok } from '../../jobs/job.ts';
import { seal } from '../../jobs/sealing.ts';
import { retryAfter } from '../../platform/retry-after.ts';
import { LeftOutCounts } from '../answer.ts';
import { type AppliedReports, applyReports } from '../apply-reports.ts';
import { type Got, get, Unanswered } from '../http.ts';
import { openGamesOf } from '../open-games.ts';
import type { PollDeps, SourceSettings } from '../poll-deps.ts';
import {
  backoffMs,
  forgetRuns,
  noteSources,
  type RunFields,
  readRuns,
  recordRun,
  type SourceRun,
  updateRun,
} from '../runs.ts';
import { notifyWorkers } from '../settle.ts';
import { type FullAnswer, noteVanished } from '../vanished.ts';
import { maxListed, OtherShape, readScoreboard } from './answers.ts';
import { applyBox, boxGamesOf, hasBoxes } from './boxes.ts';
import { leaguesOf } from './leagues.ts';
import { type Feed, feedsOf } from './plan.ts';
import { espnSource } from './source.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Feeds polled per run. The rest is due in the next one. */
const maxFeeds = 6;
/** Failures in a row after which an unknown shape turns a league off, and the time until the next attempt. */
const maxFailures = 5;
const offMs = 6 * hour;

export type EspnDeps = PollDeps<SourceSettings['espn']>;

/** Thrown if ESPN refuses requests. */
class Blocked extends Error {
  override name = 'Blocked';
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Polls ESPN: schedules of the coming days, days with running games or pending picks, and box scores of games with picks on players. Makes
 * one request at a time. A league whose answers have an unknown shape turns itself off, and is retried every six hours.
 */
export async function pollEspn(deps: EspnDeps): Promise<Outcome> {
  const { config, database, clock, closing } = deps;
  const { name } = espnSource;
  const leagues = leaguesOf(config.leagues);
  if (leagues.length === 0) {
    await forgetRuns(database, name, []);
    return cancelled('ESPN_LEAGUES is not set');
  }
  const now = clock.now();
  const sources = leagues.flatMap(({ key, sport }) => [
    `${name}/${key}/schedule`,
    `${name}/${key}/scores`,
    ...(hasBoxes(sport) ? [`${name}/${key}/boxes`] : []),
  ]);
  await forgetRuns(database, `${name}/`, sources);
  const before = await readRuns(database, name);
  await noteSources(
    database,
    [name, ...sources].filter((source) => !before.has(source)),
    now,
  );
  const runs = await readRuns(database, name);
  const account = runs.get(name);
  if (account?.ok === false && (account.nextAt ?? 0) > now)
    return cancelled('backing off after ESPN refused requests');
  const open = await openGamesOf(database, `${name}/`, now);
  const boxes = await boxGamesOf(database, `${name}/`, now);
  const feeds = leagues.flatMap((league) => {
    const key = `${name}/${league.key}`;
    return feedsOf(league, runs, open.get(key) ?? [], boxes.get(key) ?? [], now);
  });
  const due = feeds.filter(({ dueAt }) => dueAt !== null && dueAt <= now);
  for (const feed of feeds)
    if (!due.includes(feed) && isOtherPlan(runs.get(feed.source)?.nextAt ?? null, feed.dueAt))
      await updateRun(database, feed.source, { nextAt: feed.dueAt });
  const lastAt = ({ source }: Feed) => runs.get(source)?.ranAt ?? 0;
  due.sort((a, b) => lastAt(a) - lastAt(b) || (a.source < b.source ? -1 : 1));
  const outcomes: string[] = [];
  for (const feed of due.slice(0, maxFeeds)) {
    if (closing.aborted || outcomes.includes('blocked')) break;
    outcomes.push(await askFeed(deps, feed, runs.get(feed.source), account));
  }
  if (outcomes.includes('done') && !outcomes.includes('blocked'))
    await recordRun(
      database,
      name,
      clock.now(),
      true,
      `Leagues: ${leagues.map(({ key }) => key).join(', ')}.`,
      {
        nextAt: null,
      },
    );
  return ok({ asked: outcomes.length, failed: outcomes.filter((outcome) => outcome !== 'done').length });
}

/** Reports whether a plan changed by more than a minute. Smaller changes happen all the time and are not stored. */
function isOtherPlan(before: number | null, after: number | null): boolean {
  return before === null || after === null ? before !== after : Math.abs(before - after) > minute;
}

async function askFeed(
  deps: EspnDeps,
  feed: Feed,
  run: SourceRun | undefined,
  account: SourceRun | undefined,
): Promise<'done' | 'failed' | 'blocked'> {
  const { database, clock, closing, enqueue } = deps;
  const { source, league, dates } = feed;
  const base = `${espnSource.name}/${league.key}`;
  try {
    if (source === `${base}/boxes`) return await askBoxes(deps, feed);
    const leftOut = new LeftOutCounts();
    const sums = { events: 0, added: 0, moved: 0, postponed: 0, cancelled: 0, finals: 0, corrections: 0 };
    let fields: RunFields = {};
    let isChanged = false;
    for (const each of dates) {
      const answer = await ask(deps, feed, each, run);
      if (answer === undefined) {
        if (run?.ok === true) sums.postponed += await noteUnlisted(deps, feed, 'unchanged');
        continue;
      }
      const { events, eventIds, leftOut: unread } = readScoreboard(answer.body, league);
      leftOut.addAll(unread);
      fields = validators(answer.got, each);
      isChanged = true;
      const taken = await applyReports(database, base, league.sport, events, clock.now());
      leftOut.addAll(taken.leftOut);
      addTo(sums, taken);
      await notifyWorkers(enqueue, taken);
      sums.postponed += await noteUnlisted(deps, feed, eventIds);
    }
    const { events, ...counts } = sums;
    const parts = Object.entries(counts).filter(([, count]) => count > 0);
    const summary = [`${events} games`, ...parts.map(([what, count]) => `${count} ${what}`)].join(', ');
    const message = isChanged ? `${summary}.` : 'Unchanged.';
    await recordRun(
      database,
      source,
      clock.now(),
      true,
      message,
      { nextAt: null, ...fields },
      leftOut.counts(),
    );
    return 'done';
  } catch (error) {
    if (closing.aborted) return 'failed';
    return failed(deps, source, error, run, account);
  }
}

/** Requests the box scores of finished games. An unreadable one does not affect the others. */
async function askBoxes(deps: EspnDeps, { source, league, boxes }: Feed): Promise<'done' | 'failed'> {
  const { database, clock, closing, enqueue } = deps;
  const leftOut = new LeftOutCounts();
  let players = 0;
  let fault: OtherShape | undefined;
  for (const game of boxes) {
    if (closing.aborted) return 'failed';
    const url = new URL(`${deps.config.url}/apis/site/v2/sports/${league.path}/summary`);
    url.searchParams.set('event', game.eventId);
    try {
      const answer = await getJson(deps, url, {});
      const taken = await applyBox(database, game, answer?.body, clock.now());
      players += taken.players;
      if (taken.isNew) await enqueue.add(gradeDueJob, {});
      if (taken.corrections > 0) await enqueue.add(seal, {});
    } catch (error) {
      if (!(error instanceof OtherShape)) throw error;
      fault ??= error;
      leftOut.add('unreadable box score');
    }
  }
  if (fault !== undefined && leftOut.counts()['unreadable box score'] === boxes.length) throw fault;
  const message = `${boxes.length} box scores, statistics of ${players} players.`;
  await recordRun(database, source, clock.now(), true, message, { nextAt: null }, leftOut.counts());
  return 'done';
}

/**
 * Notes which games a schedule of the coming days omits (docs/rules/games.md#games-that-disappear). Answers with scores cannot show that,
 * because they cover past days.
 * @returns the number of games that now count as postponed
 */
async function noteUnlisted(
  { database, clock, enqueue }: EspnDeps,
  { source, league }: Feed,
  eventIds: FullAnswer['eventIds'] | undefined,
): Promise<number> {
  const base = `${espnSource.name}/${league.key}`;
  if (eventIds === undefined || source !== `${base}/schedule`) return 0;
  const now = clock.now();
  const postponed = await noteVanished(
    database,
    base,
    { from: now, to: now + league.aheadDays * 24 * hour, eventIds },
    now,
  );
  // Each one adds a remark to the log.
  await notifyWorkers(enqueue, { postponed, finals: 0, cancelled: 0, corrections: postponed });
  return postponed;
}

function addTo(sums: Record<string, number>, taken: AppliedReports): void {
  for (const field of Object.keys(sums)) sums[field] = sums[field]! + (taken[field as 'events'] ?? 0);
}

/** @returns undefined if nothing changed since the last request for the same days */
async function ask(
  deps: EspnDeps,
  { league }: Feed,
  dates: string,
  run: SourceRun | undefined,
): Promise<{ body: unknown; got: Got } | undefined> {
  const url = new URL(`${deps.config.url}/apis/site/v2/sports/${league.path}/scoreboard`);
  for (const [field, value] of Object.entries({ ...league.query, limit: String(maxListed), dates }))
    url.searchParams.set(field, value);
  const of = (validator: string | null | undefined) =>
    validator?.startsWith(`${dates} `) ? validator.slice(dates.length + 1) : undefined;
  const etag = of(run?.etag);
  const modified = of(run?.lastModified);
  return getJson(deps, url, {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(modified === undefined ? {} : { 'if-modified-since': modified }),
  });
}

/** @returns undefined if a conditional request shows no change */
async function getJson(
  { clock, closing }: EspnDeps,
  url: URL,
  validators: Readonly<Record<string, string>>,
): Promise<{ body: unknown; got: Got } | undefined> {
  const got = await get(url, {
    signal: closing,
    maxBytes: 24 * 2 ** 20,
    headers: { accept: 'application/json', ...validators },
  });
  if (got.status === 304) return undefined;
  if (got.status === 403 || got.status === 429)
    throw new Blocked(`the answer is ${got.status}`, retryAfter(got.headers, clock.now()) ?? 0);
  if (got.status >= 500) throw new Unanswered(`the answer is ${got.status}`);
  if (got.status !== 200) throw new OtherShape(`the answer is ${got.status}`);
  try {
    return { body: JSON.parse(got.text), got };
  } catch {
    throw new OtherShape('the answer is not JSON');
  }
}

/** Returns validators for a conditional request for the same days. */
function validators({ headers }: Got, dates: string): RunFields {
  const of = (value: string | undefined) => (value === undefined ? null : `${dates} ${value.slice(0, 150)}`);
  return { etag: of(headers.etag), lastModified: of(headers['last-modified']) };
}

async function failed(
  { database, clock, log }: EspnDeps,
  source: string,
  error: unknown,
  run: SourceRun | undefined,
  account: SourceRun | undefined,
): Promise<'failed' | 'blocked'> {
  const now = clock.now();
  const say = (message: string) => `${espnSource.title}: ${message}.`;
  if (error instanceof Blocked) {
    const wait = Math.min(15 * backoffMs((account?.failures ?? 0) + 1), offMs);
    log.warn({ source, err: error.message }, 'ESPN refuses requests: backing off');
    await recordRun(
      database,
      espnSource.name,
      now,
      false,
      say(`${error.message}, so requests pause for a while`),
      {
        nextAt: now + Math.max(wait, Math.min(error.retryAfterMs, 24 * hour)),
      },
    );
    return 'blocked';
  }
  if (!(error instanceof Unanswered || error instanceof OtherShape)) throw error;
  const failures = (run?.failures ?? 0) + 1;
  const isOff = error instanceof OtherShape && failures >= maxFailures;
  const off = isOff ? `; after ${failures} failures in a row it is off, and retried every 6 hours` : '';
  log.warn({ source, err: error.message }, 'provider feed failed: retrying with backoff');
  await recordRun(database, source, now, false, say(`${error.message}${off}`), {
    nextAt: now + (isOff ? offMs : backoffMs(failures)),
  });
  return 'failed';
}
