import { isoOrNull } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { activeGroups } from '../../projections/groups.ts';
import { pickOfTheDay } from '../../projections/pick-of-the-day.ts';
import { slateGames } from '../../projections/slate.ts';
import { eventsOf, everyEvent, tags } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { beyond, board } from '../board.ts';
import { hotStreaks, minHotStreak } from '../cappers/streaks.ts';
import { type BoardContext, lifetimes } from '../endpoint.ts';
import { sport } from '../params.ts';

const instant = Field.orNull.instant();
const seconds = nullable(Type.Integer({ minimum: 0 }));

const digestSchema = Type.Object({
  consensusGroups: Field.integer(),
  hotStreaks: Field.integer(),
  hasPickOfTheDay: Field.flag(),
  lastPickAt: instant,
  lastPickAgoSeconds: seconds,
  lastSettleAt: instant,
  lastSettleAgoSeconds: seconds,
});

async function digest(context: BoardContext, sport?: string) {
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

export const snapshot = board({
  path: '/api/snapshot',
  group: 'status',
  about:
    'A digest in one call: consensus groups, hot streaks, Pick of the Day, latest pick, and latest settlement.',
  params: Type.Object({}),
  lifetime: lifetimes.live,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  ahead: [{}],
  body: digestSchema,
  beyondLog: { hasPickOfTheDay: beyond.choice },
  examples: [{}],
  compute: (context) => digest(context),
});

const day = 86_400_000;

export const sportSnapshot = board({
  path: '/api/snapshot/sport/:sport',
  group: 'status',
  about:
    "A digest of one sport: consensus groups, latest activity, elite cappers of the last 24 hours, and today's picks.",
  params: Type.Object({ sport }),
  lifetime: lifetimes.live,
  tags: (params) => [tags.pickOfTheDay, ...eventsOf(params.sport)],
  body: Type.Object({
    ...digestSchema.properties,
    eliteCappers24h: Field.integer('Elite cappers who posted in the last 24 hours.'),
    picksToday: Field.integer("Picks posted on today's games (ET), settled or not."),
  }),
  beyondLog: { hasPickOfTheDay: beyond.choice },
  examples: [{ sport: '{sport}' }],
  async compute(context, params) {
    const { database, now } = context;
    const [shared, elite, today] = await Promise.all([
      digest(context, params.sport),
      database('board_picks')
        .where({ tier: 'elite', sport: params.sport })
        .where('posted_at', '>=', new Date(now - day))
        .countDistinct({ n: 'capper_id' }),
      slateGames(database, now, params.sport),
    ]);
    return {
      ...shared,
      eliteCappers24h: Number(elite[0]?.n),
      picksToday: today.reduce((sum, { pickCount }) => sum + pickCount, 0),
    };
  },
});
