import type { Database } from '../../platform/database.ts';
import { retryAfter } from '../../platform/retry-after.ts';
import { checker } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { addDays, etDay, etDayStart } from '../../rules/et-day.ts';
import type { LeftOutCounts } from '../answer.ts';
import { type AppliedReports, applyReports } from '../apply-reports.ts';
import { type Answer, judgeAnswer } from '../drift.ts';
import { type Got, get, jsonOf, TooLarge, Unanswered, Unreadable } from '../http.ts';
import type { PollDeps, SourceSettings } from '../poll-deps.ts';
import { countRequest, noteRequest, readRequests, type SourceRequest } from '../source-requests.ts';
import { noteFull, notifyWorkers } from '../source-scores.ts';
import type { FullAnswer } from '../vanished.ts';
import { readScoreboard } from './answers.ts';
import type { League } from './leagues.ts';
import { type Ask, type Feed, type FormName, maxListed } from './plan.ts';

const hour = 3_600_000;

export type EspnDeps = PollDeps<SourceSettings['espn']>;

/** Thrown if ESPN refuses all requests for a while. */
export class Blocked extends Unanswered {
  override name = 'Blocked';
}

/** Thrown if ESPN refuses a form of asking, or cuts off its answers. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly form: FormName;
  constructor(form: FormName, message: string) {
    super(message);
    this.form = form;
  }
}

/**
 * Makes a request for some days and applies the answer.
 * @param isRetry whether the last poll of the feed failed. ESPN now and then refuses what it answers a minute later
 * @param count adds up what was applied
 * @returns whether the answer changed since the last request
 * @throws Refusal, Blocked, Unreadable, Unanswered
 */
export async function askDays(
  deps: EspnDeps,
  { base, league }: Pick<Feed, 'base' | 'league'>,
  ask: Ask,
  isRetry: boolean,
  leftOut: LeftOutCounts,
  count: (applied: Partial<AppliedReports>) => void,
): Promise<boolean> {
  const { database, clock, enqueue } = deps;
  const known = await readRequests(database, base, clock.now());
  const last = known.find(({ request }) => request === ask.name);
  const row = {
    source: base,
    request: ask.name,
    etag: null,
    lastModified: null,
    refusal: null,
    finding: null,
  };
  const refuse = async (why: string, finding: string | null = null) => {
    const worked = known.some(
      ({ request, refusal }) => refusal === null && request.startsWith(`${ask.form} `),
    );
    if (worked && finding === null && !isRetry) throw new Unreadable(`${why} for ${ask.path}`);
    await noteRequest(
      database,
      { ...row, refusal: `${ask.form}, ${why}: ${ask.path}`, finding },
      clock.now(),
    );
    throw new Refusal(ask.form, `${why} for ${ask.path}`);
  };
  const got = await getJson(
    deps,
    base,
    ask.form === 'core' ? coreUrl(deps.config.url) : deps.config.url,
    ask.path,
    last,
  );
  if ('refusal' in got) return refuse(got.refusal);
  const note = async (eventIds: FullAnswer['eventIds'] | undefined) => {
    const now = clock.now();
    const span = { from: Math.max(now, ask.from), to: ask.to };
    if (eventIds === undefined || span.from >= span.to) return;
    count({ postponed: await noteFull(deps, base, { ...span, eventIds }, now) });
  };
  if (got.body === undefined) {
    await noteRequest(database, { ...row, ...last, refusal: null }, clock.now());
    await note('unchanged');
    return false;
  }
  const core = ask.form === 'core' ? await eventsOf(deps, base, league, got.body) : undefined;
  const board = readScoreboard(
    core ?? got.body,
    league,
    await wantedOf(database, base, ask, league, clock.now()),
  );
  leftOut.addAll(board.leftOut);
  const taken = await applyReports(database, base, league.sport, board.events, clock.now());
  leftOut.addAll(taken.leftOut);
  count(taken);
  await notifyWorkers(enqueue, taken);
  const now = clock.now();
  const judged = { ...board, days: daysOf(board, ask, league, now) };
  const finding =
    core === undefined && ask.isPast !== true ? await judgeAnswer(database, base, judged, now) : undefined;
  if (ask.form !== 'day' && (board.listed >= maxListed || finding?.isCut === true))
    return refuse(`${board.listed} events`, finding?.text);
  const { etag = null, 'last-modified': lastModified = null } = got.headers;
  await noteRequest(database, { ...row, etag, lastModified, finding: finding?.text ?? null }, now);
  if (finding === undefined) await note(core === undefined ? board.eventIds : core.ids);
  return true;
}

/** Returns the number of games by day, for the days that an answer is complete for: those of its span that are not over, or its only day. */
function daysOf(
  { days }: Answer,
  { form, first, last }: Ask,
  { sport }: League,
  now: number,
): Map<string, number> {
  const today = etDay(now);
  const from = form === 'day' || first > today ? first : today;
  const found = new Map<string, number>();
  for (let day = from; day <= last; day = addDays(day, 1)) found.set(day, days.get(day) ?? 0);
  // An empty coming day of soccer only means that ESPN does not list it yet.
  if (form === 'day' && sport === 'soccer' && first > today && found.get(first) === 0) found.delete(first);
  return found;
}

/**
 * Returns which games of an answer to apply: all of small answers; of months and weeks, those of the coming days, and open games wherever
 * they moved.
 */
async function wantedOf(
  database: Database,
  base: string,
  { form, appliedFrom }: Ask,
  { aheadDays }: League,
  now: number,
): Promise<(eventId: string, startsAt: number) => boolean> {
  if (form !== 'month' && form !== 'week') return () => true;
  const end = etDayStart(addDays(etDay(now), aheadDays + 1));
  const open = new Set<string>(
    await database('source_events as e')
      .join('games as g', 'g.id', 'e.game_id')
      .where('e.source', base)
      .whereIn('g.status', ['scheduled', 'postponed'])
      .pluck('e.event_id'),
  );
  return (eventId, startsAt) =>
    startsAt >= appliedFrom && ((startsAt > now && startsAt < end) || open.has(eventId));
}

/** Address of the core API, which has a host of its own. A proxy takes both. */
function coreUrl(url: string): string {
  return url.replace('://site.api.espn.com', '://sports.core.api.espn.com');
}

const checkList = checker(
  Type.Object({
    count: Type.Integer({ minimum: 0 }),
    items: Type.Array(Type.Object({ $ref: Type.String({ maxLength: 400 }) }), { maxItems: 1000 }),
  }),
);
const checkSummary = checker(
  Type.Object({ header: Type.Object({ competitions: Type.Array(Type.Unknown(), { maxItems: 40 }) }) }),
);

/** Maximum number of events of a list to ask for by their ids. */
const maxById = 20;

/**
 * Returns events that a list of the core API names, in the form of a scoreboard: those that are not known or were not seen for hours, and
 * those that have begun.
 */
async function eventsOf(
  deps: EspnDeps,
  base: string,
  league: League,
  body: unknown,
): Promise<{ events: unknown[]; ids: string[] | undefined }> {
  const { database, clock, config } = deps;
  const list = checkList(body);
  if (!list.ok) throw new Unreadable('the answer is not a list of events');
  const ids = list.value.items.flatMap(({ $ref }) => /\/events\/(\d{1,20})/.exec($ref)?.[1] ?? []);
  const now = clock.now();
  const { rows }: { rows: { id: string }[] } = await database.raw(
    `select i.id from unnest(?::text[]) with ordinality as i (id, at)
       left join source_events e on e.source = ? and e.event_id = i.id left join games g on g.id = e.game_id
     where e.event_id is null or e.seen_at < ? or (g.starts_at <= ? and g.status in ('scheduled', 'postponed'))
     order by e.seen_at nulls first, i.at limit ?`,
    [ids, base, new Date(now - 6 * hour), new Date(now), maxById],
  );
  const events: unknown[] = [];
  for (const { id } of rows) {
    const got = await getJson(
      deps,
      base,
      config.url,
      `/apis/site/v2/sports/${league.path}/summary?event=${id}`,
    );
    const summary = checkSummary('body' in got ? got.body : undefined);
    if (summary.ok) events.push(summary.value.header);
  }
  return { events, ids: ids.length === list.value.count && ids.length > 0 ? ids : undefined };
}

/**
 * Makes a request that counts.
 * @param last the last request of the same kind, for a conditional one
 * @returns the answer, whose body is undefined if it did not change; or why ESPN does not answer such requests
 */
export async function getJson(
  { clock, closing, database }: EspnDeps,
  base: string,
  url: string,
  path: string,
  last?: Pick<SourceRequest, 'etag' | 'lastModified'>,
): Promise<{ body?: unknown; headers: Got['headers'] } | { refusal: string }> {
  await countRequest(database, base, clock.now());
  const got = await get(new URL(`${url}${path}`), {
    signal: closing,
    maxBytes: 24 * 2 ** 20,
    headers: {
      accept: 'application/json',
      ...(last?.etag == null ? {} : { 'if-none-match': last.etag }),
      ...(last?.lastModified == null ? {} : { 'if-modified-since': last.lastModified }),
    },
  }).catch((error) => {
    if (error instanceof TooLarge) return error;
    throw error;
  });
  if (got instanceof TooLarge) return { refusal: got.message };
  const { status, headers, text } = got;
  if (status === 304) return { headers };
  if (status === 400 || status === 404) return { refusal: `the answer is ${status}` };
  if (status === 403 || status === 429)
    throw new Blocked(`the answer is ${status}`, retryAfter(headers, clock.now()) ?? 0);
  if (status >= 500) throw new Unanswered(`the answer is ${status}`);
  if (status !== 200) throw new Unreadable(`the answer is ${status}`);
  return { body: jsonOf(text), headers };
}
