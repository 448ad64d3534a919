import { gradedByScore, scoredSides } from '../../games/scored-picks.ts';
import { readWaiting } from '../../sources/waiting.ts';
import { ageCheck, observedFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'results';

/** Games that should be over for long, with picks that nobody can settle because no result has come. */
export const resultsCheck = ageCheck({
  name,
  title: 'Missing results',
  about: 'How long a game with pending picks should have been over without a result coming in.',
  thresholds: { degraded: 43_200, down: 604_800 },
  restsOn: ['database'],
  async look(context) {
    const { database, now } = context;
    // A final game still lacks what its scores cannot tell: the result of another market. Games are looked up, however few rows the planner
    // takes `games` to have.
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
      return { seconds: 0, value: 0, message: 'No game with pending picks is without a result.' };
    const seconds = (now - since) / 1000;
    const overdue = (await readWaiting(database, now)).find(
      ({ over, status }) => over && status === 'scheduled',
    );
    const why = overdue && `: ${overdue.sport}: ${overdue.name}: ${overdue.reasons.join('; ')}`;
    return {
      ...observedFor(context, name, String(first), seconds),
      value: picks,
      message: `${counted(picks, 'pick')} without a result on games that should be over, the first for ${span(seconds)}${why ?? ''}.`,
    };
  },
});
