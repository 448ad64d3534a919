import { gradedByScore, scoredSides } from '../../games/scored-picks.ts';
import { ageCheck, stuckFor } from '../check.ts';
import { counted, span } from '../span.ts';

const name = 'gradings';

/** Grading settles picks within moments of their result. */
export const gradingsCheck = ageCheck({
  name,
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
    const { waited, ...held } = stuckFor(context, name, String(first), overdue);
    return {
      ...held,
      value: overdue,
      message: `${counted(overdue, 'pick')} with a known result not settled, the oldest for ${span(waited)}.`,
    };
  },
});
