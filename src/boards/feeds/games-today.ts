import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { BoardPick } from '../../projections/board-picks.ts';
import { slatePicks } from '../../projections/slate.ts';
import { eventsOf } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { sportSchema } from '../fields.ts';
import { optionalSport } from '../params.ts';

export const gamesToday = board({
  path: '/api/games/today',
  group: 'feeds',
  about: "The games on today's slate that have picks, Eastern Time, with how many cappers and markets.",
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({
    day: Type.String({ format: 'date' }),
    games: Type.Array(
      Type.Object({
        gameId: Type.Integer({ description: 'Its page is `/game/<gameId>`.' }),
        sport: sportSchema,
        game: Type.String(),
        startsAt: nullable(Type.String({ format: 'date-time' })),
        pickCount: Type.Integer(),
        capperCount: Type.Integer(),
        marketCount: Type.Integer(),
        tiers: Type.Object(
          { elite: Type.Integer(), verified_sharp: Type.Integer(), listed: Type.Integer() },
          { description: 'Different cappers by tier at post time.' },
        ),
      }),
    ),
  }),
  collection: 'games',
  examples: [{}, { sport: '{sport}' }],
  async compute({ database, now }, { sport }) {
    const byGame = new Map<number, BoardPick[]>();
    for (const row of await slatePicks(database, now, sport)) {
      const rows = byGame.get(row.gameId);
      if (rows === undefined) byGame.set(row.gameId, [row]);
      else rows.push(row);
    }
    return { day: etDay(now), games: [...byGame.values()].sort(byStart).map(shown) };
  },
});

function shown(rows: BoardPick[]) {
  const { gameId, sport, game, startsAt } = rows[0]!;
  const cappers = (tier?: string) =>
    new Set(rows.filter((row) => tier === undefined || row.tier === tier).map(({ capperId }) => capperId))
      .size;
  return {
    gameId,
    sport,
    game,
    startsAt: isoOrNull(startsAt),
    pickCount: rows.length,
    capperCount: cappers(),
    marketCount: new Set(rows.map(({ market }) => market)).size,
    tiers: { elite: cappers('elite'), verified_sharp: cappers('verified_sharp'), listed: cappers('listed') },
  };
}

function byStart([a]: BoardPick[], [b]: BoardPick[]): number {
  const start = (row: BoardPick) => row.startsAt ?? Number.MAX_SAFE_INTEGER;
  const text = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
  return start(a!) - start(b!) || text(a!.sport, b!.sport) || text(a!.game, b!.game) || a!.gameId - b!.gameId;
}
