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
  recordFailure,
  recordRun,
  type SourceRun,
  updateRun,
} from '../runs.ts';
import { readRequests, remarksOn } from '../source-requests.ts';
import { askDays, Blocked, type EspnDeps, getJson, Refusal } from './ask.ts';
import { applyBox, boxGamesOf, hasBoxes } from './boxes.ts';
import { type League, leaguesOf } from './leagues.ts';
import { asksFor, type Feed, feedsOf, refusedForms } from './plan.ts';
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
  deps: EspnDeps,
  source: string,
  error: unknown,
  run: SourceRun | undefined,
  account: SourceRun | undefined,
): Promise<Failure> {
  const { name, title } = espnSource;
  if (error instanceof Blocked) {
    const wait = Math.min(15 * backoffMs((account?.failures ?? 0) + 1), offMs);
    const leastMs = Math.max(wait, Math.min(error.awayMs, 24 * hour));
    const consequence = ', so requests pause for a while';
    await recordFailure(deps, name, title, error, account, { leastMs, consequence });
    return 'blocked';
  }
  const failures = (run?.failures ?? 0) + 1;
  const isOff = error instanceof Unreadable && failures >= maxFailures;
  const consequence = `; after ${failures} failures in a row it is off, and retried every 6 hours`;
  await recordFailure(deps, source, title, error, run, isOff ? { leastMs: offMs, consequence } : {});
  return error instanceof Unanswered ? 'unanswered' : 'failed';
}

export const pastFeed = `${espnSource.name}/past`;

/** At most 60 requests an hour. An imported history of years takes a day or two. */
const maxAsks = 5;
const everyMs = 5 * minute;

/** ESPN's oldest scoreboards are from 2001 or 2002, by league. */
const oldest = '2001-08-01';

interface PastDay {
  league: League;
  day: string;
}

/**
 * Requests past days on which imported picks wait for a score, newest first, each league and day once a month. ESPN never listed these games
 * here before, so the other feeds do not ask for them.
 */
export async function askPastDays(deps: EspnDeps, leagues: readonly League[]): Promise<void> {
  const { database, clock, closing } = deps;
  const days = await pastDays(database, leagues, clock.now());
  let finals = 0;
  let games = 0;
  let refused = 0;
  for (const { league, day } of days.slice(0, maxAsks)) {
    if (closing.aborted) return;
    const base = `${espnSource.name}/${league.key}`;
    const [ask] = asksFor('day', league, [day], clock.now());
    const past = { ...ask!, name: nameOf(day), isPast: true as const };
    try {
      // Unknown events of past days are no games here, so nothing is left out.
      await askDays(deps, { base, league }, past, true, new LeftOutCounts(), (taken) => {
        games += taken.events ?? 0;
        finals += taken.finals ?? 0;
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused += 1;
    }
  }
  const asked = Math.min(days.length, maxAsks);
  const parts = [`${asked} past days: ${games} games`, ...(finals > 0 ? [`${finals} finals`] : [])];
  const more = [
    ...(refused > 0 ? [` ${refused} are refused.`] : []),
    ...(days.length > asked ? [` ${days.length - asked} more wait.`] : []),
  ];
  const message =
    days.length === 0 ? 'No imported picks wait for a past day.' : `${parts.join(', ')}.${more.join('')}`;
  await recordRun(database, pastFeed, clock.now(), true, message, { nextAt: clock.now() + everyMs });
}

const nameOf = (day: string) => `past ${day.replaceAll('-', '')}`;

/** Returns the days that are over and were not requested within a month, by league. */
async function pastDays(database: Database, leagues: readonly League[], now: number): Promise<PastDay[]> {
  // Games in the west end after midnight in New York.
  const last = addDays(etDay(now - 8 * 60 * minute), -1);
  const { rows }: { rows: { sport: string; day: string }[] } = await database.raw(
    `select sport, day from (
       select distinct g.sport, coalesce(g.day, (g.starts_at at time zone 'America/New_York')::date)::text as day
       from pending_picks q join picks p on p.id = q.pick_id join games g on g.id = q.game_id
       where p.provenance = 'imported' and g.status = 'scheduled' and g.sport = any(?)
     ) d where day between ? and ? order by day desc, sport`,
    [[...new Set(leagues.map(({ sport }) => sport))], oldest, last],
  );
  const asked = new Set<string>(
    (await database('source_requests').where('request', 'like', 'past %').select('source', 'request')).map(
      ({ source, request }) => `${source} ${request}`,
    ),
  );
  return rows.flatMap(({ sport, day }) =>
    leagues
      .filter(
        (league) => league.sport === sport && !asked.has(`${espnSource.name}/${league.key} ${nameOf(day)}`),
      )
      .map((league) => ({ league, day })),
  );
}
