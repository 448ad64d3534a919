import { gradedByScore, scoredSides } from '../../games/scored-picks.ts';
import { findTwins } from '../../games/twins.ts';
import {
  type ClosablePick,
  closable,
  closableBy,
  closableColumns,
  closableWith,
} from '../../ledger/closing/missed.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { weighStatements } from '../../sources/source-scores.ts';
import { type Statement, statementText } from '../../sources/verdict.ts';
import { readWaiting } from '../../sources/waiting.ts';
import { ageCheck, observedFor, stuckFor, unchangedFor } from '../check.ts';
import { counted, span } from '../span.ts';

/** How long before its start a game counts as open for betting, in hours. */
const bettableHours = 12;
/** How far back the check looks, in days. */
const lookBackDays = 30;

/** Neither the off-season nor an empty ledger raises an alarm. */
export const lastPickCheck = ageCheck({
  name: 'last-pick',
  title: 'Last pick',
  about:
    'How long games have been open for betting without a new pick. Time without such games does not count.',
  thresholds: { degraded: 43_200, down: 172_800 },
  runbook: {
    means: 'Games are open for betting, but no picks arrive.',
    readers: 'Boards show no new picks.',
    lookAt:
      "The operator's page (`/`), its list of refused posts, and the log of the program that posts picks.",
    first:
      'Check that the program that posts picks runs and that its posts are accepted, then ask the cappers.',
  },
  dependsOn: ['database'],
  async measure(context) {
    const { database, now } = context;
    const last = await lastPickAt(database);
    if (last === null) return { seconds: null, message: 'No pick has been posted yet.' };
    const quiet = Math.max(0, (now - last) / 1000);
    const missed = await bettableSeconds(database, last, now);
    return {
      ...observedFor(context, String(last), missed),
      value: Math.floor(quiet),
      message: `The last pick was posted ${span(quiet)} ago; games have been open for betting for ${span(missed)} since.`,
    };
  },
});

/** Picks not yet on the boards are among the newest rows. */
async function lastPickAt(database: Database): Promise<number | null> {
  const { rows }: { rows: { at: number | null }[] } = await database.raw(
    `select greatest((select max(posted_at) from board_picks),
       (select max(posted_at) from (select posted_at from picks order by id desc limit 100) newest)) as at`,
  );
  return rows[0]?.at ?? null;
}

async function bettableSeconds(database: Database, from: number, to: number): Promise<number> {
  const { rows }: { rows: { seconds: number | null }[] } = await database.raw(
    `select sum(extract(epoch from upper(stretch) - lower(stretch)))::float8 as seconds from (
       select unnest(range_agg(tstzrange(greatest(starts_at - make_interval(hours => :hours), :from), least(starts_at, :to)))) as stretch
       from games where status in ('scheduled', 'final')
         and starts_at > :from and starts_at - make_interval(hours => :hours) < :to
     ) as stretches`,
    {
      hours: bettableHours,
      from: new Date(Math.max(from, to - lookBackDays * 86_400_000)),
      to: new Date(to),
    },
  );
  return rows[0]?.seconds ?? 0;
}

/** How long after a game's expected end its picks should have settled, in minutes. */
const slackMinutes = 60;
/** How far back the check looks, in days. Older games without a result belong to {@link resultsCheck}. */
const settledBackDays = 7;

/** Applies only while picks on finished games wait: otherwise there is nothing to settle. */
export const lastSettlementCheck = ageCheck({
  name: 'last-settlement',
  title: 'Last settlement',
  about: 'How long no pick has settled although games with pending picks have ended.',
  thresholds: { degraded: 21_600, down: 86_400 },
  runbook: {
    means: 'Games with pending picks have ended, but none of their picks settle.',
    readers: 'Picks on finished games stay pending, and records do not change.',
    lookAt: '`npm run cli -- waiting`, `npm run cli -- sources`, and the log of `grading`.',
    first: "If a source is silent, set the scores on the operator's page.",
  },
  dependsOn: ['database', 'workers-grading'],
  async measure(context) {
    const { database, now } = context;
    const { last, waitingSince } = await readSettled(database, now);
    if (last === null && waitingSince === null)
      return { seconds: null, message: 'No pick has settled yet, and none is due.' };
    const ago =
      last === null ? 'No pick has settled yet' : `The last pick settled ${span((now - last) / 1000)} ago`;
    const value = last === null ? {} : { value: Math.max(0, Math.floor((now - last) / 1000)) };
    const waited = waitingSince === null ? 0 : (now - Math.max(waitingSince, last ?? 0)) / 1000;
    const watched = observedFor(context, String(last), waited);
    if (waitingSince === null)
      return { ...watched, ...value, message: `${ago}; no pending pick is on a finished game.` };
    return {
      ...watched,
      ...value,
      message: `${ago}; picks on finished games have waited for ${span(waited)}.`,
    };
  },
});

async function readSettled(database: Database, now: number) {
  const { rows }: { rows: { last: number | null; waitingSince: number | null }[] } = await database.raw(
    `select
       greatest((select max(settled_at) from board_picks where result is not null),
         (select max(s.settled_at) from (select pick_id, settled_at from settlements order by pick_id desc limit 100) s)) as last,
       (select min(g.starts_at + make_interval(mins => s.event_minutes + :slack)) from pending_picks p
         join games g on g.id = p.game_id join sports s on s.key = g.sport
         where p.market || '/' || p.side = any(:finalSides) and g.status <> 'postponed' and not g.was_postponed and g.starts_at > :oldest
           and g.starts_at + make_interval(mins => s.event_minutes + :slack) <= :now) as "waitingSince"`,
    {
      finalSides: scoredSides.finalSides,
      slack: slackMinutes,
      now: new Date(now),
      oldest: new Date(now - settledBackDays * 86_400_000),
    },
  );
  return rows[0]!;
}

export const closingsCheck = ageCheck({
  name: 'closings',
  title: 'Overdue closings',
  about: 'How long after the start of its game a pick with known closing odds has not closed.',
  thresholds: { degraded: 120, down: 600 },
  runbook: {
    means: 'A game has started and its closing odds are known, but its picks have not closed.',
    readers: 'Closing odds and CLV are missing.',
    lookAt: 'The log of `grading` and its queue.',
    first: 'Restart the grading worker.',
  },
  dependsOn: ['database', 'workers-grading'],
  async measure(context) {
    const { database, now } = context;
    const overdue = await overdueStarts(database, now);
    if (overdue.length === 0) return { seconds: 0, value: 0, message: 'No closings are overdue.' };
    const oldest = overdue.reduce((one, other) => Math.min(one, other));
    // A price may arrive long after the start, and imported picks started long ago.
    const { waited, ...held } = stuckFor(context, String(oldest), overdue.length);
    const sinceStart = (now - oldest) / 1000;
    return {
      ...held,
      seconds: Math.min(held.seconds, sinceStart),
      value: overdue.length,
      message: `${counted(overdue.length, 'pick')} not closed although closing odds are known, the oldest for ${span(Math.min(waited, sinceStart))}.`,
    };
  },
});

/** Picks that the closing rule would close now, without imported ones during an import. The query leaves few candidates. */
async function overdueStarts(database: Database, now: number): Promise<number[]> {
  const { rows }: { rows: ClosablePick[] } = await database.raw(
    `select ${closableColumns}
     from pending_picks q
     join games g on g.id = q.game_id
     join picks p on p.id = q.pick_id
     where not q.closed and g.starts_at <= :now
       and (p.provenance = 'live' or not exists (select from open_imports where until > clock_timestamp()))
       and exists (select from lines l where ${closableBy})`,
    { now: new Date(now), ...closableWith },
  );
  return (await closable(database, rows)).map(({ startsAt }) => startsAt);
}

export const gradingsCheck = ageCheck({
  name: 'gradings',
  title: 'Overdue gradings',
  about: 'How long a pick with a known result has not settled.',
  thresholds: { degraded: 120, down: 900 },
  runbook: {
    means: 'A result is known, but picks on it have not settled.',
    readers: 'Picks with a known result still show as pending.',
    lookAt: 'The log of `grading` and its queue.',
    first: 'Restart the grading worker.',
  },
  dependsOn: ['database', 'workers-grading'],
  async measure(context) {
    // Imported results are old, so the wait counts from the first run that saw it, or from the last progress.
    const { rows }: { rows: { first: number | null; overdue: number }[] } = await context.database.raw(
      // One lookup per game, because picks share games. Picks on unfinished games are not read.
      `select min(p.pick_id) as first, count(*)::int as overdue
       from (select distinct game_id from pending_picks) d
       cross join lateral (
         select *, exists (select from results r where r.game_id = d.game_id) as has_results from games where id = d.game_id offset 0) g
       cross join lateral (
         select * from pending_picks where game_id = g.id and (g.status in ('cancelled', 'final') or g.has_results) offset 0) p
       where (g.status = 'cancelled' and g.final_at is not null)
         or ${gradedByScore}
         or (g.has_results and exists (
           select from results r join picks k on k.id = p.pick_id where r.game_id = p.game_id
             and r.market = k.market and r.subject is not distinct from k.subject and r.side = k.side and r.line_e3 is not distinct from k.line_e3))`,
      scoredSides,
    );
    const { first, overdue } = rows[0]!;
    if (first === null)
      return { seconds: 0, value: 0, message: 'All picks with a known result have settled.' };
    const { waited, ...held } = stuckFor(context, String(first), overdue);
    return {
      ...held,
      value: overdue,
      message: `${counted(overdue, 'pick')} with a known result not settled, the oldest for ${span(waited)}.`,
    };
  },
});

/** Picks on a game without a result cannot settle. */
export const resultsCheck = ageCheck({
  name: 'results',
  title: 'Missing results',
  about: 'How long after its expected end a game with pending picks has no result.',
  thresholds: { degraded: 43_200, down: 604_800 },
  runbook: {
    means: 'A game should be over, but no source reports how it ended.',
    readers: 'Picks on a finished game stay pending.',
    lookAt: '`npm run cli -- waiting`: the game may be postponed, canceled, or missing from every source.',
    first: "Set the score or the status of the game on the operator's page.",
  },
  dependsOn: ['database'],
  async measure(context) {
    const { database, now } = context;
    // A final game can still lack the result of a market that its score does not decide. `offset 0` keeps the planner from scanning
    // `games`.
    const { rows }: { rows: { since: number | null; first: number; picks: number }[] } = await database.raw(
      `select min(over_at) as since, min(pick_id) as first, count(*)::int as picks from (
         select p.pick_id, coalesce(g.final_at, g.starts_at + make_interval(mins => s.event_minutes)) as over_at
         from (select distinct game_id from pending_picks) d
         cross join lateral (select * from games where id = d.game_id offset 0) g
         join sports s on s.key = g.sport
         cross join lateral (select * from pending_picks where game_id = g.id offset 0) p
         where not exists (select from results r where r.game_id = p.game_id and r.market = p.market) and (
           (g.status = 'scheduled' and not g.was_postponed)
           or (g.status = 'final' and not ${gradedByScore}))
       ) as waiting where over_at <= :now`,
      { ...scoredSides, now: new Date(now) },
    );
    const { since, first, picks } = rows[0]!;
    if (since === null)
      return { seconds: 0, value: 0, message: 'No finished game with pending picks lacks a result.' };
    const seconds = (now - since) / 1000;
    const overdue = (await readWaiting(database, now, { status: 'scheduled' })).find(({ over }) => over);
    const why = overdue && `: ${overdue.sport}: ${overdue.name}: ${overdue.reasons.join('; ')}`;
    return {
      ...observedFor(context, String(first), seconds),
      value: picks,
      message: `${counted(picks, 'pick')} without a result on games that should be over, the oldest for ${span(seconds)}${why ?? ''}.`,
    };
  },
});

/** A disputed game is not graded until the sources agree or an operator posts its result. */
export const disputedScoresCheck = ageCheck({
  name: 'disputed-scores',
  title: 'Disputed scores',
  about: 'How long sources have disagreed about the result of a game.',
  thresholds: { degraded: 1, down: 86_400 },
  runbook: {
    means: 'Sources disagree about a result. The game is not graded until they agree.',
    readers: 'Picks on a game stay pending because sources disagree about its score.',
    lookAt: '`npm run cli -- waiting`, which lists what each source reports.',
    first: "Check the league's own site, then set the score on the operator's page.",
  },
  dependsOn: ['database'],
  async measure({ database, now }) {
    const disputes = (await weighStatements(database, now)).flatMap(({ game, verdict }) =>
      verdict.verdict === 'disagree' ? { game, statements: verdict.statements } : [],
    );
    if (disputes.length === 0) return { seconds: 0, value: 0, message: 'Sources agree about all results.' };
    const since = (statements: readonly Statement[]) => Math.max(...statements.map(({ saidAt }) => saidAt));
    disputes.sort((a, b) => since(a.statements) - since(b.statements));
    const [{ game, statements }] = disputes as [(typeof disputes)[number]];
    const seconds = (now - since(statements)) / 1000;
    return {
      seconds,
      value: disputes.length,
      message:
        `Sources disagree about ${counted(disputes.length, 'game')}; set the score to decide. The oldest, for ` +
        `${span(seconds)}: ${game.sport}: ${game.name}: ${statements.map(statementText).join(', ')}.`,
    };
  },
});

/** The prices, picks, and score of one fixture are apart while it is stored as two games. */
export const twinGamesCheck = ageCheck({
  name: 'twin-games',
  title: 'Games stored twice',
  about: 'How long two games have looked like one fixture.',
  thresholds: { degraded: 1, down: 30 * 86_400 },
  runbook: {
    means:
      'Two games of one sport start within an hour, and share an opponent: probably one game under two names.',
    readers: 'Picks on one game can be shown on two pages, without prices on one of them.',
    lookAt: '`npm run cli -- join`, which lists them.',
    first: "Join them on the operator's page or with `npm run cli -- join`. The service then knows the name.",
  },
  dependsOn: ['database'],
  async measure(context) {
    const found = await findTwins(context.database, context.now);
    const [first] = found;
    if (first === undefined) return { seconds: 0, value: 0, message: 'No games look like one fixture.' };
    const { to, from, swapped } = first;
    const held = unchangedFor(context, `${to.id} ${from.id}`);
    return {
      ...held,
      atLeast: 'degraded',
      value: found.length,
      message:
        `${counted(found.length, 'pair')} of games may be one fixture, such as ${to.sport}: ${to.name} and ${from.name}, ` +
        `${iso(to.startsAt!)}${swapped ? ', with home and away swapped' : ''}. Join them: npm run cli -- join ${to.id} ${from.id}`,
    };
  },
});
