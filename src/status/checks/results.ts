import { gradedByScore, scoredSides } from '../../games/scored-picks.ts';
import { readWaiting } from '../../sources/waiting.ts';
import { ageCheck, observedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'results';

/** Picks on a game without a result cannot settle. */
export const resultsCheck = ageCheck({
  name,
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
      ...observedFor(context, name, String(first), seconds),
      value: picks,
      message: `${counted(picks, 'pick')} without a result on games that should be over, the oldest for ${span(seconds)}${why ?? ''}.`,
    };
  },
});
