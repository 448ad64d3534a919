import { marketKey, pricesOf } from '../../games/lines.ts';
import type { Database } from '../../platform/database.ts';
import { closingMarket, closingOf } from '../../rules/closing.ts';
import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import { ageCheck } from '../check.ts';
import { counted, span } from '../span.ts';

/** Grading closes picks within moments of the start of their game. */
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
  async look({ database, now }) {
    const overdue = await overdueStarts(database, now);
    if (overdue.length === 0) return { seconds: 0, value: 0, message: 'No closings are overdue.' };
    const seconds = (now - Math.min(...overdue)) / 1000;
    return {
      seconds,
      value: overdue.length,
      message: `${counted(overdue.length, 'pick')} not closed although closing odds are known, the oldest for ${span(seconds)}.`,
    };
  },
});

interface OpenPick {
  gameId: number;
  startsAt: number;
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string | null;
}

/**
 * Returns the starts of the picks that the closing rule would close now, without imported ones while an import is open. The query leaves few candidates: picks with a price in time for
 * their market and their book or line.
 */
async function overdueStarts(database: Database, now: number): Promise<number[]> {
  const { rows: picks }: { rows: OpenPick[] } = await database.raw(
    `select g.id as "gameId", g.starts_at as "startsAt", p.market, p.subject, p.side, p.line_e3 as "lineE3",
       p.odds_american as "oddsAmerican", p.book
     from pending_picks q
     join games g on g.id = q.game_id
     join picks p on p.id = q.pick_id
     where not q.closed and g.starts_at <= :now
       and (p.provenance = 'live' or not exists (select from open_imports where until > clock_timestamp()))
       and exists (
       select from lines l where l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject and l.side = p.side
         and l.captured_at <= g.starts_at and (l.closing or l.captured_at >= g.starts_at - :age * interval '1 ms')
         and case when p.book is null then l.line_e3 is not distinct from p.line_e3 else l.book = p.book end)`,
    { now: new Date(now), age: closingAgeMs },
  );
  if (picks.length === 0) return [];
  const prices = await pricesOf(database, [...new Set(picks.map(({ gameId }) => gameId))]);
  return picks
    .filter((pick) => {
      const rows = prices.get(marketKey(pick)) ?? [];
      return closingOf(closingMarket(pick.market, rows, pick.startsAt), pick) !== null;
    })
    .map(({ startsAt }) => startsAt);
}
