import type { Availability } from '../platform/availability.ts';
import { type Clock, iso, isoOrNull } from '../platform/clock.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { singleFlight } from '../platform/once.ts';
import type { RedisClient } from '../platform/redis.ts';
import { withTimeout } from '../platform/timeout.ts';
import { sourceOf } from '../sources/index.ts';
import { rate, worst } from './check.ts';
import { type History, readHistory } from './history.ts';
import type { Incident } from './incidents.ts';
import { checksWith, type Overrides, overridden, statusWorker } from './index.ts';
import {
  type Notice,
  type ShownCheck,
  type ShownSource,
  type StatusReport,
  shownChecks,
  shownIncidents,
} from './report.ts';
import { span } from './span.ts';
import { storedIncidents, storedRounds } from './state.ts';
import { type Totals, totalsReader } from './totals.ts';

export interface ReaderDeps {
  checkOverrides: Overrides;
  database: Database;
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
const redisMs = 1000;
/** How long a report waits for the totals, in ms. */
const totalsMs = 800;

interface StoredStatus {
  state: Awaited<ReturnType<typeof storedRounds>>;
  incidents: Incident[];
  /** Undefined while they are read for the first time. */
  totals: Totals | undefined;
  notices: Notice[];
  sources: ShownSource[];
}

/**
 * Reads what the status worker has stored, and adds what this process observes: whether it reaches each store, and whether the status worker
 * still reports. While PostgreSQL is away, that is all it reports.
 */
export function createStatusReader(deps: ReaderDeps) {
  const { checkOverrides, database, redis, availability, clock } = deps;
  const checks = checksWith(checkOverrides);
  const once = singleFlight<StatusReport>();
  const readTotals = totalsReader(database);
  let last: StoredStatus | undefined;

  function readStored(now: number): Promise<StoredStatus | undefined> {
    const read = () =>
      availability.run(async () => {
        const [state, incidents, notices, sources, totals] = await Promise.all([
          storedRounds(database),
          storedIncidents(database, now),
          newestNotices(database),
          readSources(database),
          withTimeout(readTotals(now), totalsMs, () => last?.totals),
        ]);
        return { state, incidents, totals, notices, sources };
      });
    return withTimeout(
      availability.check().then((answers) => (answers ? read() : undefined)),
      storedMs,
      () => undefined,
    ).catch(() => undefined);
  }

  async function make(): Promise<StatusReport> {
    const now = clock.now();
    const [stored, redisAnswers] = await Promise.all([
      readStored(now),
      withTimeout(redis.ping(), redisMs).then(
        () => true,
        () => false,
      ),
    ]);
    last = stored ?? last;
    const shown = [
      own('database', stored !== undefined, stored?.state, now),
      own('redis', redisAnswers, stored?.state, now),
      ...(stored?.state === undefined
        ? []
        : shownChecks(checks, stored.state).filter(({ name }) => !['database', 'redis'].includes(name))),
      worker(last?.state, now),
    ];
    return {
      generatedAt: iso(now),
      status: worst(shown.map(({ status }) => status)),
      checks: shown,
      totals: last?.totals ?? null,
      incidents: shownIncidents(last?.incidents ?? [], now),
      sources: last?.sources ?? [],
      notices: last?.notices ?? [],
    };
  }

  /** Reports a store as the status worker sees it, unless this process cannot reach it. */
  function own(
    name: 'database' | 'redis',
    answers: boolean,
    state: StoredStatus['state'],
    now: number,
  ): ShownCheck {
    const declared = checks.find((check) => check.name === name)!;
    const [seen] = state === undefined ? [] : shownChecks([declared], state);
    if (answers && seen !== undefined) return seen;
    const { subjects, thresholds, unit } = declared;
    const { title } = subjects[0]!;
    return {
      name,
      title,
      status: answers ? 'ok' : 'down',
      threshold: { ...thresholds, unit },
      message: `The public site ${answers ? 'can' : 'cannot'} reach ${title}.`,
      checkedAt: iso(now),
    };
  }

  function worker(state: StoredStatus['state'], now: number): ShownCheck {
    const { name, thresholds, unit } = overridden(statusWorker, checkOverrides);
    const about = { name, title: 'Status worker', threshold: { ...thresholds, unit }, checkedAt: iso(now) };
    if (state === undefined) {
      const message = 'The status worker has not reported yet. Is it running?';
      return { ...about, status: 'degraded', message };
    }
    const seconds = Math.max(0, (now - state.at) / 1000);
    const status = rate(seconds, thresholds);
    const message =
      status === 'ok'
        ? `The status worker reported ${span(seconds)} ago.`
        : `The status worker has not reported for ${span(seconds)}. Other checks are that old.`;
    return { ...about, status, ageSeconds: Math.floor(seconds), message };
  }

  return {
    /** Never rejects: the report says what could not be read. */
    report: () => once('', make),
    /** Undefined while PostgreSQL is unavailable. */
    history: (): Promise<History | undefined> =>
      withTimeout(
        availability.run(() => readHistory(database, clock.now()), storedMs),
        storedMs,
      ).catch(() => undefined),
  };
}

async function newestNotices(database: Database): Promise<Notice[]> {
  const rows: (Omit<Notice, 'at'> & { at: number })[] = await database('notices')
    .orderBy('id', 'desc')
    .limit(maxNotices)
    .select('id', 'at', 'topic', 'text');
  return rows.map(({ at, ...rest }) => ({ ...rest, at: iso(at) }));
}

/** Failing ones first. */
async function readSources(database: Database): Promise<ShownSource[]> {
  const rows: (Omit<ShownSource, 'title' | 'askedAt' | 'nextAt'> &
    Record<'ranAt' | 'nextAt', number | null>)[] = await database('source_runs')
    .orderBy(['ok', 'source'])
    .limit(500)
    .select({ feed: 'source', ...inCamelCase('ok message ran_at next_at left_out') });
  return rows.map(({ feed, ranAt, nextAt, ...rest }) => ({
    feed,
    title: sourceOf(feed)?.title ?? feed,
    ...rest,
    askedAt: isoOrNull(ranAt),
    nextAt: isoOrNull(nextAt),
  }));
}
