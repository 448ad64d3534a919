import { gradeDueJob, seal } from '../../jobs/declared.ts';
import { cancelled, type Outcome, ok } from '../../jobs/job.ts';
import type { Database } from '../../platform/database.ts';
import { addDays, etDay } from '../../rules/et-day.ts';
import { LeftOutCounts } from '../answer.ts';
import { Unanswered, Unreadable } from '../http.ts';
import { openGamesOf } from '../open-games.ts';
import {
  backoffMs,
  forgetRuns,
  isOtherPlan,
  noteSources,
  readRuns,
  recordRun,
  type SourceRun,
  updateRun,
} from '../runs.ts';
import { readRequests, remarksOn } from '../source-requests.ts';
import { askDays, Blocked, type EspnDeps, getJson, Refusal } from './ask.ts';
import { applyBox, boxGamesOf, hasBoxes } from './boxes.ts';
import { leaguesOf } from './leagues.ts';
import { askPastDays, pastFeed } from './past.ts';
import { type Feed, feedsOf, refusedForms } from './plan.ts';
import { espnSource } from './source.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Feeds polled per run. The rest is due in the next one. */
const maxFeeds = 40;
/** Failures in a row after which an unknown shape turns a league off, and the time until the next attempt. */
const maxFailures = 5;
const offMs = 6 * hour;

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
  sources.push(pastFeed);
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
  const requests = Map.groupBy(await readRequests(database, `${name}/`, now), ({ source }) => source);
  const feeds = leagues.flatMap((league) => {
    const key = `${name}/${league.key}`;
    return feedsOf(league, runs, requests.get(key) ?? [], open.get(key) ?? [], boxes.get(key) ?? [], now);
  });
  const due = feeds.filter(({ dueAt }) => dueAt !== null && dueAt <= now);
  for (const feed of feeds)
    if (!due.includes(feed) && isOtherPlan(runs.get(feed.source)?.nextAt ?? null, feed.dueAt))
      await updateRun(database, feed.source, { nextAt: feed.dueAt });
  const lastAt = ({ source }: Feed) => runs.get(source)?.ranAt ?? 0;
  due.sort((a, b) => lastAt(a) - lastAt(b) || (a.source < b.source ? -1 : 1));
  const outcomes: string[] = [];
  // After two requests without an answer ESPN is down: further ones would only time out.
  const isOver = () =>
    closing.aborted ||
    outcomes.includes('blocked') ||
    outcomes.filter((outcome) => outcome === 'unanswered').length > 1;
  for (const feed of due.slice(0, maxFeeds)) {
    if (isOver()) break;
    outcomes.push(await askFeed(deps, feed, runs.get(feed.source), account));
  }
  const past = runs.get(pastFeed);
  if ((past?.nextAt ?? 0) <= now && !isOver())
    await askPastDays(deps, leagues).catch(async (error) => {
      if (!closing.aborted) outcomes.push(await failed(deps, pastFeed, error, past, account));
    });
  if (outcomes.includes('done') && !outcomes.includes('blocked')) {
    const message = `Leagues: ${leagues.map(({ key }) => key).join(', ')}. ${await requestsText(database, now)}`;
    await recordRun(database, name, clock.now(), true, message, { nextAt: null });
  }
  return ok({ asked: outcomes.length, failed: outcomes.filter((outcome) => outcome !== 'done').length });
}

async function requestsText(database: Database, now: number): Promise<string> {
  const today = etDay(now);
  const rows: { day: string; requests: number }[] = await database('source_days')
    .whereRaw('starts_with(source, ?)', [`${espnSource.name}/`])
    .whereIn('day', [today, addDays(today, -1)])
    .groupBy('day')
    .select({ day: database.raw('day::text'), requests: database.raw('sum(requests)::int') });
  const on = (day: string) => rows.find((row) => row.day === day)?.requests ?? 0;
  return `Requests: ${on(today)} today, ${on(addDays(today, -1))} yesterday.`;
}

type Failure = 'failed' | 'unanswered' | 'blocked';

async function askFeed(
  deps: EspnDeps,
  feed: Feed,
  run: SourceRun | undefined,
  account: SourceRun | undefined,
): Promise<'done' | Failure> {
  const { database, clock, closing } = deps;
  const { source, base, forms } = feed;
  try {
    if (forms.length === 0) return await askBoxes(deps, feed);
    const leftOut = new LeftOutCounts();
    const sums = { events: 0, added: 0, moved: 0, postponed: 0, cancelled: 0, finals: 0, corrections: 0 };
    const count = (taken: Partial<typeof sums>) => {
      for (const field of Object.keys(sums) as (keyof typeof sums)[]) sums[field] += taken[field] ?? 0;
    };
    let isChanged = false;
    const refused = refusedForms(forms, await readRequests(database, base, clock.now()), clock.now());
    const best = () => forms.find((form) => !refused.has(form));
    for (let form = best(); ; form = best()) {
      if (form === undefined)
        throw new Unreadable(`no form of request is answered: ${[...refused].join(', ')}`);
      try {
        for (const each of feed.asks(form, refused))
          isChanged = (await askDays(deps, feed, each, run?.ok === false, leftOut, count)) || isChanged;
        break;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        deps.log.warn({ source, err: error.message }, 'ESPN refuses a form of request: using the next one');
        refused.add(error.form);
      }
    }
    const { events, ...counts } = sums;
    const parts = Object.entries(counts).filter(([, count]) => count > 0);
    const summary = [`${events} games`, ...parts.map(([what, count]) => `${count} ${what}`)].join(', ');
    const remarks = remarksOn(await readRequests(database, base, clock.now()), clock.now());
    const message = `${isChanged ? `${summary}.` : 'Unchanged.'}${remarks}`;
    await recordRun(database, source, clock.now(), true, message, { nextAt: null }, leftOut.counts());
    return 'done';
  } catch (error) {
    if (closing.aborted) return 'failed';
    return failed(deps, source, error, run, account);
  }
}

/** Requests the box scores of finished games. An unreadable one does not affect the others. */
async function askBoxes(deps: EspnDeps, { source, base, league, boxes }: Feed): Promise<'done' | 'failed'> {
  const { database, clock, closing, enqueue, config } = deps;
  const leftOut = new LeftOutCounts();
  let players = 0;
  let fault: Unreadable | undefined;
  for (const game of boxes) {
    if (closing.aborted) return 'failed';
    try {
      const path = `/apis/site/v2/sports/${league.path}/summary?event=${encodeURIComponent(game.eventId)}`;
      const got = await getJson(deps, base, config.url, path);
      if ('refusal' in got) throw new Unreadable(got.refusal);
      const taken = await applyBox(database, game, got.body, clock.now());
      players += taken.players;
      if (taken.isNew) await enqueue.add(gradeDueJob, {});
      if (taken.corrections > 0) await enqueue.add(seal, {});
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      fault ??= error;
      leftOut.add('unreadable box score');
    }
  }
  if (fault !== undefined && leftOut.counts()['unreadable box score'] === boxes.length) throw fault;
  const message = `${boxes.length} box scores, statistics of ${players} players.`;
  await recordRun(database, source, clock.now(), true, message, { nextAt: null }, leftOut.counts());
  return 'done';
}

async function failed(
  { database, clock, log }: EspnDeps,
  source: string,
  error: unknown,
  run: SourceRun | undefined,
  account: SourceRun | undefined,
): Promise<Failure> {
  const now = clock.now();
  const say = (message: string) => `${espnSource.title}: ${message}.`;
  if (error instanceof Blocked) {
    const wait = Math.min(15 * backoffMs((account?.failures ?? 0) + 1), offMs);
    const nextAt = now + Math.max(wait, Math.min(error.retryAfterMs, 24 * hour));
    const message = say(`${error.message}, so requests pause for a while`);
    log.warn({ source, err: error.message }, 'ESPN refuses requests: backing off');
    await recordRun(database, espnSource.name, now, false, message, { nextAt });
    return 'blocked';
  }
  if (!(error instanceof Unanswered || error instanceof Unreadable)) throw error;
  const failures = (run?.failures ?? 0) + 1;
  const isOff = error instanceof Unreadable && failures >= maxFailures;
  const off = isOff ? `; after ${failures} failures in a row it is off, and retried every 6 hours` : '';
  log.warn({ source, err: error.message }, 'provider feed failed: retrying with backoff');
  await recordRun(database, source, now, false, say(`${error.message}${off}`), {
    nextAt: now + (isOff ? offMs : backoffMs(failures)),
  });
  return error instanceof Unanswered ? 'unanswered' : 'failed';
}
