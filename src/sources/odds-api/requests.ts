import { markets } from '../../rules/markets/index.ts';
import { fingerprint, readRuns, type SourceRun } from '../runs.ts';
import { freeScoreFeeds } from '../source-scores.ts';
import { account, type OddsApiDeps } from './account.ts';
import { type Budget, reserve, type Spending, spending, unknownSpending } from './budget.ts';
import { type Asked, type Purpose, readAsked, readRepairs } from './calls.ts';
import { type Expected, expectedOf } from './expected.ts';
import { type Missed, readMissed, readNeeds, unpricedPicks, unseenEvents } from './needs.ts';
import { type Call, horizonMs, leastGainOf, planCalls } from './plan.ts';
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
  /** Epoch milliseconds; null if nothing is to be requested. */
  dueAt: number | null;
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
 * @param now epoch milliseconds; requests never made are due now
 */
export async function readRequests(
  deps: OddsApiDeps,
  runs: ReadonlyMap<string, SourceRun>,
  now: number,
): Promise<Request[]> {
  const { database, config } = deps;
  const keys = [...runs.keys()].flatMap((source) => /^odds-api\/([^/]+)\/odds$/.exec(source)?.[1] ?? []);
  const free = freeScoreFeeds((await readRuns(database, '')).values());
  const expected = await expectedOf(database, `${account}/`, free, now);
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

/** The credits of the account, as its run keeps them. */
export type QuotaOfRun = Pick<SourceRun, 'quotaRemaining' | 'quotaUsed' | 'quotaFrom' | 'quotaAtStart'>;

/** Returns the credits of the account; undefined if the provider does not report them. */
export function budgetOf(run: QuotaOfRun | undefined): Budget | undefined {
  if (run?.quotaRemaining == null || run.quotaFrom === null || run.quotaAtStart === null) return undefined;
  return {
    remaining: run.quotaRemaining,
    used: run.quotaUsed,
    reserve,
    from: run.quotaFrom,
    atStart: run.quotaAtStart,
  };
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
  const needs = (await readNeeds(database, asked, now)).filter(({ key }) => keys.includes(key));
  const unpriced = await unpricedPicks(database, asked, now);
  const unseen = (await unseenEvents(database, asked, now)).filter(({ key }) => keys.includes(key));
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
  const { last, earlier, left } = planCalls(needs, subjects, unseen, featuredKeys, credits, each, now);
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
