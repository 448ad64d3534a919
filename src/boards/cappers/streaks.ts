import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { sportSchema } from '../../ledger/schemas.ts';
import { iso, isoOrNull } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { countedOddsSql, countsSql } from '../../projections/pick-filter.ts';
import { tags } from '../../projections/tags.ts';
import { readVerdicts } from '../../projections/verdicts.ts';
import { chanceText, shownChance } from '../../rules/chance.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import { decidedResults, runningStreak, type Streak } from '../../rules/streaks.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import { beyond, board } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { paragraphs, sportTag, standing, utcText } from '../formats/pick-text.ts';
import { rssFormat } from '../formats/rss-format.ts';
import { count } from '../params.ts';
import { verdictSchema } from '../record.ts';
import { capperBoard, capperFields } from './capper-board.ts';

const hotStreak = Type.Object({
  ...capperFields,
  kind: Type.Literal('W'),
  verdict: verdictSchema,
  length: Field.integer(),
  since: Field.instant('When the first pick of the streak settled.'),
  lastSettledAt: Field.instant('When the last pick of the streak settled.'),
  sports: Type.Array(sportSchema, { description: 'Sports of the picks in the streak.' }),
  chancePct: Field.number('Of 100 bettors without skill, how many win all of these picks. 0: below 0.01.'),
});

export type HotStreak = Static<typeof hotStreak>;

/** Greatest age of a capper's last settled pick, in ms. */
const recentMs = 30 * 86_400_000;

export const minHotStreak = 3;

/** Of at least `min`, with a pick settled in the last 30 days, by length, latest win, and handle. @param limit default: all */
export async function hotStreaks(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  { min, limit }: { min: number; limit?: number },
): Promise<HotStreak[]> {
  const recently = new Date(now - recentMs);
  const streaks = await currentStreaks(database, (cappers) =>
    // Pushes and voids are settled picks too, although the streak does not show them.
    cappers.whereRaw(
      `exists (select from board_picks b
        where b.capper_id = c.id and b.result is not null and b.settled_at >= ? and ${countsSql('b')})`,
      [recently],
    ),
  );
  const verdictOn = await readVerdicts(
    database,
    streaks.map(({ id }) => id),
  );
  return streaks
    .flatMap(({ id, handle, tier, verified, kind, picks }) => {
      if (kind !== 'W' || picks.length < min) return [];
      return [
        {
          handle,
          tier,
          verified,
          kind,
          verdict: verdictOn(id),
          length: picks.length,
          since: iso(picks.at(-1)!.settledAt),
          lastSettledAt: iso(picks[0]!.settledAt),
          sports: [...new Set(picks.map(({ sport }) => sport))].sort(),
          chancePct: shownChance(picks.reduce((chance, pick) => chance * breakEvenOf(pick.oddsAmerican), 1)),
        },
      ];
    })
    .sort(
      (a, b) =>
        b.length - a.length || compare(b.lastSettledAt, a.lastSettledAt) || compare(a.handle, b.handle),
    )
    .slice(0, limit);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export const streakSchema = Type.Object({
  kind: nullable(Type.Union([Type.Literal('W'), Type.Literal('L')])),
  length: Field.integer(),
  since: Field.orNull.instant('When its first pick settled.'),
  lastSettledAt: Field.orNull.instant('When its last pick settled.'),
});

interface DecidedPick {
  result: (typeof decidedResults)[number];
  settledAt: EpochMs;
  sport: string;
  oddsAmerican: number;
}

interface CapperStreak extends Streak<DecidedPick> {
  id: number;
  handle: string;
  tier: Tier;
  verified: boolean;
}

/** Number of a capper's latest picks read first, and the growth factor of further reads if the streak may be longer. */
const firstRead = 4;
const growth = 4;

/** Returns the running streaks of cappers with a win or loss. @param narrow narrows a query of `cappers as c` */
export async function currentStreaks(
  database: BoardContext['database'],
  narrow: (cappers: Knex.QueryBuilder) => unknown,
): Promise<CapperStreak[]> {
  const streaks: CapperStreak[] = [];
  let open: number[] | undefined;
  for (let read = firstRead; open === undefined || open.length > 0; read *= growth) {
    const rows: (DecidedPick & { id: number } & Pick<CapperStreak, 'handle' | 'tier' | 'verified'>)[] =
      await database('cappers as c')
        .joinRaw(latestDecided, [[...decidedResults], read])
        .modify((query) => (open === undefined ? narrow(query) : query.whereIn('c.id', open)))
        .orderByRaw('c.id, b.settled_at desc, b.posted_at desc, b.uuid desc')
        .select(
          'c.id',
          'c.handle',
          'c.tier',
          'c.verified',
          'b.result',
          { settledAt: 'b.settled_at', oddsAmerican: 'b.odds' },
          'b.sport',
        );
    open = [];
    for (const [id, picks] of Map.groupBy(rows, (row) => row.id)) {
      const streak = runningStreak(picks)!;
      if (!streak.ended && picks.length === read) open.push(id);
      else {
        const { handle, tier, verified } = picks[0]!;
        streaks.push({ ...streak, id, handle, tier, verified });
      }
    }
  }
  return streaks;
}

const latestDecided = `
  cross join lateral (
    select result, settled_at, posted_at, uuid, sport, ${countedOddsSql('p')} as odds from board_picks p
    where capper_id = c.id and result is not null and ${countsSql('p')} and result = any(?::text[])
    order by settled_at desc, posted_at desc, uuid desc limit ?) b`;

/** Kind null and length 0 before the first win or loss. */
export async function currentStreak(
  { database }: Pick<BoardContext, 'database'>,
  capperId: number,
): Promise<Static<typeof streakSchema>> {
  const [streak] = await currentStreaks(database, (cappers) => cappers.where('c.id', capperId));
  return {
    kind: streak?.kind ?? null,
    length: streak?.picks.length ?? 0,
    since: isoOrNull(streak?.picks.at(-1)?.settledAt ?? null),
    lastSettledAt: isoOrNull(streak?.picks[0]?.settledAt ?? null),
  };
}

/** `/sharp/hot-streaks.rss`: winning streaks. The guid contains the length, so that a longer streak is a new item. */
export const hotStreaksRss = rssFormat<{ streaks: readonly HotStreak[] }>({
  path: '/sharp/hot-streaks.rss',
  title: () => 'Winning streaks',
  about: () => 'Cappers on a winning streak, with a new item each time a streak gets longer.',
  page: () => '/sharp',
  usual: { min: minHotStreak, limit: 25 },
  items: ({ streaks }, { baseUrl }) =>
    streaks.map(({ handle, tier, verified, length, since, lastSettledAt, sports, chancePct, verdict }) => ({
      title: `${handle} has won ${length} in a row`,
      link: `${baseUrl}/c/${encodeURIComponent(handle)}`,
      guid: `${handle}-${length}`,
      description: paragraphs([
        `${handle} (${standing({ tier, verified })}) has won ${length} in a row. Pushes and voids do not count.`,
        `${chanceText(chancePct)} at the same odds.`,
        verdict.sentence,
        `First win ${utcText(since)}, latest ${utcText(lastSettledAt)}, in ${sports.map(sportTag).join(', ')}.`,
      ]),
      categories: sports,
      creators: [handle],
      publishedAt: Date.parse(lastSettledAt),
      changedAt: Date.parse(lastSettledAt),
    })),
});

export const streaks = board({
  path: '/api/cappers/streaks',
  group: 'sharp',
  about: 'Winning streaks of cappers with a pick settled in the last 30 days, longest first.',
  params: Type.Object({
    min: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: minHotStreak,
      description: 'Minimum length of a streak.',
    }),
    limit: count(25, 100, 'Maximum number of streaks.'),
  }),
  tags: () => [tags.settled, tags.world],
  ahead: [{}],
  body: Type.Object({ streaks: Type.Array(hotStreak) }),
  collection: 'streaks',
  formats: [hotStreaksRss],
  beyondLog: { 'streaks[].tier': beyond.tier },
  examples: [{}, { min: '1', limit: '100' }],
  async compute(context, params) {
    return { streaks: await hotStreaks(context, params) };
  },
});

export const capperStreak = capperBoard({
  name: 'streak',
  about: "A capper's current winning or losing streak. Pushes and voids do not count or end it.",
  body: Type.Object({ handle: Field.text(), ...streakSchema.properties }),
  async compute(context) {
    const { id, handle } = context.capper;
    return { handle, ...(await currentStreak(context, id)) };
  },
});
