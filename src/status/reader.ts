import type { Availability } from '../platform/availability.ts';
import { type Clock, iso, isoOrNull } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { singleFlight } from '../platform/once.ts';
import type { RedisClient } from '../platform/redis.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { LeftOut } from '../sources/answer.ts';
import { sourceOf } from '../sources/index.ts';
import { type Check, rate, type Status } from './check.ts';
import { type History, readHistory } from './history.ts';
import { checksWith, type Overrides, overridden, statusWorker } from './index.ts';
import {
  type Notice,
  overall,
  type ShownCheck,
  type ShownSource,
  type StatusReport,
  shownChecks,
  shownIncidents,
} from './report.ts';
import { span } from './span.ts';
import type { WatchState } from './state.ts';
import { mirroredState, storedState } from './store.ts';
import { type CountProgress, countTotals, type Totals } from './totals.ts';

export interface ReaderDeps {
  checkOverrides: Overrides;
  database: Database;
  /** A connection that fails fast. */
  redis: RedisClient;
  availability: Availability;
  clock: Clock;
}

const maxNotices = 50;

/**
 * Longest waits for PostgreSQL and for Redis, in ms, at the same time. A report takes at most 2 s even while this process gets little CPU, so
 * the time in which its event loop is blocked counts.
 */
const storedMs = 1200;
const mirroredMs = 1000;

interface StoredStatus {
  state: WatchState | undefined;
  counted: CountProgress;
  totals: Totals;
  notices: Notice[];
  sources: ShownSource[];
}

/**
 * Reads the status worker's state from PostgreSQL, from its mirror in Redis, or from memory. Adds what this process observes: whether it
 * reaches each store, and whether the status worker still reports.
 */
export function createStatusReader(deps: ReaderDeps) {
  const { checkOverrides, database, redis, availability, clock } = deps;
  const checks = checksWith(checkOverrides);
  const once = singleFlight<StatusReport>();
  let last: StoredStatus | undefined;
  let lastState: WatchState | undefined;

  async function readStored(now: number): Promise<StoredStatus | undefined> {
    const read = () =>
      availability.run(async () => {
        const [state, notices, sources] = await Promise.all([
          storedState(database),
          newestNotices(database),
          readSources(database),
        ]);
        const { counted, totals } = await countTotals(database, further(state?.counted, last?.counted), now);
        return { state, counted, totals, notices, sources };
      });
    return withTimeout(
      availability.check().then((answers) => (answers ? read() : undefined)),
      storedMs,
      () => undefined,
    ).catch(() => undefined);
  }

  async function make(): Promise<StatusReport> {
    const now = clock.now();
    const [fromDatabase, mirrored] = await Promise.all([
      readStored(now),
      withTimeout(mirroredState(redis), mirroredMs).then(
        (state) => ({ state }),
        () => undefined,
      ),
    ]);
    const redisAnswers = mirrored !== undefined;
    if (fromDatabase !== undefined) last = fromDatabase;
    const state = fromDatabase === undefined ? mirrored?.state : fromDatabase.state;
    if (state !== undefined) lastState = state;
    const shown = [
      ...own('database', fromDatabase !== undefined, state, now),
      ...own('redis', redisAnswers, state, now),
      // With both stores unavailable, older findings mean nothing.
      ...(state === undefined ? [] : shownChecks(checks, state).filter(({ name }) => !isStore(name))),
      worker(lastState, now),
    ];
    return {
      generatedAt: iso(now),
      status: overall(shown),
      checks: shown,
      totals: last?.totals ?? lastState?.totals ?? null,
      incidents: shownIncidents(lastState?.incidents ?? [], now),
      sources: last?.sources ?? [],
      notices: last?.notices ?? [],
    };
  }

  /** Reports a store as the status worker sees it, unless this process cannot reach it. */
  function own(
    name: 'database' | 'redis',
    answers: boolean,
    state: WatchState | undefined,
    now: number,
  ): ShownCheck[] {
    const declared = checks.filter(({ subjects }) => subjects.some((subject) => subject.name === name));
    const seen = state === undefined ? [] : shownChecks(declared, state);
    if (answers && seen.length > 0) return seen;
    return declared.flatMap(({ subjects, thresholds, unit }: Check) =>
      subjects.map(({ title }) => ({
        name,
        title,
        status: (answers ? 'ok' : 'down') as Status,
        threshold: { ...thresholds, unit },
        message: `The public site ${answers ? 'can' : 'cannot'} reach ${title}.`,
        checkedAt: iso(now),
      })),
    );
  }

  function worker(state: WatchState | undefined, now: number): ShownCheck {
    const { name, thresholds, unit } = overridden(statusWorker, checkOverrides);
    const about = {
      name,
      title: 'Status worker',
      threshold: { ...thresholds, unit },
    };
    if (state === undefined)
      return {
        ...about,
        status: 'degraded',
        message: 'The status worker has not reported yet. Is it running?',
        checkedAt: iso(now),
      };
    const seconds = Math.max(0, (now - state.at) / 1000);
    const status = rate(seconds, thresholds);
    const message =
      status === 'ok'
        ? `The status worker reported ${span(seconds)} ago.`
        : `The status worker has not reported for ${span(seconds)}. Other checks are that old.`;
    return { ...about, status, ageSeconds: Math.floor(seconds), message, checkedAt: iso(now) };
  }

  return {
    /** Never rejects: the report says what could not be read. */
    report: () => once('', make),
    /** Returns the history; undefined while PostgreSQL is unavailable. */
    history: (): Promise<History | undefined> =>
      withTimeout(
        availability.run(() => readHistory(database, clock.now()), storedMs),
        storedMs,
      ).catch(() => undefined),
  };
}

function isStore(name: string): boolean {
  return name === 'database' || name === 'redis';
}

function further(
  one: CountProgress | undefined,
  other: CountProgress | undefined,
): CountProgress | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.nextSeq >= other.nextSeq ? one : other;
}

async function newestNotices(database: Database): Promise<Notice[]> {
  const rows: (Omit<Notice, 'at'> & { at: number })[] = await database('notices')
    .orderBy('id', 'desc')
    .limit(maxNotices)
    .select('id', 'at', 'topic', 'text');
  return rows.map(({ at, ...rest }) => ({ ...rest, at: iso(at) }));
}

/** Returns the feeds of all sources, failing ones first. */
async function readSources(database: Database): Promise<ShownSource[]> {
  const rows: {
    feed: string;
    ok: boolean;
    message: string;
    askedAt: number | null;
    nextAt: number | null;
    leftOut: LeftOut;
  }[] = await database('source_runs').orderBy(['ok', 'source']).limit(500).select({
    feed: 'source',
    ok: 'ok',
    message: 'message',
    askedAt: 'ran_at',
    nextAt: 'next_at',
    leftOut: 'left_out',
  });
  return rows.map(({ feed, askedAt, nextAt, ...rest }) => ({
    feed,
    title: sourceOf(feed)?.title ?? feed,
    ...rest,
    askedAt: isoOrNull(askedAt),
    nextAt: isoOrNull(nextAt),
  }));
}
