import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { inCamelCase } from '../../platform/columns.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, newestFirst } from '../../projections/board-picks.ts';
import { settledFields } from '../../projections/settled-picks.ts';
import { calledOffOften, readVerdicts } from '../../projections/verdicts.ts';
import { plainLetters } from '../../rules/plain-name.ts';
import { recordOf, type SettledPick, tallyOf } from '../../rules/tally.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import { capperFields } from '../cappers/capper-board.ts';
import { byYield } from '../cappers/leaderboard.ts';
import { inOrder, placeOf, ranked } from '../cappers/places.ts';
import type { BoardContext } from '../endpoint.ts';
import { pickItem } from '../formats/pick-text.ts';
import { rssFormat } from '../formats/rss-format.ts';
import { type PublicPick, pickSchema, publicPick } from '../pick.ts';
import { bestOffers, offerSchema } from '../picks/pod.ts';
import { recordSchema, verdictSchema } from '../record.ts';
import { wordsOf } from '../search/words.ts';

/** Maximum numbers of open picks, latest results, and cappers on an entity's board, and of the settled picks that its records cover. */
export const most = { open: 100, results: 20, cappers: 10, settled: 20_000 };

const rankedFrom = 20;

const openPick = Type.Object({
  ...pickSchema.properties,
  best: nullable({
    ...offerSchema,
    description: "The best current odds at the pick's line; null once the game has started.",
  }),
});

const bettor = Type.Object({
  rank: Field.orNull.integer(
    `By yield, as on \`/api/leaderboard\`. Null below ${rankedFrom} wins and losses.`,
  ),
  ...capperFields,
  verdict: verdictSchema,
  ...recordSchema.properties,
});

export const entityLists = {
  open: Type.Array(openPick, { description: `Pending picks, by start; at most ${most.open}.` }),
  cappers: Type.Array(bettor, {
    description: 'Cappers with settled picks on it that count, best first; those without a rank follow.',
  }),
};

/** Returns pending picks with the best odds on offer. @param query of `boardPicks` */
export async function openPicks(
  context: BoardContext,
  query: Knex.QueryBuilder<BoardPick, BoardPick[]>,
): Promise<Static<typeof openPick>[]> {
  const rows: BoardPick[] = await query
    .whereNull('p.result')
    .orderBy(['g.starts_at', 'p.posted_at', 'p.uuid'])
    .limit(most.open);
  const offers = await bestOffers(context, rows);
  return rows.map((row, at) => ({ ...publicPick(row, context.baseUrl), best: offers[at]! }));
}

export interface EntityPick extends SettledPick {
  capperId: number;
  gameId: number;
  market: string;
  side: string;
}

/** Reads the latest settled picks of an entity. @param narrow to its picks `b` */
export async function settledPicks(
  { database }: Pick<BoardContext, 'database'>,
  narrow: (query: Knex.QueryBuilder) => void,
): Promise<EntityPick[]> {
  return database('board_picks as b')
    .modify(narrow)
    .whereNotNull('b.result')
    .orderBy('b.settled_at', 'desc')
    .limit(most.settled)
    .select({
      ...settledFields,
      ...inCamelCase('b.capper_id b.game_id b.market b.side'),
    });
}

/** Returns the cappers of settled picks with their records on them, best first. */
export async function bettorsOf(
  { database }: Pick<BoardContext, 'database'>,
  picks: readonly EntityPick[],
  sport: string,
): Promise<Static<typeof bettor>[]> {
  const tallies = new Map(
    [...Map.groupBy(picks, ({ capperId }) => capperId)].map(([id, own]) => [id, tallyOf(own)]),
  );
  const ids = [...tallies.keys()];
  const [cappers, verdictOn, barred] = await Promise.all([
    database('cappers')
      .whereRaw('id = any(?::int[])', [ids])
      .select<{ id: number; handle: string; tier: Tier; verified: boolean }[]>(
        'id',
        'handle',
        'tier',
        'verified',
      ),
    readVerdicts(database, ids, { sport }),
    calledOffOften(database),
  ]);
  const known = new Map(cappers.map((capper) => [capper.id, capper]));
  const places = inOrder(
    cappers.map((capper) => placeOf(byYield, { ...tallies.get(capper.id)!, ...capper })),
  );
  return ranked(
    places.filter(({ sample }) => sample > 0),
    {
      fewest: rankedFrom,
      limit: most.cappers,
      isBarred: ({ id }) => barred.has(id),
    },
  ).map(({ id, rank }) => {
    const { handle, tier, verified } = known.get(id)!;
    return { rank, handle, tier, verified, verdict: verdictOn(id), ...recordOf(tallies.get(id)!) };
  });
}

/**
 * Returns a name as its page's address has it: `rory-finch`; the name itself if only that means it.
 * @param keyOf the form in which names are compared
 */
export function slugOf(name: string, keyOf: (name: string) => string): string {
  const slug = plainLetters(name)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const isSame = keyOf(slug) === keyOf(name) && wordsOf(slug).join() === wordsOf(name).join();
  return isSame && slug.length > 1 ? slug : name;
}

/** Ends a refusal of an unknown name. @param near known names that resemble it */
export function orSimilar(near: readonly string[]): string {
  return near.length === 0
    ? 'Check the spelling, or search for part of the name.'
    : `Did you mean ${near.join(', or ')}?`;
}

export function latestResults(query: Knex.QueryBuilder): Promise<BoardPick[]> {
  return query
    .whereNotNull('p.result')
    .orderBy([{ column: 'p.settled_at', order: 'desc' }, ...newestFirst])
    .limit(most.results);
}

/** Returns the feed of an entity's open picks and latest results, at `/<kind>/:sport/:name/rss.xml`. */
export function entityRss<B>(kind: 'player' | 'team' | 'market', title: (body: B) => string, name = 'name') {
  return rssFormat<B & { open: readonly PublicPick[]; results?: readonly PublicPick[] }>({
    path: `/${kind}/:sport/:${name}/rss.xml`,
    title: (_, body) => title(body),
    about: (_, body) =>
      `${title(body)}: pending ones, and the latest results. Closing odds and results come later.`,
    page: ({ params }) => {
      const { sport, [name]: of } = params as Record<string, string>;
      return `/${kind}/${sport}/${encodeURIComponent(of!)}`;
    },
    items: ({ open, results = [] }) => [...open, ...results].map(pickItem),
  });
}
