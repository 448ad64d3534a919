import { cancelled, type Outcome, ok } from '../../jobs/job.ts';
import { LeftOutCounts } from '../answer.ts';
import { applyReports } from '../apply-reports.ts';
import { get, jsonOf, Unanswered } from '../http.ts';
import { awaitedGamesOf, scoresDue } from '../open-games.ts';
import type { PollDeps, SourceSettings } from '../poll-deps.ts';
import {
  fingerprint,
  forgetRuns,
  noteSources,
  readRuns,
  recordFailure,
  recordRun,
  updateRun,
} from '../runs.ts';
import { notifyWorkers } from '../source-scores.ts';
import { readMatches } from './answers.ts';
import { footballDataSource } from './source.ts';

const day = 86_400_000;
const base = `${footballDataSource.name}/matches`;
const source = `${base}/scores`;

/** Pause after a refused token, in ms. */
const refusedMs = 6 * 3_600_000;

type FootballDataDeps = PollDeps<SourceSettings['footballData']>;

/** Polls football-data.org for the soccer matches that picks wait for, with one request for all of them. */
export async function pollFootballData(deps: FootballDataDeps): Promise<Outcome> {
  const { config, database, clock, closing, enqueue } = deps;
  const { key } = config;
  if (key === undefined) {
    await forgetRuns(database, footballDataSource.name, []);
    return cancelled('FOOTBALL_DATA_KEY is not set');
  }
  const now = clock.now();
  const keyHash = fingerprint(key);
  const run = (await readRuns(database, source)).get(source);
  // A new key is tried at once.
  const known = run?.keyHash === keyHash ? run : undefined;
  if (known?.ok === false && (known.nextAt ?? 0) > now)
    return cancelled('backing off after a failure at football-data.org');
  const open = await awaitedGamesOf(database, 'soccer', now);
  const { everyMs } = footballDataSource.offers.scores;
  const { dueAt, due } = scoresDue(open, known?.ok === true ? known.ranAt : null, everyMs, now);
  if (run === undefined) await noteSources(database, [source], now);
  if (due.length === 0) {
    if (run === undefined || run.nextAt !== dueAt) await updateRun(database, source, { nextAt: dueAt });
    return ok({ asked: 0 });
  }
  try {
    const starts = due.map(({ startsAt }) => startsAt);
    const body = await ask(deps, key, Math.min(...starts), Math.max(...starts));
    const { events, leftOut } = readMatches(body);
    const taken = await applyReports(database, base, 'soccer', events, clock.now());
    await notifyWorkers(enqueue, taken);
    const counts = new LeftOutCounts(leftOut, taken.leftOut).counts();
    const message = `Games due: ${due.length}; known games in the answer: ${taken.events}, finals: ${taken.finals}.`;
    await recordRun(database, source, clock.now(), true, message, { nextAt: null, keyHash }, counts);
    return ok({ asked: 1, finals: taken.finals });
  } catch (error) {
    if (closing.aborted) return ok({ asked: 1 });
    await recordFailure(deps, source, footballDataSource.title, error, run, { keyHash });
    return ok({ asked: 1, failed: 1 });
  }
}

async function ask(
  { config, closing }: FootballDataDeps,
  key: string,
  from: number,
  to: number,
): Promise<unknown> {
  const url = new URL(`${config.url}/v4/matches`);
  const date = (at: number) => new Date(at).toISOString().slice(0, 10);
  url.searchParams.set('dateFrom', date(from));
  // The end date is exclusive.
  url.searchParams.set('dateTo', date(to + day));
  const { status, headers, text } = await get(url, {
    signal: closing,
    headers: { accept: 'application/json', 'x-auth-token': key },
  });
  if (status === 429) {
    const reset = Number(headers['x-requestcounter-reset'] ?? headers['retry-after']);
    throw new Unanswered('the answer is 429', (reset > 0 && reset < 3600 ? reset : 60) * 1000);
  }
  if (status === 400 || status === 401 || status === 403)
    throw new Unanswered(`the answer is ${status}, so FOOTBALL_DATA_KEY may be wrong`, refusedMs);
  if (status !== 200) throw new Unanswered(`the answer is ${status}`);
  return jsonOf(text);
}
