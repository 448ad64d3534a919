import { moneylineWays } from '../../games/game.ts';
import { cancelled, type Outcome, ok } from '../../jobs/job.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import { type EventReport, LeftOutCounts } from '../answer.ts';
import { type AppliedReports, applyPastPrices, applyReports } from '../apply-reports.ts';
import type { PollDeps } from '../poll-deps.ts';
import {
  fingerprint,
  forgetRuns,
  isOtherPlan,
  noteSources,
  type RunFields,
  readRuns,
  recordRun,
  type SourceRun,
  updateRun,
} from '../runs.ts';
import { notifyWorkers } from '../source-scores.ts';
import { noteVanished } from '../vanished.ts';
import { type Read, readEvents, readOdds, readPastOdds, readScores, readSports } from './answers.ts';
import { type OddsApi, oddsApi, type Quota } from './client.ts';
import {
  account,
  accountRun,
  budgetOf,
  type OddsApiDeps,
  type OddsApiSettings,
  recordCall,
  renewalAt,
  reserve,
} from './credits.ts';
import { accountFailed, feedFailed } from './failures.ts';
import { historySource, type Request, readRequests } from './requests.ts';
import { hasScores, sportOf, wantedKeys } from './sports.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Maximum number of requests per run. The rest follows in the next run. */
const maxRequests = 60;

/**
 * Polls The Odds API: sports in season and their events, which are free, and prices and scores as their credits are planned. The state is
 * in the database, so a restart repeats nothing.
 */
export async function pollOddsApi({ config, ...rest }: PollDeps<OddsApiSettings>): Promise<Outcome> {
  const { database, closing } = rest;
  const { key, url } = config;
  if (key === undefined) {
    await forgetRuns(database, account, []);
    return cancelled('ODDS_API_KEY is not set');
  }
  const deps = { ...rest, config: { ...config, key } };
  const client = oddsApi({ url, key, signal: closing });
  if (!(await renewSeason(deps, client))) return cancelled('backing off after a failure at The Odds API');
  const asked = new Set<string>();
  let failed = 0;
  // After two failures the provider is down: further requests would only time out.
  while (failed < 2 && asked.size < maxRequests && !closing.aborted) {
    const runs = await readRuns(database, account);
    // The next request takes the credits and prices of the previous one into account.
    const due = (await dueRequests(deps, runs)).find((request) => !asked.has(nameOf(request)));
    if (due === undefined) break;
    asked.add(nameOf(due));
    const outcome = await ask(deps, client, due, runs.get(due.source));
    if (outcome === 'stop') break;
    failed += outcome === 'failed' ? 1 : 0;
  }
  return ok({ asked: asked.size, failed });
}

/** Names a request, so that no run repeats it. */
function nameOf({ source, call }: Request): string {
  return [source, call?.eventId, call?.snapshotAt, ...(call?.markets ?? [])].join(' ');
}

/** Returns the due requests, earliest first, and records when the others are due. */
async function dueRequests(deps: OddsApiDeps, runs: ReadonlyMap<string, SourceRun>): Promise<Request[]> {
  const now = deps.clock.now();
  const requests = await readRequests(deps, runs, now);
  for (const [source, same] of Map.groupBy(requests, (request) => request.source)) {
    const before = runs.get(source);
    const times = same.flatMap(({ dueAt }) => dueAt ?? []);
    const next = times.length === 0 ? null : Math.min(...times);
    if (before !== undefined && (next === null || next > now) && isOtherPlan(before.nextAt, next))
      await updateRun(deps.database, source, { nextAt: next });
  }
  return requests.filter(({ dueAt }) => dueAt !== null && dueAt <= now).sort(byUrgency);
}

/** Orders free requests first, because their results change the plan, then by due time. */
function byUrgency(a: Request, b: Request): number {
  return Number(a.call !== null) - Number(b.call !== null) || a.dueAt! - b.dueAt! || order(a) - order(b);
}

/** The answer for a whole sport may make one for an event unnecessary. */
function order({ kind }: Request): number {
  return ['events', 'scores', 'odds', 'event-odds', 'history'].indexOf(kind);
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
      ...(hasScores(sportOf(key)) ? [`${account}/${key}/scores`] : []),
    ]);
    const single = wanted.map((key) => `${account}/${key}/event-odds`);
    await forgetRuns(database, `${account}/`, [...feeds, ...single, historySource]);
    await noteSources(database, feeds, now);
    const fields = { nextAt: now + hour, keyHash, ...quotaFields(quota, run, now) };
    await recordRun(database, account, now, true, seasonSentence(wanted, { ...run, ...fields }, now), fields);
    return true;
  } catch (error) {
    if (deps.closing.aborted) return false;
    await accountFailed(deps, error, run);
    return false;
  }
}

function seasonSentence(wanted: readonly string[], fields: RunFields, now: number): string {
  const season = wanted.length === 0 ? 'None of the sports is in season' : `In season: ${wanted.join(', ')}`;
  const budget = budgetOf(fields as SourceRun);
  if (budget === undefined) return `${season}.`;
  const left = `${season}; ${budget.remaining} credits are left`;
  return budget.remaining > reserve
    ? `${left}.`
    : `${left}, of which ${reserve} are kept: prices wait for new ones, expected by ${iso(renewalAt(budget, now)).slice(0, 10)}.`;
}

/** Returns the credits to record. More credits than before mean a new period. */
function quotaFields({ remaining, used }: Quota, before: SourceRun | undefined, now: number): RunFields {
  if (remaining === null) return {};
  const isNew = before?.quotaRemaining == null || remaining > before.quotaRemaining;
  return {
    quotaRemaining: remaining,
    quotaUsed: used,
    ...(isNew ? { quotaFrom: now, quotaAtStart: remaining } : {}),
  };
}

async function ask(
  deps: OddsApiDeps,
  client: OddsApi,
  request: Request,
  run: SourceRun | undefined,
): Promise<'done' | 'failed' | 'stop'> {
  const { database, clock, config } = deps;
  const { source, key, call } = request;
  try {
    const { body, quota } = await client.ask(pathOf(request), query(request, config));
    const now = clock.now();
    // Even an unreadable answer costs credits.
    await updateRun(database, account, quotaFields(quota, await accountRun(database), now));
    if (call !== null)
      await recordCall(database, { ...call, key, at: now, credits: quota.last ?? call.credits });
    const { message, leftOut } = await apply(deps, request, body, now);
    await recordRun(database, source, now, true, message, { nextAt: null }, leftOut);
    return 'done';
  } catch (error) {
    if (deps.closing.aborted) return 'stop';
    return feedFailed(deps, request, error, run);
  }
}

function pathOf({ kind, key, call }: Request): string {
  switch (kind) {
    case 'event-odds':
      return `sports/${key}/events/${encodeURIComponent(call!.eventId!)}/odds`;
    case 'history':
      return `historical/sports/${key}/odds`;
    default:
      return `sports/${key}/${kind}`;
  }
}

function query(
  { kind, call }: Request,
  { regions, bookmakers }: OddsApiDeps['config'],
): Record<string, string> {
  if (kind === 'scores') return { daysFrom: '3' };
  if (call === null) return {};
  const books: Record<string, string> =
    bookmakers.length > 0 ? { bookmakers: bookmakers.join(',') } : { regions: regions.join(',') };
  // Prices just before the start; the history has whole seconds.
  const date = call.snapshotAt === null ? {} : { date: iso(call.snapshotAt - 1000).replace(/\.\d+Z$/, 'Z') };
  return { ...books, markets: call.markets.join(','), oddsFormat: 'american', ...date };
}

async function apply(
  { database, enqueue }: OddsApiDeps,
  { kind, key, sport, call }: Request,
  body: unknown,
  now: number,
): Promise<{ message: string; leftOut: Record<string, number> }> {
  const source = `${account}/${key}`;
  const ways = (await moneylineWays(database)).get(sport) ?? 2;
  if (kind === 'history') {
    const { items, asOf, leftOut: unread } = readPastOdds(body, ways);
    const wanted = items.filter(({ eventId }) => call!.eventIds.includes(eventId));
    const taken = await applyPastPrices(database, source, sport, wanted, asOf, now);
    await notifyWorkers(enqueue, { ...noStates, prices: taken.prices });
    return {
      message: `${key} as of ${iso(asOf)}: ${taken.prices} prices of missed closings.`,
      leftOut: new LeftOutCounts(unread, taken.leftOut).counts(),
    };
  }
  const read = kind === 'scores' ? readScores(body, key) : readers[kind](body, ways, now);
  const taken = await applyReports(database, source, sport, read.items, now);
  const vanished = read.unreadable === 0 ? await noteFullAnswer(database, source, kind, read.items, now) : 0;
  taken.postponed += vanished;
  // Each one adds a remark to the log.
  await notifyWorkers(enqueue, { ...taken, corrections: taken.corrections + vanished });
  const byHand =
    kind === 'events' && !hasScores(sport)
      ? ' It has no scores for this sport: results must come from another source or by hand.'
      : '';
  return {
    message: `${sentence(taken, read)}${byHand}`,
    leftOut: new LeftOutCounts(read.leftOut, taken.leftOut).counts(),
  };
}

const noStates = { postponed: 0, finals: 0, cancelled: 0, corrections: 0 };

const readers = {
  events: readEvents,
  odds: readOdds,
  // One event, including markets that no answer for a whole sport has.
  'event-odds': (body: unknown, ways: MoneylineWays, now: number) => readOdds([body], ways, now),
} as const;

function sentence(taken: AppliedReports, { items, unreadable, example }: Read<EventReport>): string {
  const { events, leftOut: _, ...counts } = taken;
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const listed = items.reduce((sum, { prices = [] }) => sum + prices.length, 0);
  const phrases = [
    `${events} events`,
    ...parts.map(([what, count]) => `${count} ${what}`),
    ...(listed > 0 && counts.prices === 0 ? [`none of ${listed} prices new`] : []),
  ].join(', ');
  return unreadable === 0 ? `${phrases}.` : `${phrases}; ${unreadable} unreadable: ${example}.`;
}

/** How far back a scores answer lists every event, in ms; the provider has three days. */
const scoresBackMs = 60 * hour;

/**
 * Notes events that an answer omits, if it lists every event of a span: upcoming events, or those of the last days with scores. Answers with
 * prices have none. Counts requests for scores of games that must be over and have pending picks.
 * @param source name of the events
 * @returns the number of games postponed by it
 */
async function noteFullAnswer(
  database: Database,
  source: string,
  kind: Request['kind'],
  reports: readonly EventReport[],
  now: number,
): Promise<number> {
  const eventIds = reports.map(({ eventId }) => eventId);
  if (kind === 'events' && reports.length > 0) {
    const to = Math.max(now, ...reports.map(({ startsAt }) => startsAt));
    return noteVanished(database, source, { from: now, to, eventIds }, now);
  }
  if (kind !== 'scores') return 0;
  const from = now - scoresBackMs;
  await database.raw(
    `update source_events e set score_asks = e.score_asks + 1
     from games g join sports s on s.key = g.sport
     where e.source = :source and e.starts_at between :from and :now and g.id = e.game_id and g.status = 'scheduled'
       and g.starts_at + s.event_minutes * interval '48 seconds' <= :now
       and exists (select from pending_picks p where p.game_id = g.id)`,
    { source, from: new Date(from), now: new Date(now) },
  );
  return noteVanished(database, source, { from, to: now, eventIds }, now);
}
