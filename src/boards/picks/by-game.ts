import { gamesJoined } from '../../games/game.ts';
import { readTeams } from '../../games/names/aliases.ts';
import { gameTitles } from '../../games/names/teams.ts';
import { marketSchema, sideSchema } from '../../ledger/schemas.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, sport } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { sideCounts } from './game.ts';

/** Number of latest games searched first for the latest picks. It changes the speed, not the picks found. */
const lastGames = 16;

export const picksByGame = board({
  path: '/api/picks/by-game',
  group: 'picks',
  about: 'All picks on games with a given name, such as `<away> @ <home>`, newest first.',
  params: Type.Object({
    sport,
    game: Type.String({
      minLength: 3,
      maxLength: 200,
      must: 'the name of a game, such as `Gulls @ Foxes`',
      description:
        'The name of a game as picks show it. Case does not matter. If no game has that name, other names of known teams are tried.',
    }),
    limit: count(100, 500, 'Maximum number of picks.'),
  }),
  tags: (params) => [tags.game(params.sport, params.game), tags.world],
  body: Type.Object({
    picks: Type.Array(pickSchema),
    sides: Type.Array(
      Type.Object({
        market: marketSchema,
        subject: Field.orNull.text(),
        side: sideSchema,
        count: Field.integer('Picks on this side, including those beyond `limit`.'),
      }),
    ),
  }),
  collection: 'picks',
  examples: [{ sport: '{sport}', game: '{game}' }],
  // Any text could be a name, so only answers with picks of that name are cached. Picks found through an operator's alias also change with
  // the alias, and under another tag.
  keep: ({ picks }, params) =>
    picks.some(({ game }) => tags.game(params.sport, game) === tags.game(params.sport, params.game)),
  async compute({ database, baseUrl }, params) {
    const named = await database('games')
      .where('sport', params.sport)
      .whereRaw('lower(name) = any(array(select lower(t) from unnest(?::text[]) as t))', [
        gameTitles(params.game, await readTeams(database, params.sport)),
      ])
      .groupBy('name')
      .select<{ name: string; ids: number[] }[]>(
        'name',
        database.raw('json_agg(id order by starts_at desc) as ids'),
      );
    const exact = named.filter(({ name }) => name.toLowerCase() === params.game.toLowerCase());
    const ids = (exact.length > 0 ? exact : named).flatMap((one) => one.ids);
    const joined = await gamesJoined(database, ids);
    const games = [...new Set(ids.map((id) => joined.get(id)?.id ?? id))];
    const [rows, sides] = await Promise.all([
      // Reads the index by game, latest games first. Ordering all picks of the games by time would first read every later pick of the
      // ledger: 90 ms at a million picks (`GROWTH_ONLY=by-game npm run bench -- growth`).
      boardPicks(
        database,
        database.raw(
          `(select b.* from (
             select uuid from (
               select posted_at, uuid from board_picks
               where game_id = any(:games::bigint[]) and posted_at >= coalesce((
                 select posted_at from (select posted_at from board_picks where game_id = any(:last::bigint[]) offset 0) l
                 order by posted_at desc limit 1 offset :limit - 1), '-infinity')
               offset 0) g
             order by posted_at desc, uuid limit :limit) latest
           join board_picks b using (uuid)) as p`,
          { games, last: games.slice(0, lastGames), limit: params.limit },
        ),
      ).orderBy(newestFirst),
      sideCounts(database, games),
    ]);
    return { picks: rows.map((row) => publicPick(row, baseUrl)), sides };
  },
});
