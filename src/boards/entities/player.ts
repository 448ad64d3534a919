import { playerAliases } from '../../games/names/aliases.ts';
import { subjectForm } from '../../games/names/players.ts';
import { isAboutPlayer } from '../../games/subjects.ts';
import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { recordOf, tallyOf } from '../../rules/tally.ts';
import { beyond, board } from '../board.ts';
import { type BoardContext, NotFound } from '../endpoint.ts';
import { entityName, entityPath, sport } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema } from '../record.ts';
import { either, nameQuery, suggestionFor, wordsOf } from '../search/words.ts';
import {
  bettorsOf,
  entityLists,
  entityRss,
  latestResults,
  openPicks,
  orSimilar,
  settledPicks,
  slugOf,
} from './entity.ts';

interface Player {
  sport: string;
  name: string;
}

/** Maximum number of spellings that a search reads. */
const mostFound = 500;

export function playerPath({ sport, name }: Player): string {
  return `/player/${sport}/${encodeURIComponent(slugOf(name, subjectForm))}`;
}

/**
 * Returns the subjects that mean a player in the games of a sport, or of all, by any spelling or alias (docs/rules/player-markets.md#names).
 * A subject is the same text in every game, so picks are found by it.
 */
export async function subjectsNamed(
  database: BoardContext['database'],
  name: string,
  sport?: string,
): Promise<string[]> {
  const aliases = await playerAliases.read(database, sport);
  const form = subjectForm(name);
  const meant = [form, ...aliases.filter(({ alias }) => alias === form).map(({ player }) => player)];
  const forms = [
    ...meant,
    ...aliases.filter(({ player }) => meant.includes(player)).map(({ alias }) => alias),
  ];
  const ofSport = sport === undefined ? {} : { 'g.sport': sport };
  return database('subjects as s')
    .join('games as g', 'g.id', 's.game_id')
    .whereRaw('s.form = any(?::text[])', [[...new Set(forms)]])
    .where(ofSport)
    .distinct()
    .pluck('s.subject');
}

async function marketsOf(
  database: BoardContext['database'],
  sport: string,
  subjects: readonly string[],
): Promise<string[]> {
  const markets: string[] = await database('board_picks')
    .where({ sport })
    .whereRaw('subject = any(?::text[])', [[...subjects]])
    .distinct()
    .pluck('market');
  return markets.filter(isAboutPlayer);
}

/** Returns players with picks whose names match a query of words, by sport and name. @param query as of `nameQuery` */
export async function playersNamed(
  database: BoardContext['database'],
  query: string,
  sport?: string,
): Promise<Player[]> {
  const { rows }: { rows: (Player & { market: string })[] } = await database.raw(
    `select distinct b.sport, s.subject as name, b.market
     from (select distinct subject from subjects where words_of(subject) @@ to_tsquery('simple', :query) limit :most) s
     join board_picks b on b.subject = s.subject where b.sport = coalesce(:sport, b.sport)`,
    { query, most: mostFound, sport: sport ?? null },
  );
  const players = new Map(
    rows
      .filter(({ market }) => isAboutPlayer(market))
      .map(({ sport: key, name }) => [`${key}/${subjectForm(name)}`, { sport: key, name }]),
  );
  return [...players.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, player]) => player);
}

/** Returns up to three players whose names resemble an unknown one: those with a word of it, or with similar words. */
async function similarPlayers(
  database: BoardContext['database'],
  { sport, name }: Player,
): Promise<string[]> {
  const words = wordsOf((await suggestionFor(database, name)) ?? name).filter((word) => word.length > 2);
  const queries = await Promise.all(words.map((word) => nameQuery(database, word)));
  const asked = queries.filter((query) => query !== undefined);
  if (asked.length === 0) return [];
  const players = await playersNamed(database, either(asked), sport);
  const shared = (known: string) => wordsOf(known).filter((word) => words.includes(word)).length;
  return players
    .map((player) => player.name)
    .sort((a, b) => shared(b) - shared(a))
    .slice(0, 3);
}

export const playerBoard = board({
  path: '/api/players/:sport/:name',
  group: 'feeds',
  about: 'A player: pending picks with the best odds, records by statistic, latest results, and cappers.',
  params: Type.Object({ sport, name: entityName('player') }),
  tags: (params) => eventsOf(params.sport),
  body: Type.Object({
    sport: sportSchema,
    name: Field.text(),
    path: entityPath,
    open: entityLists.open,
    markets: Type.Array(Type.Object({ market: marketSchema, ...recordSchema.properties }), {
      description: 'Records of all settled picks, by market; most picks first.',
    }),
    results: Type.Array(
      Type.Object({
        ...pickSchema.properties,
        actual: Field.orNull.number('The statistic that graded the pick; null if none did.'),
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
