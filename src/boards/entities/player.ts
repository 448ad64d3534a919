import { NotFound } from '../../cache/renderable.ts';
import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { recordOf, tallyOf } from '../../rules/tally.ts';
import { beyond, board } from '../board.ts';
import { entityName, entityPath, sport } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema } from '../record.ts';
import {
  bettorsOf,
  entityLists,
  entityRss,
  latestResults,
  openPicks,
  orSimilar,
  settledPicks,
} from './entity.ts';
import { marketsOf, playerPath, similarPlayers, subjectsNamed } from './players.ts';

export const playerBoard = board({
  path: '/api/players/:sport/:name',
  group: 'feeds',
  about: 'A player: pending picks with the best odds, records by statistic, latest results, and cappers.',
  params: Type.Object({ sport, name: entityName('player') }),
  tags: (params) => eventsOf(params.sport),
  body: Type.Object({
    sport: sportSchema,
    name: Type.String(),
    path: entityPath,
    open: entityLists.open,
    markets: Type.Array(Type.Object({ market: marketSchema, ...recordSchema.properties }), {
      description: 'Records of all settled picks, by market; most picks first.',
    }),
    results: Type.Array(
      Type.Object({
        ...pickSchema.properties,
        actual: nullable(
          Type.Number({ description: 'The statistic that graded the pick; null if none did.' }),
        ),
      }),
      { description: 'Latest settled picks.' },
    ),
    cappers: entityLists.cappers,
  }),
  formats: [entityRss<{ name: string }>('player', ({ name }) => `Picks on ${name}`)],
  beyondLog: { 'cappers[].tier': beyond.tier },
  examples: [{ sport: '{playerSport}', name: '{player}' }],
  // Other spellings are computed on each request.
  keep: ({ path }, { sport: key, name }) => path === `/player/${key}/${encodeURIComponent(name)}`,
  async compute(context, params) {
    const { database, baseUrl } = context;
    const subjects = await subjectsNamed(database, params.name, params.sport);
    const markets = await marketsOf(database, params.sport, subjects);
    if (markets.length === 0) throw await unknownPlayer(context, params);
    const narrowed = (table: string) => (query: Parameters<Parameters<typeof settledPicks>[1]>[0]) =>
      query
        .where(`${table}.sport`, params.sport)
        .whereRaw(`${table}.subject = any(?::text[])`, [subjects])
        .whereIn(`${table}.market`, markets);
    const picks = () => boardPicks(database).modify(narrowed('p'));
    const [[newest], open, results, settled] = await Promise.all([
      picks().orderBy(newestFirst).limit(1),
      openPicks(context, picks()),
      latestResults(picks()),
      settledPicks(context, narrowed('b')),
    ]);
    const actual = await figuresOf(
      database,
      results.map(({ id }) => id),
    );
    const byMarket = [...Map.groupBy(settled, ({ market }) => market)];
    const name = newest!.sourceName ?? newest!.subject!;
    return {
      sport: params.sport,
      name,
      path: playerPath({ sport: params.sport, name }),
      open,
      markets: byMarket
        .map(([market, own]) => ({ market, ...recordOf(tallyOf(own)) }))
        .sort((a, b) => b.picks - a.picks || (a.market < b.market ? -1 : 1)),
      results: results.map((row) => ({ ...publicPick(row, baseUrl), actual: actual.get(row.id) ?? null })),
      cappers: await bettorsOf(context, settled, params.sport),
    };
  },
});

/** Reads the statistics that graded picks, by pick. */
async function figuresOf(
  database: Parameters<typeof marketsOf>[0],
  pickIds: readonly number[],
): Promise<Map<number, number>> {
  const rows: { id: number; value: number }[] = await database('settlements')
    .whereRaw('pick_id = any(?::bigint[])', [[...pickIds]])
    .whereNotNull('stat_value_e3')
    .select({ id: 'pick_id', value: 'stat_value_e3' });
  return new Map(rows.map(({ id, value }) => [id, value / 1000]));
}

async function unknownPlayer(
  { database }: Parameters<typeof playerBoard.compute>[0],
  player: { sport: string; name: string },
): Promise<NotFound> {
  const near = await similarPlayers(database, player);
  return new NotFound(
    `No pick in ${player.sport} is about a player named ${JSON.stringify(player.name)}. ${orSimilar(near)}`,
  );
}
