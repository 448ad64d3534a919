import type { Static } from 'typebox';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { ofProvenance } from '../../projections/pick-filter.ts';
import { readVerdicts } from '../../projections/verdicts.ts';
import { etMonthStart } from '../../rules/et-day.ts';
import type { Verdict } from '../../rules/verdict.ts';
import type { BoardContext } from '../endpoint.ts';
import { pickItem } from '../formats/pick-text.ts';
import { type FeedContext, narrowed, rssFormat } from '../formats/rss-format.ts';
import {
  count,
  oneOf,
  optionalMarket,
  optionalSport,
  parsePickCursor,
  pickCursor,
  pickCursorAfter,
  provenance,
} from '../params.ts';
import { type PublicPick, pickSchema, publicPick } from '../pick.ts';
import { verdictSchema } from '../record.ts';
import { capperBoard } from './capper-board.ts';

const handleOf = ({ params }: FeedContext) => String(params.handle);

export const capperRss = rssFormat<{ verdict: Verdict; picks: readonly PublicPick[] }>({
  path: '/c/:handle/rss.xml',
  title: (context) => `Picks by ${handleOf(context)}${narrowed(context)}`,
  about: (context, { verdict }) =>
    `Every pick by ${handleOf(context)}, with odds, stake, closing odds, and result. Verdict: ${verdict.word}. ${verdict.sentence}`,
  page: (context) => `/c/${encodeURIComponent(handleOf(context))}`,
  usual: { provenance: 'all', limit: 100 },
  items: ({ picks }) => picks.map(pickItem),
});

/** Picks scanned for a page. If few of them pass the filters, a page may have fewer than requested. */
const maxScanned = 5000;

export const pickFilters = {
  sport: optionalSport,
  market: optionalMarket,
  result: Type.Optional(
    oneOf(
      ['win', 'loss', 'push', 'void', 'pending'],
      'Only picks with this result: `win`, `loss`, `push`, `void`, or `pending`.',
    ),
  ),
  month: Type.Optional(
    Type.String({
      pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
      must: 'a month, such as 2026-01',
      description: 'Only picks posted in this month (ET), such as `2026-01`.',
    }),
  ),
  provenance,
};

export const capperPicks = capperBoard({
  name: 'picks',
  about: "A capper's picks, settled or not, newest first, in pages.",
  params: {
    ...pickFilters,
    limit: count(100, 200, 'Maximum number of picks.'),
    cursor: pickCursor,
  },
  showsGames: true,
  body: Type.Object({
    verdict: verdictSchema,
    picks: Type.Array(pickSchema, {
      description: 'May be fewer than `limit` even if there is a next page.',
    }),
    nextCursor: Field.orNull.text('Null on the last page.'),
  }),
  collection: 'picks',
  formats: [capperRss],
  examples: [
    {},
    { sport: '{sport}', result: 'win', limit: '2' },
    { month: '2024-09', cursor: '1767225600000-0f8fad5b-d9cb-469f-a165-70867728950e' },
  ],
  async compute({ database, baseUrl, capper }, params) {
    const { rows, next } = await readPage(database, capper.id, params);
    const verdictOn = await readVerdicts(database, [capper.id], params);
    return {
      verdict: verdictOn(capper.id),
      picks: rows.map((row) => publicPick(row, baseUrl)),
      nextCursor: next,
    };
  },
});

type Params = Omit<Static<typeof capperPicks.params>, 'handle'>;

async function readPage(
  database: BoardContext['database'],
  capperId: number,
  { sport, market, result, month, provenance, limit, cursor }: Params,
): Promise<{ rows: BoardPick[]; next: string | null }> {
  const after = cursor === undefined ? undefined : parsePickCursor(cursor);
  const candidates = database('board_picks as p')
    .where('p.capper_id', capperId)
    .modify((query) => {
      if (month !== undefined)
        query
          .where('p.posted_at', '>=', new Date(etMonthStart(month)))
          .where('p.posted_at', '<', new Date(etMonthStart(month, 1)));
      if (after !== undefined)
        query
          .where('p.posted_at', '<=', after.postedAt)
          .whereRaw('(p.posted_at < ? or p.uuid > ?)', [after.postedAt, after.uuid]);
    })
    .orderBy(newestFirst)
    .limit(maxScanned)
    .select('p.pick_id', 'p.posted_at', 'p.uuid', 'p.sport', 'p.market', 'p.result', 'p.provenance');
  const passing = database
    .from(candidates.as('p'))
    .modify((query) => {
      if (sport !== undefined) query.where('p.sport', sport);
      if (market !== undefined) query.where('p.market', market);
      if (result === 'pending') query.whereNull('p.result');
      else if (result !== undefined) query.where('p.result', result);
      ofProvenance(query, 'p.provenance', provenance);
    })
    .orderBy(newestFirst)
    .limit(limit + 1)
    .select('p.pick_id');
  const found: BoardPick[] = await boardPicks(database).whereIn('p.pick_id', passing).orderBy(newestFirst);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : await lastOf(database, candidates);
  return { rows, next: last === undefined ? null : pickCursorAfter(last) };
}

async function lastOf(
  database: BoardContext['database'],
  candidates: ReturnType<BoardContext['database']['from']>,
): Promise<{ postedAt: number; uuid: string } | undefined> {
  return database
    .from(candidates.clone().as('p'))
    .orderBy(newestFirst)
    .offset(maxScanned - 1)
    .first({ postedAt: 'p.posted_at', uuid: 'p.uuid' });
}
