import type { Database } from '../../platform/database.ts';
import { markets } from '../../rules/markets/index.ts';
import { fingerprint, readRuns, type SourceRun } from '../runs.ts';
import { freeScoreFeeds } from '../source-scores.ts';
import { maxScoreAsks } from '../waiting.ts';
import {
  type Asked,
  account,
  budgetOf,
  horizonMs,
  type OddsApiDeps,
  type Purpose,
  readAsked,
  readRepairs,
  type Spending,
  spending,
  unknownSpending,
} from './credits.ts';
import { type Missed, needsOf, readMissed, readOpenPicks, unpricedIn, unseenIn } from './needs.ts';
import { type Call, leastGainOf, planCalls } from './plan.ts';
import { oddsApiSource } from './source.ts';
import { hasScores, sportOf } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Market keys in the answer for a whole sport. */
export const featuredKeys = markets
  .filter(({ oddsApi }) => oddsApi.featured)
  .map(({ oddsApi }) => oddsApi.key);

const scoresCredits = 2;

/** Cost of past prices relative to current ones. */
const historyFactor = 10;

/** Row of past prices in `source_runs`. */
export const historySource = `${account}/history`;

/** A request to the provider, and its due time. */
export interface Request {
  /** Its row in `source_runs`. */
  source: string;
  kind: 'events' | 'odds' | 'event-odds' | 'scores' | 'history';
  key: string;
  sport: string;
  /** Null if nothing is to be requested. */
  dueAt: EpochMs | null;
  /** The call, for prices. */
  call: PlannedCall | null;
}

export interface PlannedCall extends Call {
  purpose: Purpose;
  /** The past instant to request; null: the present. Epoch milliseconds. */
  snapshotAt: number | null;
  /** Past events whose prices are needed. */
  eventIds: string[];
}

/** Returns the credits per market of a request: one per region; ten bookmakers count as one. */
export function marketCredits({ regions, bookmakers }: OddsApiDeps['config']): number {
  return Math.ceil(bookmakers.length / 10) || regions.length;
}

/**
 * Returns all requests for the sports in season, due or planned.
 * @param now requests never made are due now
 */
export async function readRequests(
  deps: OddsApiDeps,
  runs: ReadonlyMap<string, SourceRun>,
  now: EpochMs,
): Promise<Request[]> {
  const { database, config } = deps;
  const keys = [...runs.keys()].flatMap((source) => /^odds-api\/([^/]+)\/odds$/.exec(source)?.[1] ?? []);
  const free = freeScoreFeeds((await readRuns(database, '')).values());
  const expected = await expectedOf(database, free, now);
  const asked = await readAsked(database, now);
  const credits = spendingOf(runs.get(account), asked.usualPerDay, now);
  const mayRepair = hasHistory(runs.get(historySource), config.key, now);
  const calls = (await plannedCalls(deps, keys, expected, asked, credits, now)).filter(
    ({ purpose }) => purpose !== 'repair' || mayRepair,
  );
  const request = (
    kind: Request['kind'],
    key: string,
    dueAt: number | null,
    call: PlannedCall | null,
  ): Request[] => {
    const sport = sportOf(key);
    if (sport === undefined) return [];
    const source = kind === 'history' ? historySource : `${account}/${key}/${kind}`;
    const run = runs.get(source);
    const heldUntil = run?.ok === false ? (run.nextAt ?? 0) : 0;
    return [{ source, kind, key, sport, dueAt: dueAt === null ? null : Math.max(dueAt, heldUntil), call }];
  };
  const own = keys.flatMap((key) => {
    const { nextStart = null, overSince = null } = expected.get(`${account}/${key}`) ?? {};
    const events = runs.get(`${account}/${key}/events`);
    const near = nextStart !== null && nextStart - now < 2 * hour;
    const eventsAt =
      events?.ok === true && events.ranAt !== null ? events.ranAt + (near ? 5 : 15) * minute : now;
    const scores = runs.get(`${account}/${key}/scores`);
    const isPayable = credits.allowance >= scoresCredits;
    const scoresAt = overSince === null || !isPayable ? null : scoresDueAt(scores, overSince, now);
    const hasCall = calls.some(
      (call) => call.key === key && call.eventId === null && call.snapshotAt === null,
    );
    return [
      ...request('events', key, eventsAt, null),
      ...(hasScores(sportOf(key)) ? request('scores', key, scoresAt, null) : []),
      ...(hasCall ? [] : request('odds', key, null, null)),
    ];
  });
  const priced = calls.flatMap((call) => {
    const kind = call.snapshotAt !== null ? 'history' : call.eventId === null ? 'odds' : 'event-odds';
    return request(kind, call.key, call.at, call);
  });
  return [...own, ...priced];
}

/** Returns when scores are requested again: soon at first, then at growing intervals while no result comes. */
function scoresDueAt(run: SourceRun | undefined, overSince: number, now: number): number {
  if (run?.ok !== true || run.ranAt === null) return now;
  return Math.round(run.ranAt + Math.min(Math.max(10 * minute, (now - overSince) / 3), 6 * hour));
}

/** Reports whether past prices may be requested. A key without access is retried after a week, because its plan may have changed. */
function hasHistory(run: SourceRun | undefined, key: string, now: number): boolean {
  return run?.keyHash !== fingerprint(key) || (run.ranAt ?? 0) < now - 7 * 24 * hour;
}

function spendingOf(run: SourceRun | undefined, usualPerDay: number, now: number): Spending {
  const budget = budgetOf(run);
  return budget === undefined ? unknownSpending : spending(budget, usualPerDay, now);
}

async function plannedCalls(
  { database, config }: OddsApiDeps,
  keys: readonly string[],
  expected: ReadonlyMap<string, Expected>,
  asked: Asked,
  credits: Spending,
  now: number,
): Promise<PlannedCall[]> {
  const each = marketCredits(config);
  const open = (await readOpenPicks(database, now)).filter(({ key }) => keys.includes(key));
  const unpriced = unpricedIn(open, asked);
  const present = { snapshotAt: null, eventIds: [] };
  const subjects = keys.flatMap((key) => {
    const nextStart = expected.get(`${account}/${key}`)?.nextStart ?? null;
    if (nextStart === null || nextStart - now > horizonMs) return [];
    const times = featuredKeys.map((market) => asked.at(key, null, market));
    return {
      key,
      askedAt: times.includes(null) ? null : Math.min(...(times as number[])),
      unpriced: unpriced.get(key) ?? null,
    };
  });
  const { last, earlier, left } = planCalls(
    needsOf(open, asked),
    subjects,
    unseenIn(open, asked),
    featuredKeys,
    credits,
    each,
    now,
  );
  const repairs = planRepairs(await readMissed(database, now), await readRepairs(database, now), {
    credits: each * historyFactor,
    left,
    leastGain: leastGainOf(credits),
    now,
  });
  return [
    ...last.map((call) => ({ ...call, ...present, purpose: 'closing' as const })),
    ...repairs.filter(({ key }) => keys.includes(key)),
    ...earlier.map((call) => ({ ...call, ...present, purpose: 'earlier' as const })),
  ];
}

/** Plans one request for past prices per missed start, if they are worth their credits, most picks first. */
function planRepairs(
  missed: readonly Missed[],
  made: ReadonlySet<string>,
  { credits, left, leastGain, now }: { credits: number; left: number; leastGain: number; now: number },
): PlannedCall[] {
  let allowance = left;
  const fresh = missed
    .filter(({ key, market, startsAt }) => !made.has(`${key} ${market} ${startsAt}`))
    .sort((a, b) => b.picks - a.picks || a.startsAt - b.startsAt);
  return fresh.flatMap(({ key, market, startsAt, eventIds, picks }) => {
    if (credits > allowance || picks / credits < leastGain) return [];
    allowance -= credits;
    return {
      key,
      eventId: null,
      eventIds,
      markets: [market],
      at: now,
      credits,
      purpose: 'repair' as const,
      snapshotAt: startsAt,
    };
  });
}

/** The times that decide when to poll a source. Instants in epoch milliseconds. */
export interface Expected {
  /** Next start of a known game. */
  nextStart: number | null;
  /** When the first game with pending picks and no result must have ended. */
  overSince: number | null;
}

/** Number of past days that the provider has scores for. */
const scoresDays = 3;

/** How late a free source's score may be before this provider is polled, in hours. */
const freeLateHours = 6;

/**
 * Returns what events need next, by source. Scores are requested only if picks wait for them, from four fifths of the sport's usual
 * duration on. If a free source lists the game, they are requested only once its score is late. They are not requested again for a finished
 * game without a score that counts.
 * @param freeFeeds feeds that report scores for free
 */
export async function expectedOf(
  database: Database,
  freeFeeds: ReadonlySet<string>,
  now: number,
): Promise<Map<string, Expected>> {
  const { rows }: { rows: (Expected & { source: string })[] } = await database.raw(
    `select e.source,
       min(g.starts_at) filter (where g.starts_at > :now and g.status in ('scheduled', 'postponed')) as "nextStart",
       min(o.over_at) filter (where o.over_at between :oldest and :now and g.status = 'scheduled'
         and e.score_asks < :maxScoreAsks and exists (select from pending_picks p where p.game_id = g.id)
         and not exists (select from source_scores c
           where c.game_id = g.id and c.source = :speaker and c.state = 'final' and c.home_score is null)
         and (o.over_at <= :late or not exists (
           select from source_events f where f.game_id = g.id and f.source = any(:free::text[])))) as "overSince"
     from source_events e
     join games g on g.id = e.game_id
     join sports s on s.key = g.sport
     cross join lateral (select g.starts_at + s.event_minutes * interval '48 seconds' as over_at) o
     where starts_with(e.source, :prefix) and g.starts_at > :oldest
     group by e.source`,
    {
      prefix: `${account}/`,
      maxScoreAsks,
      speaker: oddsApiSource.name,
      now: new Date(now),
      oldest: new Date(now - scoresDays * 86_400_000),
      late: new Date(now - freeLateHours * 3_600_000),
      free: [...freeFeeds],
    },
  );
  return new Map(rows.map(({ source, ...expected }) => [source, expected]));
}
