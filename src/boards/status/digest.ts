import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { activeGroups } from '../../projections/groups.ts';
import { pickOfTheDay } from '../../projections/pick-of-the-day.ts';
import { etDay } from '../../rules/et-day.ts';
import { hotStreaks, minHotStreak } from '../cappers/hot-streaks.ts';
import type { BoardContext } from '../context.ts';

const instant = nullable(Type.String({ format: 'date-time' }));
const seconds = nullable(Type.Integer({ minimum: 0 }));

export const digestSchema = Type.Object({
  consensusGroups: Type.Integer(),
  hotStreaks: Type.Integer(),
  hasPickOfTheDay: Type.Boolean(),
  lastPickAt: instant,
  lastPickAgoSeconds: seconds,
  lastSettleAt: instant,
  lastSettleAgoSeconds: seconds,
});

/** Summarizes the current activity in a few numbers, for all sports or one. */
export async function digest(context: BoardContext, sport?: string) {
  const { database, now } = context;
  const [groups, streaks, chosen, lastPickAt, lastSettleAt] = await Promise.all([
    activeGroups(database, now, sport),
    hotStreaks(context, { min: minHotStreak }),
    pickOfTheDay(database, etDay(now)),
    latest(context, 'posted_at', sport),
    latest(context, 'settled_at', sport),
  ]);
  return {
    consensusGroups: groups.length,
    hotStreaks: streaks.filter(({ sports }) => sport === undefined || sports.includes(sport)).length,
    hasPickOfTheDay: chosen !== undefined && (sport === undefined || chosen.sport === sport),
    lastPickAt: isoOrNull(lastPickAt),
    lastPickAgoSeconds: ago(lastPickAt, now),
    lastSettleAt: isoOrNull(lastSettleAt),
    lastSettleAgoSeconds: ago(lastSettleAt, now),
  };
}

async function latest(
  { database }: BoardContext,
  column: 'posted_at' | 'settled_at',
  sport: string | undefined,
): Promise<number | null> {
  const row: { at: number } | undefined = await database('board_picks')
    .modify((query) => {
      if (sport !== undefined) query.where('sport', sport);
      if (column === 'settled_at') query.whereNotNull('result');
    })
    .orderBy(column, 'desc')
    .first({ at: column });
  return row?.at ?? null;
}

function ago(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((now - at) / 1000));
}
