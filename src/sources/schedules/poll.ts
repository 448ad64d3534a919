import { moneylineWays } from '../../games/game.ts';
import type { TeamOrder } from '../../games/names/title.ts';
import { type Outcome, ok } from '../../jobs/job.ts';
import type { Database } from '../../platform/database.ts';
import { type LeftOut, LeftOutCounts, leftOutText } from '../answer.ts';
import { type AppliedReports, applyReports } from '../apply-reports.ts';
import { get, Unanswered, Unreadable } from '../http.ts';
import type { PollDeps, SourceSettings } from '../poll-deps.ts';
import { fingerprint, forgetRuns, readRuns, recordFailure, recordRun, type SourceRun } from '../runs.ts';
import { noteFull, notifyWorkers } from '../source-scores.ts';
import { readCalendar } from './calendar.ts';
import { schedulesSource } from './source.ts';

/** Frequent polling is cheap, because an unchanged schedule is a 304. */
const { everyMs } = schedulesSource.offers.schedule;

const maxBytes = 4 * 2 ** 20;

type SchedulesDeps = PollDeps<SourceSettings['schedules']>;

interface ScheduleFeed {
  sport: string;
  url: URL;
  zone: string | undefined;
  order: TeamOrder | undefined;
  /** Names the feed without its address, which may be a credential. */
  source: string;
}

/** Fetches due schedules and applies their games, moved starts, and cancellations. */
export async function pollSchedules(deps: SchedulesDeps): Promise<Outcome> {
  const { config: schedules, database, clock, closing } = deps;
  const feeds = schedules.map(({ sport, url, zone, order }): ScheduleFeed => {
    // The reading options are part of the name: with other options, an unchanged answer must be read again.
    const read = [zone, order, url].filter((part) => part !== undefined).join(' ');
    const source = `schedule/${sport}/${fingerprint(read).slice(0, 8)}`;
    return { sport, url: new URL(url), zone, order, source };
  });
  await forgetRuns(
    database,
    'schedule/',
    feeds.map(({ source }) => source),
  );
  const runs = await readRuns(database, 'schedule/');
  let asked = 0;
  let failed = 0;
  for (const feed of feeds) {
    const run = runs.get(feed.source);
    if (closing.aborted || (run?.nextAt != null && run.nextAt > clock.now())) continue;
    asked += 1;
    if (!(await askFeed(deps, feed, run))) failed += 1;
  }
  return ok({ asked, failed });
}

async function askFeed(
  deps: SchedulesDeps,
  feed: ScheduleFeed,
  run: SourceRun | undefined,
): Promise<boolean> {
  const { database, clock, closing, enqueue } = deps;
  const { sport, source, url, zone, order } = feed;
  // A schedule stored without a count of games is read again.
  const isKnown = run?.listed != null;
  try {
    if (!(await moneylineWays(database)).has(sport)) throw new Unreadable(`there is no sport ${sport}`);
    const { status, headers, text } = await get(url, {
      signal: closing,
      maxBytes,
      redirects: 3,
      headers: {
        accept: 'text/calendar',
        ...(!isKnown || run.etag === null ? {} : { 'if-none-match': run.etag }),
        ...(!isKnown || run.lastModified === null ? {} : { 'if-modified-since': run.lastModified }),
      },
    });
    const now = clock.now();
    const nextAt = now + everyMs;
    if (status === 304) {
      // An unchanged answer has the same faults.
      const isSame = run?.ok !== false || run.listed === null;
      await recordRun(
        database,
        source,
        now,
        isSame,
        isSame ? 'Unchanged.' : run.message,
        { nextAt },
        run?.leftOut,
      );
      if (isSame) await noteFull(deps, source, { from: now, to: now + aheadMs, eventIds: 'unchanged' }, now);
      return isSame;
    }
    if (status !== 200) throw new Unanswered(`the answer is ${status}`);
    const { events, leftOut, undated, past } = readCalendar(text, sport, now, zone, order);
    const taken = await applyReports(database, source, sport, events, now);
    await notifyWorkers(enqueue, taken);
    const left = new LeftOutCounts(leftOut, taken.leftOut).counts();
    const usual = { listed: run?.listedUsually ?? null, at: run?.usualAt ?? null };
    const awaited = past && (await isAwaited(database, sport, now));
    const listed = notGames.reduce((sum, reason) => sum - (taken.leftOut[reason] ?? 0), events.length);
    const fault = yieldFault(listed, left, past, awaited, usual);
    const later = nextUsual(listed, fault !== undefined, usual, now);
    const fields = {
      nextAt,
      listed,
      listedUsually: later.listed,
      usualAt: later.at,
      etag: headers.etag?.slice(0, 200) ?? null,
      lastModified: headers['last-modified']?.slice(0, 100) ?? null,
    };
    const message = fault === undefined ? sentence(taken, left) : `The schedule: ${fault}.`;
    await recordRun(database, source, now, fault === undefined, message, fields, left);
    const eventIds = [...events.map(({ eventId }) => eventId), ...undated];
    const last = Math.max(now, ...events.map(({ startsAt }) => startsAt));
    if (fault === undefined) await noteFull(deps, source, { from: now, to: last, eventIds }, now);
    return fault === undefined;
  } catch (error) {
    if (closing.aborted) return true;
    await recordFailure(deps, source, 'The schedule', error, run, { mostMs: everyMs });
    return false;
  }
}

/** Reasons why events of a calendar are not separate games. */
const notGames = ['opponent not known yet', 'unknown team', 'game listed twice'];

/** How far ahead an unchanged answer is checked again for omitted games, in ms. */
const aheadMs = 200 * 86_400_000;

/** Reports whether a game of this sport is upcoming. */
async function isAwaited(database: Database, sport: string, now: number): Promise<boolean> {
  const next = await database('games')
    .where({ sport, status: 'scheduled' })
    .where('starts_at', '>', new Date(now))
    .first('id');
  return next !== undefined;
}

function sentence({ events, added, moved, cancelled }: AppliedReports, leftOut: LeftOut): string {
  const reasons = leftOutText(leftOut);
  const games = `${events} games: ${added} new, ${moved} moved, ${cancelled} cancelled`;
  return reasons === '' ? `${games}.` : `${games}; left out: ${reasons}.`;
}

const day = 86_400_000;

/** The number of games in earlier answers of a feed. */
export interface Usual {
  /** Number of games in an answer from about a day ago; null if there is none yet. */
  listed: number | null;
  /** Time of that answer. */
  at: EpochMs | null;
}

/** Reasons that do not count against a feed: such events belong in a schedule. */
const expected = new Set([
  'several days, no start yet',
  'opponent not known yet',
  'no game',
  'older version of an event',
  'another sport',
  'event not known before its start',
  'cancelled event not known',
  'start that a more trusted source contradicts',
]);

/**
 * Returns why a feed counts as degraded. It lists nothing, or less than half of what it listed a day before, or fewer than half of its
 * events are games. After its season, nothing is expected while no other source has an upcoming game of that sport.
 * @param listed games in the answer
 * @param past whether all listed games are over
 * @param awaited whether games of this sport are upcoming
 */
export function yieldFault(
  listed: number,
  leftOut: LeftOut,
  past: boolean,
  awaited: boolean,
  usual: Usual,
): string | undefined {
  const reasons = leftOutText(leftOut);
  if (listed === 0 && past)
    return awaited ? 'all its games are over, and other games of this sport are upcoming' : undefined;
  if (listed === 0) return reasons === '' ? 'it lists nothing' : `it lists no game: ${reasons}`;
  const odd = Object.entries(leftOut).reduce(
    (sum, [reason, count]) => sum + (expected.has(reason) ? 0 : count),
    0,
  );
  if (odd > listed) return `fewer than half of its events are games: ${listed} games, ${reasons}`;
  if (usual.listed !== null && usual.listed >= fewest && listed < usual.listed / 2)
    return `it lists ${listed} games, after ${usual.listed} a day before`;
  return undefined;
}

/** Minimum number of games for a comparison: half of fewer proves nothing. */
const fewest = 8;

/** Returns the counts to compare later answers with: renewed once a day, and after a week of a lower yield, which is then usual. */
export function nextUsual(listed: number, isDegraded: boolean, usual: Usual, now: number): Usual {
  const age = usual.at === null ? Number.POSITIVE_INFINITY : now - usual.at;
  return age >= (isDegraded ? 7 * day : day) ? { listed, at: now } : usual;
}
