import type { Database } from '../platform/database.ts';

/** How many prices a moneyline has, by sport: 3 where a draw is a side. */
export async function moneylineWays(database: Database): Promise<Map<string, 2 | 3>> {
  const rows: { key: string; ways: 2 | 3 }[] = await database('sports')
    .orderBy('position')
    .orderBy('key')
    .select({ key: 'key', ways: 'moneyline_ways' });
  return new Map(rows.map(({ key, ways }) => [key, ways]));
}
