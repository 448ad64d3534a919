import { sportSchema } from '../../ledger/schemas.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type SlateGame, slateGames } from '../../projections/slate.ts';
import { eventsOf } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { board } from '../board.ts';
import { optionalSport } from '../params.ts';

export const gamesToday = board({
  path: '/api/games/today',
  group: 'feeds',
  about: "Today's games (ET) that have picks, with the number of cappers and markets.",
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => eventsOf(sport),
  ahead: [{}],
  body: Type.Object({
    day: Type.String({ format: 'date' }),
    games: Type.Array(
      Type.Object({
        gameId: Type.Integer({ description: "The game's page is `/game/<gameId>`." }),
        sport: sportSchema,
        game: Type.String(),
        startsAt: nullable(Type.String({ format: 'date-time' })),
        day: nullable(
          Type.String({
            format: 'date',
            description: 'The ET day of a game of which only that was announced, else null.',
          }),
        ),
        pickCount: Type.Integer({ description: 'Picks posted on it, settled or not.' }),
        capperCount: Type.Integer(),
        marketCount: Type.Integer(),
        tiers: Type.Object(
          { elite: Type.Integer(), verified_sharp: Type.Integer(), listed: Type.Integer() },
          { description: 'Number of cappers by tier when they posted.' },
        ),
      }),
    ),
  }),
  collection: 'games',
  examples: [{}, { sport: '{sport}' }],
  async compute({ database, now }, { sport }) {
    const games = await slateGames(database, now, sport);
    return { day: etDay(now), games: games.sort(byStart).map(shown) };
  },
});

function shown({
  startsAt,
  pickCount,
  capperCount,
  marketCount,
  elite,
  verified_sharp,
  listed,
  ...game
}: SlateGame) {
  const tiers = { elite, verified_sharp, listed };
  return { ...game, startsAt: isoOrNull(startsAt), pickCount, capperCount, marketCount, tiers };
}

function byStart(a: SlateGame, b: SlateGame): number {
  const start = (game: SlateGame) => game.startsAt ?? Number.MAX_SAFE_INTEGER;
  const text = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
  return start(a) - start(b) || text(a.sport, b.sport) || text(a.game, b.game) || a.gameId - b.gameId;
}
