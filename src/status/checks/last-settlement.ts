import { scoredSides } from '../../games/scored-picks.ts';
import type { Database } from '../../platform/database.ts';
import { ageCheck, observedFor } from '../check.ts';
import { span } from '../span.ts';

const name = 'last-settlement';

/** How long after a game's expected end its picks should have settled, in minutes. */
const slackMinutes = 60;
/** How far back the check looks, in days. Older games without a result belong to `results.ts`. */
const lookBackDays = 7;

/** Applies only while picks on finished games wait: otherwise there is nothing to settle. */
export const lastSettlementCheck = ageCheck({
  name,
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
    const { last, waitingSince } = await read(database, now);
    if (last === null && waitingSince === null)
      return { seconds: null, message: 'No pick has settled yet, and none is due.' };
    const ago =
      last === null ? 'No pick has settled yet' : `The last pick settled ${span((now - last) / 1000)} ago`;
    const value = last === null ? {} : { value: Math.max(0, Math.floor((now - last) / 1000)) };
    const waited = waitingSince === null ? 0 : (now - Math.max(waitingSince, last ?? 0)) / 1000;
    const watched = observedFor(context, name, String(last), waited);
    if (waitingSince === null)
      return { ...watched, ...value, message: `${ago}; no pending pick is on a finished game.` };
    return {
      ...watched,
      ...value,
      message: `${ago}; picks on finished games have waited for ${span(waited)}.`,
    };
  },
});

async function read(database: Database, now: number) {
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
      oldest: new Date(now - lookBackDays * 86_400_000),
    },
  );
  return rows[0]!;
}
