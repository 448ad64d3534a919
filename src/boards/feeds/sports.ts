import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { sumOfTallies } from '../../projections/rollups.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { addDays, etDay, windowFirstDay } from '../../rules/et-day.ts';
import { emptyTally, recordOf, type Tally } from '../../rules/tally.ts';
import { board } from '../board.ts';
import { count } from '../params.ts';
import { recordSchema } from '../record.ts';

export const sportsBoard = board({
  path: '/api/sports',
  group: 'feeds',
  about: 'Every valid sport key, with 7 days of activity and a 30-day record.',
  params: Type.Object({}),
  tags: () => everyEvent,
  ahead: [{}],
  body: Type.Object({
    sports: Type.Array(
      Type.Object({
        sport: sportSchema,
        label: Field.text(),
        picks7d: Field.integer('Picks posted in the last 7 ET days, including today.'),
        record30d: recordSchema,
        links: Type.Record(Type.String(), Field.uri()),
      }),
    ),
  }),
  collection: 'sports',
  examples: [{}],
  async compute({ database, now, baseUrl, sports }) {
    const today = etDay(now);
    const first7 = addDays(today, -6);
    const first30 = windowFirstDay('30d', today);
    const [posted, settled] = await Promise.all([
      database('daily_rollups as r')
        .where('r.day', '>=', first7)
        .groupBy('r.sport')
        .select({ sport: 'r.sport', posted: database.raw('sum(r.posted)::bigint') }),
      database('daily_rollups as r')
        .where('r.day', '>=', first30)
        .groupBy('r.sport')
        .select({ sport: 'r.sport', ...sumOfTallies(database) }),
    ]);
    const picks7d = new Map<string, number>(posted.map((row) => [row.sport, row.posted]));
    const tallies = new Map<string, Tally>(settled.map(({ sport, ...tally }) => [sport, tally as Tally]));
    return {
      sports: [...sports.values()]
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ key, label }) => ({
          sport: key,
          label,
          picks7d: picks7d.get(key) ?? 0,
          record30d: recordOf(tallies.get(key) ?? emptyTally()),
          links: {
            today: `${baseUrl}/api/feed/today?sport=${key}`,
            upcoming: `${baseUrl}/api/feed/upcoming?sport=${key}`,
            consensus: `${baseUrl}/api/sharp/today?sport=${key}`,
            leaderboard: `${baseUrl}/api/leaderboard?sport=${key}`,
            snapshot: `${baseUrl}/api/snapshot/sport/${key}`,
            export: `${baseUrl}/record/export.json?sport=${key}`,
          },
        })),
    };
  },
});

export const marketsBoard = board({
  path: '/api/markets',
  group: 'feeds',
  about: 'Sports and markets with recent picks, by name.',
  params: Type.Object({ days: count(30, 90, 'Number of ET days, including today.') }),
  tags: () => [tags.posted],
  ahead: [{}],
  body: Type.Object({
    markets: Type.Array(
      Type.Object({
        sport: sportSchema,
        market: marketSchema,
        picks: Field.integer('Picks posted in these days.'),
        lastPostedAt: Field.instant(),
      }),
    ),
  }),
  collection: 'markets',
  examples: [{}, { days: '7' }],
  async compute({ database, now }, { days }) {
    const rows: { sport: string; market: string; picks: number; lastPostedAt: number }[] = await database(
      'daily_rollups',
    )
      .where('day', '>=', addDays(etDay(now), 1 - days))
      .where('posted', '>', 0)
      .groupBy('sport', 'market')
      .orderByRaw('sport collate "C", market collate "C"')
      .select({
        sport: 'sport',
        market: 'market',
        picks: database.raw('sum(posted)::bigint'),
        lastPostedAt: database.raw('max(last_posted_at)'),
      });
    return { markets: rows.map((row) => ({ ...row, lastPostedAt: iso(row.lastPostedAt) })) };
  },
});
