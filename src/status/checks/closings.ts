import { marketKey, pricesOf } from '../../games/lines.ts';
import type { Database } from '../../platform/database.ts';
import { closingMarket, closingOf } from '../../rules/closing.ts';
import { ageCheck, type Check, type Thresholds } from '../check.ts';
import { counted, span } from '../span.ts';

/** A round looks at no more games than these, the latest started first, so that its cost is bounded. */
const maxGames = 20;
const lookBackMs = 86_400_000;

/** Picks that a price would close, on games that started: grading should have closed them within moments of the start. */
export function closingsCheck(thresholds: Thresholds): Check {
  return ageCheck({
    name: 'closings',
    title: 'Overdue closings',
    about:
      'How long a pick whose game has started, and for which there is a closing price, has not been closed.',
    thresholds,
    restsOn: ['database', 'workers-grading'],
    async look({ database, now }) {
      const overdue = await overdueStarts(database, now);
      if (overdue.length === 0) return { seconds: 0, value: 0, message: 'No closing is overdue.' };
      const seconds = (now - Math.min(...overdue)) / 1000;
      return {
        seconds,
        value: overdue.length,
        message: `${counted(overdue.length, 'pick')} should have closed, the first ${span(seconds)} ago.`,
      };
    },
  });
}

interface OpenPick {
  gameId: number;
  startsAt: number;
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string | null;
}

/** The starts of the picks that the rule of closing would close now. */
async function overdueStarts(database: Database, now: number): Promise<number[]> {
  const games: number[] = await database('games as g')
    .whereBetween('g.starts_at', [new Date(now - lookBackMs), new Date(now)])
    .whereExists(database('pending_picks as p').whereRaw('p.game_id = g.id and not p.closed'))
    .orderBy('g.starts_at', 'desc')
    .limit(maxGames)
    .pluck('g.id');
  if (games.length === 0) return [];
  const prices = await pricesOf(database, games);
  const picks: OpenPick[] = await database('pending_picks as q')
    .join('picks as p', 'p.id', 'q.pick_id')
    .join('games as g', 'g.id', 'q.game_id')
    .whereIn('q.game_id', games)
    .where('q.closed', false)
    .select({
      gameId: 'g.id',
      startsAt: 'g.starts_at',
      market: 'p.market',
      side: 'p.side',
      lineE3: 'p.line_e3',
      oddsAmerican: 'p.odds_american',
      book: 'p.book',
    });
  return picks
    .filter((pick) => {
      const rows = prices.get(marketKey(pick.gameId, pick.market)) ?? [];
      return closingOf(closingMarket(pick.market, rows, pick.startsAt), pick) !== null;
    })
    .map(({ startsAt }) => startsAt);
}
